package ignmodel_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/coreos/go-systemd/v22/unit"
	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// TestMountOptions checks that options that systemd-fstab-generator(8) reads have the same effect in a mount unit.
func TestMountOptions(t *testing.T) {
	const head, local = "[Mount]\nWhat=/dev/vdb\nWhere=/a-b\n", "\n[Install]\nRequiredBy=local-fs.target\n"
	const remote = "\n[Install]\nRequiredBy=remote-fs.target\n"
	const after = "After=a\\x2db.mount\n"
	const required = "Wants=a\\x2db.mount\n" + after + "AssertPathIsMountPoint=/a-b\n"
	for name, tc := range map[string]struct {
		reason, system, fileSystem string
		options                    []string
		want, device, late         string
	}{
		"none": {reason: "systemd orders it before local-fs.target by default", want: head + local},
		"mount(8)": {
			reason: "they are not systemd's", options: []string{"ro", "x=1%"}, want: head + "Options=ro,x=1%%\n" + local,
		},
		"nofail": {
			reason: "units that write below it wait until it is mounted or has failed", options: []string{"ro,nofail"},
			want: "[Unit]\nBefore=local-fs.target\n\n" + head + "Options=ro,nofail\n\n[Install]\nWantedBy=local-fs.target\n",
		},
		"_netdev": {
			reason: "local-fs.target is before the network", options: []string{"_netdev"},
			want: head + "Options=_netdev\n" + remote, late: required,
		},
		"_netdev, nofail": {
			reason: "both", options: []string{"_netdev", "nofail"}, late: after,
			want: head + "Options=_netdev,nofail\n\n[Install]\nWantedBy=remote-fs.target\n",
		},
		"network file system": {
			reason: "systemd orders it after the network by its type", fileSystem: "ocfs2",
			want: head + "Type=ocfs2\n" + remote, late: required,
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
			reason:  "they replace the target, and other units start without the mount",
			options: []string{"x-systemd.wanted-by=a.service", "x-systemd.required-by=b.service"}, late: after,
			want: head + "\n[Install]\nWantedBy=a.service\nRequiredBy=b.service\n",
		},
		"unit with a dot": {
			reason: "only types of units end a name", options: []string{"x-systemd.requires=a.b", "x-systemd.after=/sys/a"},
			want: "[Unit]\nRequires=a.b.mount\nAfter=a.b.mount\nAfter=sys-a.device\n\n" + head + local,
		},
		"nofail after other units": {
			reason:  "services start after local-fs.target, so the mount cannot be before it",
			options: []string{"nofail", "x-systemd.requires=a.service"}, late: after,
			want: "[Unit]\nRequires=a.service\nAfter=a.service\n\n" + head +
				"Options=nofail\n\n[Install]\nWantedBy=local-fs.target\n",
		},
		"wanted by others": {
			reason: "the mount may fail", options: []string{"x-systemd.wanted-by=a.service"}, late: after,
			want: head + "\n[Install]\nWantedBy=a.service\n",
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
			if diff := cmp.Diff(tc.want+tc.device, unitOf(m, `a\x2db.mount`)+unitOf(m, "dev-vdb.device")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if program := unitOf(m, ignmodel.ProgramUnit); !strings.Contains(program, "\n"+tc.late+"\n[Service]") ||
				tc.late == "" && strings.Contains(program, "mount") {
				t.Errorf("the program waits otherwise:\n%s", program)
			}
			for _, unit := range []string{"kubelet.service", plan.BootUnit} {
				i := slices.IndexFunc(m.Files, func(f ignmodel.File) bool {
					return strings.HasPrefix(f.Path, "/etc/systemd/system/"+unit+".d/")
				})
				if (i < 0) != (tc.late == "") || i >= 0 && string(m.Files[i].Contents) != "[Unit]\n"+tc.late {
					t.Errorf("%s waits otherwise: %v", unit, m.Files)
				}
			}
		})
	}
}

// TestMountBelowALateMount checks that a local mount that needs a late mount is not ordered before local-fs.target,
// which would be a cycle: a mount with nofail is late itself, and others are refused.
func TestMountBelowALateMount(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, system, above, path, options string
		early, refused                       bool
	}{
		"network":        {reason: "services configure the network", above: "ro,_netdev", options: "nofail"},
		"names of units": {reason: "a service", above: "nofail,x-systemd.requires=unlock.service", options: "nofail"},
		"needed by others": {
			reason: "they can be later", above: "x-systemd.required-by=a.service", options: "nofail",
		},
		"link of ostree": {
			reason: "systemd does not follow it", system: "fedora-coreos", above: "_netdev", path: "/var/srv/a",
			options: "nofail",
		},
		"local": {reason: "the mount above is not late", above: "ro", options: "nofail", early: true},
		"other directory": {
			reason: "a name can begin like another", above: "_netdev", path: "/srv2", options: "nofail", early: true,
		},
		"without nofail":           {reason: "systemd orders it", above: "_netdev", options: "ro", refused: true},
		"without nofail, as above": {reason: "systemd orders both after the network", above: "_netdev", options: "_netdev"},
	} {
		t.Run(name, func(t *testing.T) {
			set := func(value, otherwise string) string {
				if value == "" {
					return otherwise
				}
				return value
			}
			path := set(tc.path, "/srv/a")
			m, findings, err := ignmodel.Build(t.Context(), ignmodeltest.Of(
				ignmodeltest.Target(set(tc.system, "flatcar"), ""),
				action.MountFilesystem{Mount: machine.Mount{Source: "/dev/vdc", Path: path, Options: []string{tc.options}}},
				action.MountFilesystem{Mount: machine.Mount{Source: "/dev/vdb", Path: "/srv", Options: []string{tc.above}}},
			), ignmodel.Newest.Abilities())
			if err != nil || findings.HasErrors() != tc.refused {
				t.Fatalf("%s: error %v, findings %v", tc.reason, err, findings)
			}
			unit := unitOf(m, unit.UnitNamePathEscape(path)+".mount")
			if unit == "" != tc.refused || strings.Contains(unit, "Before=local-fs.target") != tc.early {
				t.Errorf("%s:\n%s", tc.reason, unit)
			}
		})
	}
}

// TestMountAfterItsUsers checks that a mount cannot be after the units that start after late mounts.
func TestMountAfterItsUsers(t *testing.T) {
	for option, refused := range map[string]bool{
		"x-systemd.after=kubelet.service":         true,
		"x-systemd.requires=kubelet.service":      true,
		"x-systemd.requires=" + plan.BootUnit:     true,
		"x-systemd.after=" + ignmodel.ProgramUnit: true,
		"x-systemd.before=kubelet.service":        false,
		"x-systemd.required-by=kubelet.service":   false,
		"x-systemd.after=kubelet-b.service":       false,
	} {
		_, findings, err := ignmodel.Build(t.Context(), ignmodeltest.Of(ignmodeltest.Target("flatcar", ""),
			action.MountFilesystem{Mount: machine.Mount{
				Source: "/dev/vdb", Path: "/a", Options: []string{"nofail," + option},
			}}), ignmodel.Newest.Abilities())
		if err != nil || findings.HasErrors() != refused {
			t.Errorf("%s: error %v, findings %v", option, err, findings)
		}
	}
}

// unitOf returns the content or the drop-in of a unit.
func unitOf(m ignmodel.Model, name string) string {
	for _, u := range m.Units {
		if u.Name != name {
			continue
		}
		if len(u.DropIns) > 0 {
			return ignmodel.Text(u.DropIns[0].Content)
		}
		return ignmodel.Text(u.Content)
	}
	return ""
}

// TestManyLateMounts checks that units stay below the limit of lines: Ignition refuses lines of more than 2048 bytes.
func TestManyLateMounts(t *testing.T) {
	var mounts []action.Operation
	for i := range 128 {
		mounts = append(mounts, action.MountFilesystem{Mount: machine.Mount{
			Source: fmt.Sprintf("/dev/disk/by-id/%d", i), Path: fmt.Sprintf("/mnt/local-storage/disk-%d", i),
			Options: []string{"_netdev", "nofail"},
		}})
	}
	m := build(t, ignmodeltest.Of(ignmodeltest.Target("flatcar", ""), mounts...), ignmodel.Newest.Abilities())
	text := unitOf(m, ignmodel.ProgramUnit)
	if _, err := unit.DeserializeOptions(strings.NewReader(text)); err != nil || strings.Count(text, ".mount\n") != 128 {
		t.Errorf("%v in\n%s", err, text)
	}
}

// TestOptionsThatContinueALine checks that each option can be a line of its own.
func TestOptionsThatContinueALine(t *testing.T) {
	_, found, err := ignmodel.Build(t.Context(), ignmodeltest.Of(ignmodeltest.Target("flatcar", ""),
		action.MountFilesystem{Mount: machine.Mount{
			Source: "/dev/vdb", Path: "/a", Options: []string{`ro\`, "x-systemd.mount-timeout=5"},
		}}), ignmodel.Newest.Abilities())
	if err != nil || !found.HasErrors() {
		t.Errorf("error %v, findings %v", err, found)
	}
}
