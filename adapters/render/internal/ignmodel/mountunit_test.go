package ignmodel_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
)

// TestMountOptions checks that options that systemd-fstab-generator(8) reads have the same effect in a mount unit.
func TestMountOptions(t *testing.T) {
	const head, local = "[Mount]\nWhat=/dev/vdb\nWhere=/a-b\n", "\n[Install]\nRequiredBy=local-fs.target\n"
	const remote = "\n[Install]\nRequiredBy=remote-fs.target\n"
	for name, tc := range map[string]struct {
		reason, system, fileSystem string
		options                    []string
		want, device               string
		late                       bool
	}{
		"none": {reason: "systemd orders it before local-fs.target by default", want: head + local},
		"mount(8)": {
			reason: "they are not systemd's", options: []string{"ro", "x=1%"}, want: head + "Options=ro,x=1%%\n" + local,
		},
		"nofail": {
			reason: "systemd reads the order from the option, but not the dependency", options: []string{"ro,nofail"},
			want: head + "Options=ro,nofail\n\n[Install]\nWantedBy=local-fs.target\n", late: true,
		},
		"_netdev": {
			reason: "local-fs.target is before the network", options: []string{"_netdev"},
			want: head + "Options=_netdev\n" + remote, late: true,
		},
		"_netdev, nofail": {
			reason: "both", options: []string{"_netdev", "nofail"}, late: true,
			want: head + "Options=_netdev,nofail\n\n[Install]\nWantedBy=remote-fs.target\n",
		},
		"network file system": {
			reason: "systemd orders it after the network by its type", fileSystem: "ocfs2",
			want: head + "Type=ocfs2\n" + remote, late: true,
		},
		"dependencies": {
			reason:  "names of units, and paths",
			options: []string{"x-systemd.requires=/dev/vdc", "x-systemd.after=a.service", "x-systemd.before=/srv/a-b"},
			want: "[Unit]\nRequires=dev-vdc.device\nAfter=dev-vdc.device\nAfter=a.service\nBefore=srv-a\\x2db.mount\n\n" +
				head + local,
		},
		"links of ostree": {
			reason: "systemd does not follow them", system: "fedora-coreos",
			options: []string{"x-systemd.requires-mounts-for=/home/a", "x-systemd.after=/srv"},
			want:    "[Unit]\nRequiresMountsFor=/var/home/a\nAfter=var-srv.mount\n\n" + head + local,
		},
		"needed by others": {
			reason:  "they replace the target",
			options: []string{"x-systemd.wanted-by=a.service", "x-systemd.required-by=b.service"}, late: true,
			want: head + "\n[Install]\nWantedBy=a.service\nRequiredBy=b.service\n",
		},
		"settings": {
			reason: "of the section Mount", options: []string{"x-systemd.mount-timeout=5min", "x-systemd.rw-only"},
			want: head + "TimeoutSec=5min\nReadWriteOnly=yes\n" + local,
		},
		"device timeout": {
			reason: "a setting of the device", options: []string{"x-systemd.device-timeout=5min"},
			want: head + local, device: "[Unit]\nJobRunningTimeoutSec=5min\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			system := tc.system
			if system == "" {
				system = "flatcar"
			}
			m := build(t, ignmodeltest.Of(ignmodeltest.Target(system, ""), action.MountFilesystem{Mount: machine.Mount{
				Source: "/dev/vdb", Path: "/a-b", Type: tc.fileSystem, Options: tc.options,
			}}), ignmodel.Newest.Abilities())
			got, device, late := "", "", false
			for _, u := range m.Units {
				switch u.Name {
				case `a\x2db.mount`:
					got = ignmodel.Text(u.Content)
				case "dev-vdb.device":
					device = ignmodel.Text(u.DropIns[0].Content)
				case ignmodel.ProgramUnit:
					late = strings.Contains(ignmodel.Text(u.Content), ` a\x2db.mount`)
				}
			}
			if diff := cmp.Diff(tc.want+tc.device, got+device); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if late != tc.late {
				t.Errorf("the program is started after the mount: %t", late)
			}
		})
	}
}
