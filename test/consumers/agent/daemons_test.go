package agent_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
)

// daemonConfig is a machine with another time daemon than its image's.
const daemonConfig = `apiVersion: machineadm.io/v1alpha1
kind: PackagesConfig
spec: {update: UPDATE, install: [PACKAGE]}
---
apiVersion: machineadm.io/v1alpha1
kind: TimeSyncConfig
spec: {daemon: DAEMON, servers: [ntp1.example, ntp2.example], pools: [pool.example]}
`

// TestTimeDaemons makes the agent install and configure the time daemons that the roots lack. Each daemon is then
// started for a moment, in a network without routes, and must print the servers that it has read.
// A run that is not
// nightly has the first daemon; TestAgentBootsAMachine covers chrony.
func TestTimeDaemons(t *testing.T) {
	t.Parallel()
	agent := built(t, "machineadm")
	for _, suite := range nightly.Or([]string{"bookworm", "trixie"}, []string{"trixie"}) {
		t.Run(suite, func(t *testing.T) {
			t.Parallel()
			root := networked(t, suite)
			for i, d := range nightly.Sample(timeDaemons(), 1) {
				// The first one fetches the lists of packages.
				d.runs(t, agent, root, i == 0)
			}
		})
	}
}

// TestTheDisabledTimeDaemonOfARootIsEnabled applies a configuration without a daemon to a root, in which systemctl
// answers only what the unit files show. The one daemon of the root is installed and disabled, as after a reset.
func TestTheDisabledTimeDaemonOfARootIsEnabled(t *testing.T) {
	t.Parallel()
	const daemon, units = "systemd-timesyncd.service", "/usr/lib/systemd/system/"
	agent := built(t, "machineadm")
	_, root := mounted(t, "trixie")
	must(t, errors.Join(os.Remove(root+units+"chrony.service"), os.Remove(root+"/etc/init.d/chrony")))
	must(t, os.WriteFile(root+units+daemon, []byte(stubUnit), 0o600))
	configuration := filepath.Join(t.TempDir(), "configuration.yaml")
	must(t, os.WriteFile(configuration, []byte("apiVersion: machineadm.io/v1alpha1\nkind: TimeSyncConfig\n"+
		"spec: {servers: [ntp1.example]}\n"), 0o600))
	if output, err := applied(agent, root, configuration); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if state := debian.Output(t, "chroot", root, "systemctl", "is-enabled", daemon); state != "enabled" {
		t.Errorf("the daemon is %s", state)
	}
	if out, err := exec.Command(agent, "reset", "--root", root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, _ := exec.Command("chroot", root, "systemctl", "is-enabled", daemon).Output(); string(out) != "disabled\n" {
		t.Errorf("after the reset, the daemon is %s", out)
	}
}

// timeDaemon is a time daemon of Debian.
type timeDaemon struct {
	name, pkg     string
	start, prints []string
}

func timeDaemons() []timeDaemon {
	return []timeDaemon{
		{
			// This is NTPsec.
			name: "ntpd", pkg: "ntpsec", start: []string{"ntpd", "-n", "-d", "-c", "/etc/ntpsec/ntp.conf"},
			prints: []string{"mobilize", "ntp1.example", "ntp2.example", "pool.example"},
		},
		{
			// It treats a pool as a server.
			name: "systemd-timesyncd", pkg: "systemd-timesyncd",
			start: []string{"env", "SYSTEMD_LOG_LEVEL=debug", "SYSTEMD_LOG_TARGET=console", "/lib/systemd/systemd-timesyncd"},
			prints: []string{
				"Added new system server ntp1.example", "Added new system server ntp2.example",
				"Added new system server pool.example",
			},
		},
	}
}

// runs installs, configures and starts the daemon on a machine with the root.
func (d timeDaemon) runs(t *testing.T, agent, root string, update bool) {
	t.Helper()
	configuration := filepath.Join(t.TempDir(), "configuration.yaml")
	text := strings.NewReplacer("UPDATE", strconv.FormatBool(update), "PACKAGE", d.pkg, "DAEMON", d.name).
		Replace(daemonConfig)
	must(t, os.WriteFile(configuration, []byte(text), 0o600))
	// The agent's records of the previous daemon.
	must(t, os.RemoveAll(root+"/var/lib/machineadm"))
	if output, err := applied(agent, root, configuration); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	output := started(t, root, d.start...)
	for _, want := range d.prints {
		if !strings.Contains(output, want) {
			t.Errorf("%s does not print %q:\n%s", d.name, want, output)
		}
	}
	if strings.Contains(output, "syntax error") || strings.Contains(output, "Unknown key") {
		t.Errorf("%s refuses a line:\n%s", d.name, output)
	}
	difference, err := exec.Command(agent, "diff", "--root", root, "--path", configuration).CombinedOutput()
	if err != nil || len(difference) > 0 {
		t.Errorf("%s: the machine differs: %v\n%s", d.name, err, difference)
	}
}

// networked returns a root from which packages can be fetched, and in which none of them starts a daemon.
func networked(t *testing.T, suite string) string {
	t.Helper()
	_, root := mounted(t, suite)
	names, err := os.ReadFile("/etc/resolv.conf")
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string][]byte{
		"/etc/resolv.conf":      names,
		"/usr/sbin/policy-rc.d": []byte("#!/bin/sh\nexit 101\n"),
	} {
		// A root may have a link there.
		if err := os.Remove(root + path); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if err := os.WriteFile(root+path, content, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// started returns the output of a program of the root until it is stopped.
func started(t *testing.T, root string, argv ...string) string {
	t.Helper()
	args := append([]string{
		"--net", "--mount", "--pid", "--fork", "--kill-child", "chroot", root,
		"timeout", "5",
	}, argv...)
	out, err := exec.Command("unshare", args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out)
}
