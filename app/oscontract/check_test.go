package oscontract_test

import (
	"context"
	"io/fs"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/oscontract"
	contract "github.com/machineadm/machineadm/domain/oscontract"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// tree is a machine in memory.
type tree struct {
	runs, inMemory, readOnly bool
	programs                 []string
	things                   map[string]contract.FileInfo
	texts                    map[string]string
	id                       string
}

func (t tree) IsRunning() bool                    { return t.runs }
func (t tree) HasProgram(name string) bool        { return slices.Contains(t.programs, name) }
func (t tree) Stat(path string) contract.FileInfo { return t.things[path] }
func (t tree) MountInfo(path string) (bool, bool) { return t.inMemory || path == "/run", !t.readOnly }

func (t tree) ReadFile(path string) ([]byte, error) {
	if text, is := t.texts[path]; is {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

func (t tree) Detect(context.Context, osprofile.Target) (osprofile.Target, error) {
	p, known := osprofile.Lookup(t.id)
	if !known {
		p = osprofile.Profile{ID: t.id}
	}
	return osprofile.Target{Profile: p, Release: "12"}, nil
}

// whole returns an image that has all.
func whole() tree {
	program := contract.FileInfo{Exists: true, Regular: true, Executable: true}
	dir, file := contract.FileInfo{Exists: true, Directory: true}, contract.FileInfo{Exists: true, Regular: true}
	return tree{
		id: "debian",
		programs: []string{
			"systemctl", "cloud-init", "curl", "groupadd", "useradd", "usermod", "chpasswd", "mount", "blkid", "swapoff",
			"sfdisk", "wipefs",
			"mkfs.ext4", "mkswap", "modprobe", "sysctl", "update-ca-certificates", "containerd", "kubeadm", "kubelet",
		},
		things: map[string]contract.FileInfo{
			"/bin/sh": program, "/usr/bin/machineadm": program, "/usr/lib/systemd/systemd": program,
			"/usr/sbin/chronyd": program,
			"/var/lib":          dir, "/run": dir, "/usr/local/share/ca-certificates": dir, "/run/systemd/system": dir,
			"/usr/lib/systemd/system/network-online.target": file, "/usr/lib/systemd/system/kubelet.service": file,
			"/usr/lib/systemd/system/containerd.service": file,
		},
		texts: map[string]string{
			"/etc/fstab":      "# swap of old\nUUID=1 / ext4 defaults 0 1\n",
			"/etc/machine-id": "uninitialized\n",
		},
	}
}

func (t tree) without(programs ...string) tree {
	t.programs = slices.DeleteFunc(t.programs, func(p string) bool { return slices.Contains(programs, p) })
	return t
}

func (t tree) with(path string, thing contract.FileInfo) tree {
	t.things[path] = thing
	return t
}

func (t tree) text(path, text string) tree {
	t.texts[path] = text
	return t
}

// unmet returns the names of the clauses that are not met, and what was found of each.
func unmet(t *testing.T, machine tree) map[string]string {
	t.Helper()
	results, err := oscontract.Check(t.Context(), machine, machine)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, r := range results {
		if r.Outcome == contract.Unmet {
			found[r.Name] = r.Message
		}
	}
	return found
}

func TestEachClause(t *testing.T) {
	none := contract.FileInfo{}
	there := contract.FileInfo{Exists: true, Regular: true}
	cases := map[string]struct {
		reason  string
		machine tree
		want    map[string]string
	}{
		"all": {reason: "nothing is missing", machine: whole(), want: map[string]string{}},
		"unknown system": {
			reason: "no profile describes how its distributions differ", machine: func() tree {
				m := whole()
				m.id = "plan9"
				return m
			}(),
			want: map[string]string{contract.OperatingSystem: `the operating system "plan9" is not known`},
		},
		"no shell system": {
			reason: "Talos starts no program that it does not bring", machine: func() tree {
				m := whole()
				m.id = "talos"
				return m
			}(),
			want: map[string]string{contract.OperatingSystem: "Talos Linux runs no program that it does not bring"},
		},
		"no shell": {
			reason: "commands have no shell", machine: whole().with("/bin/sh", none),
			want: map[string]string{contract.Shell: "there is no /bin/sh"},
		},
		"no systemd": {
			reason: "no unit can be written", machine: whole().with("/usr/lib/systemd/systemd", none),
			want: map[string]string{contract.Systemd: "there is no systemd"},
		},
		"no systemctl": {
			reason: "nor enabled", machine: whole().without("systemctl"),
			want: map[string]string{contract.Systemd: "there is no systemctl"},
		},
		"nothing starts it": {
			reason: "userdata does not arrive", machine: whole().without("cloud-init"),
			want: map[string]string{contract.FirstBoot: "there is no cloud-init, no Ignition and no enabled machineadm.service"},
		},
		"Ignition": {
			reason:  "it is in the ramdisk's module",
			machine: whole().without("cloud-init").with("/usr/lib/dracut/modules.d/30ignition", there),
			want:    map[string]string{},
		},
		"a unit": {
			reason: "the image starts the agent itself",
			machine: whole().without("cloud-init").with("/etc/systemd/system/machineadm.service", there).
				with("/etc/systemd/system/multi-user.target.wants/machineadm.service", there),
			want: map[string]string{},
		},
		"a unit that no target wants": {
			reason: "it is not started", machine: whole().without("cloud-init").with("/etc/systemd/system/machineadm.service",
				there),
			want: map[string]string{contract.FirstBoot: "there is no cloud-init, no Ignition and no enabled machineadm.service"},
		},
		"no agent": {
			reason: "it has to be fetched", machine: whole().with("/usr/bin/machineadm", none),
			want: map[string]string{contract.Agent: "there is no /usr/bin/machineadm"},
		},
		"an agent of others": {
			reason: "others could replace it", machine: whole().with("/usr/bin/machineadm",
				contract.FileInfo{Exists: true, Regular: true, Executable: true, Untrusted: true}),
			want: map[string]string{contract.Agent: "/usr/bin/machineadm is not root's alone"},
		},
		"an agent that is no program": {
			reason: "it lacks its mode", machine: whole().with("/usr/bin/machineadm", there),
			want: map[string]string{contract.Agent: "/usr/bin/machineadm is not a program"},
		},
		"no curl": {reason: "wget will do", machine: func() tree {
			m := whole().without("curl")
			m.programs = append(m.programs, "wget")
			return m
		}(), want: map[string]string{}},
		"no fetch": {
			reason: "nothing can be fetched", machine: whole().without("curl"),
			want: map[string]string{contract.Download: "there is no curl, no wget"},
		},
		"open folder": {
			reason: "who writes a folder above writes the file", machine: whole().with("/usr/local",
				contract.FileInfo{Exists: true, Directory: true, Untrusted: true}),
			want: map[string]string{contract.Owners: "users other than root can write /usr/local"},
		},
		"open root": {
			reason: "that is above all", machine: whole().with("/", contract.FileInfo{
				Exists: true, Directory: true,
				Untrusted: true,
			}),
			want: map[string]string{contract.Owners: "users other than root can write /"},
		},
		"no state": {
			reason: "nothing is remembered", machine: whole().with("/var/lib", none),
			want: map[string]string{contract.State: "there is no directory /var/lib"},
		},
		"no run": {
			reason: "the sentinel has no place", machine: whole().with("/run", none),
			want: map[string]string{contract.Run: "there is no directory /run"},
		},
		"state in memory": {
			reason: "a reboot forgets it", machine: func() tree { m := whole(); m.runs, m.inMemory = true, true; return m }(),
			want: map[string]string{contract.State: "a reboot clears /var/lib"},
		},
		"read-only state": {
			reason: "it cannot be written", machine: func() tree { m := whole(); m.runs, m.readOnly = true, true; return m }(),
			want: map[string]string{contract.State: "/var/lib is mounted read-only"},
		},
		"another init": {
			reason:  "systemd is there and does not run",
			machine: func() tree { m := whole().with("/run/systemd/system", none); m.runs = true; return m }(),
			want:    map[string]string{contract.Systemd: "systemd is not the first process"},
		},
		"no accounts": {
			reason: "each program is named", machine: whole().without("useradd", "chpasswd"),
			want: map[string]string{contract.Accounts: "there is no useradd, no chpasswd"},
		},
		"no mounts": {
			reason: "it is required", machine: whole().without("blkid"),
			want: map[string]string{contract.Mounts: "there is no blkid"},
		},
		"no disks": {
			reason: "it is recommended", machine: whole().without("sfdisk"),
			want: map[string]string{contract.Disks: "there is no sfdisk"},
		},
		"no kernel": {
			reason: "modules are not loaded", machine: whole().without("modprobe"),
			want: map[string]string{contract.Kernel: "there is no modprobe"},
		},
		"no network": {
			reason: "no unit waits until it is up", machine: whole().with("/usr/lib/systemd/system/network-online.target", none),
			want: map[string]string{contract.Network: "there is no unit network-online.target"},
		},
		"SELinux": {
			reason: "labels cannot be asked for", machine: whole().text("/etc/selinux/config", "# mode\nSELINUX=enforcing\n"),
			want: map[string]string{contract.Labels: "there is no matchpathcon"},
		},
		"permissive": {reason: "labels are of no account", machine: whole().text("/etc/selinux/config",
			"SELINUX=permissive\n"), want: map[string]string{}},
		"no trust": {
			reason: "certificates are not added", machine: whole().without("update-ca-certificates"),
			want: map[string]string{contract.Trust: "there is no update-ca-certificates"},
		},
		"no runtime": {
			reason:  "a program without a unit does not run",
			machine: whole().with("/usr/lib/systemd/system/containerd.service", none),
			want:    map[string]string{contract.Runtime: "there is neither containerd nor crio with its unit"},
		},
		"no kubeadm": {
			reason: "no join", machine: whole().without("kubeadm"),
			want: map[string]string{contract.Kubernetes: "there is no kubeadm"},
		},
		"no kubelet unit": {
			reason: "kubeadm starts it", machine: whole().with("/usr/lib/systemd/system/kubelet.service", none),
			want: map[string]string{contract.Kubernetes: "there is no unit kubelet.service"},
		},
		"no time": {
			reason: "no daemon sets the clock", machine: whole().with("/usr/sbin/chronyd", none),
			want: map[string]string{contract.Time: "there is no time daemon"},
		},
		"two times": {
			reason: "they fight for the clock", machine: whole().with("/usr/sbin/ntpd",
				contract.FileInfo{Exists: true, Regular: true, Executable: true}),
			want: map[string]string{contract.Time: "there are 2 time daemons"},
		},
		"swap": {
			reason: "kubelet refuses", machine: whole().text("/etc/fstab", "/dev/sda2 none swap sw 0 0\n"),
			want: map[string]string{contract.NoSwap: "/etc/fstab has the swap space /dev/sda2"},
		},
		"used": {
			reason: "it would take itself for complete", machine: whole().with("/var/lib/machineadm/done", there),
			want: map[string]string{contract.Unused: "there is /var/lib/machineadm/done"},
		},
		"identity": {
			reason: "all machines would have it", machine: whole().text("/etc/machine-id", "0123456789abcdef0123456789abcdef\n"),
			want: map[string]string{contract.Identity: "/etc/machine-id has an identity"},
		},
		"a machine": {
			reason: "its traces are its own",
			machine: func() tree {
				m := whole().with("/var/lib/machineadm/done", there).text("/etc/machine-id", "01\n")
				m.runs = true
				return m
			}(),
			want: map[string]string{},
		},
	}
	seen := map[string]bool{}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, unmet(t, c.machine)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
		for clause := range c.want {
			seen[clause] = true
		}
	}
	for _, c := range contract.Clauses() {
		if !seen[c.Name] {
			t.Errorf("no case breaks the clause %s", c.Name)
		}
	}
}

func TestMissing(t *testing.T) {
	results, err := oscontract.Check(t.Context(), whole().without("curl", "useradd", "sysctl"), whole())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range contract.Missing(results, contract.Required, []string{"kernel"}) {
		names = append(names, r.Name)
	}
	if diff := cmp.Diff([]string{contract.Accounts}, names); diff != "" {
		t.Errorf("what is recommended or ignored does not count: %s", diff)
	}
}
