package bootscript

import (
	"strings"

	"github.com/machineadm/machineadm/domain/facts"
)

// OwnFact returns the command that prints what the running system itself knows, and whether that is anything.
func OwnFact(own facts.Own) (command string, ok bool) {
	switch own {
	case facts.OwnHostname:
		return "grep -vx " + facts.NoHostname + " /proc/sys/kernel/hostname", true
	case facts.OwnAddress:
		return `ip -4 -o addr show scope global|awk '{sub("/.*","",$4);print $4;exit}'`, true
	case facts.OwnNothing:
	}
	return "", false
}

// FirstFact returns the command that prints what the source has for the first of the names for which it has something,
// and else what the running system knows. The source is a command of a name, which may be $n; it fails if it has
// nothing.
func FirstFact(names []string, source func(name string) string, otherwise facts.Own) string {
	command := source(names[0])
	if len(names) > 1 {
		command = "for n in " + strings.Join(names, " ") + ";do " + source("$n") + "&&break;done"
	}
	if own, ok := OwnFact(otherwise); ok {
		command += "||" + own
	}
	return command
}
