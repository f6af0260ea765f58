package integration_test

import (
	"fmt"
	"net/http"
	"testing"

	. "github.com/onsi/gomega"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nightly"
)

// TestTwoControllersClaimOneHost has two controllers without an elected leader, and more machines than hosts: no host
// gets two machines, no data runs twice, and every host gets a machine.
func TestTwoControllersClaimOneHost(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-two")
	stop, err := w.env.StartHosts(w.env.ctx, controlplane.HostsOptions{
		Driver: w.fleet.Driver(ports.HostFormatShell), Namespace: w.name,
	})
	w.Expect(err).NotTo(HaveOccurred())
	defer stop()
	machines, number := nightly.Or(20, 4), nightly.Or(5, 2)
	for i := range machines {
		w.boot(fmt.Sprintf("m%d", i), false)
	}
	for i := range number {
		w.create(w.newHost(fmt.Sprintf("h%d", i)))
	}
	w.Eventually(func(g Gomega) {
		for i := range number {
			g.Expect(w.host(fmt.Sprintf("h%d", i)).Spec.Claim).NotTo(BeNil())
		}
	}).Should(Succeed())
	claims := map[string]string{}
	for i := range number {
		h := w.host(fmt.Sprintf("h%d", i))
		if other, taken := claims[h.Spec.Claim.MachineName]; taken {
			t.Errorf("%s has %s and %s", h.Spec.Claim.MachineName, h.Name, other)
		}
		claims[h.Spec.Claim.MachineName] = h.Name
		w.Expect(w.claimed(h.Spec.Claim.MachineName).Name).To(Equal(h.Name))
		runs, _ := w.fleet.Runs(ports.Key{Namespace: w.name, Name: h.Name})
		w.Expect(runs).To(Equal(1))
	}
}

// TestHostsContractWatchFilter checks that a controller handles only objects with the label of its filter, and selects
// only such hosts.
func TestHostsContractWatchFilter(t *testing.T) {
	t.Parallel()
	w, other := limitedHosts(t, "hosts-filter", controlplane.HostsOptions{WatchFilter: "mine"})
	label := func(o client.Object) {
		o.SetLabels(map[string]string{clusterv1.WatchLabel: "mine", clusterv1.ClusterNameLabel: w.name})
	}
	theirs, mine := w.newHost("theirs"), w.newHost("mine")
	label(mine)
	w.create(theirs, mine)
	w.Eventually(func() string { return w.host("mine").Status.State }).Should(Equal(string(host.StateAvailable)))
	h, _ := w.cluster()
	w.patch(h, func() { h.Labels = map[string]string{clusterv1.WatchLabel: "mine"} })
	w.boot("unlabelled", false)
	w.boot("labelled", false, func(m *hostsv1.HostMachine) { label(m) })
	w.Expect(w.claimed("labelled").Name).To(Equal("mine"))
	w.Expect(w.infrastructure("unlabelled").Status.Conditions).To(BeEmpty())
	w.Expect(w.host("theirs").Status.State).To(BeEmpty())
	ignored, _ := other.cluster()
	w.Expect(ignored.Status.Conditions).To(BeEmpty())
}

// TestHostsContractNamespace checks that a controller of one namespace leaves other namespaces alone.
func TestHostsContractNamespace(t *testing.T) {
	t.Parallel()
	w, other := limitedHosts(t, "hosts-namespace", controlplane.HostsOptions{Namespace: "hosts-namespace"})
	w.hosts(1)
	w.boot("m", false)
	other.create(other.newHost("h0"))
	w.provision("m")
	w.Expect(other.host("h0").Status.State).To(BeEmpty())
	ignored, _ := other.cluster()
	w.Expect(ignored.Status.Conditions).To(BeEmpty())
}

// limitedHosts starts controllers with options in the replaceable environment, and returns two worlds there.
func limitedHosts(t *testing.T, name string, o controlplane.HostsOptions) (w, other *hostsWorld) {
	t.Helper()
	manage(t)
	g, env, f := NewWithT(t), environmentOf(t), &memory.HostFleet{}
	g.Expect(env.InstallHosts(t.Context())).To(Succeed())
	o.Driver = f.Driver(ports.HostFormatShell)
	stop, err := env.StartHosts(env.ctx, o)
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(stop)
	return newHostsIn(t, env, f, name), newHostsIn(t, env, f, name+"-other")
}

// TestHostsControllerRestarts stops the controller before and after the bootstrap and during the deletion of a machine.
func TestHostsControllerRestarts(t *testing.T) {
	t.Parallel()
	manage(t)
	g, env, f := NewWithT(t), environmentOf(t), &memory.HostFleet{}
	g.Expect(env.InstallHosts(t.Context())).To(Succeed())
	start := func() func() {
		stop, err := env.StartHosts(env.ctx, controlplane.HostsOptions{Driver: f.Driver(ports.HostFormatShell)})
		g.Expect(err).NotTo(HaveOccurred())
		return stop
	}
	stop := start()
	w := newHostsIn(t, env, f, "hosts-restart")
	w.hosts(1)
	w.boot("m", false)
	key := w.claimed("m")
	stop()
	f.Finish(key, "")
	stop = start()
	w.provision("m")
	stop()
	m, _ := w.machine("m", false)
	w.Expect(w.env.Client.Delete(t.Context(), m)).To(Succeed())
	stop = start()
	defer stop()
	w.available("h0")
	runs, _ := f.Runs(key)
	w.Expect(runs).To(Equal(1))
}

// TestMoveKeepsClaims removes what clusterctl move does not restore, the statuses, and expects the same claim, the same
// run and the same state afterwards.
func TestMoveKeepsClaims(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-move")
	w.hosts(1)
	w.boot("m", false)
	before := w.provision("m")
	w.pause(true)
	h := w.host("h0")
	emptied := before.DeepCopy()
	emptied.Status = hostsv1.HostMachineStatus{}
	w.Expect(w.env.Client.Status().Patch(t.Context(), emptied, client.MergeFrom(before))).To(Succeed())
	bare := h.DeepCopy()
	bare.Status = hostsv1.HostStatus{}
	w.Expect(w.env.Client.Status().Patch(t.Context(), bare, client.MergeFrom(h))).To(Succeed())
	w.patch(h, func() { h.Finalizers = nil })
	w.pause(false)
	w.Eventually(func(g Gomega) {
		m := w.infrastructure("m")
		g.Expect(m.Status.Ready).To(BeTrue())
		g.Expect(m.Status.Addresses).To(Equal(before.Status.Addresses))
		g.Expect(m.Spec).To(Equal(before.Spec))
		g.Expect(w.host("h0").Finalizers).To(ContainElement(hostsv1.HostFinalizer))
		g.Expect(w.host("h0").Status.State).To(Equal(string(host.StateClaimed)))
	}).Should(Succeed())
	runs, _ := w.fleet.Runs(ports.Key{Namespace: w.name, Name: "h0"})
	w.Expect(runs).To(Equal(1))
}

// TestHostsContractRoles checks the role that opens the kinds to the core, and that the controllers need no permission
// that their role lacks, and read Secrets by name only.
func TestHostsContractRoles(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-roles")
	var roles rbacv1.ClusterRoleList
	label := client.MatchingLabels{
		"cluster.x-k8s.io/aggregate-to-manager": "true", clusterv1.ProviderNameLabel: "infrastructure-machineadm-hosts",
	}
	w.Expect(w.env.Client.List(t.Context(), &roles, label)).To(Succeed())
	w.Expect(roles.Items).To(HaveLen(1))
	rule := roles.Items[0].Rules[0]
	w.Expect(rule.APIGroups).To(ConsistOf(hostsv1.Group))
	w.Expect(rule.Resources).To(ConsistOf("hostclusters", "hostclustertemplates", "hostmachines", "hostmachinetemplates"))
	w.Expect(rule.Verbs).To(ConsistOf("create", "delete", "get", "list", "patch", "update", "watch"))
	label = client.MatchingLabels{
		"kubeadm.controlplane.cluster.x-k8s.io/aggregate-to-manager": "true",
		clusterv1.ProviderNameLabel:                                  "infrastructure-machineadm-hosts",
	}
	w.Expect(w.env.Client.List(t.Context(), &roles, label)).To(Succeed())
	w.Expect(roles.Items).To(HaveLen(1), "a KubeadmControlPlane can create machines")
	w.Expect(roles.Items[0].Rules[0].Resources).To(ConsistOf("hostmachines", "hostmachinetemplates"))
	w.hosts(1)
	w.boot("m", false)
	w.provision("m")
	w.delete("m")
	w.available("h0")
	requests, _, err := w.env.Requests(0)
	w.Expect(err).NotTo(HaveOccurred())
	verbs := map[string]bool{}
	for _, r := range requests {
		if r.User != controlplane.HostsUser {
			continue
		}
		if r.Code == http.StatusForbidden {
			t.Errorf("%s %s/%s is forbidden", r.Verb, r.Resource, r.Subresource)
		}
		if r.Resource == "secrets" {
			verbs[r.Verb] = true
		}
	}
	w.Expect(verbs).To(Equal(map[string]bool{"get": true}))
}

// newHost returns a host.
func (w *hostsWorld) newHost(name string) *hostsv1.Host {
	return &hostsv1.Host{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: name},
		Spec: hostsv1.HostSpec{
			Address: "192.0.2.1", HostKeys: []string{"ssh-ed25519 AAAA"},
			SSHKeyRef: hostsv1.SSHKeyReference{Name: "ssh"},
		},
	}
}
