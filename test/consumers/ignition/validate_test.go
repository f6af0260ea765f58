package ignition_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/ignitionv2"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/debian"
)

// disks are what the engines only do in a virtual machine; their own validators read it at least.
func disks(r run) plan.Plan {
	return planOf(r.target,
		action.PartitionDisk{Disk: dm.Disk{Device: "/dev/vdb", Wipe: true, Partitions: []dm.Partition{
			{Label: "it's \"data\"", SizeMiB: 64}, {SizeMiB: 10, TypeGUID: "0657FD6D-A4AB-43C4-84E5-0933C84B4F4F"}, {},
		}}},
		action.MakeFilesystem{Filesystem: dm.Filesystem{
			Device: "/dev/disk/by-partlabel/x", Format: "ext4", Label: "data",
			Wipe: true, Options: []string{"-m", "0"},
		}},
		action.MakeFilesystem{Filesystem: dm.Filesystem{Device: "/dev/vdb2", Format: "swap", Label: "sw"}},
		action.MountFilesystem{Mount: dm.Mount{Source: "LABEL=data", Path: "/var/lib/data", Options: []string{"noatime"}}},
		action.EnableSwap{Swap: dm.Swap{Device: "LABEL=sw"}},
		action.EnableSwap{Swap: dm.Swap{Path: "/var/swap", SizeMiB: 1}},
		text("/var/lib/data/a", "a"),
	)
}

func TestValidatorsReportNothing(t *testing.T) {
	validators := map[string]string{"v3": "ignition-validate", "v2": "ignition-validate-flatcar"}
	all := runs(t)
	for name, r := range all {
		if r.engine == distribution {
			continue
		}
		t.Run(name, func(t *testing.T) {
			tool := debian.Tool(t, validators[r.engine.kind])
			for what, p := range map[string]plan.Plan{"disks": disks(r), "rich": rich(t, r.target)} {
				file := filepath.Join(t.TempDir(), "config.ign")
				if err := os.WriteFile(file, render(t, r.renderer, p), 0o600); err != nil {
					t.Fatal(err)
				}
				if out, err := exec.Command(tool, file).CombinedOutput(); err != nil || len(out) > 0 {
					t.Errorf("%s: %v\n%s", what, err, out)
				}
			}
		})
	}
}

// TestUnitsAreVerified has systemd read the units that the renderers themselves write.
func TestUnitsAreVerified(t *testing.T) {
	for name, r := range map[string]run{
		"v3": {engine: newest, renderer: ignition.New(), target: target(t, "flatcar", "", "")},
		"v2": {engine: oldFlatcar, renderer: ignitionv2.New(), target: target(t, "flatcar", "2905.2.0", "")},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.mustBoot(t, r.engine, render(t, r.renderer, planOf(r.target,
				action.MountFilesystem{Mount: dm.Mount{
					Source: "PARTLABEL=a b\\c", Path: "/mnt/it's a-b%n", Type: "ext4",
					Options: []string{"nofail", "x=50%"},
				}},
				action.MountFilesystem{Mount: dm.Mount{Source: "/dev/vdb", Path: "/mnt/b", Options: []string{
					"_netdev", "x-systemd.requires=/mnt/a-b%", "x-systemd.before=a.service", "x-systemd.requires-mounts-for=/mnt",
					"x-systemd.mount-timeout=5min", "x-systemd.rw-only", "x-systemd.device-timeout=5min",
				}}},
				action.EnableSwap{Swap: dm.Swap{Device: "UUID=0657FD6D-A4AB-43C4-84E5-0933C84B4F4F"}},
				action.WriteFile{File: dm.File{Path: "/etc/fact", Content: document.FromFact(document.FactHostname)}},
				action.RunCommand{Name: "boot", Script: "true", When: document.PhaseBoot},
			)))
			names, err := filepath.Glob(m.Path("/etc/systemd/system/*.*"))
			if err != nil {
				t.Fatal(err)
			}
			verified := 0
			for _, file := range names {
				if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
					continue
				}
				verified++
				// What the image would have is not here: the units that ours come after, and the device.
				out, err := exec.Command("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", file).CombinedOutput()
				if err != nil || strings.Contains(string(out), filepath.Base(file)+":") {
					t.Errorf("%s: %v\n%s", filepath.Base(file), err, out)
				}
			}
			if verified != 5 {
				t.Errorf("%d units: %q", verified, names)
			}
		})
	}
}
