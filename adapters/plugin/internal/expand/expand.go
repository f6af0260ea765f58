// Package expand contains the functions that expanders share: reading the value of a document, and creating common
// actions.
package expand

import (
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Value returns the value of the document to expand. A type other than T is an error, because the expander does not
// support the document.
func Value[T document.Value](name string, e ports.Expansion) (T, error) {
	v, ok := e.Document.Value.(T)
	if !ok {
		return v, fmt.Errorf("expand %s: the document at %s is %T, not %T", name, e.Document.Source, e.Document.Value, v)
	}
	return v, nil
}

// File returns the action that writes a file that all users can read.
func File(path, text string) action.WriteFile {
	return action.WriteFile{File: machine.File{Path: path, Content: document.Text(text), Mode: machine.DefaultFileMode}}
}

// SecretFile returns the action that writes a file that only root can read.
func SecretFile(path string, content []byte) action.WriteFile {
	return action.WriteFile{File: machine.File{
		Path: path, Content: document.Literal(content), Mode: machine.SecretFileMode, Secret: true,
	}}
}

// Enabled returns the action that enables the unit and restarts it if documents of the kinds change something.
func Enabled(unit string, restartOn ...document.Kind) action.EnsureUnit {
	on := true
	return action.EnsureUnit{Unit: machine.Unit{Name: unit, Enabled: &on}, RestartOn: restartOn}
}

// Restarted returns the action that restarts the unit if documents of the kinds change something. It does not enable
// the unit.
func Restarted(unit string, restartOn ...document.Kind) action.EnsureUnit {
	return action.EnsureUnit{Unit: machine.Unit{Name: unit}, RestartOn: restartOn}
}

// Masked returns the action that masks the unit.
func Masked(unit string) action.EnsureUnit {
	return action.EnsureUnit{Unit: machine.Unit{Name: unit, Masked: true}}
}

func root(t osprofile.Target) string {
	if IsWindows(t) {
		return `a drive, as in C:\k`
	}
	return "a slash"
}

// Absolute returns an error finding if the path is not absolute on the target's operating system. An empty path means
// the default.
func Absolute(t osprofile.Target, at report.Path, path string) report.Report {
	if path == "" || t.Profile.IsAbs(path) {
		return nil
	}
	return report.Report{report.Errorf(at, "%q is not a path of %s", path, t.Profile.Name).To("begin it with %s", root(t))}
}

// Writable returns an error finding if the path is not absolute on the target's operating system, or is below a
// read-only directory.
func Writable(t osprofile.Target, at report.Path, path string) report.Report {
	if r := Absolute(t, at, path); len(r) > 0 {
		return r
	}
	if t.Profile.CanWrite(path) {
		return nil
	}
	return report.Report{report.Errorf(at, "%s cannot be written: %s mounts %s read-only", path, t.Profile.Name,
		strings.Join(t.Profile.ReadOnly, ", ")).To("choose a path below /etc, /opt or /var, or use a system extension")}
}
