//go:build linux

package linux_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// TestProgramsAreFlushed checks that what programs wrote is on the disk when Apply returns. The journal then records
// their success durably, and they do not run again.
func TestProgramsAreFlushed(t *testing.T) {
	cases := map[string]struct {
		reason string
		op     action.Operation
		fails  bool
		want   []string
	}{
		"command": {
			"kubeadm does not flush its files",
			action.RunCommand{Name: "a", Script: "echo new >/written", When: document.PhaseJoin},
			false,
			[]string{"new\n"},
		},
		"packages": {
			"rpm does not flush its files",
			action.InstallPackages{PackagesConfig: machine.PackagesConfig{Install: []string{"a"}}},
			false,
			[]string{"new\n"},
		},
		"failure": {
			"no success is recorded",
			action.RunCommand{Name: "a", Script: "exit 1", When: document.PhaseJoin},
			true, nil,
		},
		"file": {"the agent flushes its own files one by one", write("/etc/a", "x"), false, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := newDebian(t, "trixie")
			if err := os.WriteFile(d.root+"/usr/bin/apt-get", []byte("#!/bin/sh\necho new >/written\n"),
				0o755); err != nil { //nolint:gosec // A program.
				t.Fatal(err)
			}
			var flushed []string
			plain := d.Host
			d.Host = linux.Syncing(plain, func() { flushed = append(flushed, d.get("/written")) })
			if err := d.try(t, c.op); (err != nil) != c.fails {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, flushed); diff != "" {
				t.Errorf("%s: %s", c.reason, diff)
			}
		})
	}
}

// TestTreesAreNotFlushed runs a command in a tree that is not running, as for an image: the machine that creates the
// image does not have to write its caches to its disks.
func TestTreesAreNotFlushed(t *testing.T) {
	d := newDebian(t, "trixie")
	d.Host = linux.SyncedBy(d.Host, func() { t.Error("it is flushed") })
	if err := d.try(t, action.RunCommand{Name: "a", Script: ":", When: document.PhasePre}); err != nil {
		t.Fatal(err)
	}
}

// TestResumptionFlushesFirst checks that the agent and its configuration are on the disk before the unit that needs
// them.
func TestResumptionFlushesFirst(t *testing.T) {
	dir, flushed := t.TempDir(), 0
	host := linux.Syncing(open(t, dir), func() {
		flushed++
		if _, err := os.Stat(dir + delivery.ResumeUnitPath); err == nil {
			t.Error("the unit exists before")
		}
	})
	if err := (linux.Resumption{Host: host}).Enable(t.Context(), []string{"machineadm"}); err != nil || flushed != 1 {
		t.Errorf("flushed %d times, error %v", flushed, err)
	}
}
