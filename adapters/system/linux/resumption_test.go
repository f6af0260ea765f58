//go:build linux

package linux_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/ports/portstest"
)

var wordPattern = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)

// TestResumptionConforms arms two Debian releases and parses the unit with their systemd.
func TestResumptionConforms(t *testing.T) {
	for _, suite := range []string{"bookworm", "trixie"} {
		t.Run(suite, func(t *testing.T) {
			d := newDebian(t, suite)
			portstest.Resumption(t, linux.Resumption{Host: linux.Running(d.Host)}, d.armed)
		})
	}
}

// armed returns the command of the unit if a target wants the unit and systemd-analyze finds no error.
func (d debianHost) armed(t *testing.T) []string {
	t.Helper()
	link := d.root + "/etc/systemd/system/multi-user.target.wants/" + delivery.ResumeUnit
	if _, err := os.Stat(link); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(d.root + delivery.ResumeUnitPath); err == nil {
			t.Error("the unit is there, and no target wants it")
		}
		return nil
	}
	text, err := os.ReadFile(link)
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"/usr/bin/machineadm", "/opt/bin/machineadm"} {
		if err := os.MkdirAll(d.root+"/opt/bin", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(d.root+program, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("chroot", d.root, "systemd-analyze", "verify", "--man=no", delivery.ResumeUnitPath).
		CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd: %v: %s", err, out)
	}
	_, line, _ := strings.Cut(string(text), "ExecStart=")
	line, _, _ = strings.Cut(line, "\n")
	var argv []string
	for _, word := range wordPattern.FindAllStringSubmatch(line, -1) {
		argv = append(argv, strings.NewReplacer(`\\`, `\`, `\"`, `"`, "%%", "%", "$$", "$").Replace(word[1]))
	}
	return argv
}

// TestResumptionWantsFacts checks that later boots start the unit that provides facts, if this boot started it.
func TestResumptionWantsFacts(t *testing.T) {
	cases := map[string]struct{ reason, release, file, wants string }{
		"known": {"", "ID=flatcar\n", "/run/metadata/flatcar", "network-online.target coreos-metadata.service"},
		"unknown": {
			"on a platform that it does not know it would fail at every boot", "ID=flatcar\n", "",
			"network-online.target",
		},
		"none": {"", "ID=debian\n", "/run/metadata/flatcar", "network-online.target"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "/etc/os-release", c.release, "")
			if c.file != "" {
				put(t, dir, c.file, "COREOS_EC2_REGION=r\n", "")
			}
			if err := (linux.Resumption{Host: linux.Running(open(t, dir))}).Enable(t.Context(),
				[]string{"machineadm"}); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(dir + delivery.ResumeUnitPath)
			if err != nil || !strings.Contains(string(text), "\nWants="+c.wants+"\nAfter="+c.wants+" ") {
				t.Errorf("%s: %s, error %v", c.reason, text, err)
			}
		})
	}
}

// TestDisableStopsTheUserdata checks that the bootstrap program reports nothing after a reset, and that new userdata
// starts.
func TestDisableStopsTheUserdata(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, delivery.BootstrapPath, "echo success >/run/cluster-api/bootstrap-success.complete\n", "")
	put(t, dir, delivery.StartedPath, "", "")
	r := linux.Resumption{Host: linux.Running(open(t, dir))}
	for range 2 {
		if err := r.Disable(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("sh", "-x", dir+delivery.BootstrapPath).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("the program runs: %v: %s", err, out)
	}
	if _, err := os.Stat(dir + delivery.StartedPath); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was started once does not begin: %v", err)
	}
}
