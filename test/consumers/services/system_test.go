package services_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/chronyd"
	"github.com/machineadm/machineadm/adapters/plugin/containerd"
	"github.com/machineadm/machineadm/adapters/plugin/kubernetes"
	"github.com/machineadm/machineadm/adapters/plugin/modules"
	"github.com/machineadm/machineadm/adapters/plugin/proxy"
	"github.com/machineadm/machineadm/adapters/plugin/sysctl"
	domain "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/debian"
)

// TestChronydReadsEveryLine has chronyd print what it read: it stops at the first line that it does not know.
func TestChronydReadsEveryLine(t *testing.T) {
	debian.Packages(t, "chrony")
	c := domain.TimeSyncConfig{
		Servers: []string{"192.0.2.1", "2001:db8::1", "time.example"},
		Pools:   []string{"pool.example"},
	}
	for distribution, file := range map[string]string{
		"debian":        "/etc/chrony/chrony.conf",
		"fedora-coreos": "/etc/chrony.conf",
	} {
		m := expanded(t, chronyd.New(), target(t, distribution), c)
		written, err := os.ReadFile(m.path(file))
		if err != nil {
			t.Fatal(err)
		}
		if printed, _ := run(t, "chronyd", "-p", "-f", m.path(file)); printed != string(written) {
			t.Errorf("%s: chronyd read\n%s\nof\n%s", distribution, printed, written)
		}
	}
}

// verified runs `systemd-analyze verify` on a unit and the drop-ins next to it. It must print nothing: unknown keys are
// only warnings.
func verified(t *testing.T, m machine, unit string) {
	t.Helper()
	if _, warnings := finish(t, verify(m, unit)); warnings != "" {
		t.Errorf("%s: %s", unit, warnings)
	}
}

func verify(m machine, unit string) *exec.Cmd {
	c := exec.Command("systemd-analyze", "verify", "--man=no", m.path("units/"+unit))
	c.Env = append(os.Environ(), "SYSTEMD_UNIT_PATH="+m.path("units")+":")
	return c
}

// TestSystemdReadsKubeletsUnit verifies the unit that comes with downloaded programs.
func TestSystemdReadsKubeletsUnit(t *testing.T) {
	debian.Packages(t, "systemd")
	artifacts := []domain.Artifact{
		{Name: "kubelet", URL: "https://mirror.example/kubelet"},
		{Name: "kubeadm", URL: "https://mirror.example/kubeadm"},
	}
	for _, distribution := range []string{"flatcar", "fedora-coreos", "ubuntu"} {
		tgt := target(t, distribution)
		tgt.Profile.BinDir, tgt.Profile.ReadOnly = t.TempDir(), nil
		if err := os.WriteFile(tgt.Profile.BinDir+"/kubelet", []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		m := expanded(t, kubernetes.New(), tgt, domain.KubernetesConfig{
			Provision: domain.ProvisionDownload,
			Artifacts: artifacts,
		})
		verified(t, m, "kubelet.service")
	}
}

// TestSystemdReadsDropIns verifies the drop-ins for units of the image, next to placeholders for those.
func TestSystemdReadsDropIns(t *testing.T) {
	debian.Packages(t, "systemd")
	stand := "[Service]\nExecStart=/bin/true\n"
	address := secret.FromString("http://proxy")
	m := expanded(t, containerd.New(), target(t, "flatcar"),
		domain.ContainerdConfig{Proxy: &domain.ProxyConfig{HTTPProxy: address}})
	m.write(t, "units/containerd.service", stand)
	verified(t, m, "containerd.service")
	m = expanded(t, proxy.New(), target(t, "flatcar"), domain.ProxyConfig{HTTPProxy: address})
	for _, unit := range []string{"containerd.service", "kubelet.service"} {
		m.write(t, "units/"+unit, stand)
		verified(t, m, unit)
	}
	m = expanded(t, kubernetes.New(), target(t, "fedora-coreos"),
		domain.KubernetesConfig{Artifacts: []domain.Artifact{{Name: "a", URL: "https://b/c"}}})
	m.write(t, "units/multi-user.target", "[Unit]\nDescription=placeholder\n")
	for _, unit := range []string{"crio.service", "kubelet.service"} {
		m.write(t, "units/"+unit, stand)
	}
	verified(t, m, "multi-user.target")
}

// TestSystemdComplainsOfDropIns shows that the tests above would notice.
func TestSystemdComplainsOfDropIns(t *testing.T) {
	debian.Packages(t, "systemd")
	m := machine{root: t.TempDir()}
	m.write(t, "units/a.service", "[Service]\nExecStart=/bin/true\n")
	m.write(t, "units/a.service.d/b.conf", "[Service]\nEnvironmentFiles=-/x\n")
	if _, warnings := finish(t, verify(m, "a.service")); !strings.Contains(warnings, "EnvironmentFiles") {
		t.Errorf("an unknown key in a drop-in is not noticed: %q", warnings)
	}
}

// TestSysctlSetsValues sets parameters of a network namespace of its own, and reads them back from the kernel.
func TestSysctlSetsValues(t *testing.T) {
	debian.Packages(t, "systemd", "util-linux")
	c := domain.SysctlConfig{Settings: []domain.Sysctl{
		{Name: "net.ipv4.ip_forward", Value: "1"}, {Name: "net/ipv4/ip_local_port_range", Value: "20000 30000"},
	}}
	m := expanded(t, sysctl.New(), target(t, "debian"), c)
	got, complaints := run(t, "unshare", "-n", "sh", "-ec",
		`/lib/systemd/systemd-sysctl "$0"; cat /proc/sys/net/ipv4/ip_forward /proc/sys/net/ipv4/ip_local_port_range`,
		m.path(sysctl.File))
	if want := "1\n20000\t30000\n"; got != want || complaints != "" {
		t.Errorf("the kernel has %q, want %q; %s", got, want, complaints)
	}
}

// TestModprobeReadsOptions has modprobe print its configuration.
func TestModprobeReadsOptions(t *testing.T) {
	debian.Packages(t, "kmod")
	c := domain.KernelModulesConfig{Modules: []domain.KernelModule{{
		Name:    "dummy",
		Options: []string{"numdummies=2", "a=b,c"},
	}}}
	m := expanded(t, modules.New(), target(t, "debian"), c)
	printed, _ := run(t, "/sbin/modprobe", "-C", m.path("/etc/modprobe.d"), "-c")
	if !strings.Contains(printed, "options dummy numdummies=2 a=b,c\n") {
		t.Errorf("modprobe does not know the options:\n%s", printed)
	}
}

// TestShellAndAptReadTheProxy has the shell, which runs the bootstrap, and apt read an address with all that they might
// interpret.
func TestShellAndAptReadTheProxy(t *testing.T) {
	address := "http://u$HOME:p`id`;&!'#@proxy.example:3128/$(id)*~"
	m := expanded(t, proxy.New(), target(t, "debian"), domain.ProxyConfig{
		HTTPProxy: secret.FromString(address),
		NoProxy:   []string{"a", ".b"},
	})
	got, _ := run(t, "/bin/sh", "-euc", `. "$0"; printf '%s|%s|%s' "$HTTP_PROXY" "$http_proxy" "$NO_PROXY"`,
		m.path("/etc/machineadm/proxy.env"))
	if want := fmt.Sprintf("%s|%s|a,.b", address, address); got != want {
		t.Errorf("the shell reads %s, want %s", got, want)
	}
	dump := exec.Command("apt-config", "dump", "--format", "%v", "Acquire::http::Proxy")
	dump.Env = append(os.Environ(), "APT_CONFIG="+m.path("/etc/apt/apt.conf.d/90machineadm-proxy"))
	if got, _ := finish(t, dump); got != address {
		t.Errorf("apt reads %s, want %s", got, address)
	}
}
