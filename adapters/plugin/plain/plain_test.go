package plain_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/plain"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestExpandReturnsTheDocument(t *testing.T) {
	user := machine.User{Name: "ada", Sudo: "ALL=(ALL) NOPASSWD:ALL", PasswordHash: secret.FromString("$6$s$h")}
	file := machine.File{
		Path: "/etc/a", Content: document.Text("\x00{{%\r\n"),
		Owner: machine.Owner{User: "ada"}, Append: true,
	}
	cases := map[string]struct {
		reason string
		value  document.Value
		want   action.Action
	}{
		"file": {
			reason: "every byte and attribute stays", value: file,
			want: action.Action{Do: action.WriteFile{File: file}},
		},
		"directory": {
			reason: "the directory, whose group is root",
			value:  machine.Directory{Path: "/srv/a", Mode: 0o700, Owner: file.Owner},
			want: action.Action{Do: action.MakeDirectory{
				Path: "/srv/a", Mode: 0o700, Owner: machine.Owner{User: "ada", Group: "root"},
			}},
		},
		"link": {
			reason: "the target need not exist", value: machine.Link{Path: "/srv/l", Target: "../a"},
			want: action.Action{Do: action.Link{Path: "/srv/l", Target: "../a"}},
		},
		"group": {
			reason: "the group as it is", value: machine.Group{Name: "g"},
			want: action.Action{Do: action.EnsureGroup{Group: machine.Group{Name: "g"}}},
		},
		"user": {
			reason: "the sudo rule stays with the user", value: user,
			want: action.Action{Do: action.EnsureUser{User: user}},
		},
		"unit": {
			reason: "the unit as it is", value: machine.Unit{Name: "a.service"},
			want: action.Action{Do: action.EnsureUnit{Unit: machine.Unit{Name: "a.service"}}},
		},
		"disk": {
			reason: "the disk as it is", value: machine.Disk{Device: "/dev/a"},
			want: action.Action{Do: action.PartitionDisk{Disk: machine.Disk{Device: "/dev/a"}}},
		},
		"filesystem": {
			reason: "the file system as it is", value: machine.Filesystem{Device: "/dev/a"},
			want: action.Action{Do: action.MakeFilesystem{Filesystem: machine.Filesystem{Device: "/dev/a"}}},
		},
		"mount": {
			reason: "the mount as it is", value: machine.Mount{Path: "/srv"},
			want: action.Action{Do: action.MountFilesystem{Mount: machine.Mount{Path: "/srv"}}},
		},
		"swap": {
			reason: "a device has no path to refuse", value: machine.Swap{Device: "/dev/a"},
			want: action.Action{Do: action.EnableSwap{Swap: machine.Swap{Device: "/dev/a"}}},
		},
		"packages": {
			reason: "the packages as they are", value: machine.PackagesConfig{Install: []string{"jq"}, Update: true},
			want: action.Action{Do: action.InstallPackages{Refresh: true, PackagesConfig: machine.PackagesConfig{
				Install: []string{"jq"}, Update: true,
			}}},
		},
		"command": {
			reason: "the script keeps its phase, and is named after its field", value: machine.Command{
				Phase:  document.PhasePost,
				Script: "a\nb",
			},
			want: action.Action{Do: action.RunCommand{Name: "doc", Script: "a\nb", When: document.PhasePost}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, plain.New(), plugintest.Target(t, "ubuntu"), tc.value)
			if len(r) > 0 || len(actions) != 1 {
				t.Fatalf("%d actions, findings: %s", len(actions), r)
			}
			// Secrets compare by their bytes, which Content and Value hide.
			if diff := cmp.Diff(tc.want, actions[0], cmp.Comparer(sameSecret)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if !slices.Contains(plain.New().Describe().Kinds, tc.value.Kind()) {
				t.Errorf("%s is expanded but not described", tc.value.Kind())
			}
		})
	}
	// Kernel arguments are always refused.
	if got, want := len(plain.New().Describe().Kinds), len(cases)+1; got != want {
		t.Errorf("%d kinds are described and %d tested", got, want)
	}
}

// TestPackageLists checks when the package lists are refreshed: apt uses the lists of the image, which can be empty or
// name packages that the mirrors have deleted.
func TestPackageLists(t *testing.T) {
	repository := []document.Value{machine.PackageRepository{}}
	jq := machine.PackagesConfig{Install: []string{"jq"}}
	cases := map[string]struct {
		reason, distribution string
		config               machine.PackagesConfig
		others               []document.Value
		refresh, update      bool
	}{
		"apt installs":    {"old lists name deleted packages", "ubuntu", jq, nil, true, false},
		"apt upgrades":    {"old lists have no upgrades", "debian", machine.PackagesConfig{Upgrade: true}, nil, true, false},
		"apt, nothing":    {"the document installs nothing", "ubuntu", machine.PackagesConfig{}, nil, false, false},
		"apt, repository": {"also if jq is installed", "ubuntu", jq, repository, true, true},
		"dnf":             {"dnf refreshes expired lists", "rocky", jq, nil, false, false},
		"dnf, requested":  {"as the document sets it", "rocky", machine.PackagesConfig{Update: true}, nil, false, true},
		"dnf, repository": {"the lists do not contain its packages", "rocky", jq, repository, false, true},
		"only repository": {"nothing is installed", "rocky", machine.PackagesConfig{}, repository, false, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			target := plugintest.Target(t, tc.distribution)
			actions, r := plugintest.Expand(t, plain.New(), target, tc.config, tc.others...)
			if len(r) > 0 || len(actions) != 1 {
				t.Fatalf("%d actions, findings: %s", len(actions), r)
			}
			got := actions[0].Do.(action.InstallPackages)
			if got.Refresh != tc.refresh || got.Update != tc.update {
				t.Errorf("%s: got %+v", tc.reason, got)
			}
		})
	}
}

// TestMountOfARuntime checks that a runtime that runs already is restarted after the mount of its data. The unit has no
// RestartOn, with which a machine whose runtime is installed later would fail.
func TestMountOfARuntime(t *testing.T) {
	cases := map[string]struct{ reason, path, unit, after string }{
		"containerd": {
			"its database would be hidden", "/var/lib/containerd", "containerd.service",
			"var-lib-containerd.mount",
		},
		"CRI-O": {"the parent of its storage", "/var/lib/containers", "crio.service", "var-lib-containers.mount"},
		"storage": {
			"its storage itself", "/var/lib/containers/storage/", "crio.service",
			"var-lib-containers-storage.mount",
		},
		"other": {"another name", "/var/lib/containerd2", "", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := machine.Mount{Source: "LABEL=a", Path: tc.path}
			actions, r := plugintest.Expand(t, plain.New(), plugintest.Target(t, "rhel"), m)
			if len(r) > 0 {
				t.Fatal(r)
			}
			want := []action.Action{{Do: action.MountFilesystem{Mount: m}}}
			if tc.unit != "" {
				want = append(want, action.Action{Do: action.EnsureUnit{Unit: machine.Unit{
					Name: tc.unit, DropIns: []machine.DropIn{{
						Name: "50-machineadm-mount.conf", Content: document.Text("[Unit]\nAfter=" + tc.after + "\n"),
					}},
				}}})
			}
			if diff := cmp.Diff(want, actions); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func sameSecret(a, b secret.Value) bool { return string(a.Reveal()) == string(b.Reveal()) }

func TestExpandRefuses(t *testing.T) {
	cases := map[string]struct {
		reason, distribution string
		value                document.Value
		want                 string
	}{
		"password": {
			reason: "it would be dropped", distribution: "ubuntu", value: machine.User{
				Name:     "a",
				Password: secret.FromString("c4n4ry"),
			},
			want: "error: doc.password: Ubuntu takes no password in clear text; " +
				"set the hash of the password; create one with: mkpasswd --method=SHA-512",
		},
		"kernel arguments": {
			reason: "the kernel is running", distribution: "ubuntu",
			value: machine.KernelArguments{ShouldExist: []string{"quiet"}},
			want: "error: doc: only Ignition since 3.3, its Butane, and Bottlerocket set kernel arguments; " +
				"add them to the image, or change the boot loader's configuration in preCommands and reboot",
		},
		"kernel arguments of Windows": {
			reason: "it has none", distribution: "windows-server-2022",
			value: machine.KernelArguments{ShouldExist: []string{"quiet"}},
			want:  "error: doc: Windows has no kernel arguments; leave them out, and run bcdedit in preCommands",
		},
		"home of Windows": {
			reason: "it would be relative", distribution: "flatcar", value: machine.User{Name: "a", Home: `C:\Users\a`},
			want: `error: doc.homeDir: "C:\\Users\\a" is not a path of Flatcar; begin it with a slash`,
		},
		"file of Linux on Windows": {
			reason: "there is no such place", distribution: "windows-server-2022", value: machine.File{Path: "/etc/a"},
			want: `error: doc.path: "/etc/a" is not a path of Windows Server 2022; begin it with a drive, as in C:\k`,
		},
		"file in /usr": {
			reason: "Flatcar's /usr is read-only", distribution: "flatcar", value: machine.File{Path: "/usr/bin/a"},
			want: "error: doc.path: /usr/bin/a cannot be written: Flatcar mounts /usr read-only; " +
				"choose a path below /etc, /opt or /var, or use a system extension",
		},
		"mount in /usr": {
			reason: "no mount point can be made there", distribution: "flatcar", value: machine.Mount{Path: "/usr/share/x"},
			want: "error: doc.path: /usr/share/x cannot be written: Flatcar mounts /usr read-only; " +
				"choose a path below /etc, /opt or /var, or use a system extension",
		},
		"packages": {
			reason: "Flatcar has no package manager", distribution: "flatcar",
			value: machine.PackagesConfig{Install: []string{"jq"}},
			want: "error: doc: Flatcar has no package manager; add the programs to the image, or use a system " +
				"extension or a download",
		},
		"phase": {
			reason: "no command runs in phase disk", distribution: "ubuntu",
			value: machine.Command{Phase: document.PhaseDisk, Script: "a"},
			want:  "error: doc: no command runs in phase disk; use boot, pre or post",
		},
		"no packages": {
			reason: "nothing is asked for", distribution: "flatcar", value: machine.PackagesConfig{},
			want: "file: install 0 packages",
		},
		"file in /usr/local": {
			reason: "Fedora CoreOS's /usr/local leads to /var", distribution: "fedora-coreos",
			value: machine.File{Path: "/usr/local/bin/a", Mode: 0o755}, want: "file: write /usr/local/bin/a (0755)",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, plain.New(), plugintest.Target(t, tc.distribution), tc.value)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	plugintest.RefusesOtherKinds(t, plain.New(), plugintest.Target(t, "ubuntu"))
}

// TestReservedPathsOfWindows writes to machineadm's directories, in which scripts run as SYSTEM and the result of the
// bootstrap is stored.
func TestReservedPathsOfWindows(t *testing.T) {
	for _, c := range []struct {
		value document.Value
		want  string
	}{
		{machine.File{Path: `C:\ProgramData\machineadm\boot\0001.ps1`}, `C:\ProgramData\machineadm`},
		{machine.File{Path: `c:\programdata\MACHINEADM\bootstrap.ps1`}, `C:\ProgramData\machineadm`},
		{machine.Directory{Path: `C:\ProgramData\machineadm`}, `C:\ProgramData\machineadm`},
		{machine.File{Path: `C:\run\cluster-api\bootstrap-success.complete`}, `C:\run\cluster-api`},
		{machine.Link{Path: `C:\run\machineadm\status.json`, Target: `C:\a`}, `C:\run\machineadm`},
		{machine.File{Path: `C:\ProgramData\machineadm2\a`}, ""},
		{machine.File{Path: `C:\ProgramData`}, ""},
	} {
		actions, r := plugintest.Expand(t, plain.New(), plugintest.Target(t, "windows-server-2022"), c.value)
		want := ""
		if c.want != "" {
			want = "error: doc.path: " + c.want + " is reserved for machineadm; choose a path in another directory, such as " +
				`C:\ProgramData\example`
		}
		if r.String() != want || len(actions) == 0 != (want != "") {
			t.Errorf("%#v: got %q, want %q", c.value, r.String(), want)
		}
	}
}
