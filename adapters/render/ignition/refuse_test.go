package ignition_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// TestRefusals has, for each contradiction of a plan, the finding that names its field.
func TestRefusals(t *testing.T) {
	on := true
	file, dir := ignmodeltest.Text("/etc/a", ""), action.MakeDirectory{Path: "/etc/a"}
	disk := func(p ...machine.Partition) action.PartitionDisk {
		return action.PartitionDisk{Disk: machine.Disk{Device: "/dev/vdb", Partitions: p}}
	}
	user := func(u machine.User) action.EnsureUser { return action.EnsureUser{User: u} }
	mount := func(path string) action.MountFilesystem {
		return action.MountFilesystem{Mount: machine.Mount{Source: "/dev/vdb", Path: path}}
	}
	cases := map[string]struct {
		reason string
		plan   []action.Operation
		want   string
	}{
		"FileAndDirectory": {
			"one path, two kinds",
			[]action.Operation{file, dir},
			"error: docs[1]: /etc/a cannot be a directory: the step at docs[0] makes it a file; remove one of them",
		},
		"DirectoryAndFile": {
			"the other way round",
			[]action.Operation{dir, file},
			"error: docs[1].path: /etc/a cannot be a file: the step at docs[0] makes it a directory; remove one of them",
		},
		"BelowFile": {
			"no file holds files",
			[]action.Operation{file, ignmodeltest.Text("/etc/a/b", "")},
			"error: docs[1].path: /etc/a/b lies below /etc/a, which is a file; choose another path",
		},
		"AboveFile": {
			"a directory already",
			[]action.Operation{ignmodeltest.Text("/etc/a/b", ""), file},
			"error: docs[1].path: /etc/a cannot be a file: the step at docs[0] makes it a directory; remove one of them",
		},
		"Program": {
			"kept",
			[]action.Operation{ignmodeltest.Text("/etc/machineadm/bootstrap", "")},
			"error: docs[0].path: /etc/machineadm/bootstrap is reserved for machineadm; choose another path",
		},
		"Etc": {
			"a directory",
			[]action.Operation{ignmodeltest.Text("/etc", "")},
			"error: docs[0].path: /etc is a directory; choose another path",
		},
		"BadUTF8": {
			"JSON is text",
			[]action.Operation{ignmodeltest.Text("/etc/\xff", "")},
			"error: docs[0].path: the path is not valid UTF-8; use another path",
		},
		"EmptyLink": {
			"leads nowhere",
			[]action.Operation{action.Link{Path: "/a"}},
			"error: docs[0]: the target of the link /a is empty or not valid UTF-8",
		},
		"MBR": {
			"GPT only",
			[]action.Operation{action.PartitionDisk{Disk: machine.Disk{Device: "/dev/vdb", Table: machine.TableMBR}}},
			"error: docs[0].tableType: this format creates only GPT tables; use gpt",
		},
		"Percent": {
			"the size of the disk is not known when it is partitioned",
			[]action.Operation{disk(machine.Partition{SizePercent: 50})},
			"error: docs[0].partitions[0].sizePercent: Ignition does not know the size of the disk; set sizeMiB, or leave " +
				"both out to use the remaining space",
		},
		"Ext3": {
			"the engine has no program for it",
			[]action.Operation{action.MakeFilesystem{Filesystem: machine.Filesystem{Device: "/dev/vdb", Format: "ext3"}}},
			"error: docs[0].format: Ignition does not create ext3; use ext4",
		},
		"ReplaceFS": {
			"it is all or nothing",
			[]action.Operation{action.MakeFilesystem{Filesystem: machine.Filesystem{
				Device: "/dev/vdb", Format: "ext4", ReplaceFS: "ntfs",
			}}},
			"error: docs[0].replaceFS: Ignition keeps a file system of the same format, and refuses any other; set wipe to " +
				"replace every file system, or leave it out",
		},
		"Dump": {
			"there is no fstab entry",
			[]action.Operation{action.MountFilesystem{Mount: machine.Mount{Source: "/dev/vdb", Path: "/a", Dump: 1}}},
			"warning: docs[0].dump: a mount unit mounts the file system; dump(8) reads only /etc/fstab; leave it out",
		},
		"Colon": {
			"sgdisk splits at it",
			[]action.Operation{disk(machine.Partition{Label: "a:b"})},
			`error: docs[0].partitions[0].label: "a:b" holds a colon, which the partitioning program cannot write; leave it out`,
		},
		"LongLabel": {
			"bytes count, not letters",
			[]action.Operation{disk(machine.Partition{Label: strings.Repeat("ü", 20)})},
			"error: docs[0].partitions[0].label: the label has 40 bytes; the engine takes 36; shorten it",
		},
		"SameLabel": {
			"identified by label",
			[]action.Operation{disk(machine.Partition{Label: "a", SizeMiB: 1}, machine.Partition{Label: "a"})},
			`error: docs[0].partitions[1].label: two partitions have the label "a"; name them differently`,
		},
		"Overlap": {
			"one on the other",
			[]action.Operation{disk(machine.Partition{Label: "a", StartMiB: 1, SizeMiB: 10},
				machine.Partition{Label: "b", StartMiB: 5, SizeMiB: 1})},
			"error: docs[0].partitions[1].startMiB: partitions overlap; move one of them",
		},
		"TwoTables": {
			"one table a disk",
			[]action.Operation{disk(), disk()},
			"error: docs[1].device: a second table for /dev/vdb; keep one of them",
		},
		"TwoUsers": {
			"keys are unique",
			[]action.Operation{user(machine.User{Name: "a"}), user(machine.User{Name: "a"})},
			"error: docs[1].name: a second user a; keep one of them",
		},
		"Sudo": {
			"joins the next line",
			[]action.Operation{user(machine.User{Name: "a", Sudo: `ALL=ALL\`})},
			"error: docs[0].sudo: a backslash at the end joins the next rule; remove it",
		},
		"HomeOnMount": {
			"made before it is mounted",
			[]action.Operation{mount("/home"), user(machine.User{Name: "a"})},
			"error: docs[1].homeDir: /home/a is on a mount that does not exist yet when users are created; " +
				"choose another home, " +
				"or give noCreateHome",
		},
		"TwoMounts": {
			"one mount point",
			[]action.Operation{mount("/a"), mount("/a")},
			"error: docs[1].path: a second mount on /a; keep one of them",
		},
		"MountNewline": {
			"a unit is made of lines",
			[]action.Operation{mount("/a\nb")},
			`error: docs[0].path: systemd cannot mount on "/a\nb"; leave out control characters, and blanks and backslashes ` +
				`at the end`,
		},
		"MountOptions": {
			"only fstab's generator reads them",
			[]action.Operation{action.MountFilesystem{Mount: machine.Mount{Source: "/dev/vdb", Path: "/a", Options: []string{
				"noatime", "x-systemd.automount", "x-systemd.after=", "nofail,x-initrd.mount",
			}}}},
			"error: docs[0].options[1]: x-systemd.automount has no effect in a mount unit, and Ignition configures mounts as " +
				"units; remove the mount, and add its mount unit and automount unit to units\n" +
				"error: docs[0].options[2]: x-systemd.after= has no value; set it, or remove the option\n" +
				"error: docs[0].options[3]: x-initrd.mount has no effect in a mount unit, and Ignition configures mounts as " +
				"units; remove it, or replace the mount by a mount unit in units",
		},
		"LongMount": {
			"the unit's name has a limit",
			[]action.Operation{mount("/" + strings.Repeat("-", 70))},
			"error: docs[0].path: the unit's name would have 286 bytes; systemd allows 255; mount it at a shorter path",
		},
		"MaskAndEnable": {
			"two documents disagree",
			[]action.Operation{
				action.EnsureUnit{Unit: machine.Unit{Name: "a.service", Masked: true}},
				action.EnsureUnit{Unit: machine.Unit{Name: "a.service", Enabled: &on}},
			},
			"error: docs[1].mask: a.service is masked, and elsewhere configured or enabled; remove one of them",
		},
		"NoInstall": {
			"a warning only",
			[]action.Operation{action.EnsureUnit{Unit: machine.Unit{
				Name:    "a.service",
				Content: document.Text("[Service]\nExecStart=/bin/true\n"), Enabled: &on,
			}}},
			"warning: docs[0].contents: a.service is enabled but has no [Install] section; add one, or nothing starts it",
		},
		"ProgramUnit": {
			"kept",
			[]action.Operation{action.EnsureUnit{Unit: machine.Unit{Name: "machineadm-bootstrap.service", Masked: true}}},
			"error: docs[0].name: machineadm-bootstrap.service is reserved for machineadm; choose another name",
		},
		"Packages": {
			"an image without a package manager",
			[]action.Operation{action.InstallPackages{PackagesConfig: machine.PackagesConfig{Install: []string{"a"}}}},
			"error: docs[0]: Flatcar has no package manager; install the programs in the image, by a system " +
				"extension or by a download",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, findings, err := ignition.New().Render(t.Context(),
				ignmodeltest.Of(ignmodeltest.Target("flatcar", ""), tc.plan...))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, findings.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestVersions(t *testing.T) {
	cases := map[string]struct{ reason, id, release, version, want, finding string }{
		"Flatcar": {reason: "the newest that it reads", id: "flatcar", want: `"version":"3.4.0"`},
		"OldFlatcar": {
			reason: "the first with specification 3", id: "flatcar", release: "3185.0.0",
			want: `"version":"3.3.0"`,
		},
		"Asked": {reason: "short for 3.1.0", id: "fedora-coreos", version: "3.1", want: `"version":"3.1.0"`},
		"TooOld": {
			reason: "reads 2.3 only", id: "flatcar", release: "2905.2.0",
			finding: "error: spec.format: Flatcar 2905.2.0 reads no Ignition 3; choose another format, or give its version",
		},
		"Unknown": {
			reason: "not stable", id: "fedora-coreos", version: "3.7.0-experimental",
			finding: `error: spec.formatOptions.version: "3.7.0-experimental" is not a stable specification of ` +
				`Ignition 3; use ` +
				`one of 3.0.0, 3.1.0, 3.2.0, 3.3.0, 3.4.0, 3.5.0, 3.6.0`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			target := ignmodeltest.Version(ignmodeltest.Target(tc.id, tc.release), tc.version)
			rendering, findings, err := ignition.New().Render(t.Context(), ignmodeltest.Worker(target))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.finding, findings.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if !strings.Contains(string(rendering.Payload.Data.Reveal()), tc.want) {
				t.Errorf("%s: no %s in %s", tc.reason, tc.want, rendering.Payload.Data.Reveal())
			}
		})
	}
}
