package nodecluster

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// conditions returns why a machine has no userdata.
func (c *Cluster) conditions(t *testing.T, name string) string {
	t.Helper()
	config := &v1alpha1.MachineBootstrapConfig{}
	err := c.Client.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: name}, config)
	return fmt.Sprintf("%v %+v", err, config.Status.Conditions)
}

// Publish copies a file to the directory of files and returns its SHA-256.
func (c *Cluster) Publish(t *testing.T, name, path string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Clean(path))
	c.Expect(err).NotTo(gomega.HaveOccurred())
	c.Expect(os.WriteFile(filepath.Join(c.Files, name), content, 0o644)).To(gomega.Succeed())
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:])
}

// FetchedAgent is the delivery of an agent that machines fetch from the server, whose URL for them is base.
func (c *Cluster) FetchedAgent(t *testing.T, base string) string {
	t.Helper()
	return `{mode: Agent, agent: {source: Fetch, fetch: {url: "` + base + `/machineadm", sha256: "` +
		c.Publish(t, "machineadm", c.Agent) + `"}}}`
}

// Joined waits until the cluster has the machine's node, as the manifests describe it, and Cluster API knows it.
func (c *Cluster) Joined(t *testing.T, name string) {
	t.Helper()
	node := &corev1.Node{}
	c.Eventually(func(g gomega.Gomega) {
		g.Expect(c.Client.Get(t.Context(), client.ObjectKey{Name: name}, node)).To(gomega.Succeed())
		g.Expect(node.Status.Conditions).To(gomega.ContainElement(gomega.And(gomega.HaveField("Type", corev1.NodeReady),
			gomega.HaveField("Status", corev1.ConditionTrue))))
		g.Expect(node.Spec.Taints).NotTo(gomega.ContainElement(gomega.HaveField("Key",
			gomega.HavePrefix("node.cluster.x-k8s.io/"))))
		g.Expect(c.machine(t, name).Status.NodeRef.Name).To(gomega.Equal(name))
	}).WithTimeout(MachinePatience).WithPolling(time.Second).Should(gomega.Succeed())
	c.Expect(node.Labels).To(gomega.And(gomega.HaveKeyWithValue("node.kubernetes.io/pool", "general"),
		gomega.HaveKeyWithValue("example.org/name", name)))
	c.Expect(node.Spec.Taints).To(gomega.ContainElement(gomega.HaveField("Key", "example.org/dedicated")))
	c.Expect(node.Spec.ProviderID).To(gomega.Equal("standin://default/" + name))
	c.Expect(node.Status.NodeInfo.KubeletVersion).To(gomega.Equal(Version))
	c.Expect(node.Status.Capacity.Pods().Value()).To(gomega.Equal(int64(64)))
}

// Token returns the secret half of the token that the controller created for the machine.
func (c *Cluster) Token(t *testing.T, name string) string {
	t.Helper()
	data, token := &corev1.Secret{}, &corev1.Secret{}
	c.Expect(c.Client.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: name}, data)).To(gomega.Succeed())
	id := data.Annotations["bootstrap.machineadm.io/token-id"]
	c.Expect(c.Client.Get(t.Context(), client.ObjectKey{Namespace: "kube-system", Name: "bootstrap-token-" + id},
		token)).To(gomega.Succeed())
	return string(token.Data["token-secret"])
}
