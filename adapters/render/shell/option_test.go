//go:build !unit

package shell_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// TestTextIsNoOption passes text that begins with a dash to each of the real programs.
func TestTextIsNoOption(t *testing.T) {
	yes := true
	unit := machine.Unit{
		Name:    "-Hx.service",
		Content: document.Text("[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n"), Enabled: &yes,
	}
	device := disk(t)
	partition := func(label string) action.Operation {
		return action.PartitionDisk{Disk: machine.Disk{
			Device: device, Wipe: true,
			Partitions: []machine.Partition{{Label: label, SizeMiB: 10}, {SizeMiB: 10}},
		}}
	}
	cases := map[string]struct {
		reason       string
		do           action.Operation
		result, want string
	}{
		"partition": {"sfdisk --delete deletes the partition", partition("--delete"), "sfdisk -d " + device +
			"|grep -o 'name=.*\\|^/dev.*p2'|tr '\\n' ' '", "name=\"--delete\" " + device + "p2 "},
		"partition's other option": {
			"sfdisk -V", partition("-V"), "sfdisk -d " + device + "|grep -o 'name=.*'",
			"name=\"-V\"\n",
		},
		"file system": {
			"mkfs.ext4 -n makes nothing",
			action.MakeFilesystem{Filesystem: machine.Filesystem{Device: device, Format: "ext4", Label: "-n", Wipe: true}},
			"blkid -po value -s LABEL " + device, "-n\n",
		},
		"swap": {"mkswap --help", action.MakeFilesystem{Filesystem: machine.Filesystem{
			Device: device, Format: "swap",
			Label: "--help", Wipe: true,
		}}, "blkid -po value -s LABEL " + device, "--help\n"},
		"unit": {
			"systemctl -H asks another machine",
			action.EnsureUnit{Unit: unit},
			"ls /etc/systemd/system/multi-user.target.wants|grep x.service", "-Hx.service\n",
		},
		"link": {
			"ln -t makes it elsewhere",
			action.Link{Path: "/opt/l", Target: "-t/etc"},
			"readlink /opt/l", "-t/etc\n",
		},
		"other link": {"ln --help ends well", action.Link{Path: "/opt/l", Target: "--help"}, "readlink /opt/l", "--help\n"},
		"user": {
			"useradd -c --help",
			action.EnsureUser{User: machine.User{Name: "u", Comment: "--help"}},
			"getent passwd u|cut -d: -f5", "--help\n",
		},
		"user's key": {
			"it is printed",
			action.EnsureUser{User: machine.User{Name: "u", SSHAuthorizedKeys: []string{"-n"}}},
			"cat /home/u/.ssh/authorized_keys", "-n\n",
		},
		"file": {
			"printf -v",
			action.WriteFile{File: machine.File{Path: "/opt/-v", Content: document.Text("-v x\n")}},
			"cat /opt/-v", "-v x\n",
		},
		"added": {"", action.WriteFile{File: machine.File{
			Path: "/opt/-v", Content: document.Text("--\n"),
			Append: true,
		}}, "cat /opt/-v", "--\n"},
		"directory": {
			"a path is absolute",
			action.MakeDirectory{Path: "/opt/-p", Owner: machine.Owner{User: "daemon"}},
			"stat -c %U /opt/-p", "daemon\n",
		},
		"mount's name": {
			"fstab has it",
			action.EnableSwap{Swap: machine.Swap{Path: "/opt/-f", SizeMiB: 1}},
			"tail -n1 /etc/fstab", "/opt/-f none swap sw 0 0\n",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.Put(t, "/usr/local/sbin/udevadm", "#!/bin/sh\npartx -u "+device+"\n", 0o755)
			m.Put(t, "/root/machine.sh", string(render(t, c.do).Payload.Data.Reveal()), 0o600)
			code, out := m.run(t, "dash -s", "dash /root/machine.sh >/root/out 2>&1 || cat /root/out\n"+c.result)
			if code != 0 || !strings.HasSuffix(out, c.want) {
				t.Errorf("%s: exit code %d, %q, want %q", c.reason, code, out, c.want)
			}
		})
	}
}
