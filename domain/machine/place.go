package machine

import (
	"strings"
	"unicode/utf8"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// Directory creates a directory and its missing parents. It changes the permissions and the owner of an existing one.
type Directory struct {
	// Path is an absolute, clean path, with slashes also on Windows.
	Path string `json:"path"`
	// Mode is the permissions, in octal. Default: 0755.
	Mode Mode `json:"permissions,omitempty"`
	// Owner is the owner of the directory. Missing parents belong to root.
	Owner Owner `json:"owner,omitempty"`
}

// Kind returns KindDirectory.
func (Directory) Kind() document.Kind { return KindDirectory }

// Check returns error findings for invalid paths, modes and owner names.
func (d Directory) Check(p report.Path) report.Report {
	r := checkPath(p.Field("path"), d.Path)
	r = append(r, checkMode(p.Field("permissions"), d.Mode)...)
	return append(r, checkOwner(p.Field("owner"), d.Owner)...)
}

// Link creates a symbolic link. It replaces an existing file or link at its path, but not a directory.
type Link struct {
	// Path is an absolute, clean path.
	Path string `json:"path"`
	// Target is the path that the link contains. A relative one is relative to the directory of the link. The target need
	// not exist.
	Target string `json:"target"`
}

// Kind returns KindLink.
func (Link) Kind() document.Kind { return KindLink }

// Check returns error findings for invalid paths and targets.
func (l Link) Check(p report.Path) report.Report {
	r, at := checkPath(p.Field("path"), l.Path), p.Field("target")
	switch {
	case l.Target == "":
		r = append(r, report.Errorf(at, "the target is empty").To("set a path"))
	case strings.ContainsRune(l.Target, 0):
		r = append(r, report.Errorf(at, "a path cannot contain a NUL byte").To("remove it"))
	case !utf8.ValidString(l.Target):
		r = append(r, report.Errorf(at, "the target is not valid UTF-8").To("use another path"))
	default:
		r = append(r, checkPathLength(at, l.Target)...)
	}
	return r
}
