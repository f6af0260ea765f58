package talos

import (
	"fmt"
	"slices"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// customization is the one file outside of /var that Talos takes; containerd imports it (docs.siderolabs.com/talos:
// Containerd).
const customization = "/etc/cri/conf.d/20-customization.part"

// opCreate rewrites a file at every boot. The others need a file that is there, or add to it again and again
// (siderolabs/talos: WriteUserFiles).
const opCreate = "create"

// entry is a file as it will be.
type entry struct {
	path    string
	content document.Content
	mode    machine.Mode
	at      report.Path
}

// files are in the order in which they are first written.
type files struct{ list []entry }

// add takes a file, or adds to one that was taken before.
func (f *files) add(b *build, at report.Path, file machine.File) {
	if findings := checkFile(at, file); findings.HasErrors() {
		b.findings = append(b.findings, findings...)
		return
	}
	i := slices.IndexFunc(f.list, func(e entry) bool { return e.path == file.Path })
	switch {
	case file.Append && i < 0:
		b.find(report.Errorf(at.Field("append"), "Talos appends to a file again at every boot").To("give the whole file"))
	case file.Append:
		f.list[i].content = document.Join(f.list[i].content, file.Content)
		if file.Mode != machine.ModeUnset {
			f.list[i].mode = file.Mode
		}
	default:
		f.list = slices.DeleteFunc(f.list, func(e entry) bool { return e.path == file.Path })
		f.list = append(f.list, entry{file.Path, file.Content, file.EffectiveMode(), at})
	}
}

// checkFile finds files that Talos refuses at boot or writes differently; the library's own validation finds none
// of it.
func checkFile(at report.Path, f machine.File) report.Report {
	var r report.Report
	if !strings.HasPrefix(f.Path, "/var/") && f.Path != customization {
		r = append(r, report.Errorf(at.Field("path"), "Talos writes files below /var alone, and %s", customization).
			To("choose a path below /var, or use the document for the file's purpose"))
	}
	for _, owner := range []string{f.Owner.User, f.Owner.Group} {
		if owner != "" && owner != "root" && owner != "0" {
			r = append(r, report.Errorf(at.Field("owner"), "root owns all files on Talos").To("leave it out"))
			break
		}
	}
	if f.Mode > 0o777 {
		r = append(r, report.Errorf(at.Field("permissions"), "Talos sets no bits but those to read, write and execute").
			To("write three octal digits"))
	}
	if _, static := f.Content.Static(); !static {
		r = append(r, fact(at.Field("content")))
	}
	return r
}

// fact is the finding about a value that only the machine knows.
func fact(at report.Path) report.Finding {
	return report.Errorf(at, "Talos does not replace facts on the machine").To(
		"give the value, or leave it out: Talos detects its addresses and its name")
}

// renderFiles writes the files into the configuration.
func (b *build) renderFiles() {
	for _, e := range b.files.list {
		if e.path == customization && len(b.containerd) > 0 {
			b.find(report.Errorf(e.at.Field("path"), "%s sets the same as containerd's settings", customization).
				To("use containerd.rawTOML"))
			continue
		}
		if b.covered(e.path) {
			b.find(report.Errorf(e.at.Field("path"),
				"Talos may write the file before it mounts the volume, which would hide it").
				To("choose a path that is on no mount"))
			continue
		}
		content, _ := e.content.Static()
		b.write(e.path, content, e.mode)
	}
	if len(b.containerd) > 0 {
		b.write(customization, b.containerd, machine.SecretFileMode)
	}
}

// placeOf returns the path of a file's entry in the configuration.
func (b *build) placeOf(path string) string {
	for i, f := range b.config.MachineConfig.MachineFiles {
		if f.FilePath == path {
			return fmt.Sprintf("machine.files[%d]", i)
		}
	}
	return ""
}

// write always sets the mode: without one Talos creates a file that no one may read.
func (b *build) write(path string, content []byte, mode machine.Mode) {
	m := b.config.MachineConfig
	m.MachineFiles = append(m.MachineFiles, &v1alpha1.MachineFile{
		FileContent:     string(content),
		FilePermissions: v1alpha1.FileMode(mode),
		FilePath:        path,
		FileOp:          opCreate,
	})
}
