// Package hostile is a table of inputs that break naive renderers: contents, paths, names, commands, mounts, units and
// versions, beginning with every known defect of the incumbents. Each arrives on the machine byte for byte, through the
// format's real consumer, or is refused by a finding that names its field.
package hostile

import (
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// Case is one hostile input.
type Case struct {
	// Name is unique and usable in a file name.
	Name string
	// Reason is what breaks.
	Reason string
	// Documents are the input.
	Documents []document.Document
	// Files are what the machine must hold afterwards: path to exact bytes.
	Files map[string][]byte
	// Lines are what a file must hold as one whole line: path to line.
	Lines map[string]string
	// Refused means that no format accepts the input.
	Refused bool
	// Isolated means that the case changes the whole machine and is tried alone.
	Isolated bool
}

// Dir is where the cases put their files.
const Dir = "/hostile"

// Cases returns the table. Positions count within the whole table, so that each field's path is unique.
func Cases() []Case {
	var all []Case
	for _, group := range [][]Case{
		contentCases(), modeCases(), pathCases(), userCases(), groupCases(), commandCases(), unitCases(), mountCases(),
		refusedFiles(), refusedAccounts(), refusedPrograms(), refusedTrust(),
	} {
		all = append(all, group...)
	}
	for i := range all {
		for j := range all[i].Documents {
			all[i].Documents[j].Source.Path = report.Path("cases").Index(i).Field("documents").Index(j)
		}
	}
	return all
}

func doc(v document.Value) document.Document { return document.Document{Value: v} }

// file is a case of one file that must arrive as it is.
func file(name, reason string, f machine.File) Case {
	content, _ := f.Content.Static()
	return Case{
		Name: name, Reason: reason, Documents: []document.Document{doc(f)},
		Files: map[string][]byte{f.Path: content},
	}
}

func content(name, reason, text string) Case {
	return file("content-"+name, reason, machine.File{Path: Dir + "/content/" + name, Content: document.Text(text)})
}

func path(name, reason, p string) Case {
	return file("path-"+name, reason, machine.File{Path: p, Content: document.Text(name)})
}

// command is a case of one command, which prints to its own file.
func command(name, reason, script, want string) Case {
	out := Dir + "/command/" + name
	return Case{
		Name: "command-" + name, Reason: reason,
		Documents: []document.Document{doc(machine.Command{
			Phase:  document.PhasePre,
			Script: fmt.Sprintf("mkdir -p %s/command\nexec >%s\n%s", Dir, out, script),
		})},
		Files: map[string][]byte{out: []byte(want)},
	}
}

func refused(name, reason string, v document.Value) Case {
	return Case{Name: "refused-" + name, Reason: reason, Documents: []document.Document{doc(v)}, Refused: true}
}

func repeat(s string, n int) string { return strings.Repeat(s, n) }
