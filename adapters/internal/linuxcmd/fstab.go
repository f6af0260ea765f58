package linuxcmd

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
)

// Fstab is the table of file systems.
const Fstab = "/etc/fstab"

// FstabEntry is a line of fstab(5).
type FstabEntry struct {
	Source, Path, Type, Options string
	// Dump and Pass are the fifth and the sixth field.
	Dump, Pass int
}

// MountEntry returns the entry of a mount. By default, its device is checked at boot after the root file system.
func MountEntry(m machine.Mount) FstabEntry {
	e := FstabEntry{
		Source: m.Source, Path: m.Path, Type: m.Type, Options: strings.Join(m.Options, ","), Dump: m.Dump, Pass: 2,
	}
	if e.Type == "" {
		e.Type = "auto"
	}
	if e.Options == "" {
		e.Options = "defaults"
	}
	if m.Pass != nil {
		e.Pass = *m.Pass
	}
	return e
}

// SwapEntry returns the entry of a swap device or file.
func SwapEntry(source string) FstabEntry {
	return FstabEntry{Source: source, Path: "none", Type: "swap", Options: "sw"}
}

// String returns the line without its newline.
func (e FstabEntry) String() string {
	fields := []string{e.Source, e.Path, e.Type, e.Options}
	for i, f := range fields {
		fields[i] = fstabField(f)
	}
	return strings.Join(append(fields, strconv.Itoa(e.Dump), strconv.Itoa(e.Pass)), " ")
}

// fstabField escapes characters that end a field. There are no other escapes: getmntent(3), which systemd uses, does
// not decode, for example, \015.
func fstabField(s string) string {
	return strings.NewReplacer(`\`, `\134`, " ", `\040`, "\t", `\011`, "\n", `\012`).Replace(s)
}

// key returns the number of the field that identifies the entry: the mount point, or the source of swap space.
func (e FstabEntry) key() int {
	if e.Path == "none" {
		return 1
	}
	return 2
}

// Merge returns the table with the entry. It replaces entries of the same mount point or swap space, because
// systemd-fstab-generator(8) uses only the first of them.
func (e FstabEntry) Merge(table string) string {
	line, key := e.String(), e.key()-1
	identity := fstabFields(line)[key]
	var b strings.Builder
	placed := false
	for old := range strings.Lines(table) {
		old = strings.TrimSuffix(old, "\n")
		fields := fstabFields(old)
		same := len(fields) > key && !strings.HasPrefix(fields[0], "#") && fields[key] == identity
		if !same {
			b.WriteString(old + "\n")
		} else if !placed {
			b.WriteString(line + "\n")
			placed = true
		}
	}
	if !placed {
		b.WriteString(line + "\n")
	}
	return b.String()
}

func fstabFields(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
}

// mergeScript defines _merge_fstab.
//
//go:embed fstab.sh
var mergeScript string

// MergeFunction returns the shell function that merges an entry into /etc/fstab as Merge does. FstabEntry.Script calls
// it with the number of the identifying field and the line.
func MergeFunction() string { return script.StripShell(mergeScript) }

// Script returns the shell command that merges the entry into /etc/fstab. It needs MergeFunction.
func (e FstabEntry) Script() string {
	return "_merge_fstab " + strconv.Itoa(e.key()) + " " + action.Quote(e.String())
}
