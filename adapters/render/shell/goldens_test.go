//go:build !unit

package shell_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/scenarios"
)

// stub replaces a program that the root lacks, or that would change the machine that runs the test.
const stub = "#!/bin/sh\necho \"${0##*/} $*\" >>/var/log/calls\n"

// download replaces curl. Its output has the digest that the scenarios expect.
const download = "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && printf test >\"$2\"; shift; done\n"

var devicePattern = regexp.MustCompile(`/dev/(vd[a-z0-9]+|disk/[a-z0-9_/-]+)`)

// TestGoldensRunTwice checks each golden file of the scenarios with shellcheck, and runs it twice in a separate Debian:
// in dash or in bash, and in `make nightly` in both. Stubs replace programs that change disks, the kernel or running
// services.
func TestGoldensRunTwice(t *testing.T) {
	shells := []string{"dash", "bash"}
	for i, golden := range scenarios.Of(t, "shell") {
		script := string(golden.Data)
		shellcheck(t, golden.Scenario+".sh", script, "--severity=style")
		for k, shell := range nightly.Or(shells, shells[i%2:i%2+1]) {
			t.Run(golden.Name()+"/"+shell, func(t *testing.T) {
				m := stubbed(t, script)
				first := [2]string{shell + " /root/machine.sh", ""}
				if (i/2+k)%2 == 0 {
					first = [2]string{shell + " -s", script}
				}
				if code, out := m.run(t, first[0], first[1]); code != 0 || !m.Exists(bootscript.Sentinel) {
					t.Fatalf("exit code %d: %s\n%s", code, out, m.Log())
				}
				if calls := m.Read(t, "/var/log/calls"); strings.Count("\n"+calls, "\nkubeadm ") != 1 {
					t.Errorf("kubeadm did not run once:\n%s", calls)
				}
				validate(t, m.Path(kubeadmConfig))
				before := m.snapshot(t)
				if code, out := m.run(t, shell+" /root/machine.sh", ""); code != 0 ||
					out != "machineadm: this machine is done; nothing was changed\n" {
					t.Errorf("the second run: exit code %d, %s", code, out)
				}
				if diff := cmp.Diff(before, m.snapshot(t)); diff != "" {
					t.Errorf("the second run changed something:\n%.2000s", diff)
				}
			})
		}
	}
}

// The path to which the stub of kubeadm copies its configuration, because the script removes the original.
const kubeadmConfig = "/var/lib/kubeadm.yaml"

// validate runs the real kubeadm to validate a configuration.
func validate(t *testing.T, file string) {
	t.Helper()
	kubeadm, err := controlplane.Tool(t.Context(), "kubeadm")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(kubeadm, "config", "validate", "--config", file).CombinedOutput(); err != nil ||
		strings.Contains(string(out), "deprecated") {
		t.Errorf("kubeadm: %v\n%s", err, out)
	}
}

// stubbed returns a machine with the script, the stubs, and the devices that the script names.
func stubbed(t *testing.T, script string) *machineRoot {
	t.Helper()
	m := newMachine(t)
	m.Put(t, "/root/machine.sh", script, 0o600)
	m.Put(t, "/dev/.keep", "", 0o644)
	m.devices = append(unique(devicePattern.FindAllString(script, -1)), "/dev/spare")
	for _, name := range []string{
		"apt-get", "sfdisk", "wipefs", "mkfs.ext4", "mkfs.xfs", "mkfs.btrfs", "mkfs.vfat", "mkswap", "mount", "mountpoint",
		"udevadm", "modprobe",
		"sysctl", "systemd-sysext", "systemctl", "ctr", "crictl", "update-ca-certificates", "update-ca-trust", "restorecon",
	} {
		m.Put(t, "/usr/local/sbin/"+name, stub, 0o755)
	}
	m.Put(t, "/usr/local/sbin/kubeadm", stub+"if [ \"$2\" = --config ]; then cp \"$3\" "+kubeadmConfig+"; fi\n", 0o755)
	m.Put(t, "/usr/local/sbin/blkid", stub+"exit 2\n", 0o755)
	m.Put(t, "/usr/local/sbin/blockdev", stub+"echo 67108864\n", 0o755)
	m.Put(t, "/usr/local/sbin/curl", download, 0o755)
	return m
}

func unique(all []string) []string {
	seen := map[string]bool{}
	var once []string
	for _, s := range all {
		if !seen[s] {
			seen[s], once = true, append(once, s)
		}
	}
	return once
}
