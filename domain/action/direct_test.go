package action_test

import (
	"reflect"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

func TestDirect(t *testing.T) {
	command := machine.Command{Phase: document.PhasePost, Script: "true"}
	cases := map[string]struct {
		reason string
		value  document.Value
		want   action.Operation
	}{
		"file": {"it is written", machine.File{Path: "/a"}, action.WriteFile{File: machine.File{Path: "/a"}}},
		"directory": {
			"an existing one changes its owner, too",
			machine.Directory{Path: "/a"},
			action.MakeDirectory{Path: "/a", Owner: machine.Owner{User: "root", Group: "root"}},
		},
		"directory with an owner": {
			"a missing group is root",
			machine.Directory{Path: "/a", Owner: machine.Owner{User: "ada"}},
			action.MakeDirectory{Path: "/a", Owner: machine.Owner{User: "ada", Group: "root"}},
		},
		"link":  {"it is created", machine.Link{Path: "/a", Target: "b"}, action.Link{Path: "/a", Target: "b"}},
		"group": {"it is there", machine.Group{Name: "a"}, action.EnsureGroup{Group: machine.Group{Name: "a"}}},
		"user":  {"it is there", machine.User{Name: "a"}, action.EnsureUser{User: machine.User{Name: "a"}}},
		"unit": {
			"it is there",
			machine.Unit{Name: "a.service"},
			action.EnsureUnit{Unit: machine.Unit{Name: "a.service"}},
		},
		"disk": {
			"it is partitioned",
			machine.Disk{Device: "/dev/a"},
			action.PartitionDisk{Disk: machine.Disk{Device: "/dev/a"}},
		},
		"filesystem": {
			"it is made",
			machine.Filesystem{Device: "/dev/a"},
			action.MakeFilesystem{Filesystem: machine.Filesystem{Device: "/dev/a"}},
		},
		"mount": {"it is mounted", machine.Mount{Path: "/a"}, action.MountFilesystem{Mount: machine.Mount{Path: "/a"}}},
		"swap":  {"it is used", machine.Swap{Path: "/a"}, action.EnableSwap{Swap: machine.Swap{Path: "/a"}}},
		"packages": {
			"they are installed",
			machine.PackagesConfig{Update: true},
			action.InstallPackages{PackagesConfig: machine.PackagesConfig{Update: true}},
		},
		"command": {"it runs in its phase, under its place's name", command, action.RunCommand{
			Name:   "spec.a",
			Script: "true", When: document.PhasePost,
		}},
		"other": {"a plugin knows", machine.SysctlConfig{}, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := action.Direct(document.Document{Value: tc.value, Source: document.Source{Path: "spec.a"}})
			if !reflect.DeepEqual(got, tc.want) {
				t.Errorf("%s: %#v, want %#v", tc.reason, got, tc.want)
			}
		})
	}
}
