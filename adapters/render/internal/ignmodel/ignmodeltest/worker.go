package ignmodeltest

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/secret"
)

// Worker returns the plan of an ordinary worker: kubeadm's configuration and the command that joins.
func Worker(t osprofile.Target) plan.Plan {
	join := "apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\ndiscovery:\n  bootstrapToken:\n    " +
		"apiServerEndpoint: 10.0.0.1:6443\n" +
		"    caCertHashes:\n    - sha256:" + strings.Repeat("ab", 32) +
		"\n    token: abcdef.canary7q9zk2xw5v\nnodeRegistration:\n" +
		"  kubeletExtraArgs:\n  - name: node-labels\n    value: role=worker\n"
	return Of(t,
		action.WriteFile{File: machine.File{
			Path: "/etc/machineadm/kubeadm.yaml", Content: document.Text(join),
			Secret: true,
		}},
		action.RunCommand{
			Name: "kubeadm join", When: document.PhaseJoin,
			Script: "kubeadm join --config /etc/machineadm/kubeadm.yaml && rm -rf /etc/machineadm/kubeadm.yaml " +
				"/etc/machineadm/patches",
		},
	)
}

// Everything returns a plan with every operation, in each of its variants.
func Everything(t osprofile.Target) plan.Plan {
	return Of(t, slices.Concat(disksAndUsers(), filesAndUnits())...)
}

func disksAndUsers() []action.Operation {
	gid, uid := 2000, 2001
	return []action.Operation{
		action.PartitionDisk{Disk: machine.Disk{Device: "/dev/vdb", Wipe: true, Partitions: []machine.Partition{
			{Label: "data-part", SizeMiB: 64, GUID: "4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709", WipeEntry: true},
			{TypeGUID: "0657FD6D-A4AB-43C4-84E5-0933C84B4F4F", StartMiB: 100},
		}}},
		action.MakeFilesystem{Filesystem: machine.Filesystem{
			Device: "/dev/disk/by-partlabel/data-part", Format: "ext4", Label: "data",
			Wipe: true, Options: []string{"-m", "0"},
		}},
		action.MakeFilesystem{Filesystem: machine.Filesystem{Device: "/dev/vdb2", Format: "swap"}},
		action.MountFilesystem{Mount: machine.Mount{
			Source: "LABEL=data", Path: "/var/lib/data-disk", Type: "ext4",
			Options: []string{"noatime", "x=100%"}, Pass: new(2),
		}},
		action.MountFilesystem{Mount: machine.Mount{Source: "/dev/vdc", Path: "/var/lib/other", Options: []string{"nofail"}}},
		action.EnableSwap{Swap: machine.Swap{Device: "/dev/vdb2"}},
		action.EnableSwap{Swap: machine.Swap{Path: "/var/swap file", SizeMiB: 1}},
		action.EnsureGroup{Group: machine.Group{Name: "app", GID: &gid}},
		action.EnsureGroup{Group: machine.Group{Name: "ops", System: true}},
		action.EnsureUser{User: machine.User{
			Name: "app", UID: &uid, Comment: "App: the \"one\"", Groups: []string{"ops", "ops"}, Shell: "/bin/bash",
			PasswordHash: secret.FromString("$6$salt$hash"), SSHAuthorizedKeys: []string{
				"ssh-ed25519 AAAA a",
				"ssh-ed25519 AAAA a",
			},
			Sudo: "ALL=(ALL) NOPASSWD:ALL",
		}},
		action.EnsureUser{User: machine.User{
			Name: "yes", Home: "/var/lib/yes", PrimaryGroup: "ops", Unlocked: true,
			Inactive: true, System: true,
		}},
	}
}

func filesAndUnits() []action.Operation {
	on := true
	return []action.Operation{
		action.MakeDirectory{Path: "/opt/tools/deep", Mode: 0o750, Owner: machine.Owner{User: "app", Group: "app"}},
		action.MakeDirectory{Path: "/opt/plain"},
		Text("/etc/plain", " leading space\r\nno newline"),
		action.WriteFile{File: machine.File{
			Path: "/etc/owned", Content: document.Text("x"), Mode: 0o4750,
			Owner: machine.Owner{User: "app", Group: "2000"},
		}},
		action.WriteFile{File: machine.File{
			Path: "/var/lib/data-disk/sub/file", Content: document.Text("on the mount"),
			Owner: machine.Owner{User: "app"},
		}},
		Text("/var/lib/other/file", "behind the mount"),
		Appended("/etc/hosts", "10.0.0.1 one\n"),
		Appended("/etc/hosts", "10.0.0.2 two\n"),
		Appended("/etc/plain", " and more"),
		Text("/etc/big", strings.Repeat("compress me, please\n", 100)),
		action.WriteFile{File: machine.File{Path: "/etc/fact", Content: document.Join(document.Text("name="),
			document.FromFact(document.FactHostname))}},
		action.Link{Path: "/etc/localtime", Target: "../usr/share/zoneinfo/UTC"},
		action.FetchFile{Path: "/opt/bin/one", URL: "https://example.com/one", SHA512: strings.Repeat("0f", 64), Mode: 0o755},
		action.FetchFile{
			Path: "/opt/bin/two", URL: "https://example.com/two?a=b&c=d",
			SHA256: strings.Repeat("0f", 32), Mode: 0o755,
		},
		action.EnsureUnit{Unit: machine.Unit{
			Name: "containerd.service", Enabled: &on,
			DropIns: []machine.DropIn{{Name: "10-a.conf", Content: document.Text("[Service]\nEnvironment=A=%%h\n")}},
		}},
		action.EnsureUnit{Unit: machine.Unit{Name: "update-engine.service", Masked: true}},
		action.EnsureUnit{Unit: machine.Unit{Name: "own.service", Content: document.Text("[Service]\nType=oneshot\n" +
			"ExecStart=/bin/true <&>\n[Install]\nWantedBy=multi-user.target\n"), Enabled: &on}},
		action.EnsureUnit{Unit: machine.Unit{Name: "odd.service", Content: document.Text("[Service]\nExecStart=/bin/echo " +
			strings.Repeat("x", 3000) + "\n")}},
		action.RunCommand{Name: "boot", When: document.PhaseBoot, Script: "echo boot"},
		action.RunCommand{Name: "pre", When: document.PhasePre, Script: "echo 'pre'"},
	}
}
