package timedetect_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/timedetect"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

func TestMatches(t *testing.T) {
	plugintest.CheckTimeDaemon(t, timedetect.New(), machine.TimeDaemonAuto)
}

// command returns the command and the paths of the files for a distribution.
func command(t *testing.T, distribution string, others ...document.Value) (action.RunCommand, string) {
	t.Helper()
	c := machine.TimeSyncConfig{Servers: []string{"a.example"}, Pools: []string{"pool.example"}}
	actions, r := plugintest.Expand(t, timedetect.New(), plugintest.Target(t, distribution), c, others...)
	if len(r) > 0 {
		t.Fatal(r)
	}
	var found action.RunCommand
	var paths []string
	for _, a := range actions {
		if file, ok := a.Do.(action.WriteFile); ok {
			paths = append(paths, file.Path)
		}
		if run, ok := a.Do.(action.RunCommand); ok {
			found = run
		}
	}
	return found, strings.Join(paths, " ")
}

func TestFilesOfTheDaemonsThatImagesContain(t *testing.T) {
	const timesyncd = " /etc/systemd/timesyncd.conf.d/90-machineadm.conf"
	ntpsec := machine.PackagesConfig{Install: []string{"ntpsec"}}
	for _, tc := range []struct {
		reason, distribution string
		others               []document.Value
		units, files         string
	}{
		{
			"image-builder installs chrony, the distribution's image has timesyncd", "ubuntu", nil,
			"chrony.service systemd-timesyncd.service", "/etc/chrony/chrony.conf" + timesyncd,
		},
		{
			"the image gets another daemon from a package", "debian",
			[]document.Value{ntpsec},
			"chrony.service ntpsec.service systemd-timesyncd.service",
			"/etc/chrony/chrony.conf /etc/ntpsec/ntp.conf" + timesyncd,
		},
		{
			"the daemon depends on the cloud", "flatcar", nil, "chronyd.service ntpd.service systemd-timesyncd.service",
			"/etc/chrony/chrony.conf /etc/ntp.conf" + timesyncd,
		},
		{"one daemon, which a minimal image may lack", "rocky", nil, "chronyd.service", "/etc/chrony.conf"},
	} {
		run, files := command(t, tc.distribution, tc.others...)
		if units := "units='" + tc.units + "'\n"; !strings.HasPrefix(run.Script, units) ||
			!strings.HasPrefix(run.Renew, units) || files != tc.files {
			t.Errorf("%s: %s: files %s\n%s", tc.distribution, tc.reason, files, run.Script)
		}
	}
	plugintest.RefusesOtherKinds(t, timedetect.New(), plugintest.Target(t, "flatcar"))
}

func TestDisabledDaemonsAreMasked(t *testing.T) {
	for _, tc := range []struct {
		reason, distribution, want string
		others                     []document.Value
	}{
		{
			"images of the distribution contain either of them", "ubuntu",
			"unit: mask unit chrony.service\nunit: mask unit systemd-timesyncd.service", nil,
		},
		{
			"a package installs another daemon, and starts it", "rocky",
			"unit: mask unit chronyd.service\nunit: mask unit ntpd.service",
			[]document.Value{machine.PackagesConfig{Install: []string{"ntp"}}},
		},
	} {
		c := machine.TimeSyncConfig{Enabled: new(false)}
		actions, r := plugintest.Expand(t, timedetect.New(), plugintest.Target(t, tc.distribution), c, tc.others...)
		plugintest.Check(t, tc.reason, tc.want, actions, r)
	}
}

// systemctl is a double of systemctl(1). The files of the directory are units, and their contents their states.
const systemctl = `#!/bin/sh
for unit; do :; done
case "$*" in
  *is-active*) [ ! -d /run/systemd/system ] || grep -q active "$STATE/$unit" ;;
  *is-enabled*) grep -q enabled "$STATE/$unit" || { [ -e "$STATE/$unit" ] && echo disabled; false; } ;;
  enable*) echo enabled >>"$STATE/$unit" && echo "$*" >>"$STATE/log" ;;
  *) echo "$*" >>"$STATE/log" ;;
esac 2>/dev/null
`

func TestTheDaemonOfTheMachineIsRestarted(t *testing.T) {
	for name, tc := range map[string]struct {
		// units maps the machine's units to their states.
		units  map[string]string
		want   string
		undone string
	}{
		"chrony in place of timesyncd": {
			units: map[string]string{"chronyd.service": "active enabled"}, want: "restart chronyd.service\n",
		},
		"the daemon that runs, not one that is installed as well": {
			units: map[string]string{
				"chronyd.service": "", "ntpd.service": "active enabled", "systemd-timesyncd.service": "enabled",
			},
			want: "restart ntpd.service\n",
		},
		"the daemon that is enabled, before it runs": {
			units: map[string]string{"chronyd.service": "", "systemd-timesyncd.service": "enabled"},
			want:  "restart systemd-timesyncd.service\n",
		},
		"a daemon that is only installed is enabled, and disabled on reset": {
			units: map[string]string{"chronyd.service": ""}, want: "enable chronyd.service\nrestart chronyd.service\n",
			undone: "disable chronyd.service\nstop chronyd.service\n",
		},
		"no daemon does not fail the bootstrap": {want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, tc.units)
			run, _ := command(t, "flatcar")
			m.run(t, run.Script)
			if got := m.log(t); got != tc.want {
				t.Errorf("ran %q, want %q", got, tc.want)
			}
			m.run(t, run.Undo)
			if got := m.log(t); got != tc.undone {
				t.Errorf("undone by %q, want %q", got, tc.undone)
			}
		})
	}
}

// TestNothingIsRestartedWithoutSystemd applies and resets a directory that is not the root of a machine that runs.
// There, the exit code of systemctl is-active is 0 for every name.
func TestNothingIsRestartedWithoutSystemd(t *testing.T) {
	m := newMachine(t, map[string]string{"ntpd.service": ""})
	m.run(t, "rmdir /run/systemd/system")
	run, _ := command(t, "flatcar")
	m.run(t, run.Script)
	if got := m.log(t); got != "enable ntpd.service\n" {
		t.Errorf("ran %q", got)
	}
	m.run(t, run.Undo)
	if got := m.log(t); got != "disable ntpd.service\n" {
		t.Errorf("undone by %q", got)
	}
}

func TestOnlyRunningDaemonsReadTheirRestoredFiles(t *testing.T) {
	m := newMachine(t, map[string]string{"ntpd.service": "active", "chronyd.service": "enabled"})
	run, _ := command(t, "flatcar")
	m.run(t, run.Renew)
	if got := m.log(t); got != "restart ntpd.service\n" {
		t.Errorf("ran %q", got)
	}
}

// host is a directory with the states of units, one with the double of systemctl, and the one that systemd creates.
type host struct{ state, etc, path, booted string }

func newMachine(t *testing.T, units map[string]string) host {
	t.Helper()
	h := host{state: t.TempDir(), etc: t.TempDir(), path: t.TempDir(), booted: t.TempDir()}
	for unit, state := range units {
		if err := os.WriteFile(filepath.Join(h.state, unit), []byte(state+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	double := strings.ReplaceAll(systemctl, "/run/systemd/system", h.booted)
	//nolint:gosec // it is run
	if err := os.WriteFile(filepath.Join(h.path, "systemctl"), []byte(double), 0o700); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h host) run(t *testing.T, script string) {
	t.Helper()
	script = strings.NewReplacer("/etc/machineadm", h.etc, "/run/systemd/system", h.booted).Replace(script)
	c := exec.CommandContext(t.Context(), "sh", "-c", script)
	c.Env = append(os.Environ(), "STATE="+h.state, "PATH="+h.path+":"+os.Getenv("PATH"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// log returns the commands since the last call.
func (h host) log(t *testing.T) string {
	t.Helper()
	file := filepath.Join(h.state, "log")
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return ""
	}
	if err == nil {
		err = os.Remove(file)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
