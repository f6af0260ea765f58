//go:build e2e

package machines_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nodecluster"
	"github.com/machineadm/machineadm/test/vm"
)

const (
	// host is where machines find what the test serves.
	host    = "10.0.2.100"
	network = "[Match]\nName=eth0\n[Network]\nDHCP=ipv4\nIPv6AcceptRA=no\n"
	// cloudConfig keeps cloud-init from what would take long, or ask for a metadata service.
	cloudConfig = "datasource_list: [NoCloud, None]\nnetwork: {config: disabled}\nlocale: " +
		"C.UTF-8\nssh_genkeytypes: [ed25519]\n"
	reportUnit = "[Unit]\nAfter=cloud-final.service " +
		"machineadm-bootstrap.service\n[Service]\nType=oneshot\nExecStart=/bin/sh /usr/local/sbin/report\n"
)

// newNode returns a machine whose image has what a node needs, and whose target wants the report.
func newNode(t *testing.T, c *nodecluster.Cluster, name, target string) *vm.Machine {
	t.Helper()
	m := vm.New(t)
	for _, program := range []string{"kubeadm", "kubelet"} {
		path, err := controlplane.Tool(t.Context(), program)
		c.Expect(err).NotTo(HaveOccurred())
		m.Install(t, "/usr/bin/"+program, path)
	}
	m.Install(t, "/usr/local/sbin/report", "testdata/report.sh")
	unit, err := os.ReadFile("testdata/kubelet.service")
	c.Expect(err).NotTo(HaveOccurred())
	m.Put(t, "/usr/lib/systemd/system/kubelet.service", string(unit), 0o644)
	units := "/etc/systemd/system/"
	m.Put(t, units+"machineadm-report.service", reportUnit, 0o644)
	m.Link(t, units+target+".wants/machineadm-report.service", units+"machineadm-report.service")
	m.Link(t, units+"multi-user.target.wants/systemd-networkd.service", "/usr/lib/systemd/system/systemd-networkd.service")
	// A terminal takes the console from every other writer.
	m.Link(t, units+"serial-getty@ttyS0.service", "/dev/null")
	// Nothing of the image starts by itself that the test does not want.
	m.Put(t, "/etc/systemd/system-preset/99-test.preset", "enable systemd-networkd.service\ndisable *\n", 0o644)
	m.Put(t, "/etc/systemd/network/10-eth0.network", network, 0o644)
	m.Put(t, "/etc/resolv.conf", "nameserver 10.0.2.3\n", 0o644)
	m.Put(t, "/etc/hostname", name+"\n", 0o644)
	m.Forward(t, "6443", c.Address())
	m.Forward(t, "80", c.Server)
	return m
}

// boots is how a machine gets its userdata.
type boots func(t *testing.T, c *nodecluster.Cluster, name string, data []byte) (m *vm.Machine, arguments []string)

func byCloudInit(t *testing.T, c *nodecluster.Cluster, name string, data []byte) (m *vm.Machine, arguments []string) {
	t.Helper()
	m = newNode(t, c, name, "cloud-init.target")
	m.Put(t, "/etc/cloud/cloud.cfg.d/99-test.cfg", cloudConfig, 0o644)
	m.Put(t, "/etc/machine-id", "0123456789abcdef0123456789abcdef\n", 0o444)
	m.Seed(t, data, "instance-id: i-"+name+"\nlocal-hostname: "+name+"\n")
	return m, nil
}

func byIgnition(t *testing.T, c *nodecluster.Cluster, name string, data []byte) (m *vm.Machine, arguments []string) {
	t.Helper()
	m = newNode(t, c, name, "multi-user.target")
	m.Put(t, "/etc/cloud/cloud-init.disabled", "", 0o644)
	m.Put(t, "/etc/machine-id", "uninitialized\n", 0o444)
	m.Ignite(t, data)
	return m, vm.IgnitionArguments()
}

func TestMachinesJoin(t *testing.T) {
	const debian, flatcar = "{distribution: debian}", "{distribution: flatcar, version: 4230.2.0}"
	c := nodecluster.New(t, nodecluster.Endpoint{Host: host, Port: 6443})
	cases := map[string]struct {
		reason, system, delivery string
		inImage                  bool
		boots                    boots
	}{
		"cloud-init-native": {reason: "cloud-init alone", system: debian, delivery: "{mode: Native}", boots: byCloudInit},
		"cloud-init-agent": {
			reason: "cloud-init fetches the agent", system: debian, delivery: c.FetchedAgent(t, "http://"+host),
			boots: byCloudInit,
		},
		"ignition-native": {reason: "Ignition alone", system: flatcar, delivery: "{mode: Native}", boots: byIgnition},
		"ignition-agent": {
			reason: "Ignition starts the image's agent", system: flatcar, delivery: "{mode: Agent}",
			inImage: true, boots: byIgnition,
		},
	}
	for name, s := range cases {
		t.Run(name, func(t *testing.T) {
			c := c.For(t)
			m, arguments := s.boots(t, c, name, c.Data(t, nodecluster.Worker{
				Name: name, OS: s.system, Delivery: s.delivery, Kubernetes: "{provision: Image}",
			}))
			if s.inImage {
				m.Install(t, "/usr/bin/machineadm", c.Agent)
			}
			ended, end := m.Start(t, arguments...)
			reports(t, c, m, ended)
			c.Joined(t, name)
			end()
			holds(t, c, m, strings.Contains(s.delivery, "Agent"))
			hides(t, c, m, name)
		})
	}
}

// reports waits until the machine's bootstrap is over, and fails the test at once if it has failed.
func reports(t *testing.T, c *nodecluster.Cluster, m *vm.Machine, ended <-chan struct{}) {
	t.Helper()
	c.Eventually(func() bool {
		select {
		case <-ended:
			return true
		default:
			return m.Printed("reported")
		}
	}).WithTimeout(nodecluster.MachinePatience).WithPolling(time.Second).Should(BeTrue(), m.Console)
	c.Expect(m.Printed("reported")).To(BeTrue(), m.Console)
	got := m.Reported(t)
	if got["bootstrap-success.complete"] == "" || got["bootstrap-failure.json"] != "" {
		t.Fatalf("no sentinel, or a failure\n%s\n%s\n%s", got["bootstrap-failure.json"], got["failed"],
			got["journal"][max(0, len(got["journal"])-20000):])
	}
}

// holds compares what the machine has reported with the manifests.
func holds(t *testing.T, c *nodecluster.Cluster, m *vm.Machine, agent bool) {
	t.Helper()
	got := m.Reported(t)
	wants := map[string]string{
		"bootstrap-success.complete": "success", "owner": "app keepers 600", "active": "active\nactive\nactive",
		"sysctl": "262144\n1", "phases": "pre\npost",
	}
	for name, want := range wants {
		if got[name] != want {
			t.Errorf("%s: %q is not %q", name, got[name], want)
		}
	}
	if !agent {
		return
	}
	var status struct {
		State string
		Steps []struct{ Phase, Action, Outcome string }
	}
	c.Expect(json.Unmarshal([]byte(got["status"]), &status)).To(Succeed(), got["status"])
	c.Expect(status.State).To(Equal("Succeeded"))
	c.Expect(status.Steps).To(ContainElement(And(HaveField("Phase", "join"), HaveField("Action", "run kubeadm join"),
		HaveField("Outcome", "Changed"))))
}

// hides searches the machine's disk, its console and its reports for the secrets that it was given: the token it joined
// with, and the file's text. cloud-init keeps the userdata private, and no other file may contain any of it.
func hides(t *testing.T, c *nodecluster.Cluster, m *vm.Machine, name string) {
	t.Helper()
	search, err := canary.For(c.Token(t, name))
	c.Expect(err).NotTo(HaveOccurred())
	tree := m.Tree(t, "/etc", "/home", "/root", "/srv", "/tmp", "/usr/local", "/var")
	const meant = "/srv/app/licence"
	found := false
	err = filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		switch seen := search.In(string(text)); {
		case len(seen) == 0 || keptByCloudInit(tree, path):
		case path == tree+meant:
			found = true
		default:
			t.Errorf("%s shows %s", strings.TrimPrefix(path, tree), seen)
		}
		return err
	})
	if !found {
		t.Errorf("%s does not show what it is meant to", meant)
	}
	c.Expect(err).NotTo(HaveOccurred())
	console, err := os.ReadFile(m.ConsoleFile())
	c.Expect(err).NotTo(HaveOccurred())
	for place, text := range m.Reported(t) {
		for _, sighting := range append(search.In(text), search.In(string(console))...) {
			t.Errorf("%s, or the console, shows %s", place, sighting)
		}
	}
	for _, gone := range []string{
		"/etc/machineadm/machineadm_config.yaml", "/etc/machineadm/kubeadm.yaml",
		"/etc/kubernetes/bootstrap-kubelet.conf",
	} {
		if _, err := os.Lstat(filepath.Join(tree, gone)); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
}

// keptByCloudInit reports whether a file is one of cloud-init's own, which root alone may read.
func keptByCloudInit(tree, path string) bool {
	info, err := os.Stat(path)
	return err == nil && strings.HasPrefix(path, filepath.Join(tree, "/var/lib/cloud/")) && info.Mode().Perm()&0o077 == 0
}
