//go:build !unit

package shell_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/debian"
)

// machineRoot is a separate Debian. Each run of a script is like a login to the same machine.
type machineRoot struct {
	*debian.Machine
	// devices replace the devices of the machine that runs the test.
	devices []string
}

func newMachine(t *testing.T) *machineRoot {
	t.Helper()
	m := &machineRoot{Machine: debian.New(t, "bookworm")}
	m.Put(t, "/usr/local/sbin/kubeadm", "#!/bin/sh\necho \"kubeadm $*\" >>/var/log/calls\ncat /proc/[0-9]*/cmdline "+
		"/proc/[0-9]*/environ >>/var/log/processes\n", 0o755)
	// The test must not list or enable the swap space of the machine that runs it.
	m.Put(t, "/usr/local/sbin/swapon", "#!/bin/sh\necho \"swapon $*\" >>/var/log/calls\n", 0o755)
	// systemd is not running, but systemctl can still enable units.
	m.Put(t, "/usr/local/sbin/systemctl", "#!/bin/sh\nfor a;do shift;[ \"$a\" = --now ]||set -- \"$@\" \"$a\";done\n"+
		"SYSTEMD_OFFLINE=1 exec /usr/bin/systemctl \"$@\"\n", 0o755)
	return m
}

// enter sets up the root with only proc, sys and dev, and then passes a script to a shell by standard input, as ssh
// does. The named devices exist but cannot be used.
const enter = `set -e
mkdir -p "$2/upper" "$2/work" "$2/root"
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
mount -t proc proc "$2/root/proc"
if [ "$4" ]; then
  mount -t tmpfs tmpfs "$2/root/dev"
  (cd "$2/root/dev" && mknod null c 1 3 && mknod zero c 1 5 && chmod 666 null)
  for device in $4; do mkdir -p "$2/root$(dirname "$device")" && mknod "$2/root$device" b 240 0; done
else
  mount --rbind /dev "$2/root/dev"
fi
mount --rbind /sys "$2/root/sys"
exec chroot "$2/root" $3`

func (m *machineRoot) run(t *testing.T, shell, script string) (code int, output string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter,
		"sh", m.Lower, m.State, shell, strings.Join(m.devices, " "))
	cmd.Stdin = strings.NewReader(script)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=de_DE.UTF-8", "HOME=/root"}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// snapshot returns mode, modification time and content of all files.
func (m *machineRoot) snapshot(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	root := filepath.Join(m.State, "upper")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, root)] = fmt.Sprintf("%s %s %x", info.Mode(), info.ModTime(), content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Secrets that must not be an argument or an environment variable of any process.
const (
	hash  = "$6$rounds=5000$salt$0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	token = "shells.0123456789abcdef"
)

// everything returns each operation that works in a root without systemd.
func everything(device string) []action.Operation {
	yes, id := true, 4711
	return []action.Operation{
		action.PartitionDisk{Disk: machine.Disk{
			Device:     device,
			Partitions: []machine.Partition{{Label: "it's data", SizeMiB: 20}, {}},
		}},
		action.MakeFilesystem{Filesystem: machine.Filesystem{Device: device + "p1", Format: "ext4", Label: "it's"}},
		action.MountFilesystem{Mount: machine.Mount{Source: device + "p1", Path: `/srv/a b'c`, Options: []string{"noatime"}}},
		action.EnableSwap{Swap: machine.Swap{Path: "/var/swap file", SizeMiB: 1}},
		action.EnsureGroup{Group: machine.Group{Name: "team", GID: &id}},
		action.EnsureGroup{Group: machine.Group{Name: "ada"}},
		action.EnsureUser{User: machine.User{
			Name: "ada", UID: &id, Comment: `Ada "the" O'Neil`, Groups: []string{"team"}, Shell: "/bin/sh",
			PasswordHash:      secret.FromString(hash),
			SSHAuthorizedKeys: []string{"ssh-ed25519 AAAA it's me"}, Sudo: "ALL=(ALL) NOPASSWD:ALL",
		}},
		action.EnsureUser{User: machine.User{Name: "www-data", Comment: "was there", Groups: []string{"team"}}},
		action.EnsureUser{User: machine.User{
			Name: "daemonic", System: true, NoCreateHome: true, Inactive: true,
			PrimaryGroup: "team",
		}},
		action.WriteFile{File: machine.File{
			Path: `/srv/a b'c/on the disk`, Content: document.Text("on\r\nthe disk"),
			Owner: machine.Owner{User: "ada"}, Mode: 0o640,
		}},
		action.WriteFile{File: machine.File{
			Path:    "/etc/machineadm/kubeadm.yaml",
			Content: document.Text("token: " + token + "\n"), Secret: true,
		}},
		action.WriteFile{File: machine.File{Path: "/etc/hosts", Content: document.Text("10.0.0.1 one\n"), Append: true}},
		action.MakeDirectory{Path: "/opt/app/deep", Mode: 0o750, Owner: machine.Owner{User: "ada"}},
		action.Link{Path: "/opt/link", Target: "/opt/app"},
		action.EnsureUnit{Unit: machine.Unit{
			Name:    "own.service",
			Content: document.Text("[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n"), Enabled: &yes,
		}},
		run(document.PhaseBoot, "echo boot >>/var/log/calls"),
		run(document.PhasePre, "echo pre >>/var/log/calls"),
		run(document.PhaseJoin, "kubeadm join --config /etc/machineadm/kubeadm.yaml"),
		run(document.PhasePost, "echo post >>/var/log/calls"),
	}
}

// disk returns an empty block device of 64 MiB.
func disk(t *testing.T) string {
	t.Helper()
	image := filepath.Join(t.TempDir(), "disk")
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, 64<<20)); err != nil {
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

// TestTwiceInADebian runs the script of a machine twice in each shell, the second time through a pipe, as with ssh.
func TestTwiceInADebian(t *testing.T) {
	for _, shell := range []string{"dash", "bash"} {
		t.Run(shell, func(t *testing.T) {
			m, device := newMachine(t), disk(t)
			// Kernels for small virtual machines do not support all partition tables; partx(8) adds the partitions.
			m.Put(t, "/usr/local/sbin/udevadm", "#!/bin/sh\npartx -u "+device+"\n", 0o755)
			script := string(render(t, everything(device)...).Payload.Data.Reveal())
			m.Put(t, "/root/machine.sh", script, 0o600)
			if code, out := m.run(t, shell+" /root/machine.sh", ""); code != 0 {
				t.Fatalf("exit code %d: %s\n%s", code, out, m.Log())
			}
			arrived(t, m, device)
			before := m.snapshot(t)
			for _, again := range []struct{ shell, script string }{{shell + " /root/machine.sh", ""}, {shell + " -s", script}} {
				code, out := m.run(t, again.shell, again.script)
				if code != 0 || out != "machineadm: this machine is done; nothing was changed\n" {
					t.Errorf("%s: exit code %d, %q", again.shell, code, out)
				}
			}
			if diff := cmp.Diff(before, m.snapshot(t)); diff != "" {
				t.Errorf("the second run changed something:\n%.2000s", diff)
			}
		})
	}
}

// arrived checks the results of the script.
func arrived(t *testing.T, m *machineRoot, device string) {
	t.Helper()
	for path, want := range map[string]string{
		"/var/log/calls": "swapon /var/swap file\nboot\npre\nkubeadm join --config " +
			"/etc/machineadm/kubeadm.yaml\npost\n",
		bootscript.Sentinel:              "success\n",
		"/home/ada/.ssh/authorized_keys": "ssh-ed25519 AAAA it's me\n",
		"/etc/sudoers.d/machineadm-ada":  "ada ALL=(ALL) NOPASSWD:ALL\n",
	} {
		if got := m.Read(t, path); got != want {
			t.Errorf("%s holds %q, want %q", path, got, want)
		}
	}
	for path, line := range map[string]string{
		"/etc/passwd": `ada:x:4711:` + gid(t, m, "ada") + `:Ada "the" O'Neil:/home/ada:/bin/sh`,
		"/etc/shadow": "ada:!" + hash + ":",
		"/etc/group":  "team:x:4711:ada,www-data",
		"/etc/hosts":  "10.0.0.1 one",
		"/etc/fstab":  device + `p1 /srv/a\040b'c auto noatime 0 2` + "\n" + `/var/swap\040file none swap sw 0 0`,
	} {
		if got := m.Read(t, path); !strings.Contains("\n"+got, "\n"+line) {
			t.Errorf("%s has no line %q:\n%s", path, line, got)
		}
	}
	if processes := m.Read(t, "/var/log/processes"); strings.Contains(processes, hash) || strings.Contains(processes,
		token) || !strings.Contains(processes, "kubeadm") {
		t.Error("a process has a secret among its arguments or in its environment")
	}
	if !m.Exists("/opt/app/deep") || !m.Exists("/etc/systemd/system/multi-user.target.wants/own.service") ||
		m.Exists(`/srv/a b'c/on the disk`) {
		t.Error("a directory, a unit, or a file on the disk is not where it belongs")
	}
	code, out := m.run(t, "sh -s", "mount "+device+"p1 /mnt && cat '/mnt/on the disk' && stat -c ' %U %G %a' '/mnt/on "+
		"the disk' && blkid -o value -s LABEL "+device+"p1")
	if code != 0 || out != "on\r\nthe disk ada root 640\nit's\n" {
		t.Errorf("on the disk: exit code %d, %q", code, out)
	}
}

func gid(t *testing.T, m *machineRoot, group string) string {
	t.Helper()
	for line := range strings.Lines(m.Read(t, "/etc/group")) {
		if fields := strings.Split(line, ":"); fields[0] == group {
			return fields[2]
		}
	}
	t.Errorf("no group %s", group)
	return ""
}

// TestFailuresAreLoud runs scripts that fail. Each reports its failure, also at the next run, and never reports
// success.
func TestFailuresAreLoud(t *testing.T) {
	cases := map[string]struct {
		reason, command, shell string
		record                 string
	}{
		"command": {
			reason: "the first failure ends it", command: "exit 7", shell: "dash -s",
			record: `"phase":"pre","step":"steps[0]","exitCode":7`,
		},
		"killed": {
			reason: "a power cut leaves no record; the next run makes one", command: "kill -9 $PPID; kill -9 $$",
			shell: "bash -s", record: `"step":"interrupted"`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			script := string(render(t, run(document.PhasePre, tc.command), run(document.PhaseJoin, "kubeadm join")).
				Payload.Data.Reveal())
			if code, out := m.run(t, tc.shell, script); code == 0 {
				t.Errorf("%s: the first run passes: %s", tc.reason, out)
			}
			code, out := m.run(t, tc.shell, script)
			if code == 0 || !strings.Contains(out, "an earlier run failed or was interrupted") {
				t.Errorf("%s: the second run: exit code %d, %s", tc.reason, code, out)
			}
			if got := m.Read(t, bootscript.StateDir+"/failure.json"); !strings.Contains(got, tc.record) {
				t.Errorf("%s: the record is %s", tc.reason, got)
			}
			if m.Exists(bootscript.Sentinel) || m.Exists("/var/log/calls") {
				t.Errorf("%s: the bootstrap went on", tc.reason)
			}
		})
	}
}

// TestPartialScriptChangesNothing runs an incomplete script, and a complete script as an unprivileged user.
func TestPartialScriptChangesNothing(t *testing.T) {
	script := render(t, run(document.PhasePre, "echo pre >>/var/log/calls")).Payload.Data.Reveal()
	m := newMachine(t)
	before := m.snapshot(t)
	for _, length := range []int{len(script) / 4, len(script) / 2, bytes.LastIndex(script, []byte("main"))} {
		m.run(t, "dash -s", string(script[:length]))
	}
	code, out := m.run(t, "setpriv --reuid=65534 --clear-groups dash -s", string(script))
	if code == 0 || out != "machineadm: run this as root\n" {
		t.Errorf("as nobody: exit code %d, %q", code, out)
	}
	if diff := cmp.Diff(before, m.snapshot(t)); diff != "" {
		t.Errorf("something changed:\n%.2000s", diff)
	}
}
