package cloudinit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/test/nightly"
)

// disk returns a block device of 64 MiB with nothing on it.
func disk(t *testing.T) string {
	t.Helper()
	image := filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 64<<20); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("losetup", "--find", "--show", "--partscan", image).CombinedOutput()
	if err != nil {
		t.Fatalf("losetup: %v\n%s", err, out)
	}
	device := strings.TrimSpace(string(out))
	t.Cleanup(func() {
		if out, err := exec.Command("losetup", "--detach", device).CombinedOutput(); err != nil {
			t.Errorf("losetup: %v\n%s", err, out)
		}
	})
	return device
}

// show returns what a shell command prints in the machine, which is off otherwise.
func (m *machine) show(t *testing.T, script string) string {
	t.Helper()
	m.command(t, "{ "+script+"\n} >/root/shown")
	return m.Read(t, "/root/shown")
}

func TestDisksArePartitioned(t *testing.T) {
	eachSuite(t, bookworm, func(t *testing.T, suite string) {
		const guid = "4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709"
		m := newMachine(t, suite)
		d := disk(t)
		// Kernels that are made for small virtual machines do not read every partition table; partx(8) adds the partitions.
		m.Put(t, "/usr/local/sbin/udevadm", "#!/bin/sh\npartx -u "+d+"\nexec /bin/udevadm \"$@\"\n", 0o755)
		userdata := render(t, target(),
			do(action.PartitionDisk{Disk: dm.Disk{Device: d, Partitions: []dm.Partition{
				{Label: `it's a "b"`, SizeMiB: 10, StartMiB: 2},
				{
					Number: 3, SizePercent: 10, GUID: guid, TypeGUID: "0657FD6D-A4AB-43C4-84E5-0933C84B4F4F",
				},
				{},
			}}}),
			do(action.MakeFilesystem{Filesystem: dm.Filesystem{
				Device: d + "p1", Format: "ext4", Label: "it's",
				Options: []string{"-m", "0"},
			}}),
			do(action.MakeFilesystem{Filesystem: dm.Filesystem{Device: d + "p3", Format: "swap", Label: "sw"}}),
			do(action.MountFilesystem{Mount: dm.Mount{
				Source: d + "p1", Path: `/mnt/a b\040*'c`,
				Options: []string{"noatime", "noexec"}, Pass: new(1),
			}}),
			do(action.EnsureUser{User: dm.User{Name: "app"}}),
			do(action.MakeDirectory{Path: `/mnt/a b\040*'c/dir`, Owner: dm.Owner{User: "app"}}),
			do(action.WriteFile{File: dm.File{Path: `/mnt/a b\040*'c/file`, Content: document.Text("on the disk")}}),
			do(action.WriteFile{File: dm.File{
				Path: `/mnt/a b\040*'c/dir/owned`, Content: document.Text("owned"),
				Owner: dm.Owner{User: "app"},
			}}),
			join())
		m.boot(t, userdata)
		if !m.sentinel() {
			t.Fatalf("no sentinel\n%s", m.Log())
		}
		if m.Exists(`/mnt/a b\040*'c/file`) {
			t.Error("the file is not on the disk, but below it")
		}
		if line := m.Read(t, "/etc/fstab"); !strings.Contains(line,
			d+`p1 /mnt/a\040b\134040*'c auto noatime,noexec 0 1`+"\n") {
			t.Errorf("fstab: %s", line)
		}
		if mounts := m.Read(t, "/var/log/run/mounts"); !strings.Contains(mounts,
			`/mnt/a\040b\134040*'c ext4 rw,noexec,noatime`) {
			t.Errorf("mounts: %s", mounts)
		}
		// The next boot must leave everything alone.
		m.boot(t, userdata)
		got := m.show(t, "mount "+d+"p1 /mnt;cat /mnt/file;stat -c ' %U %a' /mnt/dir/owned;blkid -o value -s LABEL "+
			d+"p1 "+d+"p3\n"+
			"sfdisk -d "+d+"|sed -n 's/.*start= *\\([0-9]*\\), size= *\\([0-9]*\\), "+
			"type=\\([^,]*\\).*name=\\(.*\\)/\\1 \\2 \\4/p'\n"+
			"lsblk -bnro SIZE "+d+"p3;sfdisk --part-uuid "+d+" 3")
		want := "on the disk app 644\nit's\nsw\n4096 20480 \"it's a \\x22b\\x22\"\n6291456\n" + guid + "\n"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestDisksWithContentAreNotFormatted(t *testing.T) {
	cases := map[string]struct {
		reason string
		action func(device string) action.Operation
		kept   bool
	}{
		"Filesystem": {
			reason: "there is another file system, and wipe is not set",
			action: func(d string) action.Operation {
				return action.MakeFilesystem{Filesystem: dm.Filesystem{Device: d, Format: "swap", Label: "new"}}
			},
			kept: true,
		},
		"FilesystemReplaced": {
			reason: "the type that is there is replaced",
			action: func(d string) action.Operation {
				return action.MakeFilesystem{Filesystem: dm.Filesystem{Device: d, Format: "swap", Label: "new", ReplaceFS: "ext4"}}
			},
		},
		"FilesystemWiped": {
			reason: "wipe is set",
			action: func(d string) action.Operation {
				return action.MakeFilesystem{Filesystem: dm.Filesystem{Device: d, Format: "ext4", Label: "new", Wipe: true}}
			},
		},
		"Table": {
			reason: "there is a file system in place of the table",
			action: func(d string) action.Operation {
				return action.PartitionDisk{Disk: dm.Disk{Device: d, Table: dm.TableMBR, Partitions: []dm.Partition{{}}}}
			},
			kept: true,
		},
		"TableWiped": {
			reason: "wipe is set",
			action: func(d string) action.Operation {
				return action.PartitionDisk{Disk: dm.Disk{
					Device: d, Table: dm.TableMBR, Wipe: true,
					Partitions: []dm.Partition{{}},
				}}
			},
		},
	}
	eachSuite(t, trixie, func(t *testing.T, suite string) {
		for name, tc := range nightly.Cases(t, cases, "Filesystem", "TableWiped") {
			t.Run(name, func(t *testing.T) {
				m := newMachine(t, suite)
				d := disk(t)
				m.command(t, "mkfs.ext4 -q -L old "+d)
				m.boot(t, render(t, target(), do(tc.action(d)), join()))
				// What a device has is an error unless the document asks for it: the next step could not use it.
				if m.sentinel() == tc.kept {
					t.Fatalf("%s: sentinel: %t\n%s", tc.reason, m.sentinel(), m.Log())
				}
				label := m.show(t, "blkid -p -o value -s LABEL "+d+"||:")
				if kept := label == "old\n"; kept != tc.kept {
					t.Errorf("%s: the label is %q", tc.reason, label)
				}
			})
		}
	})
}

func TestFailedDiskFailsLoudly(t *testing.T) {
	eachSuite(t, bookworm, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		d := disk(t)
		m.boot(t, render(t, target(),
			do(action.MakeFilesystem{Filesystem: dm.Filesystem{
				Device: d, Format: "ext4",
				Options: []string{"--no-such-option"},
			}}),
			do(action.MountFilesystem{Mount: dm.Mount{Source: d, Path: "/data"}}), join()))
		got := m.failure(t)
		if !strings.Contains(got.Log, "no-such-option") && !strings.Contains(got.Log, "invalid option") {
			t.Errorf("log tail %q", got.Log)
		}
		got.Log = ""
		if diff := cmp.Diff(failure{Phase: "disk", Step: "steps[0]", ExitCode: got.ExitCode}, got); diff != "" ||
			got.ExitCode == 0 {
			t.Errorf("%+v", got)
		}
		if m.sentinel() || m.Exists("/data") {
			t.Error("the bootstrap went on")
		}
	})
}

// useSwap stands in for swapon(8), which would affect this machine: it keeps a swap device open as the kernel does.
const useSwap = `#!/bin/sh
[ "$(blkid -p -o value -s TYPE "$1")" = swap ] || exit 1
exec python3 -c '
import os, sys, time
os.open(sys.argv[1], os.O_RDWR | os.O_EXCL)
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
' "$1" >/dev/null 2>&1
`

// temporaryDisk returns a link to a device by a name of Azure's temporary disk. Machines share the directory of devices
// with the system that runs the tests, which can have such a disk; the name is therefore the device's own.
func temporaryDisk(t *testing.T, m *machine, device string) string {
	t.Helper()
	link := "/dev/disk/cloud/azure_resource-" + filepath.Base(device)
	m.command(t, "mkdir -p /dev/disk/cloud && ln -s "+device+" "+link)
	t.Cleanup(func() { m.command(t, "rm "+link+"; rmdir --ignore-fail-on-non-empty /dev/disk/cloud /dev/disk") })
	return link
}

// TestDataSourceKeepsSwap gives cloud-init a configuration that formats the swap device, as the data source of Azure
// does for the first partition of the temporary disk.
func TestDataSourceKeepsSwap(t *testing.T) {
	eachSuite(t, trixie, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		d := temporaryDisk(t, m, disk(t))
		m.Put(t, "/usr/local/sbin/swapon", useSwap, 0o755)
		m.Put(t, "/var/lib/cloud/seed/nocloud/vendor-data",
			"#cloud-config\nfs_setup: [{filesystem: ext4, device: "+d+", partition: none}]\n", 0o600)
		m.boot(t, render(t, target(),
			do(action.MakeFilesystem{Filesystem: dm.Filesystem{Device: d, Format: "swap"}}),
			do(action.EnableSwap{Swap: dm.Swap{Device: d}}), join()))
		if !m.sentinel() {
			t.Fatalf("no sentinel\n%s", m.Log())
		}
		if got := m.show(t, "blkid -p -o value -s TYPE "+d); got != "swap\n" {
			t.Errorf("the device contains %q", got)
		}
		if errors := m.errors(t); len(errors) > 0 {
			t.Logf("cloud-init reports: %q", errors)
		}
	})
}
