//go:build linux && !unit

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/domain/oscontract"
)

// contractOf returns the agent's report about a tree, and its exit code.
func contractOf(t *testing.T, agent, root string, flags ...string) (met bool, unmet []string, code int) {
	t.Helper()
	cmd := exec.Command(agent, append([]string{"check", "--os-contract", "--root", root, "-o", "json"}, flags...)...)
	out, err := cmd.Output()
	var printed struct {
		Kind    string
		Met     bool
		Clauses []struct{ Name, Level, Outcome, Message, Remedy string }
	}
	if jsonErr := json.Unmarshal(out, &printed); jsonErr != nil || printed.Kind != "OSContractReport" ||
		len(printed.Clauses) != len(oscontract.Clauses()) {
		t.Fatalf("%v, %v: %s", err, jsonErr, out)
	}
	for _, c := range printed.Clauses {
		if c.Outcome == string(oscontract.Unmet) {
			unmet = append(unmet, c.Name)
		}
		if c.Remedy == "" || c.Message == "" {
			t.Errorf("%s has no message", c.Name)
		}
	}
	return printed.Met, unmet, cmd.ProcessState.ExitCode()
}

// debianImage returns the changes to a pristine root of the release.
func debianImage(t *testing.T, suite string) string {
	t.Helper()
	lower := filepath.Join(os.Getenv("MACHINEADM_ROOTS"), suite)
	if os.Getenv("MACHINEADM_ROOTS") == "" {
		out, err := exec.Command("../../hack/roots.sh", suite).Output()
		if err != nil {
			t.Fatalf("hack/roots.sh: %v", err)
		}
		lower = strings.TrimSpace(string(out))
	}
	state := t.TempDir()
	for _, dir := range []string{"upper", "work", "root"} {
		if err := os.Mkdir(filepath.Join(state, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.Join(state, "root")
	if err := syscall.Mount("overlay", root, "overlay", 0, fmt.Sprintf("lowerdir=%s,upperdir=%s/upper,workdir=%s/work",
		lower, state, state)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(root, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return root
}

// TestContractOfDebian checks two real Debians against the contract: unchanged, with the additions of a node's image,
// and with each violation.
func TestContractOfDebian(t *testing.T) {
	agent := program(t)
	for _, suite := range []string{"bookworm", "trixie"} {
		t.Run(suite, func(t *testing.T) {
			root := debianImage(t, suite)
			met, unmet, code := contractOf(t, agent, root)
			want := []string{oscontract.Agent, oscontract.Download, oscontract.Runtime, oscontract.Kubernetes}
			if diff := cmp.Diff(want, unmet); diff != "" || !met || code != nodecli.ExitOK {
				t.Errorf("as it is: exit code %d, %v (-want +got):\n%s", code, met, diff)
			}
			for path, mode := range map[string]os.FileMode{
				"usr/bin/machineadm": 0o755, "usr/bin/curl": 0o755, "usr/bin/containerd": 0o755, "usr/bin/kubeadm": 0o755,
				"usr/bin/kubelet":                        0o755,
				"usr/lib/systemd/system/kubelet.service": 0o644, "usr/lib/systemd/system/containerd.service": 0o644,
			} {
				if err := os.WriteFile(filepath.Join(root, path), nil, mode); err != nil {
					t.Fatal(err)
				}
			}
			if met, unmet, code = contractOf(t, agent, root); !met || len(unmet) > 0 || code != nodecli.ExitOK {
				t.Errorf("a node's image: exit code %d, %v, %v", code, met, unmet)
			}
			breaks(t, root)
			met, unmet, code = contractOf(t, agent, root)
			want = []string{oscontract.FirstBoot, oscontract.Owners, oscontract.Accounts, oscontract.Unused, oscontract.Identity}
			if diff := cmp.Diff(want, unmet); diff != "" || met || code != nodecli.ExitFailed {
				t.Errorf("broken: exit code %d, %v (-want +got):\n%s", code, met, diff)
			}
			if met, _, code = contractOf(t, agent, root, "--ignore", "firstboot,Owners,Accounts,Unused"); !met ||
				code != nodecli.ExitOK {
				t.Errorf("on purpose: exit code %d, %v", code, met)
			}
		})
	}
}

// breaks makes a bad image of a tree.
func breaks(t *testing.T, root string) {
	t.Helper()
	for _, path := range []string{"usr/bin/cloud-init", "usr/sbin/useradd"} {
		if err := os.Remove(filepath.Join(root, path)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(root, "usr/local"), 0o777); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		"etc/machine-id":          "0123456789abcdef0123456789abcdef\n",
		"var/lib/machineadm/done": "",
	} {
		at := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
