//go:build e2e

// Package vm_test boots the storage scenarios on machines with real disks, which is what partitions, file systems and
// mounts need.
package vm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/vm"
)

// kubeadm replaces the real one; it records its arguments.
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

// stubUnit is a service of the image.
const stubUnit = "[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n"

func golden(t *testing.T, scenario, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../../testdata/scenarios", scenario, "want", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// newMachine returns a machine whose target wants the report.
func newMachine(t *testing.T, target string) *vm.Machine {
	t.Helper()
	m := vm.New(t)
	m.Put(t, "/usr/local/sbin/kubeadm", kubeadm, 0o755)
	m.Put(t, "/usr/local/sbin/report", report, 0o755)
	for _, name := range []string{"kubelet", "containerd"} {
		m.Put(t, "/usr/lib/systemd/system/"+name+".service", stubUnit, 0o644)
	}
	units := "/etc/systemd/system/"
	m.Put(t, units+"machineadm-report.service", reportUnit, 0o644)
	m.Link(t, units+target+".wants/machineadm-report.service", units+"machineadm-report.service")
	// Nothing of the image starts by itself that the test does not want: it would wait for a network.
	m.Put(t, "/etc/systemd/system-preset/99-test.preset", "disable *\n", 0o644)
	return m
}

// holdsStorage compares the machine with the storage scenarios.
func holdsStorage(t *testing.T, m *vm.Machine) {
	t.Helper()
	got := m.Reported(t)
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
		t.Logf("%s\n%s\n%s\n%s", got["failed"], got["bootstrap-failure.json"],
			got["journal"][max(0, len(got["journal"])-20000):], m.Console())
	}
}
