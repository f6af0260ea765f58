// Package linuxcmd builds commands and file content that configure a Linux machine: fstab, partition tables, file
// systems, packages, units, accounts and downloads.
//
// A machine is configured either by the bootstrap program, a shell script that renderers write, or by the agent. Both
// use this package, so that the same document has the same effect. It does no I/O.
package linuxcmd

import (
	"strings"

	"github.com/machineadm/machineadm/domain/action"
)

// Command is a program and its arguments.
type Command []string

// String returns the command as shell words.
func (c Command) String() string {
	words := make([]string, len(c))
	for i, word := range c {
		words[i] = action.Quote(word)
		// An equals sign is special only before the program name.
		if plain := strings.ReplaceAll(word, "=", ""); i > 0 && plain != "" && action.Quote(plain) == plain {
			words[i] = word
		}
	}
	return strings.Join(words, " ")
}

// with returns the command with more arguments. It does not change the command.
func (c Command) with(more ...string) Command { return append(c[:len(c):len(c)], more...) }

// option returns the command with an option, if the value is not empty.
func (c Command) option(name, value string) Command {
	if value == "" {
		return c
	}
	return c.with(name, value)
}
