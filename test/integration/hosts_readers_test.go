package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/test/integration/readers"
)

// read returns a HostMachine or a HostCluster as a core of another version reads it.
func (w *hostsWorld) read(core readers.Core, kind, name string) (readers.Infrastructure, error) {
	w.t.Helper()
	by := w.referenceOf(core, schema.GroupKind{Group: hostsv1.Group, Kind: kind})
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(by.Kind)
	w.Expect(w.get(name, object)).To(Succeed())
	if kind == hostsv1.MachineKind {
		return core.Machine(by, object)
	}
	return core.Cluster(by, object)
}

// TestHostsReadersOfOtherCores checks machines and clusters as cores read them that the tests do not run.
func TestHostsReadersOfOtherCores(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-readers")
	w.hosts(2)
	w.boot("good", false)
	w.provision("good")
	w.boot("bad", false)
	w.fleet.Finish(w.claimed("bad"), "there is no disk")
	w.Eventually(func() string { return w.reason("bad") }).Should(Equal(string(host.ReasonBootFailed)))
	for _, core := range []readers.Core{readers.Core17(), readers.Core113()} {
		good, err := w.read(core, hostsv1.MachineKind, "good")
		w.Expect(err).NotTo(HaveOccurred(), core.Name)
		w.Expect(good.Provisioned).To(BeTrue(), core.Name)
		w.Expect(good.ProviderID).To(Equal("machineadm-hosts:///"+w.name+"/good"), core.Name)
		w.Expect(good.Addresses).To(ConsistOf("InternalIP 192.0.2.1", "Hostname good"), core.Name)
		w.Expect(good.Ready.Status).To(Equal("True"), core.Name)
		bad, err := w.read(core, hostsv1.MachineKind, "bad")
		w.Expect(err).NotTo(HaveOccurred(), core.Name)
		w.Expect(bad.Provisioned).To(BeFalse(), core.Name)
		w.Expect(bad.FailureReason).To(BeEquivalentTo(host.ReasonBootFailed), core.Name)
		w.Expect(bad.FailureMessage).To(ContainSubstring("there is no disk"), core.Name)
		cluster, err := w.read(core, hostsv1.ClusterKind, w.name)
		w.Expect(err).NotTo(HaveOccurred(), core.Name)
		w.Expect(cluster.Provisioned).To(BeTrue(), core.Name)
		w.Expect(cluster.Endpoint).To(Equal(w.env.Address()), core.Name)
	}
}

// TestHostsReadersOfFailureDomains records that cores of contract v1beta1 cannot read a cluster with failure domains,
// which contract v1beta2 has in another form.
func TestHostsReadersOfFailureDomains(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-readers-domains", func(h *hostsv1.HostCluster, _ *clusterv1.Cluster) {
		h.Spec.FailureDomains = []hostsv1.HostFailureDomain{{Name: "a"}}
	})
	w.Eventually(func() []clusterv1.FailureDomain {
		h, _ := w.cluster()
		return h.Status.FailureDomains
	}).ShouldNot(BeEmpty())
	_, err := w.read(readers.Core17(), hostsv1.ClusterKind, w.name)
	w.Expect(err).To(MatchError(ContainSubstring("failureDomains")))
	newer, err := w.read(readers.Core113(), hostsv1.ClusterKind, w.name)
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(newer.FailureDomains).To(ConsistOf("a"))
}
