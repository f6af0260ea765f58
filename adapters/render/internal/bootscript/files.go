package bootscript

import (
	"encoding/base64"
	"fmt"
	"path"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// writeFile writes a temporary file and renames it, so that readers never see a partial file.
func (w *writer) writeFile(s plan.SourcedStep, f action.WriteFile) {
	if f.Path == ProxyEnvironment {
		w.proxied = true
	}
	content, ok := w.content(s, f.Content)
	if !ok {
		return
	}
	switch {
	case f.Append && w.careful(f.Path):
		w.run(s, w.appendBelow(f.File, content))
	case f.Append:
		w.run(s, "mkdir -p "+Quote(path.Dir(f.Path))+"&&"+add(f.File, Quote(f.Path), content))
	default:
		to := w.spot(f.Path)
		w.run(s, to.prepare+"(umask 077&&"+fresh(f.File, to.next)+content+">"+to.next+")"+ownership(to.next,
			f.EffectiveMode(), f.Owner)+to.finish)
	}
}

// add appends the content. A new private file is created with mode 0600. An existing file that gets a private mode is
// replaced, because other users may have it open; links and the owner stay. Without a mode the file keeps its mode.
func add(f machine.File, at, content string) string {
	switch {
	case !f.Private():
		return content + ">>" + at + ownership(at, f.Mode, f.Owner)
	case f.Mode == machine.ModeUnset:
		return "(umask 077&&:>>" + at + ")&&" + content + ">>" + at + ownership(at, f.Mode, f.Owner)
	}
	const next = `"${_target%/*}/.${_target##*/}.machineadm-new"`
	// The dot preserves a newline at the end of the name.
	return `_target=$(readlink -f ` + at + `&&echo .)&&_target=${_target%??}&&rm -f ` + next +
		`&&(umask 077&&{ { [ ! -e "$_target" ]||cat "$_target";}&&` + content + ";}>" + next +
		`)&&{ [ ! -e "$_target" ]||chown $(stat -c %u:%g "$_target") ` + next + ";}" + ownership(next, f.Mode, f.Owner) +
		"&&mv -f " + next + ` "$_target"`
}

// fresh removes the temporary file of an earlier run before private content is written: an existing file keeps its mode
// and its readers.
func fresh(f machine.File, next string) string {
	if !f.Private() {
		return ""
	}
	return "rm -f " + next + "&&"
}

// content returns a shell command that prints the content.
func (w *writer) content(s plan.SourcedStep, c document.Content) (string, bool) {
	if c.IsZero() {
		return "{ :;}", true
	}
	parts := make([]string, 0, len(c.Fragments()))
	for _, f := range c.Fragments() {
		if f.Fact == "" {
			parts = append(parts, printLiteral(f.Literal))
			continue
		}
		command, ok := w.fact(f.Fact)
		if !ok {
			w.findings = append(w.findings, report.Errorf(s.Source.Path, "the machine's %s is not known in this format", f.Fact).
				To("use one of the facts in docs/facts.md that the format knows, or write the value"))
			return "", false
		}
		w.define(script.StripShell(factScript))
		parts = append(parts, `_value=$(`+command+`)&&_fact "$_value"`)
	}
	return "{ " + strings.Join(parts, "&&") + ";}", true
}

func (w *writer) fact(f document.Fact) (string, bool) {
	if w.options.Fact == nil {
		return "", false
	}
	return w.options.Fact(f)
}

// printLiteral prints text directly and other bytes through base64, which every shell and locale preserves.
func printLiteral(b []byte) string {
	for _, c := range b {
		if (c < ' ' && c != '\n' && c != '\t') || c > '~' {
			return "printf %s " + base64.StdEncoding.EncodeToString(b) + "|base64 -d"
		}
	}
	return "printf %s " + Quote(string(b))
}

func ownership(at string, mode machine.Mode, o machine.Owner) string {
	var script string
	if o.User != "" || o.Group != "" {
		script += "&&chown " + Quote(o.User+":"+o.Group) + " " + at
	}
	if mode != machine.ModeUnset {
		script += fmt.Sprintf("&&chmod %04o %s", uint32(mode), at)
	}
	return script
}

func (w *writer) makeDirectory(d action.MakeDirectory) string {
	at := Quote(d.Path)
	if w.careful(d.Path) {
		w.define(Enter())
		return "_enter " + at + foreign(d.Owner) + ownership(".", d.Mode.Or(machine.DefaultDirectoryMode), d.Owner)
	}
	return "mkdir -p " + at + ownership(at, d.Mode.Or(machine.DefaultDirectoryMode), d.Owner)
}

// foreign fails in a directory that other users can write, unless its owner is root, the owner of its parents or the
// desired owner.
func foreign(o machine.Owner) string {
	wanted := ""
	if o.User != "" {
		wanted = `|"$(id -u ` + Quote(o.User) + `)"`
	}
	return `&&{ [ ! "$_owner" ]||case "$(stat -c %u .)" in 0|"${_owner%:*}"` + wanted +
		`);;*)echo 'another user made the directory'>&2;false;;esac;}`
}

func (w *writer) link(l action.Link) string {
	if w.careful(l.Path) {
		w.define(Enter())
		return "_enter_parent " + Quote(l.Path) + "&&ln -sfnT " + Operand(l.Target) + ` "$_entry"`
	}
	return "mkdir -p " + Quote(path.Dir(l.Path)) + "&&ln -sfnT " + Operand(l.Target) + " " + Quote(l.Path)
}

// fetch downloads to a temporary file, verifies the digest, and renames the file. curl aborts an attempt that is slower
// than the minimum rate. wget has no such option; it aborts if no data arrives during the window.
func fetch(f action.FetchFile, to spot) string {
	next, sum, digest := to.next, "sha256sum", f.SHA256
	if digest == "" {
		sum, digest = "sha512sum", f.SHA512
	}
	var b strings.Builder
	b.WriteString(to.prepare)
	curl, wget := "", ""
	if f.Authorities != "" {
		trusted := next + ".ca"
		b.WriteString(printLiteral([]byte(f.Authorities)) + ">" + trusted + "&&")
		curl, wget = " --cacert "+trusted, " --ca-certificate="+trusted
	}
	timeout, window := int(linuxcmd.DownloadTimeout.Seconds()), int(linuxcmd.DownloadWindow.Seconds())
	fmt.Fprintf(&b, "if command -v curl>/dev/null;then timeout %d curl%s -fsSL -Y%d -y%d --retry %d "+
		"--retry-connrefused -o %s %s;", timeout, curl, linuxcmd.DownloadRate, window, linuxcmd.DownloadRetries, next,
		Quote(f.URL))
	fmt.Fprintf(&b, "else timeout %d wget%s -qT%d -O %s %s;fi", timeout, wget, window, next, Quote(f.URL))
	if f.Authorities != "" {
		b.WriteString("&&rm -f " + next + ".ca")
	}
	fmt.Fprintf(&b, `&&{ [ "$(%s<%s)" = '%s  -' ]||{ echo 'wrong digest'>&2;rm -f %s;false;};}`, sum, next, digest, next)
	fmt.Fprintf(&b, "&&chmod %04o %s%s", uint32(f.Mode.Or(machine.DefaultFileMode)), next, to.finish)
	return b.String()
}
