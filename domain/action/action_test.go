package action_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

func ref[T any](v T) *T { return &v }

func TestOperations(t *testing.T) {
	canary := secret.FromString("canary7q9zk2xw5v")
	cases := map[string]struct {
		op    action.Operation
		phase document.Phase
		want  string
	}{
		"write": {
			action.WriteFile{File: machine.File{Path: "/a", Content: document.Text("canary7q9zk2xw5v")}},
			document.PhaseFile, "write /a",
		},
		"append":    {action.WriteFile{File: machine.File{Path: "/a", Append: true}}, document.PhaseFile, "append to /a"},
		"directory": {action.MakeDirectory{Path: "/a"}, document.PhaseFile, "make directory /a"},
		"link":      {action.Link{Path: "/a", Target: "/b"}, document.PhaseFile, "link /a to /b"},
		"fetch":     {action.FetchFile{Path: "/a", URL: "https://h/x"}, document.PhaseFile, "fetch /a from https://h/x"},
		"credential": {action.FetchFile{
			Path: "/a",
			URL:  "https://u:canary7q9zk2xw5v@h:1/x?canary7q9zk2xw5v#canary7q9zk2xw5v",
		}, document.PhaseFile, "fetch /a from https://h:1/x"},
		"group": {action.EnsureGroup{Group: machine.Group{Name: "g"}}, document.PhaseUser, "ensure group g"},
		"user": {
			action.EnsureUser{User: machine.User{Name: "u", PasswordHash: canary}},
			document.PhaseUser,
			"ensure user u",
		},
		"unit": {
			action.EnsureUnit{Unit: machine.Unit{Name: "u.service"}},
			document.PhaseUnit,
			"configure unit u.service",
		},
		"enable": {
			action.EnsureUnit{Unit: machine.Unit{Name: "u.service", Enabled: ref(true)}},
			document.PhaseUnit,
			"enable unit u.service",
		},
		"disable": {
			action.EnsureUnit{Unit: machine.Unit{Name: "u.service", Enabled: ref(false)}},
			document.PhaseUnit,
			"disable unit u.service",
		},
		"mask": {
			action.EnsureUnit{Unit: machine.Unit{Name: "u.service", Masked: true}},
			document.PhaseUnit,
			"mask unit u.service",
		},
		"partition": {action.PartitionDisk{Disk: machine.Disk{Device: "/dev/b"}}, document.PhaseDisk, "partition /dev/b"},
		"filesystem": {
			action.MakeFilesystem{Filesystem: machine.Filesystem{Device: "/dev/b", Format: "xfs"}},
			document.PhaseDisk, "make xfs on /dev/b",
		},
		"mount": {
			action.MountFilesystem{Mount: machine.Mount{Source: "/dev/b", Path: "/d"}},
			document.PhaseDisk,
			"mount /dev/b on /d",
		},
		"swap": {action.EnableSwap{Swap: machine.Swap{Path: "/s"}}, document.PhaseDisk, "use swap /s"},
		"packages": {
			action.InstallPackages{PackagesConfig: machine.PackagesConfig{Install: []string{"a", "b"}}},
			document.PhaseFile, "install 2 packages",
		},
		"command": {
			action.RunCommand{Name: "join", Script: "canary7q9zk2xw5v", When: document.PhaseJoin},
			document.PhaseJoin, "run join",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.op.Phase(); got != tc.phase {
				t.Errorf("it is carried out in %s, want %s", got, tc.phase)
			}
			if got := tc.op.Summary(); got != tc.want || strings.Contains(got, "canary7q9zk2xw5v") {
				t.Errorf("it is summed up as %q, want %q", got, tc.want)
			}
		})
	}
}

func TestActionsOverrideThePhase(t *testing.T) {
	op := action.MakeDirectory{Path: "/a"}
	for _, a := range action.Of(op, op) {
		if a.In() != document.PhaseFile {
			t.Errorf("an action of its own phase is carried out in %s", a.In())
		}
	}
	for _, a := range action.During(document.PhasePost, op, op) {
		if a.In() != document.PhasePost {
			t.Errorf("an action of another phase is carried out in %s", a.In())
		}
	}
	if len(action.Of()) != 0 || len(action.During(document.PhasePre)) != 0 {
		t.Error("of nothing comes something")
	}
}
