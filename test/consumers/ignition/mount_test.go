package ignition_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/ignitionv2"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/debian"
)

// device returns a block device with an empty ext4.
func device(t *testing.T) string {
	t.Helper()
	image := filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 16<<20); err != nil {
		t.Fatal(err)
	}
	debian.Output(t, "mkfs.ext4", "-q", image)
	loop := debian.Output(t, "losetup", "--find", "--show", image)
	t.Cleanup(func() {
		if out, err := exec.Command("losetup", "--detach", loop).CombinedOutput(); err != nil {
			t.Errorf("losetup: %v\n%s", err, out)
		}
	})
	return loop
}

// TestFileOnMountOfNewUser is what breaks naive renderers: the file has to be on the disk, and belong to a user that
// the same configuration makes.
func TestFileOnMountOfNewUser(t *testing.T) {
	cases := map[string]run{
		"3.4": {
			reason: "the engine mounts first", engine: newest, renderer: ignition.New(),
			target: target(t, "flatcar", "", ""),
		},
		"2.3": {
			reason: "the file names its file system", engine: oldFlatcar, renderer: ignitionv2.New(),
			target: target(t, "flatcar", "2905.2.0", ""),
		},
	}
	for name, r := range cases {
		t.Run(name, func(t *testing.T) {
			d := device(t)
			m := newMachine(t)
			m.mustBoot(t, r.engine, render(t, r.renderer, mounted(r, d)))
			if _, err := os.Stat(m.Path("/srv/data-disk/dir/file")); err == nil {
				t.Error("the file is below the mount point, not on the disk")
			}
			at := t.TempDir()
			debian.Output(t, "mount", "-o", "ro", d, at)
			t.Cleanup(func() { debian.Output(t, "umount", at) })
			content, err := os.ReadFile(filepath.Join(at, "dir/file"))
			if err != nil {
				t.Fatal(err)
			}
			uid := debian.Output(t, "stat", "-c", "%u %a", filepath.Join(at, "dir/file"))
			if diff := cmp.Diff("on the disk 1234 640", string(content)+" "+uid); diff != "" {
				t.Error(diff)
			}
			if unit := m.Read(t, `/etc/systemd/system/srv-data\x2ddisk.mount`); !strings.Contains(unit,
				"What="+d+"\nWhere=/srv/data-disk\n") {
				t.Errorf("unit:\n%s", unit)
			}
		})
	}
}

func mounted(r run, device string) plan.Plan {
	uid := 1234
	return planOf(r.target,
		action.MakeFilesystem{Filesystem: dm.Filesystem{Device: device, Format: "ext4"}},
		action.MountFilesystem{Mount: dm.Mount{Source: device, Path: "/srv/data-disk", Type: "ext4"}},
		action.EnsureUser{User: dm.User{Name: "app", UID: &uid}},
		action.WriteFile{File: dm.File{
			Path: "/srv/data-disk/dir/file", Content: document.Text("on the disk"), Mode: 0o640,
			Owner: dm.Owner{User: "app"},
		}},
	)
}
