//go:build e2e

package stock_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/vishvananda/netlink"

	"github.com/machineadm/machineadm/adapters/hostdriver/qemu"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nodecluster"
)

// inside is the variable of the process with a network of its own.
const inside = "MACHINEADM_STOCK_INSIDE"

// hostAddress is the address at which machines reach 127.0.0.1 of this host. The network of the test has nothing else.
const hostAddress = "10.0.2.2"

// claimID is the claim of all machines.
const claimID = "0b4e1c1e-0000-4000-8000-000000000001"

// transcript is printed on the console of each machine at the end of its bootstrap.
const transcript = `{
echo "transcript: begin"
grep PRETTY_NAME /etc/os-release
findmnt -no FSTYPE,OPTIONS /usr
touch /usr/written || echo "/usr is read-only"
systemd-sysext status --no-pager
systemctl is-active containerd.service kubelet.service
for unit in update-engine locksmithd zincati; do echo "$unit: $(systemctl is-enabled $unit.service 2>/dev/null)"; done
command -v kubelet
echo "transcript: end"
} >/dev/ttyS0 2>&1`

func TestStockImagesJoin(t *testing.T) {
	systems := images(t)
	if os.Getenv(inside) == "" {
		prepare(t)
		enter(t)
		return
	}
	sysext := extension(t)
	c := nodecluster.New(t, nodecluster.Endpoint{Host: hostAddress})
	_, port, _ := strings.Cut(c.Server, ":")
	base := "http://" + hostAddress + ":" + port
	kubernetes := `{provision: Sysext, artifacts: [{name: kubernetes.raw, url: "` + base +
		`/kubernetes-{version}-{arch}.raw", sha256: ` + c.Publish(t, filepath.Base(sysext), sysext) + `}]}`
	for name, delivery := range map[string]string{"native": "{mode: Native}", "agent": c.FetchedAgent(t, base)} {
		for system, image := range systems {
			t.Run(system+"-"+name, func(t *testing.T) {
				t.Parallel()
				c := c.For(t)
				w := nodecluster.Worker{
					Name: system + "-" + name, OS: image.os, Delivery: delivery, Kubernetes: kubernetes, PostCommand: transcript,
				}
				m := newMachine(t, image, w.Name)
				m.boot(t, c.Data(t, w))
				m.succeeds(t, c)
				c.Joined(t, w.Name)
				m.printed(t, image)
			})
		}
	}
}

// prepare obtains what the test needs from other networks.
func prepare(t *testing.T) {
	t.Helper()
	debian.Packages(t, "qemu-system-x86", "qemu-utils", "iproute2")
	for _, name := range []string{
		"etcd", "kube-apiserver", "kube-controller-manager", "capi-core-manager", "kubeadm", "kubectl", "kubelet",
	} {
		debian.Tool(t, name)
	}
}

// enter runs the test again, in a process whose network is only a loopback interface.
func enter(t *testing.T) {
	t.Helper()
	again := exec.Command("/proc/self/exe", os.Args[1:]...)
	again.Env = append(os.Environ(), inside+"=yes")
	again.Stdout, again.Stderr = os.Stdout, os.Stderr
	again.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if err := again.Run(); err != nil {
		t.Fatal(err)
	}
}

func TestMain(m *testing.M) {
	if os.Getenv(inside) != "" {
		if err := createNetwork(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// createNetwork creates the loopback interface, and a bridge without members that has the default route: kube-apiserver
// requires one.
func createNetwork() error {
	loopback, err := netlink.LinkByName("lo")
	if err != nil {
		return err
	}
	bridge := &netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: "nowhere"}}
	if err := errors.Join(netlink.LinkSetUp(loopback), netlink.LinkAdd(bridge)); err != nil {
		return err
	}
	address, err := netlink.ParseAddr("192.0.2.1/24")
	if err != nil {
		return err
	}
	return errors.Join(netlink.AddrAdd(bridge, address), netlink.LinkSetUp(bridge),
		netlink.RouteAdd(&netlink.Route{LinkIndex: bridge.Attrs().Index, Gw: net.IPv4(192, 0, 2, 254)}))
}

// machine is a virtual machine of the driver.
type machine struct {
	*qemu.Driver
	directory string
	target    ports.HostTarget
}

func newMachine(t *testing.T, i image, name string) *machine {
	t.Helper()
	m := &machine{directory: t.TempDir()}
	// A link must not lead out of the directory, and a copy takes long.
	file := "image" + filepath.Ext(i.path)
	if err := os.Link(i.path, filepath.Join(m.directory, file)); err != nil {
		debian.Output(t, "cp", "--sparse=always", i.path, filepath.Join(m.directory, file))
	}
	m.Driver = qemu.New(qemu.Config{Directory: m.directory})
	m.target = ports.HostTarget{Namespace: "default", Name: name, Machine: &ports.HostMachineSettings{
		Image: file, ImageSHA256: digest(t, i.path),
	}}
	t.Cleanup(func() {
		if err := m.Release(context.WithoutCancel(t.Context()), m.target, claimID); err != nil {
			t.Error(err)
		}
	})
	return m
}

func (m *machine) boot(t *testing.T, data []byte) {
	t.Helper()
	if err := m.Claim(t.Context(), m.target, claimID); err != nil {
		t.Fatal(err)
	}
	boot := ports.HostBoot{Format: ports.HostFormatIgnition, Data: secret.New(data), Hostname: m.target.Name}
	if err := m.Boot(t.Context(), m.target, claimID, boot); err != nil {
		t.Fatal(err)
	}
}

// console returns the output of the machine's serial console.
func (m *machine) console() string {
	names, _ := filepath.Glob(filepath.Join(m.directory, "machines/*/*/*/console"))
	if len(names) != 1 {
		return "no console"
	}
	text, _ := os.ReadFile(names[0])
	return string(text)
}

// succeeds waits until the driver reports the success of the bootstrap.
func (m *machine) succeeds(t *testing.T, c *nodecluster.Cluster) {
	t.Helper()
	var o ports.HostObservation
	c.Eventually(func() (host.Phase, error) {
		var err error
		o, err = m.Observe(t.Context(), m.target, claimID)
		return o.Phase, err
	}).WithTimeout(nodecluster.MachinePatience).WithPolling(time.Second).ShouldNot(Equal(host.PhaseRunning))
	if o.Phase != host.PhaseSucceeded {
		text := m.console()
		t.Fatalf("the observation is %+v\n%s", o, text[max(0, len(text)-8000):])
	}
	c.Expect(o.Hostname).To(Equal(m.target.Name))
	c.Expect(o.Addresses).To(ContainElement("10.0.2.15"))
}

// printed compares the transcript with the image.
func (m *machine) printed(t *testing.T, i image) {
	t.Helper()
	_, text, _ := strings.Cut(m.console(), "transcript: begin")
	text, _, _ = strings.Cut(text, "transcript: end")
	text = strings.ReplaceAll(text, "\r", "")
	t.Log(text)
	for _, want := range []string{"overlay", "/usr is read-only", "kubernetes", "active\nactive\n", "/usr/bin/kubelet\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the transcript lacks %q", want)
		}
	}
	system, updates := "Fedora CoreOS", "zincati: masked\n"
	if i.os == flatcar {
		system, updates = "Flatcar", "update-engine: masked\nlocksmithd: masked\n"
	}
	if !strings.Contains(text, system) || !strings.Contains(text, updates) {
		t.Errorf("the system is not %s, or updates are not disabled", system)
	}
}
