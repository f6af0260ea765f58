package windows_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/system/windows"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/windowsmachine"
)

const canary = "canary7q9zk2xw5v"

// double is a Windows machine in memory, and the agent's view of it.
type double struct {
	*windows.Host
	*windowsmachine.Machine
}

func newDouble(t *testing.T) *double {
	t.Helper()
	m := windowsmachine.New(t)
	m.DomainPassword = canary
	_, m.Functions, _ = strings.Cut(windowscmd.Session(`C:\ProgramData\machineadm`), "\n")
	return &double{m.Host(&memory.Originals{}), m}
}

// state returns all state of the double that an operation may change.
func (d *double) state() map[string]string {
	all := map[string]string{}
	for name, u := range d.Users {
		all["user "+name] = fmt.Sprint(*u)
	}
	for name, members := range d.Groups {
		all["group "+name] = fmt.Sprint(members)
	}
	for name, s := range d.Services {
		all["service "+name] = fmt.Sprint(*s)
	}
	for name, value := range d.Computer {
		all["computer "+name] = value
	}
	keys, err := os.ReadFile(filepath.Join(d.Drive, `ProgramData/ssh/administrators_authorized_keys`))
	if err == nil {
		all["keys"] = string(keys)
	}
	return all
}

// TestSettingsOfWindows checks each operation as the conformance suite of ports.Host does: observing changes nothing,
// the difference is gone afterwards, applying again changes nothing, and reverting twice restores the state.
func TestSettingsOfWindows(t *testing.T) {
	enabled, disabled := true, false
	user := func(u machine.User) action.Operation { return action.EnsureUser{User: u} }
	unit := func(u machine.Unit, on ...document.Kind) action.Operation {
		return action.EnsureUnit{Unit: u, RestartOn: on}
	}
	for name, c := range map[string]struct {
		do   action.Operation
		want map[string]string
		left []string
	}{
		"group": {
			action.EnsureGroup{Group: machine.Group{Name: "it's; g"}}, map[string]string{"group it's; g": "map[]"}, nil,
		},
		"user": {user(machine.User{Name: "joe"}), map[string]string{"user joe": "{random  true}"}, nil},
		"all settings": {user(machine.User{
			Name: "joe", Comment: "Jö $(x); '\n", Groups: []string{"Administrators", "Users"}, Inactive: true,
			Password: secret.FromString(canary), SSHAuthorizedKeys: []string{"ssh-ed25519 AAAA one"},
		}), map[string]string{
			"user joe": "{" + canary + " Jö $(x); '\n false}", "group Administrators": "map[joe:true]",
			"group Users": "map[joe:true]", "keys": "ssh-ed25519 AAAA one\r\n",
		}, []string{"! account joe: set the password"}},
		"known user": {
			user(machine.User{Name: "Administrator", Comment: "root", Groups: []string{"Users"}, Inactive: true}),
			map[string]string{"user Administrator": "{ root false}", "group Users": "map[Administrator:true]"},
			nil,
		},
		"start": {unit(machine.Unit{Name: "containerd.service", Enabled: &enabled}), map[string]string{
			"service containerd": "{Automatic Running}",
		}, nil},
		"start later": {unit(machine.Unit{Name: "containerd", Enabled: &enabled}, machine.KindFile), map[string]string{
			"service containerd": "{Automatic Stopped}",
		}, nil},
		"disable": {unit(machine.Unit{Name: "spooler", Enabled: &disabled}), map[string]string{
			"service spooler": "{Disabled Stopped}",
		}, nil},
		"mask": {unit(machine.Unit{Name: "spooler", Masked: true}), map[string]string{
			"service spooler": "{Disabled Stopped}",
		}, nil},
	} {
		t.Run(name, func(t *testing.T) { carryOut(t, c.do, c.want, c.left) })
	}
}

func carryOut(t *testing.T, op action.Operation, want map[string]string, left []string) {
	t.Helper()
	d := newDouble(t)
	before := d.state()
	o, err := d.Capture(t.Context(), op)
	if err != nil || !o.Captured() {
		t.Fatalf("captured %v, %v", o, err)
	}
	change, err := d.Diff(t.Context(), op, o)
	if diff := cmp.Diff(before, d.state()); err != nil || change.IsEmpty() || diff != "" {
		t.Fatalf("a difference %v, %v; changed by looking: %s", change, err, diff)
	}
	for range 2 {
		if err := d.Apply(t.Context(), op, o); err != nil {
			t.Fatal(err)
		}
		for name, value := range want {
			if got := d.state()[name]; got != value {
				t.Errorf("%s is %q, want %q", name, got, value)
			}
		}
		if change, err = d.Diff(t.Context(), op, o); err != nil || !slices.Equal(change.Lines, left) {
			t.Errorf("a difference is left: %v, %v", change, err)
		}
	}
	for range 2 {
		if err := d.Revert(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, d.state()); diff != "" {
			t.Errorf("after reverting (-before +after):\n%s", diff)
		}
	}
	if strings.Contains(strings.Join(d.Arguments, "\n"), canary) || strings.Contains(fmt.Sprint(change, o), canary) {
		t.Error("a password is in an argument, a difference or the journal")
	}
}

// TestPasswordOfAnAccount checks that a new password is set although it cannot be compared.
func TestPasswordOfAnAccount(t *testing.T) {
	d := newDouble(t)
	op := action.EnsureUser{User: machine.User{Name: "Administrator", Password: secret.FromString(canary)}}
	if err := d.Apply(t.Context(), op, journal.Original{Type: journal.ResourceUser, Exists: true}); err != nil {
		t.Fatal(err)
	}
	if got := d.Users["Administrator"].Password; got != canary {
		t.Errorf("the password is %q", got)
	}
}

// TestSettingsThatRestartWindows checks that a restart interrupts the run, and that nothing is left to do after it.
func TestSettingsThatRestartWindows(t *testing.T) {
	domain := machine.DomainJoin{Domain: "a.example", Username: "joe", Password: secret.FromString(canary)}
	for name, c := range map[string]struct {
		do   action.Operation
		want map[string]string
	}{
		"name and language": {
			action.ConfigureHost{HostConfig: machine.HostConfig{Hostname: "web-1", Locale: "de-DE", TimeZone: "UTC"}},
			map[string]string{"computer name": "web-1", "computer locale": "de-DE"},
		},
		"domain": {action.JoinDomain{DomainJoin: domain}, map[string]string{"computer domain": "a.example"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDouble(t)
			ctx, stop := context.WithCancel(t.Context())
			d.Restarted = stop
			o, err := d.Capture(ctx, c.do)
			if err != nil || !o.Captured() {
				t.Fatalf("captured %v, %v", o, err)
			}
			if err := d.Apply(ctx, c.do, o); !errors.Is(err, context.Canceled) || d.Restarts != 1 {
				t.Fatalf("%d restarts, %v", d.Restarts, err)
			}
			if err := d.Apply(t.Context(), c.do, o); err != nil || d.Restarts != 1 {
				t.Errorf("after the restart: %d restarts, %v", d.Restarts, err)
			}
			for name, value := range c.want {
				if got := d.state()[name]; got != value {
					t.Errorf("%s is %q, want %q", name, got, value)
				}
			}
			if strings.Contains(strings.Join(d.Arguments, "\n"), canary) {
				t.Error("a password is in an argument")
			}
		})
	}
}

func TestTimeZoneNeedsNoRestart(t *testing.T) {
	op := action.ConfigureHost{HostConfig: machine.HostConfig{TimeZone: "W. Europe Standard Time"}}
	d := newDouble(t)
	if err := d.Apply(t.Context(), op, journal.Original{}); err != nil || d.Restarts != 0 ||
		d.Computer["timeZone"] != "W. Europe Standard Time" {
		t.Errorf("%v, %v, %d restarts", err, d.Computer, d.Restarts)
	}
}

// TestSettingsAreRefused covers what Windows does not support, and what a machine refuses.
func TestSettingsAreRefused(t *testing.T) {
	number, enabled := 7, true
	other := machine.DomainJoin{Domain: "b.example", Username: "joe", Password: secret.FromString(canary)}
	wrong := machine.DomainJoin{Domain: "a.example", Username: "joe", Password: secret.FromString("wrong")}
	for name, c := range map[string]struct {
		do   action.Operation
		want string
	}{
		"number of a group": {
			action.EnsureGroup{Group: machine.Group{Name: "g", GID: &number}}, "numbers of groups; leave gid",
		},
		"shell":      {action.EnsureUser{User: machine.User{Name: "joe", Shell: "/bin/sh"}}, "no shell; leave it out"},
		"device":     {action.EnsureUser{User: machine.User{Name: "Con"}}, `"Con" is the name of a device on Windows`},
		"unit":       {action.EnsureUnit{Unit: machine.Unit{Name: "a.mount"}}, "services instead of units"},
		"no service": {action.EnsureUnit{Unit: machine.Unit{Name: "none", Enabled: &enabled}}, "configure the service none"},
		"no group":   {action.EnsureUser{User: machine.User{Name: "joe", Groups: []string{"none"}}}, "account joe"},
		"random name": {
			action.ConfigureHost{HostConfig: machine.HostConfig{RandomHostname: true}}, "use the format unattend",
		},
		"password": {action.JoinDomain{DomainJoin: wrong}, "join the domain"},
	} {
		d := newDouble(t)
		o, err := d.Capture(t.Context(), c.do)
		if err == nil {
			err = d.Apply(t.Context(), c.do, o)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), canary) || d.Restarts > 0 {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	d := newDouble(t)
	d.Computer["domain"] = "a.example"
	if _, err := d.Diff(t.Context(), action.JoinDomain{DomainJoin: other}, journal.Original{}); err == nil ||
		!strings.Contains(err.Error(), "member of a.example, want b.example") {
		t.Errorf("another domain: %v", err)
	}
}

// TestEveryOperationOnWindows lists what the agent supports on Windows.
func TestEveryOperationOnWindows(t *testing.T) {
	var unable []string
	for _, op := range action.All() {
		_, err := newDouble(t).Capture(t.Context(), op)
		if err != nil && strings.Contains(err.Error(), " on Windows; use ") {
			unable = append(unable, strings.TrimPrefix(fmt.Sprintf("%T", op), "action."))
		}
	}
	slices.Sort(unable)
	if diff := cmp.Diff([]string{
		"EnableSwap", "InstallPackages", "Link", "MakeFilesystem", "MountFilesystem", "PartitionDisk",
	}, unable); diff != "" {
		t.Errorf("unsupported (-want +got):\n%s", diff)
	}
	var _ ports.Host = newDouble(t)
}
