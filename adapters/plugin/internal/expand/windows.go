package expand

import (
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// IsWindows reports whether the target is Windows, which has drives, services and PowerShell.
func IsWindows(t osprofile.Target) bool { return t.Profile.Family == osprofile.FamilyWindows }

// windowsPlaces maps the directories that differ on Windows: machineadm's and containerd's (its defaults_windows.go
// and docs/hosts.md). kubeadm and kubelet keep theirs, on drive C.
func windowsPlaces() [][2]string {
	return [][2]string{
		{"/etc/machineadm", `C:\ProgramData\machineadm`},
		{"/etc/containerd/certs.d", `C:\ProgramData\containerd\certs.d`},
		{"/etc/containerd", `C:\Program Files\containerd`},
	}
}

// Place converts the path of a file on Linux to its path on the target.
func Place(t osprofile.Target, path string) string {
	if !IsWindows(t) {
		return path
	}
	for _, p := range windowsPlaces() {
		if rest, below := strings.CutPrefix(path, p[0]); below && (rest == "" || rest[0] == '/') {
			return p[1] + strings.ReplaceAll(rest, "/", `\`)
		}
	}
	return "C:" + strings.ReplaceAll(path, "/", `\`)
}

// OnlyLinux returns an error finding if the target is Windows, which does not support the document's kind.
func OnlyLinux(t osprofile.Target, d document.Document, remedy string) report.Report {
	if !IsWindows(t) {
		return nil
	}
	return report.Report{report.Errorf(d.Source.Path, "%s is not for Windows", d.Kind()).To("%s", remedy)}
}

// PowerShell returns the text in single quotes, as one argument of PowerShell. The text must be ASCII without control
// characters.
func PowerShell(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
