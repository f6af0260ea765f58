// Package script removes from embedded programs what only their readers need.
//
// The programs that machines run are files (.sh, .ps1, .py), so that editors and linters read them: `make lint` checks
// each one. Userdata is limited in size, so comments, blank lines and indentation are not part of it.
//
// The functions work on lines and do not know the languages' strings. A program must therefore have no comment at the
// end of a line of code, no here-document and no indented line in a string. The tests of this package parse every
// program of the repository with and without its comments and compare the syntax.
package script

import "strings"

// Strip returns a PowerShell program without comments, blank lines and indentation. The first line stays if it
// names an interpreter.
func Strip(program string) string {
	return strip(program, func(int) int { return 0 })
}

// operators removes the spaces around the operators of lists and pipelines, and joins continued lines.
//
//nolint:gochecknoglobals // it never varies
var operators = strings.NewReplacer(" && ", "&&", " || ", "||", " | ", "|", "\\\n", "")

// StripShell returns a shell program as Strip does, without spaces around the operators of lists and pipelines, and
// with continued lines joined. A string must not contain such an operator between spaces.
func StripShell(program string) string { return operators.Replace(Strip(program)) }

// StripPython returns a Python program without comments and blank lines, and with one space for each four spaces of
// indentation.
func StripPython(program string) string {
	return strip(program, func(indentation int) int { return (indentation + 3) / 4 })
}

func strip(program string, indent func(indentation int) int) string {
	var b strings.Builder
	b.Grow(len(program))
	if strings.HasPrefix(program, "#!") {
		interpreter, rest, _ := strings.Cut(program, "\n")
		b.WriteString(interpreter + "\n")
		program = rest
	}
	for line := range strings.Lines(program) {
		code := strings.TrimLeft(line, " \t")
		if code == "" || code == "\n" || code[0] == '#' {
			continue
		}
		b.WriteString(strings.Repeat(" ", indent(len(line)-len(code))))
		b.WriteString(code)
	}
	return b.String()
}
