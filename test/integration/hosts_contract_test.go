package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/cluster-api/util/contract"
	"sigs.k8s.io/controller-runtime/pkg/client"

	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// hostDefinitions returns the installed definitions of the kinds of hosts.
func hostDefinitions(t *testing.T) []apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	g := NewWithT(t)
	_, err := fleet()
	g.Expect(err).NotTo(HaveOccurred())
	var list apiextensionsv1.CustomResourceDefinitionList
	label := client.MatchingLabels{clusterv1.ProviderNameLabel: "infrastructure-machineadm-hosts"}
	g.Expect(shared().Client.List(t.Context(), &list, label)).To(Succeed())
	g.Expect(list.Items).To(HaveLen(5))
	return list.Items
}

// TestHostsContractDefinitions checks scope, names and group of the kinds.
func TestHostsContractDefinitions(t *testing.T) {
	t.Parallel()
	for _, crd := range hostDefinitions(t) {
		if crd.Spec.Group != hostsv1.Group || crd.Spec.Scope != apiextensionsv1.NamespaceScoped {
			t.Errorf("%s: group %s, scope %s", crd.Name, crd.Spec.Group, crd.Spec.Scope)
		}
		if want := contract.CalculateCRDName(crd.Spec.Group, crd.Spec.Names.Kind); crd.Name != want {
			t.Errorf("name %s, want %s", crd.Name, want)
		}
	}
}

// TestHostsContractLabels checks the labels by which cores find the version for each contract.
func TestHostsContractLabels(t *testing.T) {
	t.Parallel()
	for _, crd := range hostDefinitions(t) {
		for _, label := range []string{"cluster.x-k8s.io/v1beta1", "cluster.x-k8s.io/v1beta2"} {
			if crd.Labels[label] != hostsv1.Version {
				t.Errorf("%s: label %s is %q, want %s", crd.Name, label, crd.Labels[label], hostsv1.Version)
			}
		}
	}
}

// TestHostsContractListsAndTemplates checks that each kind has a list, and that machines and clusters have templates.
func TestHostsContractListsAndTemplates(t *testing.T) {
	t.Parallel()
	kinds := map[string]bool{}
	for _, crd := range hostDefinitions(t) {
		kinds[crd.Spec.Names.Kind] = true
		if crd.Spec.Names.ListKind != crd.Spec.Names.Kind+"List" {
			t.Errorf("%s: the list is %s", crd.Name, crd.Spec.Names.ListKind)
		}
	}
	for _, kind := range []string{hostsv1.MachineKind, hostsv1.ClusterKind} {
		if !kinds[kind] || !kinds[kind+"Template"] {
			t.Errorf("%s or its template is missing: %v", kind, kinds)
		}
	}
}

// TestHostsContractWaitsForOwner creates a HostMachine without a Machine.
func TestHostsContractWaitsForOwner(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-owner")
	w.hosts(1)
	_, infrastructure := w.machine("m", false)
	w.create(infrastructure)
	w.Eventually(func() string { return w.reason("m") }).Should(Equal(string(host.ReasonWaitingForOwner)))
	w.Expect(w.infrastructure("m").Finalizers).To(BeEmpty())
	m, _ := w.machine("m", false)
	w.create(m)
	w.claimed("m")
}

// TestHostsContractWaitsForCluster creates a Machine before its Cluster, with a HostMachine that it owns already.
func TestHostsContractWaitsForCluster(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-cluster")
	m, infrastructure := w.machine("m", false)
	m.Spec.ClusterName = "later"
	w.create(m)
	infrastructure.OwnerReferences = ownerReference(m)
	w.create(infrastructure)
	w.Eventually(func() string { return w.reason("m") }).Should(Equal(string(host.ReasonWaitingForCluster)))
	w.Expect(w.infrastructure("m").Finalizers).To(BeEmpty())
	w.create(&clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "later"},
		Spec:       clusterv1.ClusterSpec{InfrastructureRef: w.reference(hostsv1.ClusterKind, "later")},
	})
	// The label of the HostMachine is that of the other Cluster until the core has set it.
	w.Eventually(func() []string { return w.infrastructure("m").Finalizers }).ShouldNot(BeEmpty())
}

// TestHostsContractProvisioningOrder checks that no host is claimed before the Cluster's infrastructure is ready and
// the bootstrap data exists. The data is rendered by this project's bootstrap provider.
func TestHostsContractProvisioningOrder(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-order", func(c *hostsv1.HostCluster, _ *clusterv1.Cluster) {
		c.Spec.ControlPlaneEndpoint = hostsv1.APIEndpoint{}
	})
	w.hosts(2)
	first, second := w.rendered("cp0", true), w.rendered("cp1", true)
	for _, name := range []string{first, second} {
		w.Eventually(func() string { return w.reason(name) }).Should(
			Equal(string(host.ReasonWaitingForInfrastructure)))
		m := w.infrastructure(name)
		w.Expect(m.Finalizers).To(ContainElement(hostsv1.MachineFinalizer))
		w.Expect(m.Spec.Claim).To(BeNil())
	}
	c := &hostsv1.HostCluster{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: w.name}}
	endpoint, port := w.env.Endpoint()
	w.patch(c, func() { c.Spec.ControlPlaneEndpoint = hostsv1.APIEndpoint{Host: endpoint, Port: port} })
	// One of both starts the control plane, and the other one waits for it.
	var starts, waits string
	w.Eventually(func(g Gomega) {
		starts, waits = first, second
		if w.infrastructure(second).Spec.Claim != nil {
			starts, waits = second, first
		}
		g.Expect(w.infrastructure(starts).Spec.Claim).NotTo(BeNil())
		g.Expect(w.reason(waits)).To(Equal(string(host.ReasonWaitingForData)))
	}).Should(Succeed())
	w.Expect(w.infrastructure(waits).Spec.Claim).To(BeNil())
	_, booted := w.fleet.Runs(w.claimed(starts))
	w.Expect(string(booted.Data.Reveal())).To(ContainSubstring("machineadm-hosts:///" + w.name + "/" + starts))
}

// rendered creates a machine whose data this project's bootstrap provider renders as a shell script, and returns its
// name.
func (w *hostsWorld) rendered(name string, controlPlane bool) string {
	w.t.Helper()
	config := w.config(name, func(c *v1alpha1.MachineBootstrapConfig) { c.Spec.Format = "shell" })
	m, infrastructure := w.machine(config.Name, controlPlane)
	m.Spec.Bootstrap = clusterv1.Bootstrap{ConfigRef: clusterv1.ContractVersionedObjectReference{
		APIGroup: v1alpha1.Group, Kind: v1alpha1.ConfigKind, Name: config.Name,
	}}
	w.create(config, infrastructure, m)
	return m.Name
}

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
}

// TestHostsContractAddresses checks that the Machine gets the addresses and the name of its host.
func TestHostsContractAddresses(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-addresses")
	w.hosts(1)
	w.boot("m", false)
	got := w.provision("m").Status.Addresses
	w.Expect(got).To(ConsistOf(
		clusterv1.MachineAddress{Type: clusterv1.MachineInternalIP, Address: "192.0.2.1"},
		clusterv1.MachineAddress{Type: clusterv1.MachineHostName, Address: "m"},
	))
	w.Eventually(func() clusterv1.MachineAddresses {
		m := &clusterv1.Machine{}
		_ = w.get("m", m)
		return m.Status.Addresses
	}).Should(ConsistOf(got))
}

// TestHostsContractInitialization checks that a machine is provisioned once its bootstrap succeeded, for readers of
// both contract versions, and stays so.
func TestHostsContractInitialization(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-initialization")
	w.hosts(1)
	w.boot("m", false)
	key := w.claimed("m")
	w.Expect(w.infrastructure("m").Status.Initialization.Provisioned).To(BeNil())
	w.Expect(w.infrastructure("m").Spec.ProviderID).To(BeEmpty())
	w.provision("m")
	w.Expect(w.infrastructure("m").Status.Initialization.Provisioned).To(HaveValue(BeTrue()))
	w.Eventually(func() *bool {
		m := &clusterv1.Machine{}
		_ = w.get("m", m)
		return m.Status.Initialization.InfrastructureProvisioned
	}).Should(HaveValue(BeTrue()))
	w.unreachable(key, true)
	w.observeAgain("m")
	w.Eventually(func() string { return w.reason("m") }).Should(Equal(string(host.FaultUnreachable)))
	w.Expect(w.infrastructure("m").Status.Initialization.Provisioned).To(HaveValue(BeTrue()))
	w.Expect(w.infrastructure("m").Status.Ready).To(BeTrue())
	w.unreachable(key, false)
}

// TestHostsContractConditions checks the conditions of a machine, and that the core mirrors Ready to the Machine.
func TestHostsContractConditions(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-conditions")
	w.boot("m", false)
	w.mirrors("m", metav1.ConditionFalse, host.ReasonNoMatchingHost)
	w.hosts(1)
	w.claimed("m")
	w.mirrors("m", metav1.ConditionFalse, host.ReasonBooting)
	m := w.provision("m")
	for _, name := range []string{
		host.ConditionReady, host.ConditionHostClaimed, host.ConditionBootSucceeded, host.ConditionHostReachable,
	} {
		w.Expect(conditions.IsTrue(m, name)).To(BeTrue(), "%s: %+v", name, m.Status.Conditions)
	}
	w.Expect(conditions.IsFalse(m, host.ConditionPaused)).To(BeTrue())
	w.mirrors("m", metav1.ConditionTrue, host.ReasonProvisioned)
}

// mirrors waits until the Machine's condition InfrastructureReady is the condition Ready of its HostMachine.
func (w *hostsWorld) mirrors(name string, status metav1.ConditionStatus, reason host.Reason) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		m := &clusterv1.Machine{}
		g.Expect(w.get(name, m)).To(Succeed())
		c := conditions.Get(m, clusterv1.MachineInfrastructureReadyCondition)
		g.Expect(c).NotTo(BeNil())
		g.Expect(c.Status).To(Equal(status))
		g.Expect(c.Reason).To(Equal(string(reason)))
		g.Expect(c.Message).To(Equal(conditions.GetMessage(w.infrastructure(name), host.ConditionReady)))
	}).Should(Succeed())
}

// TestHostsContractTerminalFailure checks that a failed bootstrap ends the machine with its reason, for readers of both
// contract versions, and that the host is kept until the Machine is deleted.
func TestHostsContractTerminalFailure(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-terminal")
	w.hosts(1)
	w.boot("m", false)
	w.fleet.Finish(w.claimed("m"), "there is no disk")
	w.Eventually(func() *string { return w.infrastructure("m").Status.FailureReason }).
		Should(HaveValue(BeEquivalentTo(host.ReasonBootFailed)))
	m := w.infrastructure("m")
	w.Expect(m.Status.FailureMessage).To(HaveValue(ContainSubstring("there is no disk")))
	w.mirrors("m", metav1.ConditionFalse, host.ReasonBootFailed)
	w.observeAgain("m")
	w.Consistently(func() string { return w.host("h0").Spec.Claim.ID }, observed).Should(Equal(m.Spec.Claim.ID))
	runs, _ := w.fleet.Runs(w.claimed("m"))
	w.Expect(runs).To(Equal(1))
	w.delete("m")
	w.available("h0")
}

// TestHostsContractDeletionOrder checks that a machine keeps its finalizer until its host is released, also if the
// infrastructure of its Cluster is gone.
func TestHostsContractDeletionOrder(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-deletion")
	w.hosts(1)
	w.boot("m", false)
	w.provision("m")
	key := w.claimed("m")
	w.Expect(w.env.Client.Delete(t.Context(), &hostsv1.HostCluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: w.name},
	})).To(Succeed())
	h := w.host("h0")
	w.Expect(w.env.Client.Delete(t.Context(), h)).To(Succeed())
	w.unreachable(key, true)
	m, _ := w.machine("m", false)
	w.Expect(w.env.Client.Delete(t.Context(), m)).To(Succeed())
	w.Eventually(func() string { return w.reason("m") }).Should(Equal(string(host.FaultUnreachable)))
	w.Expect(w.infrastructure("m").Finalizers).To(ContainElement(hostsv1.MachineFinalizer))
	w.Expect(w.host("h0").Finalizers).To(ContainElement(hostsv1.HostFinalizer))
	w.unreachable(key, false)
	w.Eventually(func(g Gomega) {
		g.Expect(w.get("m", &hostsv1.HostMachine{})).NotTo(Succeed())
		g.Expect(w.get("h0", &hostsv1.Host{})).NotTo(Succeed())
	}).Should(Succeed())
	w.Expect(w.fleet.Claim(key)).To(BeEmpty())
}

// TestHostsContractDeletionWithoutOwner checks that a HostMachine that no Machine owns is deleted too: at once before
// it was ever owned, and after its host is released otherwise.
func TestHostsContractDeletionWithoutOwner(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-orphans")
	w.hosts(1)
	_, orphan := w.machine("orphan", false)
	w.create(orphan)
	w.Eventually(func() string { return w.reason("orphan") }).Should(Equal(string(host.ReasonWaitingForOwner)))
	w.boot("m", false)
	key := w.claimed("m")
	m := w.infrastructure("m")
	w.pause(true)
	w.patch(m, func() { m.OwnerReferences = nil })
	w.Expect(w.env.Client.Delete(t.Context(), orphan)).To(Succeed())
	w.Expect(w.env.Client.Delete(t.Context(), m)).To(Succeed())
	w.pause(false)
	w.Eventually(func(g Gomega) {
		g.Expect(w.get("orphan", &hostsv1.HostMachine{})).NotTo(Succeed())
		g.Expect(w.get("m", &hostsv1.HostMachine{})).NotTo(Succeed())
	}).Should(Succeed())
	w.Expect(w.fleet.Claim(key)).To(BeEmpty())
	w.available("h0")
}

// TestHostsContractPause checks that nothing is decided while the Cluster, or a HostMachine, is paused.
func TestHostsContractPause(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-pause")
	w.boot("a", false)
	w.boot("b", false, func(m *hostsv1.HostMachine) {
		m.Annotations = map[string]string{clusterv1.PausedAnnotation: ""}
	})
	paused := func(name string) func() bool {
		return func() bool { return conditions.IsTrue(w.infrastructure(name), host.ConditionPaused) }
	}
	w.Eventually(paused("b")).Should(BeTrue())
	w.Eventually(func() string { return w.reason("a") }).Should(Equal(string(host.ReasonNoMatchingHost)))
	w.pause(true)
	w.Eventually(paused("a")).Should(BeTrue())
	w.Eventually(func() bool {
		c := &hostsv1.HostCluster{}
		_ = w.get(w.name, c)
		return conditions.IsTrue(c, host.ConditionPaused)
	}).Should(BeTrue())
	w.hosts(2)
	w.Consistently(func(g Gomega) {
		g.Expect(w.infrastructure("a").Spec.Claim).To(BeNil())
		g.Expect(w.infrastructure("b").Spec.Claim).To(BeNil())
	}, observed).Should(Succeed())
	w.pause(false)
	w.claimed("a")
	w.Expect(w.infrastructure("b").Spec.Claim).To(BeNil())
}

// unreachable makes all calls for a host fail, or ends that.
func (w *hostsWorld) unreachable(key ports.Key, fails bool) {
	var failure memory.HostFailure
	if fails {
		failure.Fault = host.FaultUnreachable
	}
	w.fleet.Fail(key, failure)
}

// observeAgain changes an annotation of a HostMachine, so that the controller observes its host.
func (w *hostsWorld) observeAgain(name string) {
	w.t.Helper()
	m := w.infrastructure(name)
	w.patch(m, func() { m.Annotations = map[string]string{"example.com/observe": "again"} })
}

// available waits until a host is in the pool again.
func (w *hostsWorld) available(name string) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		h := w.host(name)
		g.Expect(h.Spec.Claim).To(BeNil())
		g.Expect(h.Status.State).To(Equal(string(host.StateAvailable)))
	}).Should(Succeed())
}

// TestHostsReadOnlyTheirSecrets checks that a host does not use a Secret without the label.
func TestHostsReadOnlyTheirSecrets(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-secrets")
	w.create(w.secret("other", map[string]string{corev1.SSHAuthPrivateKey: "key"}), &hostsv1.Host{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "h"},
		Spec: hostsv1.HostSpec{
			Address: "192.0.2.1", HostKeys: []string{"ssh-ed25519 AAAA"}, SSHKeyRef: hostsv1.SSHKeyReference{Name: "other"},
		},
	})
	w.Eventually(func() string { return conditions.GetReason(w.host("h"), host.ConditionReady) }).
		Should(Equal(string(host.FaultCredentials)))
	w.Expect(conditions.GetMessage(w.host("h"), host.ConditionReady)).To(ContainSubstring("label"))
}
