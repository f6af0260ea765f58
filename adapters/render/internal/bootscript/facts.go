package bootscript

import (
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
)

// OwnFact returns the command that prints the fact that the running system itself provides, and whether it exists.
func OwnFact(own facts.SystemFact) (command string, ok bool) {
	switch own {
	case facts.SystemHostname:
		return "grep -vx " + facts.NoHostname + " /proc/sys/kernel/hostname|cut -d. -f1", true
	case facts.SystemFQDN:
		return "grep -F . /proc/sys/kernel/hostname", true
	case facts.SystemAddress:
		return `ip -4 -o addr show scope global|awk '{sub("/.*","",$4);print $4;exit}'`, true
	case facts.SystemIPv6:
		return "ip -6 -o addr show scope global|awk '!/ (temporary|deprecated|tentative|dadfailed) /{sub(\"/.*\",\"\",$4);" +
			"print $1,$4}'|LC_ALL=C sort -k1,1n -k2,2|awk '{print $2;exit}'", true
	case facts.SystemNone:
	}
	return "", false
}

// SystemFact returns the command that prints a fact of a machine without a metadata service, and whether the system
// itself provides the fact.
func SystemFact(f document.Fact) (command string, ok bool) { return OwnFact(facts.Fallback(f, false)) }

// FirstFact returns the command that prints the first value that the source finds for the names, or else the system's
// own fact. source returns the command for a name, which may be $n; the command fails if there is no value.
func FirstFact(names []string, source func(name string) string, otherwise facts.SystemFact) string {
	command := source(names[0])
	if len(names) > 1 {
		command = "for n in " + strings.Join(names, " ") + ";do " + source("$n") + "&&break;done"
	}
	if own, ok := OwnFact(otherwise); ok {
		command += "||" + own
	}
	return command
}
