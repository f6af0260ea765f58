package action

import (
	"strings"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// Check returns error findings for invalid paths, modes and owner names.
func (o MakeDirectory) Check(p report.Path) report.Report {
	r := machine.CheckPath(p.Field("path"), o.Path)
	r = append(r, o.Mode.Check(p.Field("mode"))...)
	return append(r, o.Owner.Check(p.Field("owner"))...)
}

// Check returns error findings for invalid paths and invalid link targets.
func (o Link) Check(p report.Path) report.Report { return machine.Link(o).Check(p) }

// Check returns error findings for invalid paths, modes, URLs and digests.
func (o FetchFile) Check(p report.Path) report.Report {
	r := machine.CheckPath(p.Field("path"), o.Path)
	r = append(r, o.Mode.Check(p.Field("mode"))...)
	return append(r, machine.Artifact{Name: "file", URL: o.URL, SHA256: o.SHA256, SHA512: o.SHA512}.Check(p)...)
}

// Check returns error findings for names of several lines, commands without a phase, and scripts that contain NUL.
func (c RunCommand) Check(p report.Path) report.Report {
	var r report.Report
	if strings.ContainsAny(c.Name, "\n\r\x00") {
		r = append(r, report.Errorf(p.Field("name"), "the name has more than one line").To("remove the line breaks"))
	}
	if c.When == 0 {
		r = append(r, report.Errorf(p.Field("when"), "the phase is not set").To("set it"))
	}
	if strings.TrimSpace(c.Script) == "" {
		r = append(r, report.Errorf(p.Field("script"), "the command is empty").To("set a script"))
	}
	for _, script := range []struct{ field, text string }{{"script", c.Script}, {"undo", c.Undo}, {"renew", c.Renew}} {
		if strings.ContainsRune(script.text, 0) {
			r = append(r, report.Errorf(p.Field(script.field), "a command cannot contain a NUL byte").To("remove it"))
		}
	}
	return r
}
