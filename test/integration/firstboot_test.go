package integration_test

import (
	"crypto/x509"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/s3server"
)

// TestRealProgramsFetchWhatIsStored boots the published userdata with the formats' own first-boot programs.
func TestRealProgramsFetchWhatIsStored(t *testing.T) {
	t.Parallel()
	w, server := initialized(t, "fetched"), s3server.Start(t, false, "machines")
	w.bucket(server)
	w.stash()
	for name, s := range stages() {
		machine := w.boot(name, false, withStorage, withSecretFile,
			func(c *v1alpha1.MachineBootstrapConfig) { c.Spec.OS = s.os })
		w.published(machine)
		m := s.boots(t, string(w.data(machine).Data["value"]))
		w.Expect(m.Read(t, "/etc/app")).To(Equal(stashed+"\n"), name)
		w.Expect(m.Read(t, "/var/log/calls")).To(ContainSubstring("kubeadm join"), name)
	}
}

// TestLargeControlPlaneBoots checks that keys of RSA-4096 and 300 KiB of files fit into AWS's limit, behind a stub, and
// that the formats' own first-boot programs write all of them to the machine.
func TestLargeControlPlaneBoots(t *testing.T) {
	t.Parallel()
	content := large(300 << 10)
	for name, s := range nightly.Cases(t, stages(), "ignition") {
		w, server := newWorld(t, "rsa-"+name), s3server.Start(t, false, "machines")
		w.bucket(server)
		m, _ := w.machine("a", true)
		m.Spec.InfrastructureRef.Kind = "AWSMachine"
		w.create(w.config("a", withStorage, withFile(content), func(c *v1alpha1.MachineBootstrapConfig) {
			c.Spec.OS = s.os
			c.Spec.ControlPlane = &v1alpha1.ControlPlaneConfigSpec{
				Certificates: &v1alpha1.CertificatesSpec{Algorithm: "RSA-4096"},
			}
		}), m)
		w.published(m.Name)
		stub := string(w.data(m.Name).Data["value"])
		w.Expect(len(stub)).To(BeNumerically("<", 4<<10))
		w.Expect(len(w.data(m.Name + "-stored").Data["value"])).To(BeNumerically(">", 16384))
		machine := s.boots(t, stub)
		w.Expect(machine.Read(t, "/etc/large") == content).To(BeTrue(), "%s: the file differs", name)
		for _, key := range []string{"sa", "front-proxy-ca", "etcd/ca"} {
			block, _ := pem.Decode([]byte(machine.Read(t, "/etc/kubernetes/pki/"+key+".key")))
			w.Expect(block).NotTo(BeNil(), key)
			parsed, err := x509.ParsePKCS1PrivateKey(block.Bytes)
			w.Expect(err).NotTo(HaveOccurred(), key)
			w.Expect(parsed.N.BitLen()).To(Equal(4096), key)
		}
		w.Expect(machine.Read(t, "/var/log/calls")).To(ContainSubstring("kubeadm init"), name)
	}
}

// blank is a machine that was never on, whose programs of Kubernetes write down how they are called.
func blank(t *testing.T) *debian.Machine {
	t.Helper()
	m := debian.New(t, "bookworm")
	for _, program := range []string{"kubeadm", "systemctl", "containerd"} {
		m.Put(t, "/usr/local/sbin/"+program, "#!/bin/sh\necho \"${0##*/} $*\" >>/var/log/calls\n", 0o755)
	}
	return m
}

// stage has a first-boot program boot a machine with userdata. Sentinel is where it leaves the sentinel, in the
// machine's state.
type stage struct {
	os       v1alpha1.OSSpec
	sentinel string
	boot     func(t *testing.T, m *debian.Machine, userdata string) *exec.Cmd
}

func stages() map[string]stage {
	return map[string]stage{
		"cloud-init": {v1alpha1.OSSpec{Distribution: "debian", Version: "12"}, "upper/var/log/run/cluster-api", byCloudInit},
		"ignition":   {v1alpha1.OSSpec{Distribution: "flatcar"}, "run/cluster-api", byIgnition},
	}
}

// boots returns a machine that has booted with the userdata.
func (s stage) boots(t *testing.T, userdata string) *debian.Machine {
	t.Helper()
	m := blank(t)
	if out, err := s.boot(t, m, userdata).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s%s", err, out, m.Log())
	}
	return m
}

func byCloudInit(t *testing.T, m *debian.Machine, userdata string) *exec.Cmd {
	t.Helper()
	m.Put(t, "/etc/cloud/cloud.cfg.d/99-test.cfg",
		"datasource_list: [NoCloud, None]\nnetwork: {config: disabled}\nlocale: C.UTF-8\n", 0o644)
	m.Put(t, "/var/lib/cloud/seed/nocloud/meta-data", "instance-id: i-test-1\nlocal-hostname: node-1\n", 0o644)
	m.Put(t, "/var/lib/cloud/seed/nocloud/user-data", userdata, 0o600)
	cmd := exec.CommandContext(t.Context(), "../consumers/cloudinit/boot.sh", m.Lower, m.State)
	// The machine shares the network of the test, which serves what it fetches.
	cmd.Env = append(os.Environ(), "MACHINEADM_NETWORK=shared")
	return cmd
}

func byIgnition(t *testing.T, m *debian.Machine, userdata string) *exec.Cmd {
	t.Helper()
	file := filepath.Join(m.State, "config.ign")
	if err := os.WriteFile(file, []byte(userdata), 0o600); err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(t.Context(), "../consumers/ignition/ignite.sh", m.Lower, m.State, "v3",
		debian.Tool(t, "ignition"), file)
}
