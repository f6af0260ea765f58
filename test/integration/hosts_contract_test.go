package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
)

// TestHostsContractProviderID checks that the core finds the Node by the provider ID of kubelet.
func TestHostsContractProviderID(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-provider-id")
	w.hosts(1)
	w.boot("m", true)
	w.provision("m")
	m := &clusterv1.Machine{}
	w.Eventually(func(g Gomega) {
		g.Expect(w.get("m", m)).To(Succeed())
		g.Expect(m.Status.NodeRef.Name).To(Equal(w.name + "-m"))
	}).Should(Succeed())
	w.Expect(m.Spec.ProviderID).To(Equal("machineadm-hosts:///" + w.name + "/m"))
	_, booted := w.fleet.Runs(w.claimed("m"))
	w.Expect(booted.ProviderID).To(Equal(m.Spec.ProviderID))
	w.Expect(w.infrastructure("m").Finalizers).To(ContainElement(hostsv1.MachineFinalizer))
}
