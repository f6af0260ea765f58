package expand

import (
	"strings"

	"github.com/machineadm/machineadm/domain/action"
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

// Reserved returns an error finding for a path in one of machineadm's directories on Windows: the programs there run as
// SYSTEM, and infrastructure providers read the result of the bootstrap there. Windows ignores the case of names.
func Reserved(t osprofile.Target, at report.Path, path string) report.Report {
	for _, dir := range []string{`C:\ProgramData\machineadm`, `C:\run\cluster-api`, `C:\run\machineadm`} {
		if n := len(dir); IsWindows(t) && len(path) >= n && strings.EqualFold(path[:n], dir) &&
			(len(path) == n || path[n] == '\\') {
			return report.Report{report.Errorf(at, "%s is reserved for machineadm", dir).
				To("choose a path in another directory, such as C:\\ProgramData\\example")}
		}
	}
	return nil
}

// ProtectDirectory returns the commands that create a directory and give it to the administrators. Only SYSTEM and the
// administrators can write to it, and other users can read it if readable is set. All users can read and replace the
// files in other directories of the drive.
func ProtectDirectory(directory string, readable bool) string {
	icacls := "icacls.exe " + action.QuotePowerShell(directory)
	grants := " /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F'"
	if readable {
		grants += " '*S-1-5-32-545:(OI)(CI)RX'"
	}
	const check = "if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }\n"
	return "$null = [IO.Directory]::CreateDirectory(" + action.QuotePowerShell(directory) + ")\n" +
		icacls + " /setowner '*S-1-5-32-544'\n" + check + icacls + grants + "\n" + check
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
