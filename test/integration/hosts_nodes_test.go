package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/ports"
)

// TestHostsContractNodeOfUnprovisionedMachine checks that the core deletes the Node of a machine that failed, or was
// deleted, after its kubelet had created the Node.
func TestHostsContractNodeOfUnprovisionedMachine(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-node")
	w.hosts(2)
	w.boot("cp", true)
	w.provision("cp")
	for name, end := range map[string]func(ports.Key){
		"deleted": func(ports.Key) {},
		"failed":  func(key ports.Key) { w.fleet.Finish(key, "etcd does not answer") },
	} {
		w.boot(name, false)
		key := w.claimed(name)
		w.node(name)
		end(key)
		if name == "failed" {
			w.Eventually(func() *string { return w.infrastructure(name).Status.FailureReason }).ShouldNot(BeNil())
		}
		w.delete(name)
		node := &corev1.Node{}
		err := w.env.Client.Get(t.Context(), client.ObjectKey{Name: w.name + "-" + name}, node)
		w.Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%s: the Node still exists: %v", name, err)
	}
}
