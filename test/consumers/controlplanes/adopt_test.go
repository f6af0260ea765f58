//go:build linux && e2e

package controlplanes_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/planes"
	"github.com/machineadm/machineadm/test/programs"
)

// adoptBlocks matches the commands of docs/guides/adopt.md, with those for a KubeadmControlPlane.
var adoptBlocks = regexp.MustCompile("(?s)```sh(?: kubeadm)?\n(.*?)```")

// TestAdopt follows the guide for a KubeadmControlPlane whose controllers run. Its machines are replaced, without a
// loss of etcd members, and the worker is not touched. The cluster and its control plane have the names of the guide.
func TestAdopt(t *testing.T) {
	c := planes.New(t).CreateKubeadm("prod")
	before, keys, worker := c.Machines(), certificates(t, c), workerOf(t, c)
	o := &observed{Cluster: c, t: t, quorum: c.WatchQuorum()}
	o.step("adoption of 3 from a KubeadmControlPlane", func() { o.adopt() })
	after := c.Machines()
	for _, m := range before {
		c.Expect(after).NotTo(ContainElement(HaveField("Name", m.Name)))
	}
	err := c.Client.Get(t.Context(), types.NamespacedName{Namespace: "default", Name: c.Name}, c.KubeadmPlane())
	c.Expect(apierrors.IsNotFound(err)).To(BeTrue())
	c.Expect(certificates(t, c)).To(Equal(keys))
	c.Expect(workerOf(t, c)).To(Equal(worker))
}

// adopt executes the commands of the guide.
func (o *observed) adopt() {
	o.t.Helper()
	dir := o.t.TempDir()
	o.Expect(o.WriteKubeconfig(filepath.Join(dir, "kubeconfig"))).To(Succeed())
	manifest, err := yaml.Marshal(o.Successor())
	o.Expect(err).NotTo(HaveOccurred())
	o.Expect(os.WriteFile(filepath.Join(dir, "control-plane.yaml"), manifest, 0o600)).To(Succeed())
	page, err := os.ReadFile(filepath.Join(programs.Root(), "docs/guides/adopt.md"))
	o.Expect(err).NotTo(HaveOccurred())
	script := ""
	for _, block := range adoptBlocks.FindAllStringSubmatch(string(page), -1) {
		script += block[1]
	}
	machineadmctl, err := programs.Build(o.t.Context(), "machineadmctl")
	o.Expect(err).NotTo(HaveOccurred())
	shell := exec.CommandContext(o.t.Context(), "bash", "-euxo", "pipefail", "-c", script)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(dir, "kubeconfig"),
		"PATH="+filepath.Dir(debian.Tool(o.t, "kubectl"))+":"+filepath.Dir(machineadmctl)+":"+os.Getenv("PATH"))
	out, err := shell.CombinedOutput()
	o.t.Logf("%s", out)
	o.Expect(err).NotTo(HaveOccurred(), o.Describe)
}

// certificates returns the contents of the Secrets with the cluster's keys.
func certificates(t *testing.T, c *planes.Cluster) map[string]map[string][]byte {
	t.Helper()
	found := map[string]map[string][]byte{}
	for _, purpose := range []string{"ca", "etcd", "proxy", "sa"} {
		s := &corev1.Secret{}
		key := client.ObjectKey{Namespace: "default", Name: c.Name + "-" + purpose}
		c.Expect(c.Client.Get(t.Context(), key, s)).To(Succeed())
		found[purpose] = s.Data
	}
	return found
}

// worker is what does not change if a machine is not touched.
type worker struct {
	machine, config, node, boot string
	process                     int
}

// workerOf returns the only worker.
func workerOf(t *testing.T, c *planes.Cluster) worker {
	t.Helper()
	machines, node := c.Workers(), &corev1.Node{}
	c.Expect(machines).To(HaveLen(1))
	m := &machines[0]
	c.Expect(c.Workload().Get(t.Context(), client.ObjectKey{Name: m.Status.NodeRef.Name}, node)).To(Succeed())
	c.Expect(m.Status.Phase).To(Equal(string(clusterv1.MachinePhaseRunning)))
	return worker{
		machine: string(m.UID), config: m.Spec.Bootstrap.ConfigRef.Name, node: string(node.UID),
		boot: node.Status.NodeInfo.BootID, process: c.Process(m),
	}
}
