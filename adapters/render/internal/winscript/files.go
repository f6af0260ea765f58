package winscript

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// writeFile writes a file beside its place and moves it there, so that no reader ever sees half of it.
func (w *writer) writeFile(s plan.SourcedStep, f machine.File) {
	secret, ok := w.access(s, f.Path, f.EffectiveMode(), f.Owner)
	parts, known := w.parts(s, f.Content)
	if !ok || !known {
		return
	}
	function := "Write-File "
	if f.Append {
		function = "Add-File "
		secret = secret && f.Mode != machine.ModeUnset
	}
	w.run(s, function+windowscmd.Quote(f.Path)+" "+boolean(secret)+" @("+parts+")")
}

func (w *writer) makeDirectory(s plan.SourcedStep, d action.MakeDirectory) {
	secret, ok := w.access(s, d.Path, d.Mode.Or(machine.DefaultDirectoryMode), d.Owner)
	if !ok {
		return
	}
	script := "$null = [IO.Directory]::CreateDirectory(" + windowscmd.Quote(d.Path) + ")"
	if secret {
		script += "; Protect-Directory " + windowscmd.Quote(d.Path)
	}
	w.run(s, script)
}

// access returns whether only SYSTEM and the administrators may read the path. Windows has access control lists in
// place of permissions and owners: a mode without permissions for others becomes that list, and any other mode means
// what the directory hands down. An info finding reports a mode with a meaning that Windows does not have.
func (w *writer) access(s plan.SourcedStep, path string, mode machine.Mode, owner machine.Owner) (secret, ok bool) {
	ok = true
	if !machine.IsWindowsPath(path) {
		ok = false
		w.find(report.Errorf(s.Source.Path, "%q is not a Windows path", path).To(`begin it with a drive, as in C:\k`))
	}
	if !windowscmd.CanOwn(owner) {
		ok = false
		w.find(report.Errorf(s.Source.Path, "files on Windows belong to SYSTEM and the administrators").
			To("leave the owner out, or set it with icacls in preCommands"))
	}
	secret = windowscmd.IsPrivate(mode)
	effect := "inherits the permissions of its directory"
	if secret {
		effect = "is for SYSTEM and the administrators only"
	}
	usual := []machine.Mode{machine.DefaultFileMode, machine.DefaultDirectoryMode, machine.SecretFileMode, 0o700}
	if !slices.Contains(usual, mode) {
		w.find(report.Infof(s.Source.Path, "Windows has no permissions %04o; %s %s", uint32(mode), path, effect))
	}
	return secret, ok
}

// parts returns the content as base64 strings, one after the other.
func (w *writer) parts(s plan.SourcedStep, c document.Content) (string, bool) {
	parts := make([]string, 0, len(c.Fragments()))
	for _, f := range c.Fragments() {
		if f.Fact == "" {
			parts = append(parts, "'"+base64.StdEncoding.EncodeToString(f.Literal)+"'")
			continue
		}
		call := w.fact(f.Fact)
		if call == "" {
			w.find(report.Errorf(s.Source.Path,
				"the machine's %s is not known on Windows: each cloud has its own metadata service", f.Fact).
				To("use %s or %s, or ask the cloud's metadata service in preCommands", document.FactHostname,
					document.FactPrivateIPv4))
			return "", false
		}
		parts = append(parts, call)
	}
	return strings.Join(parts, ", "), true
}

// fact returns a call that returns the fact in base64, or empty if Windows does not know the fact. The facts of the
// metadata service have precedence, because they have the same values on other systems.
func (w *writer) fact(f document.Fact) string {
	if path := w.options.Metadata.Path(f); path != "" {
		return strings.Join([]string{
			"(Get-Metadata", windowscmd.Quote(string(f)), windowscmd.Quote(string(w.options.Metadata)),
			windowscmd.Quote(path) + ")",
		}, " ")
	}
	switch f {
	case document.FactHostname, document.FactShortHostname:
		return "(Get-Fact " + windowscmd.Quote(string(document.FactHostname)) + ")"
	case document.FactPrivateIPv4:
		return "(Get-Fact " + windowscmd.Quote(string(f)) + ")"
	case document.FactFQDN, document.FactPublicIPv4, document.FactIPv6, document.FactInstanceID, document.FactRegion,
		document.FactZone:
		fallthrough
	default:
		return ""
	}
}

// fetch downloads with curl, which Windows has since 2019 and which gets its arguments in the system's own code page.
func (w *writer) fetch(s plan.SourcedStep, f action.FetchFile) {
	if f.Authorities != "" {
		w.find(report.Errorf(s.Source.Path, "a download on Windows trusts only the certificates of the machine").
			To("add the authorities to trustedCAs"))
		return
	}
	mode := f.Mode.Or(machine.DefaultFileMode)
	secret, ok := w.access(s, f.Path, mode, machine.Owner{})
	if strings.ContainsFunc(f.URL, windowscmd.Special) || strings.ContainsAny(f.URL, `"\ `) {
		w.find(report.Errorf(s.Source.Path, "the URL contains characters that curl does not accept").To(
			"write them percent-encoded"))
		return
	}
	if !ok {
		return
	}
	algorithm, digest := "SHA256", f.SHA256
	if digest == "" {
		algorithm, digest = "SHA512", f.SHA512
	}
	w.run(s, "Get-Download "+strings.Join([]string{
		windowscmd.Quote(f.URL), windowscmd.Quote(f.Path), boolean(secret), algorithm,
		windowscmd.Quote(digest),
	}, " "))
}

func boolean(b bool) string {
	if b {
		return "$true"
	}
	return "$false"
}
