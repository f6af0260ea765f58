//go:build linux

package linux

import (
	"context"
	"errors"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

// unitDir is where the administrator's units stand.
const unitDir = "/etc/systemd/system"

// unitParts returns the unit's files and then its state.
func (h *Host) unitParts(u action.EnsureUnit) []part {
	var parts []part
	if u.Content != "" {
		parts = append(parts, file{h.tree, textFile(unitDir+"/"+u.Name, u.Content, 0o644)})
	}
	for _, d := range u.DropIns {
		parts = append(parts, file{h.tree, textFile(unitDir+"/"+u.Name+".d/"+d.Name, d.Content, 0o644)})
	}
	return append(parts, unit{h, u})
}

// unit is whether a unit is enabled or masked, and runs.
type unit struct {
	*Host
	action.EnsureUnit
}

// The words of a unit's original.
const (
	stateEnabled = "enabled"
	stateActive  = "active"
)

func (u unit) capture(ctx context.Context) (journal.Original, error) {
	enabled, err := u.enablement(ctx)
	if err != nil {
		return journal.Original{}, err
	}
	return journal.Original{Thing: journal.ThingUnit, Name: u.Name, Exists: true, State: map[string]string{
		stateEnabled: enabled, stateActive: u.property(ctx, "ActiveState"),
	}}, nil
}

// systemctl asks systemd; a tree that does not run is changed in its files.
func (u unit) systemctl(ctx context.Context, args ...string) ([]byte, error) {
	if !u.live {
		args = append([]string{"--root=/"}, args...)
	}
	return u.run.program(ctx, nil, "systemctl", args...)
}

// enablement returns what systemctl is-enabled says, which fails for units that are not.
func (u unit) enablement(ctx context.Context) (string, error) {
	out, err := u.systemctl(ctx, "is-enabled", "--", u.Name)
	var failed *ports.CommandError
	if err != nil && !errors.As(err, &failed) {
		return "", err
	}
	lines := strings.Fields(string(out))
	if len(lines) == 0 || strings.HasPrefix(string(out), "Failed") {
		return "not-found", nil
	}
	return lines[len(lines)-1], nil
}

// property returns a property of the unit; empty where nothing runs.
func (u unit) property(ctx context.Context, name string) string {
	if !u.live {
		return ""
	}
	out, err := u.run.program(ctx, nil, "systemctl", "show", "--value", "--property="+name, "--", u.Name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func (u unit) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	is, err := u.enablement(ctx)
	if err != nil {
		return nil, err
	}
	switch want := u.wish(); {
	case want == "":
		return nil, nil
	case want == "mask" && !strings.HasPrefix(is, "masked"),
		want == "disable" && strings.HasPrefix(is, "enabled"),
		want == "enable" && (is == "disabled" || is == "not-found" || strings.HasPrefix(is, "masked")):
		return []string{"~ unit " + u.Name + ": " + want + " (" + is + ")"}, nil
	case want == "enable" && u.starts() && u.neverRan(ctx):
		return []string{"~ unit " + u.Name + ": start"}, nil
	default:
		return nil, nil
	}
}

func (u unit) wish() string {
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

// starts reports whether the unit is started here. One that waits for the configuration of others is started with them, at
// the end of its phase.
func (u unit) starts() bool { return u.live && len(u.RestartOn) == 0 }

// neverRan reports whether nobody has asked for the unit to start since the machine booted: systemd looks at a unit's
// conditions first, and remembers when. One that ran and ended is not started again.
func (u unit) neverRan(ctx context.Context) bool {
	return u.property(ctx, "ConditionTimestampMonotonic") == "0"
}

func (u unit) apply(ctx context.Context, _ journal.Original) error {
	if err := u.reload(ctx); err != nil {
		return err
	}
	args := []string{u.wish()}
	if u.live && (u.Masked || !*u.Enabled || u.starts()) {
		args = append(args, "--now")
	}
	_, err := u.systemctl(ctx, append(args, "--", u.Name)...)
	return err
}

// reload has systemd read the files of its units again.
func (h *Host) reload(ctx context.Context) error {
	if !h.live {
		return nil
	}
	_, err := h.run.program(ctx, nil, "systemctl", "daemon-reload")
	return err
}

func (h *Host) revertUnit(ctx context.Context, o journal.Original) error {
	u := unit{h, action.EnsureUnit{Unit: machine.Unit{Name: o.Name}}}
	is, err := u.enablement(ctx)
	if err != nil {
		return err
	}
	var verb []string
	switch was := o.State[stateEnabled]; {
	case strings.HasPrefix(is, "masked") && !strings.HasPrefix(was, "masked"):
		verb = append(verb, "unmask")
	case is == "enabled" && was != "enabled":
		verb = append(verb, "disable")
	case is != "enabled" && was == "enabled":
		verb = append(verb, "enable")
	}
	if h.live && o.State[stateActive] != "active" {
		verb = append(verb, "stop")
	}
	for _, v := range verb {
		if _, err := u.systemctl(ctx, v, "--", o.Name); err != nil {
			return err
		}
	}
	return nil
}
