package ignmodel

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coreos/go-systemd/v22/unit"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// maxUnitName is UNIT_NAME_MAX of systemd, less the final NUL.
const maxUnitName = 255

// ensureUnit has the engine write, enable and mask the unit. The program restarts it if it changes something that the
// unit reads, and enables it if a system extension may bring it: the engine's presets are applied before extensions are
// merged.
func (b *builder) ensureUnit(i int, op action.EnsureUnit) {
	if len(op.Facts()) > 0 {
		b.unitWithFacts(i, op)
		return
	}
	if blank(op.Unit) {
		// A unit that only needs a restart reads these files when it first starts.
		b.model.Places[i] = "systemd.units"
	} else {
		b.addUnit(i, op.Unit)
	}
	enabled := op.Enabled != nil && *op.Enabled
	restarts := slices.ContainsFunc(op.RestartOn, func(k document.Kind) bool { return slices.Contains(b.inProgram, k) })
	late := b.extended && enabled && op.Content.IsZero()
	if op.Masked || (!restarts && !late) {
		return
	}
	again := action.EnsureUnit{Unit: machine.Unit{Name: op.Name}}
	if late {
		again.Enabled = op.Enabled
	}
	if restarts {
		again.RestartOn = op.RestartOn
	}
	b.leave(i, again)
}

// unitWithFacts leaves the unit to the program, which enables and starts it after it has written its files.
func (b *builder) unitWithFacts(i int, op action.EnsureUnit) {
	if reservedUnit(op.Name) {
		b.refuseReserved(i, op.Name)
		return
	}
	b.facts = true
	b.leave(i, op)
}

// maskedWithFacts refuses units that the program configures and the engine masks.
func (b *builder) maskedWithFacts() {
	for _, s := range b.program {
		op, isUnit := s.Do.(action.EnsureUnit)
		k, known := b.units[op.Name]
		if isUnit && known && b.model.Units[k].Masked {
			b.refuse(report.Errorf(s.Source.Path, "%s is configured, and masked elsewhere", op.Name).To("remove one of them"))
		}
	}
}

// Text returns the text of a unit or drop-in of a Model, which contains no facts.
func Text(c document.Content) string {
	text, _ := c.Static()
	return string(text)
}

func blank(u machine.Unit) bool {
	return u.Content.IsZero() && len(u.DropIns) == 0 && u.Enabled == nil && !u.Masked
}

// bringsExtensions reports whether the plan brings system extensions.
func bringsExtensions(p plan.Plan) bool {
	for _, s := range p.Steps {
		switch op := s.Do.(type) {
		case action.FetchFile:
			if strings.Contains(op.Path, "/extensions/") {
				return true
			}
		case action.Link:
			if strings.Contains(op.Path, "/extensions/") {
				return true
			}
		default: // brings none
		}
	}
	return false
}

// addUnit merges the unit with earlier steps: later text and states win, drop-ins add up.
func (b *builder) addUnit(i int, u machine.Unit) {
	if reservedUnit(u.Name) {
		b.refuseReserved(i, u.Name)
		return
	}
	index, known := b.units[u.Name]
	if !known {
		index = len(b.model.Units)
		b.units[u.Name] = index
		u.DropIns = slices.Clone(u.DropIns)
		b.model.Units = append(b.model.Units, u)
	}
	m := &b.model.Units[index]
	if known {
		mergeUnit(m, u)
	}
	b.model.Places[i] = indexed("systemd.units", index)
	if m.Masked && (!m.Content.IsZero() || len(m.DropIns) > 0 || (m.Enabled != nil && *m.Enabled)) {
		b.refuse(report.Errorf(b.at(i, machine.KindUnit, "mask"), "%s is masked, and elsewhere configured or enabled",
			u.Name).To("remove one of them"))
	}
	if !u.Content.IsZero() && m.Enabled != nil && *m.Enabled && !hasInstall(Text(u.Content)) {
		b.refuse(report.Warningf(b.at(i, machine.KindUnit, "contents"), "%s is enabled but has no [Install] section", u.Name).
			To("add one, or nothing starts it"))
	}
}

func reservedUnit(name string) bool { return name == ProgramUnit || name == plan.BootUnit }

func (b *builder) refuseReserved(i int, name string) {
	b.refuse(report.Errorf(b.at(i, machine.KindUnit, "name"), "%s is reserved for machineadm", name).To(
		"choose another name"))
}

func mergeUnit(m *machine.Unit, u machine.Unit) {
	if !u.Content.IsZero() {
		m.Content = u.Content
	}
	if u.Enabled != nil {
		m.Enabled = u.Enabled
	}
	m.Masked = m.Masked || u.Masked
	for _, d := range u.DropIns {
		at := slices.IndexFunc(m.DropIns, func(known machine.DropIn) bool { return known.Name == d.Name })
		if at < 0 {
			m.DropIns = append(m.DropIns, d)
			continue
		}
		m.DropIns[at] = d
	}
}

func hasInstall(text string) bool {
	return strings.HasPrefix(text, "[Install]") || strings.Contains(text, "\n[Install]")
}

// asFiles moves texts that the engine would refuse to read out of the units: they become plain files, which systemd
// reads by its own rules. Empty drop-ins go too: the older engine makes none of them.
func (b *builder) asFiles() {
	for k := range b.model.Units {
		u := &b.model.Units[k]
		if text := Text(u.Content); !readable(text) {
			b.addFile(linuxcmd.UnitDir+"/"+u.Name, []byte(text), machine.DefaultFileMode)
			u.Content = document.Content{}
		}
		u.DropIns = slices.DeleteFunc(u.DropIns, func(d machine.DropIn) bool {
			text := Text(d.Content)
			if text != "" && readable(text) {
				return false
			}
			b.addFile(linuxcmd.UnitDir+"/"+u.Name+".d/"+d.Name, []byte(text), machine.DefaultFileMode)
			return true
		})
	}
}

// maxLine is the longest line that the engine's reader of units takes, with a margin.
const maxLine = 2000

// readable reports whether every line of the text is empty, a comment, a section or an assignment: the engine refuses a
// whole configuration for the sake of a unit that it cannot parse.
func readable(text string) bool {
	continued := strings.HasSuffix(text, `\`) || strings.Contains(text, "\\\n")
	if continued || strings.ContainsAny(text, "\x00\r") || !utf8.ValidString(text) {
		return false
	}
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case len(line) > maxLine:
			return false
		case line == "" || line[0] == '#' || line[0] == ';':
		case line[0] == '[':
			inside = true
			if line[len(line)-1] != ']' || len(line) < 3 || strings.ContainsAny(line[1:len(line)-1], "[]") {
				return false
			}
		case !inside || !assigns(line):
			return false
		}
	}
	return true
}

func assigns(line string) bool {
	c := line[0]
	return (c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z') && strings.IndexByte(line, '=') > 0
}

func swapUnit(source string) machine.Unit {
	device := devicePath(source)
	enabled := true
	return machine.Unit{
		Name:    unit.UnitNamePathEscape(device) + ".swap",
		Content: document.Text("[Swap]\nWhat=" + specifiers(device) + "\n\n[Install]\nWantedBy=swap.target\n"),
		Enabled: &enabled,
	}
}

// specifiers escapes the percent signs that systemd would expand.
func specifiers(s string) string { return strings.ReplaceAll(s, "%", "%%") }

// fitsUnit reports whether a value comes through a line of a unit file unchanged.
func fitsUnit(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == 0x7f {
			return false
		}
	}
	return utf8.ValidString(s) && strings.TrimSpace(s) == s && !strings.HasSuffix(s, `\`) && len(s) <= maxLine
}

// canonical resolves the links that ostree systems have at the top of their tree: systemd refuses to mount through a
// link.
func canonical(f osprofile.Family, path string) string {
	if f != osprofile.FamilyCoreOS {
		return path
	}
	for from, to := range map[string]string{
		"/home": "/var/home", "/mnt": "/var/mnt", "/opt": "/var/opt", "/srv": "/var/srv",
		"/root": "/var/roothome", "/usr/local": "/var/usrlocal", "/media": "/run/media",
	} {
		if path == from || strings.HasPrefix(path, from+"/") {
			return to + path[len(from):]
		}
	}
	return path
}
