//go:build linux

package linux

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

// changedDir contains an empty file for each unit whose files changed since systemd last loaded them. A reboot clears
// it and loads all units.
const changedDir = runDir + "/units"

// unitParts returns the files of the unit and then its state.
func (h *Host) unitParts(u action.EnsureUnit) []part {
	var parts []part
	for _, f := range linuxcmd.UnitFiles(u.Unit) {
		parts = append(parts, unitFile{file{h.tree, f}, unit{h, u}})
	}
	return append(parts, unit{h, u})
}

// unitFile is a unit file or drop-in.
type unitFile struct {
	file
	unit unit
}

// apply records the change first, so that the next run reloads the unit after a power cut.
func (f unitFile) apply(ctx context.Context, o journal.Original) error {
	if f.unit.live {
		if err := f.tree.write(ctx, f.unit.stamp(), strings.NewReader(""), 0o600, 0, 0); err != nil {
			return err
		}
	}
	return f.file.apply(ctx, o)
}

// unit is the state of a unit: enabled or masked, and active.
type unit struct {
	*Host
	action.EnsureUnit
}

func (h *Host) unitNamed(name string) unit {
	return unit{h, action.EnsureUnit{Unit: machine.Unit{Name: name}}}
}

// The keys and values of a unit's original.
const (
	stateEnabled = "enabled"
	stateActive  = "active"
	// notFound is the enablement of a unit that does not exist. systemctl fails to enable or disable it.
	notFound = "not-found"
	// stateWanted is set if another unit wants the unit. For a masked unit only this shows whether it was enabled.
	stateWanted = "wanted"
)

func (u unit) capture(ctx context.Context) (journal.Original, error) {
	enabled, err := u.enablement(ctx)
	if err != nil {
		return journal.Original{}, err
	}
	state := map[string]string{stateEnabled: enabled, stateActive: u.property(ctx, "ActiveState")}
	if u.wanted() {
		state[stateWanted] = "true"
	}
	return journal.Original{Type: journal.ResourceUnit, Name: u.Name, Exists: true, State: state}, nil
}

// renewal returns the state with the command that a reset runs at its end: a unit that the bootstrap restarted, and
// that was active before, still runs with the machine's configuration. The command does nothing if the unit is not
// active then.
func (u unit) renewal(op action.EnsureUnit, parts []journal.Original) map[string]string {
	last := parts[len(parts)-1]
	restarted := len(op.RestartOn) > 0 || len(parts) > 1 && linuxcmd.RestartsOnChange(op)
	if !u.live || !restarted || last.State[stateActive] != stateActive {
		return nil
	}
	return map[string]string{journal.StateRenew: linuxcmd.Systemctl(u.Name, "try-restart").String()}
}

func (u unit) wanted() bool {
	for _, kind := range []string{"wants", "requires"} {
		links, err := fs.Glob(u.tree.root.FS(), strings.TrimPrefix(linuxcmd.UnitDir, "/")+"/*."+kind+"/*")
		if err == nil && slices.ContainsFunc(links, func(l string) bool { return path.Base(l) == u.Name }) {
			return true
		}
	}
	return false
}

// systemctl runs systemctl with the verb for the unit.
func (u unit) systemctl(ctx context.Context, verb ...string) error {
	_, err := u.run.program(ctx, nil, "systemctl", u.arguments(verb...)...)
	return err
}

// arguments returns the arguments of systemctl. In a tree that is not running, systemctl changes only files.
func (u unit) arguments(verb ...string) []string {
	if !u.live {
		verb = append([]string{"--root=/"}, verb...)
	}
	return linuxcmd.Systemctl(u.Name, verb...)[1:]
}

// enablement returns the output of systemctl is-enabled, whose exit code is not 0 for units that are not enabled.
func (u unit) enablement(ctx context.Context) (string, error) {
	out, err := u.run.query(ctx, "systemctl", u.arguments("is-enabled")...)
	var failed *ports.CommandError
	if err != nil && !errors.As(err, &failed) {
		return "", err
	}
	lines := strings.Fields(string(out))
	if len(lines) == 0 || strings.HasPrefix(string(out), "Failed") {
		return notFound, nil
	}
	return lines[len(lines)-1], nil
}

// property returns a property of the unit. It is empty in a tree that is not running. systemd has the option --value
// only since version 230.
func (u unit) property(ctx context.Context, name string) string {
	if !u.live {
		return ""
	}
	out, err := u.run.query(ctx, "systemctl", "show", "--property="+name, "--", u.Name)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), name+"=")
}

func (u unit) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	is, err := u.enablement(ctx)
	if err != nil {
		return nil, err
	}
	switch want := u.desired(); {
	case u.becomes(is):
		return []string{"~ unit " + u.Name + ": " + want + " (" + is + ")"}, nil
	case u.live && u.tree.exists(u.stamp()):
		return []string{"~ unit " + u.Name + ": read its files again"}, nil
	case want == "enable" && u.starts() && u.neverRan(ctx):
		return []string{"~ unit " + u.Name + ": start"}, nil
	case (want == "mask" || want == "disable") && u.property(ctx, "ActiveState") == stateActive:
		return []string{"~ unit " + u.Name + ": stop"}, nil
	default:
		return nil, nil
	}
}

// becomes reports whether the unit must change from the state that systemctl reports. A static, generated or alias unit
// cannot be enabled or disabled, and does not have to be.
func (u unit) becomes(is string) bool {
	switch masked := strings.HasPrefix(is, "masked"); u.desired() {
	case "mask":
		return !masked
	case "disable":
		return strings.HasPrefix(is, "enabled") || is == notFound
	case "enable":
		return masked || slices.Contains([]string{"disabled", notFound, "linked", "linked-runtime", "enabled-runtime"}, is)
	default:
		return false
	}
}

func (u unit) stamp() string { return changedDir + "/" + u.Name }

func (u unit) desired() string {
	switch {
	case u.Masked:
		return "mask"
	case u.Enabled == nil:
		return ""
	case *u.Enabled:
		return "enable"
	default:
		return "disable"
	}
}

// starts reports whether this operation starts the unit. A unit with RestartOn starts at the end of the phase instead.
func (u unit) starts() bool { return u.live && len(u.RestartOn) == 0 }

// neverRan reports whether the unit has had no start job since boot. systemd records the time when it checks the
// conditions of a unit. A unit that ran and exited is not started again.
func (u unit) neverRan(ctx context.Context) bool {
	return u.property(ctx, "ConditionTimestampMonotonic") == "0"
}

func (u unit) apply(ctx context.Context, _ journal.Original) error {
	if err := u.reload(ctx); err != nil {
		return err
	}
	changed := u.live && u.tree.exists(u.stamp())
	if changed && linuxcmd.RestartsOnChange(u.EnsureUnit) && u.property(ctx, "ActiveState") == stateActive {
		if err := u.Restart(ctx, u.Name); err != nil {
			return err
		}
	}
	if err := u.become(ctx); err != nil || !changed {
		return err
	}
	return u.tree.unlink(u.stamp())
}

func (u unit) become(ctx context.Context) error {
	want := u.desired()
	if want == "" {
		return nil
	}
	is, err := u.enablement(ctx)
	if err != nil {
		return err
	}
	if want == "enable" && strings.HasPrefix(is, "masked") {
		if err := u.systemctl(ctx, "unmask"); err != nil {
			return err
		}
	}
	args := []string{want}
	if u.live && (want != "enable" || u.starts() && (u.becomes(is) || u.neverRan(ctx))) {
		args = append(args, "--now")
		if want == "enable" && u.waitsForBoot(ctx) {
			args = append(args, "--no-block")
		}
	}
	return u.systemctl(ctx, args...)
}

// waitsForBoot reports whether the unit starts only after a unit of the boot that is not started yet. A bootstrap must
// not wait for such a unit, because the unit of the boot may wait for the bootstrap.
func (u unit) waitsForBoot(ctx context.Context) bool {
	after := strings.Fields(u.property(ctx, "After"))
	return slices.ContainsFunc(linuxcmd.BootUnits(), func(name string) bool {
		return slices.Contains(after, name) &&
			!slices.Contains([]string{"", "0"}, u.unitNamed(name).property(ctx, "Job"))
	})
}

// reload makes systemd load its unit files again.
func (h *Host) reload(ctx context.Context) error {
	if !h.live {
		return nil
	}
	_, err := h.run.command(ctx, nil, linuxcmd.ReloadUnits())
	return err
}

func (h *Host) revertUnit(ctx context.Context, o journal.Original) error {
	u := h.unitNamed(o.Name)
	is, err := u.enablement(ctx)
	if err != nil {
		return err
	}
	for _, v := range backwards(is, o.State[stateEnabled], o.State[stateWanted] != "") {
		if err := u.systemctl(ctx, v); err != nil {
			return err
		}
	}
	return h.resume(ctx, o)
}

// backwards returns the systemctl verbs that restore an earlier enablement. A masked unit can also have been enabled.
func backwards(is, was string, wanted bool) []string {
	var verbs []string
	if strings.HasPrefix(was, "masked") && !strings.HasPrefix(is, "masked") && wanted {
		return []string{"mask"}
	}
	if strings.HasPrefix(is, "masked") && !strings.HasPrefix(was, "masked") {
		verbs = append(verbs, "unmask")
	}
	if is == "enabled" && was != "enabled" {
		verbs = append(verbs, "disable")
	}
	if is != "enabled" && was == "enabled" {
		verbs = append(verbs, "enable")
	}
	if strings.HasPrefix(was, "masked") && !strings.HasPrefix(is, "masked") {
		verbs = append(verbs, "mask")
	}
	return verbs
}

// resume restores whether the unit was active: it stops or starts the unit.
func (h *Host) resume(ctx context.Context, o journal.Original) error {
	if !h.live {
		return nil
	}
	verb, was := "stop", o.State[stateActive]
	switch is := h.unitNamed(o.Name).property(ctx, "ActiveState"); {
	case was == stateActive && is == stateActive, was != stateActive && is == "inactive":
		return nil
	case was == stateActive:
		verb = "start"
	}
	_, err := h.run.command(ctx, nil, linuxcmd.Systemctl(o.Name, verb))
	return err
}
