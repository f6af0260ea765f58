//go:build linux

package namespace_test

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/hostdriver/namespace"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

func TestHierarchies(t *testing.T) {
	for name, c := range map[string]struct {
		mounts string
		want   [][2]string
	}{
		"version 2": {
			"30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n",
			[][2]string{{"/sys/fs/cgroup", ""}},
		},
		"version 1 with systemd's hierarchy and one of version 2": {
			"25 20 0:22 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n" +
				"26 25 0:23 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n" +
				"27 25 0:24 / /sys/fs/cgroup/cpu,cpuacct rw shared:3 master:1 - cgroup cgroup rw,cpu,cpuacct\n" +
				"28 25 0:25 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,release_agent=/x,name=systemd\n",
			[][2]string{
				{"/sys/fs/cgroup/unified", ""},
				{"/sys/fs/cgroup/cpu,cpuacct", "cpu,cpuacct"},
				{"/sys/fs/cgroup/systemd", "name=systemd"},
			},
		},
		"groups elsewhere are not the host's": {
			"30 23 0:26 / /var/lib/machine/sys/fs/cgroup rw - cgroup2 cgroup2 rw\n30 23 0:26 / " +
				"/sys/fs/cgroups rw - cgroup2 c rw\n",
			nil,
		},
	} {
		if diff := cmp.Diff(c.want, namespace.HierarchiesOf(c.mounts)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// newDirectory returns a driver whose directory has no machines.
func newDirectory(t *testing.T, subnets ...netip.Prefix) *namespace.Driver {
	t.Helper()
	return namespace.New(namespace.Config{Directory: t.TempDir(), Network: namespace.Network{Subnets: subnets}})
}

func lease(t *testing.T, d *namespace.Driver, claim string) string {
	t.Helper()
	addresses, err := d.Lease(t.Context(), claim)
	if err != nil {
		return err.Error()
	}
	var texts []string
	for _, a := range addresses {
		texts = append(texts, a.String())
	}
	return strings.Join(texts, " ")
}

func TestAddresses(t *testing.T) {
	d := newDirectory(t, netip.MustParsePrefix("10.0.0.16/28"), netip.MustParsePrefix("fd00::/64"))
	for _, c := range []struct{ claim, want string }{
		{"a", "10.0.0.26/28 fd00::a/64"},
		{"b", "10.0.0.27/28 fd00::b/64"},
		{"a", "10.0.0.26/28 fd00::a/64"},
		{"c", "10.0.0.28/28 fd00::c/64"},
		{"d", "10.0.0.29/28 fd00::d/64"},
		{"e", "10.0.0.30/28 fd00::e/64"},
	} {
		if got := lease(t, d, c.claim); got != c.want {
			t.Errorf("%s has %s, want %s", c.claim, got, c.want)
		}
	}
	if got := lease(t, d, "f"); !strings.Contains(got, "10.0.0.16/28 has no free address") {
		t.Errorf("a full subnet: %s", got)
	}
	if err := d.Free(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if got := lease(t, d, "f"); got != "10.0.0.27/28 fd00::b/64" {
		t.Errorf("a free address is not used again: %s", got)
	}
}

func TestFailuresWithoutRecord(t *testing.T) {
	const log, result = "var/lib/machineadm-hosts/log", "var/lib/machineadm-hosts/result"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"the data runs": {map[string]string{log: "a\n"}, ""},
		"an exit code, with the end of the log": {
			map[string]string{result: "7\n", log: "a\nthere is no disk\n"}, "exit code 7: there is no disk",
		},
		"a signal":         {map[string]string{result: "KILL\n"}, "a signal ended the data: KILL"},
		"no sentinel":      {map[string]string{result: "0\n"}, host.CauseUnconfirmed},
		"cloud-init ended": {map[string]string{"var/lib/cloud/data/result.json": "{}"}, host.CauseUnconfirmed},
	} {
		directory := t.TempDir()
		for name, content := range c.files {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(directory, name)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(directory, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := namespace.Unconfirmed(t, directory); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestLinksStayInside checks that a machine cannot make the driver read files of this host.
func TestLinksStayInside(t *testing.T) {
	directory := t.TempDir()
	if err := os.Mkdir(directory+"/machine", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(directory+"/secret", []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"up": "../secret", "absolute": directory + "/secret"} {
		if err := os.Symlink(to, directory+"/machine/"+name); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(directory + "/machine")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	for _, name := range []string{"up", "absolute", "missing", "."} {
		if got := namespace.ReadStart(root, name); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestFaultsOfTheFirstProcess checks that the text between the processes of a machine does not replace a fault.
func TestFaultsOfTheFirstProcess(t *testing.T) {
	for err, want := range map[error]host.Fault{
		unix.ENOSPC: host.FaultDiskFull, unix.ENOMEM: host.FaultBusy, unix.EPERM: host.FaultUnsupported,
	} {
		if got := namespace.Reported(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}

// TestUnreadableStateDecidesNothing checks that a machine whose claim cannot be read is neither released nor replaced.
func TestUnreadableStateDecidesNothing(t *testing.T) {
	directory := t.TempDir()
	claim := directory + "/machines/default/machine-1/claim"
	for _, path := range []string{claim, directory + "/root"} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	d := namespace.New(namespace.Config{Directory: directory})
	h := ports.HostTarget{
		Namespace: "default", Name: "machine-1", Machine: &ports.HostMachineSettings{Root: "root"},
	}
	if o, err := d.Observe(t.Context(), h, "a"); err == nil {
		t.Errorf("the observation is %+v", o)
	}
	if err := d.Claim(t.Context(), h, "a"); err == nil {
		t.Error("the machine has a new claim")
	}
	if err := d.Release(t.Context(), h, "a"); err == nil {
		t.Error("the machine was released")
	}
	if _, err := os.Stat(claim); err != nil {
		t.Error(err)
	}
}
