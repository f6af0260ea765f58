// Package vm_test boots the storage scenarios on machines with real disks, a kernel and a udev of their own, which is what
// partitions, file systems and mounts need. There is no hardware virtualisation in it: a boot takes about a minute.
package vm_test

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// kubeadm stands for the real one; it says what it was called with.
const kubeadm = "#!/bin/sh\necho \"kubeadm $*\" >>/var/log/calls\n"

// report leaves what the machine has come to on the report's disk, and powers the machine off.
const report = `#!/bin/sh
mkdir -p /run/report
cd /run/report
findmnt -nro SOURCE,FSTYPE,OPTIONS /var/lib/etcd >etcd
findmnt -nro SOURCE,FSTYPE,OPTIONS /mnt/data-disk >data
blkid -o export -p /dev/vdb1 >vdb1
blkid -o export -p /dev/vdb2 >vdb2
blockdev --getsize64 /dev/vdb1 >size
stat -c '%U %G %a' /mnt/data-disk/app/settings >owner
cp /mnt/data-disk/app/settings settings
cp /run/cluster-api/* /var/log/calls .
systemctl --no-pager --failed >failed
journalctl -b --no-pager >journal
tar -cf /dev/vdc .
sync
systemctl --force --force poweroff
`

const reportUnit = `[Unit]
After=cloud-final.service machineadm-bootstrap.service
[Service]
Type=oneshot
ExecStart=/bin/sh /usr/local/sbin/report
`

// standIn is a service of the image.
const standIn = "[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n"

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %q: %v", name, args, err)
	}
	return strings.TrimSpace(string(out))
}

func golden(t *testing.T, scenario, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../../testdata/scenarios", scenario, "want", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// machine is a machine of its own: the changes to a pristine root, and its disks.
type machine struct{ lower, state string }

// newMachine returns a machine whose target wants the report.
func newMachine(t *testing.T, target string) *machine {
	t.Helper()
	output(t, "../../../hack/packages.sh", "qemu-system-x86", "genisoimage", "e2fsprogs")
	m := &machine{lower: output(t, "../../../hack/vm.sh"), state: t.TempDir()}
	m.put(t, "/usr/local/sbin/kubeadm", kubeadm, 0o755)
	m.put(t, "/usr/local/sbin/report", report, 0o755)
	for _, name := range []string{"kubelet", "containerd"} {
		m.put(t, "/usr/lib/systemd/system/"+name+".service", standIn, 0o644)
	}
	units := "/etc/systemd/system/"
	m.put(t, units+"machineadm-report.service", reportUnit, 0o644)
	m.link(t, units+target+".wants/machineadm-report.service", units+"machineadm-report.service")
	// Nothing of the image starts by itself that the test does not want: it would wait for a network.
	m.put(t, "/etc/systemd/system-preset/99-test.preset", "disable *\n", 0o644)
	return m
}

func (m *machine) path(name string) string { return filepath.Join(m.state, "upper", name) }

func (m *machine) put(t *testing.T, name, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.path(name), []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func (m *machine) link(t *testing.T, at, to string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(at)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, m.path(at)); err != nil {
		t.Fatal(err)
	}
}

// boot boots the machine until it powers itself off, with further arguments for its kernel.
func (m *machine) boot(t *testing.T, arguments ...string) {
	t.Helper()
	cmd := exec.Command("./vm.sh", append([]string{m.lower, m.state}, arguments...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("vm.sh %q: %v\n%s\n%s", arguments, err, out, m.console())
	}
}

// said reports whether the machine's console shows the text.
func (m *machine) said(text string) bool {
	b, _ := os.ReadFile(filepath.Join(m.state, "console"))
	return strings.Contains(string(b), text)
}

// console returns the last of what the machine said.
func (m *machine) console() string {
	b, _ := os.ReadFile(filepath.Join(m.state, "console"))
	return string(b[max(0, len(b)-6000):])
}

// reported returns the files of the report, without blanks at their ends.
func (m *machine) reported(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join(m.state, "report.img"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	files := map[string]string{}
	archive := tar.NewReader(f)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, m.console())
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(header.Name, "./")] = strings.TrimRight(string(content), " \n")
	}
	if len(files) == 0 {
		t.Fatalf("no report\n%s", m.console())
	}
	return files
}

// holdsStorage compares the machine with what the storage scenarios say.
func (m *machine) holdsStorage(t *testing.T) {
	t.Helper()
	got := m.reported(t)
	for name, wants := range map[string][]string{
		"etcd":     {"/dev/vdb1 ext4 ", "noatime"},
		"data":     {"/dev/vdb2 xfs "},
		"vdb1":     {"LABEL=etcd\n", "TYPE=ext4\n", "PART_ENTRY_NAME=etcd\n"},
		"vdb2":     {"LABEL=data\n", "TYPE=xfs\n", "PART_ENTRY_NAME=data\n"},
		"size":     {"4294967296"},
		"owner":    {"app app 640"},
		"settings": {"a: b"},
		"calls":    {"kubeadm join --config /etc/machineadm/kubeadm.yaml"},

		"bootstrap-success.complete": {"success"},
	} {
		for _, want := range wants {
			if !strings.Contains(got[name]+"\n", want) {
				t.Errorf("%s: %q lacks %q", name, got[name], want)
			}
		}
	}
	if t.Failed() {
		t.Logf("%s\n%s\n%s\n%s", got["failed"], got["bootstrap-failure.json"], got["journal"][max(0, len(got["journal"])-20000):], m.console())
	}
}
