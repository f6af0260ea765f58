//go:build linux && !unit

package virtualip_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/machineadm/machineadm/adapters/plugin/staticpod"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
)

// patience is how long an address may take to move on a busy machine.
const patience = 10 * time.Minute

// world is a network of control plane machines with a client.
type world struct {
	control *controlplane.ControlPlane
	program string
	port    int
	client  namespace
	// address is the virtual IP, and subnet the format of the machines' addresses.
	address, subnet string
	machines        []*machine
}

// machine is a control plane machine.
type machine struct {
	namespace
	name string
	// root is the file system of kube-vip.
	root   string
	vip    *exec.Cmd
	log    string
	server net.Listener
	// stopServer ends the connections of the API server.
	stopServer context.CancelFunc
}

// family is a version of IP.
type family struct{ address, subnet string }

func families() map[string]family {
	return map[string]family{
		"IPv4": {address: "192.0.2.100", subnet: "192.0.2.%d/24"},
		"IPv6": {address: "2001:db8::100", subnet: "2001:db8::%d/64"},
	}
}

func newWorld(t *testing.T, f family) *world {
	t.Helper()
	debian.Packages(t, "iproute2", "util-linux")
	control, err := controlplane.Start(context.WithoutCancel(t.Context()), controlplane.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := control.Stop(); err != nil {
			t.Error(err)
		}
	})
	_, port := control.Endpoint()
	w := &world{
		control: control, program: debian.Tool(t, "kube-vip"), port: int(port), client: newNamespace(t), address: f.address,
		subnet: f.subnet,
	}
	w.client.ip(t, "link", "add", "bridge", "type", "bridge")
	w.client.ip(t, "address", "add", fmt.Sprintf(f.subnet, 1), "dev", "bridge", "nodad")
	w.client.ip(t, "link", "set", "bridge", "up")
	return w
}

// pod is the part of the manifest of kube-vip that the machine uses here.
type pod struct {
	Spec struct {
		HostAliases []struct {
			IP        string
			Hostnames []string
		}
		Containers []struct {
			Args []string
			Env  []struct {
				Name, Value string
				ValueFrom   *struct{ FieldRef struct{ FieldPath string } }
			}
			VolumeMounts []struct{ MountPath string }
		}
		Volumes []struct{ HostPath struct{ Path string } }
	}
}

// render returns the static Pod of the machine.
func (w *world) render(t *testing.T, role node.Role) pod {
	t.Helper()
	v := node.VirtualIP{Address: w.address, Interface: "eth0"}
	n := node.NodeConfig{
		Role: role, KubernetesVersion: "v1.36.3", BindPort: w.port,
		Cluster: node.Cluster{Endpoint: net.JoinHostPort(w.address, strconv.Itoa(w.port))},
	}
	actions, r, err := staticpod.Expander{}.Expand(t.Context(), ports.Expansion{
		Document: document.Document{Value: v}, Others: []document.Document{{Value: n}},
	})
	if err != nil || len(r) > 0 {
		t.Fatalf("%v, %v", r, err)
	}
	file, ok := actions[0].Do.(action.WriteFile)
	text, _ := file.Content.Static()
	var p pod
	if err := json.Unmarshal(text, &p); err != nil || !ok {
		t.Fatalf("%T: %v", actions[0].Do, err)
	}
	return p
}

// add adds a machine that serves its name at the port 80 of its addresses, and whose API server answers on loopback.
func (w *world) add(t *testing.T, role node.Role) *machine {
	t.Helper()
	number := len(w.machines) + 2
	m := &machine{namespace: newNamespace(t), name: "machine-" + strconv.Itoa(number), root: t.TempDir()}
	m.connect(t, w.client, "port"+strconv.Itoa(number), fmt.Sprintf(w.subnet, number))
	m.listen(t, ":80", func(c net.Conn) {
		_, _ = fmt.Fprintln(c, m.name)
		_ = c.Close()
	})
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	t.Cleanup(cancel)
	m.stopServer = cancel
	m.server = m.listen(t, net.JoinHostPort("127.0.0.1", strconv.Itoa(w.port)), forward(ctx, w.control.Address()))
	w.machines = append(w.machines, m)
	w.startVIP(t, m, w.render(t, role))
	return m
}

// startVIP starts kube-vip as kubelet does: with the arguments, the environment, the hosts and the mounts of the Pod.
func (w *world) startVIP(t *testing.T, m *machine, p pod) {
	t.Helper()
	c := p.Spec.Containers[0]
	hosts := ""
	for _, a := range p.Spec.HostAliases {
		hosts += a.IP + " " + strings.Join(a.Hostnames, " ") + "\n"
	}
	write(t, filepath.Join(m.root, "etc/hosts"), []byte(hosts), 0o644)
	write(t, filepath.Join(m.root, c.VolumeMounts[0].MountPath), w.kubeconfig(t), 0o600)
	program, err := os.ReadFile(w.program)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(m.root, "kube-vip"), program, 0o755)
	log, err := os.Create(filepath.Join(t.TempDir(), m.name+".log"))
	if err != nil {
		t.Fatal(err)
	}
	m.log = log.Name()
	m.vip = &exec.Cmd{
		Path: "/kube-vip", Args: append([]string{"kube-vip"}, c.Args...), Stdout: log, Stderr: log, Dir: "/",
		SysProcAttr: &unix.SysProcAttr{Chroot: m.root},
	}
	for _, e := range c.Env {
		if e.ValueFrom != nil {
			e.Value = m.name
		}
		m.vip.Env = append(m.vip.Env, e.Name+"="+e.Value)
	}
	if err := m.inside(m.vip.Start); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.kill(t) })
}

// kill kills kube-vip.
func (m *machine) kill(t *testing.T) {
	t.Helper()
	_ = m.vip.Process.Kill()
	_ = m.vip.Wait()
	if t.Failed() {
		text, _ := os.ReadFile(m.log)
		t.Logf("%s: %s", m.name, text)
	}
}

func write(t *testing.T, path string, content []byte, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, mode); err != nil {
		t.Fatal(err)
	}
}

// kubeconfig returns a kubeconfig whose server is the endpoint, as that of kubeadm. The certificate of the test's API
// server has another name than those of kubeadm, which contain "kubernetes".
func (w *world) kubeconfig(t *testing.T) []byte {
	t.Helper()
	c := w.control.Config
	config := clientcmdapi.NewConfig()
	config.Clusters["c"] = &clientcmdapi.Cluster{
		Server: "https://" + net.JoinHostPort(w.address, strconv.Itoa(w.port)), CertificateAuthorityData: c.CAData,
		TLSServerName: "localhost",
	}
	config.AuthInfos["u"] = &clientcmdapi.AuthInfo{ClientCertificateData: c.CertData, ClientKeyData: c.KeyData}
	config.Contexts["x"] = &clientcmdapi.Context{Cluster: "c", AuthInfo: "u"}
	config.CurrentContext = "x"
	text, err := clientcmd.Write(*config)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// awaits waits until a machine other than the given ones answers at the virtual IP, and returns it.
func (w *world) awaits(t *testing.T, others ...*machine) *machine {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		answer, err := w.client.ask(net.JoinHostPort(w.address, "80"))
		if m := w.find(answer, others); m != nil {
			return m
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the answer is %q, the error %v", answer, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// find returns the machine of the name if it is none of the others.
func (w *world) find(name string, others []*machine) *machine {
	for _, m := range others {
		if m.name == name {
			return nil
		}
	}
	for _, m := range w.machines {
		if m.name == name {
			return m
		}
	}
	return nil
}

// TestAddressMoves starts the first machine alone, as kubeadm init does, and then the others. The machine with the
// address fails in different ways, and the clients reach another one.
func TestAddressMoves(t *testing.T) {
	for name, f := range nightly.Cases(t, families(), "IPv4") {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, f)
			first := w.add(t, node.RoleInit)
			if leader := w.awaits(t); leader != first {
				t.Fatalf("%s has the address", leader.name)
			}
			for range 3 {
				w.add(t, node.RoleControlPlane)
			}

			// The machine is switched off.
			first.ip(t, "link", "set", "eth0", "down")
			first.kill(t)
			second := w.awaits(t, first)

			// Its API server does not answer any more.
			_ = second.server.Close()
			second.stopServer()
			third := w.awaits(t, first, second)

			// kube-vip is killed, and the address stays on the interface.
			third.kill(t)
			w.awaits(t, first, second, third)
		})
	}
}
