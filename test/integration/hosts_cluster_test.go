package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
)

// cluster returns the HostCluster and the Cluster.
func (w *hostsWorld) cluster() (*hostsv1.HostCluster, *clusterv1.Cluster) {
	infrastructure, c := &hostsv1.HostCluster{}, &clusterv1.Cluster{}
	_, _ = w.get(w.name, infrastructure), w.get(w.name, c)
	return infrastructure, c
}

// TestHostsContractEndpoint checks the endpoint of the HostCluster with the default port, that of the Cluster, and a
// cluster without any.
func TestHostsContractEndpoint(t *testing.T) {
	t.Parallel()
	t.Run("of the HostCluster", func(t *testing.T) {
		w := newHosts(t, "hosts-endpoint", func(c *hostsv1.HostCluster, _ *clusterv1.Cluster) {
			c.Spec.ControlPlaneEndpoint = hostsv1.APIEndpoint{Host: "192.0.2.1"}
		})
		w.Eventually(func(g Gomega) {
			_, c := w.cluster()
			g.Expect(c.Spec.ControlPlaneEndpoint).To(Equal(clusterv1.APIEndpoint{Host: "192.0.2.1", Port: 6443}))
			g.Expect(c.Status.Initialization.InfrastructureProvisioned).To(HaveValue(BeTrue()))
		}).Should(Succeed())
	})
	t.Run("of the Cluster", func(t *testing.T) {
		w := newHosts(t, "hosts-endpoint-cluster", func(h *hostsv1.HostCluster, c *clusterv1.Cluster) {
			h.Spec.ControlPlaneEndpoint = hostsv1.APIEndpoint{}
			c.Spec.ControlPlaneEndpoint = clusterv1.APIEndpoint{Host: "192.0.2.2", Port: 443}
		})
		w.Eventually(func(g Gomega) {
			h, c := w.cluster()
			g.Expect(h.Status.Initialization.Provisioned).To(HaveValue(BeTrue()))
			g.Expect(h.Status.Ready).To(BeTrue())
			g.Expect(c.Status.Initialization.InfrastructureProvisioned).To(HaveValue(BeTrue()))
		}).Should(Succeed())
	})
	t.Run("none", func(t *testing.T) {
		w := newHosts(t, "hosts-endpoint-none", func(h *hostsv1.HostCluster, _ *clusterv1.Cluster) {
			h.Spec.ControlPlaneEndpoint = hostsv1.APIEndpoint{}
		})
		w.Eventually(func() string {
			h, _ := w.cluster()
			return conditions.GetReason(h, host.ConditionReady)
		}).Should(Equal("WaitingForControlPlaneEndpoint"))
		h, _ := w.cluster()
		w.Expect(h.Status.Ready).To(BeFalse())
	})
}

// TestHostsContractFailureDomains checks that the Cluster gets the failure domains, and that a Machine of one of them
// uses a host of its own.
func TestHostsContractFailureDomains(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-domains", func(h *hostsv1.HostCluster, _ *clusterv1.Cluster) {
		h.Spec.FailureDomains = []hostsv1.HostFailureDomain{{Name: "a"}, {Name: "b", ControlPlane: ptr.To(false)}}
	})
	w.Eventually(func() []clusterv1.FailureDomain {
		_, c := w.cluster()
		return c.Status.FailureDomains
	}).Should(ConsistOf(
		clusterv1.FailureDomain{Name: "a", ControlPlane: ptr.To(true)},
		clusterv1.FailureDomain{Name: "b", ControlPlane: ptr.To(false)},
	))
	w.hosts(2, func(h *hostsv1.Host) { h.Spec.FailureDomain = map[string]string{"h0": "a", "h1": "b"}[h.Name] })
	for machine, domain := range map[string]string{"in-a": "a", "in-b": "b"} {
		m, infrastructure := w.machine(machine, false)
		m.Spec.FailureDomain = domain
		w.create(infrastructure, m)
	}
	w.Expect(w.claimed("in-a").Name).To(Equal("h0"))
	w.Expect(w.claimed("in-b").Name).To(Equal("h1"))
	w.Expect(w.provision("in-b").Status.FailureDomain).To(Equal("b"))
	w.Eventually(func() string {
		m := &clusterv1.Machine{}
		_ = w.get("in-b", m)
		return m.Status.FailureDomain
	}).Should(Equal("b"))
}

// TestHostsContractExternallyManaged checks that a HostCluster which another system manages is not changed.
func TestHostsContractExternallyManaged(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-external", func(h *hostsv1.HostCluster, _ *clusterv1.Cluster) {
		h.Annotations = map[string]string{clusterv1.ManagedByAnnotation: "another"}
		h.Spec.ControlPlaneEndpoint.Port = 0
	})
	w.Consistently(func(g Gomega) {
		h, _ := w.cluster()
		g.Expect(h.Status.Conditions).To(BeEmpty())
		g.Expect(h.Spec.ControlPlaneEndpoint.Port).To(BeZero())
	}, observed).Should(Succeed())
	// Without the annotation, the same object is handled.
	h, _ := w.cluster()
	w.patch(h, func() { h.Annotations = nil })
	w.Eventually(func(g Gomega) {
		h, _ := w.cluster()
		g.Expect(h.Status.Ready).To(BeTrue())
		g.Expect(h.Spec.ControlPlaneEndpoint.Port).To(BeEquivalentTo(6443))
	}).Should(Succeed())
}

// TestHostsContractDryRun checks that the dry runs of the topology controller succeed for each template.
func TestHostsContractDryRun(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-dry-run")
	template := w.template("t")
	w.create(template, &hostsv1.HostClusterTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "t"}})
	for kind, spec := range map[string]map[string]any{
		hostsv1.MachineTemplateKind: {"architecture": "arm64"},
		hostsv1.ClusterTemplateKind: {"controlPlaneEndpoint": map[string]any{"host": "192.0.2.9", "port": int64(1)}},
	} {
		changed := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": hostsv1.GroupVersion().String(), "kind": kind,
			"metadata": map[string]any{
				"namespace": w.name, "name": "t", "annotations": map[string]any{clusterv1.TopologyDryRunAnnotation: ""},
			},
			"spec": map[string]any{"template": map[string]any{"spec": spec}},
		}}
		apply := client.Apply //nolint:staticcheck // as the core does
		err := w.env.Client.Patch(t.Context(), changed, apply, client.DryRunAll, client.ForceOwnership,
			client.FieldOwner("capi-topology"))
		w.Expect(err).NotTo(HaveOccurred(), kind)
	}
}

// template returns a template of machines that use any host.
func (w *hostsWorld) template(name string, change ...func(*hostsv1.HostMachineTemplate)) *hostsv1.HostMachineTemplate {
	t := &hostsv1.HostMachineTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: name}}
	for _, f := range change {
		f(t)
	}
	return t
}

// TestHostsContractCapacity checks the capacity that the autoscaler reads from a template.
func TestHostsContractCapacity(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-capacity")
	w.create(w.template("t", func(t *hostsv1.HostMachineTemplate) {
		t.Spec.Template.Spec.HostSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"pool": "a"}}
	}))
	cpus := map[string]string{"h0": "8", "h1": "4", "h2": "1"}
	w.hosts(3, func(h *hostsv1.Host) {
		h.Labels = map[string]string{"pool": map[string]string{"h0": "a", "h1": "a", "h2": "b"}[h.Name]}
		h.Spec.Capacity = hostsv1.Capacity{
			corev1.ResourceCPU: hostsv1.Quantity(cpus[h.Name]), corev1.ResourceMemory: "16Gi",
		}
	})
	w.Eventually(func(g Gomega) {
		t := &hostsv1.HostMachineTemplate{}
		g.Expect(w.get("t", t)).To(Succeed())
		g.Expect(t.Status.Capacity).To(Equal(hostsv1.Capacity{corev1.ResourceCPU: "4", corev1.ResourceMemory: "16Gi"}))
		g.Expect(t.Status.NodeInfo).To(Equal(hostsv1.NodeInfo{Architecture: "amd64", OperatingSystem: "linux"}))
	}).Should(Succeed())
}

// workers creates a MachineDeployment of machines that use any host.
func (w *hostsWorld) workers(replicas int32) {
	w.t.Helper()
	w.create(w.template("md"), &clusterv1.MachineDeployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "md"},
		Spec: clusterv1.MachineDeploymentSpec{
			ClusterName: w.name, Replicas: ptr.To(replicas),
			Template: clusterv1.MachineTemplateSpec{Spec: clusterv1.MachineSpec{
				ClusterName: w.name, Version: version, InfrastructureRef: w.reference(hostsv1.MachineTemplateKind, "md"),
				Bootstrap: clusterv1.Bootstrap{DataSecretName: ptr.To(dataName)},
			}},
		},
	})
}

// machinesOf returns the names of the HostMachines of the MachineDeployment.
func (w *hostsWorld) machinesOf() []string {
	var list hostsv1.HostMachineList
	label := client.MatchingLabels{clusterv1.MachineDeploymentNameLabel: "md"}
	_ = w.env.Client.List(w.t.Context(), &list, client.InNamespace(w.name), label)
	var names []string
	for i := range list.Items {
		if list.Items[i].DeletionTimestamp.IsZero() {
			names = append(names, list.Items[i].Name)
		}
	}
	return names
}

// TestHostsContractRemediation checks that a MachineHealthCheck replaces a machine whose bootstrap failed, and that the
// replacement gets a host.
func TestHostsContractRemediation(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-remediation")
	w.hosts(3)
	w.boot("cp", true)
	w.provision("cp")
	w.Eventually(func() bool {
		_, c := w.cluster()
		return conditions.IsTrue(c, clusterv1.ClusterControlPlaneInitializedCondition)
	}).Should(BeTrue())
	w.workers(1)
	var failed string
	w.Eventually(func(g Gomega) {
		names := w.machinesOf()
		g.Expect(names).To(HaveLen(1))
		failed = names[0]
	}).Should(Succeed())
	key := w.claimed(failed)
	w.fleet.Finish(key, "there is no disk")
	w.Eventually(func() string { return w.reason(failed) }).Should(Equal(string(host.ReasonBootFailed)))
	check := &clusterv1.MachineHealthCheck{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "check"},
		Spec: clusterv1.MachineHealthCheckSpec{
			ClusterName: w.name,
			Selector:    metav1.LabelSelector{MatchLabels: map[string]string{clusterv1.MachineDeploymentNameLabel: "md"}},
			Checks: clusterv1.MachineHealthCheckChecks{
				UnhealthyMachineConditions: []clusterv1.UnhealthyMachineCondition{{
					Type: clusterv1.MachineInfrastructureReadyCondition, Status: metav1.ConditionFalse,
					TimeoutSeconds: ptr.To(int32(30)),
				}},
			},
		},
	}
	w.create(check)
	var replacement string
	w.Eventually(func(g Gomega) {
		names := w.machinesOf()
		g.Expect(names).To(HaveLen(1))
		g.Expect(names[0]).NotTo(Equal(failed))
		replacement = names[0]
	}).Should(Succeed())
	// The condition is False while a machine boots, too: users choose a timeout that is longer.
	w.Expect(w.env.Client.Delete(t.Context(), check)).To(Succeed())
	w.provision(replacement)
	w.Eventually(func() error { return w.get(failed, &hostsv1.HostMachine{}) }).ShouldNot(Succeed())
	// The replacement may have selected the host that the failed machine returned.
	if w.infrastructure(replacement).Spec.Claim.HostName != key.Name {
		w.available(key.Name)
	}
}
