package integration_test

import (
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
)

// manage gives the test the replaceable environment, which has no controller, and returns a function that starts one
// with the given flags. It must precede newWorld.
func manage(t *testing.T, flags ...string) (start func() *controlplane.Provider) {
	t.Helper()
	g := NewWithT(t)
	started.Store(true)
	env, err := replaceable()
	g.Expect(err).NotTo(HaveOccurred())
	env.replacing.Lock()
	replaced.Store(t.Name(), env)
	// A controller that lost its connection at the end leaves its lease, which still names it as the leader.
	left := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{
		Namespace: controlplane.ProviderNamespace, Name: leaderLease,
	}}
	g.Expect(client.IgnoreNotFound(env.Client.Delete(t.Context(), left))).To(Succeed())
	var running []*controlplane.Provider
	t.Cleanup(func() {
		for _, p := range running {
			g.Expect(p.Stop()).To(Succeed())
		}
		env.provider = nil
		replaced.Delete(t.Name())
		env.replacing.Unlock()
	})
	return func() *controlplane.Provider {
		p, err := env.StartProvider(env.ctx, env.program, flags...)
		g.Expect(err).NotTo(HaveOccurred())
		running = append(running, p)
		env.provider = p
		return p
	}
}

func TestManagerOfOneNamespaceLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	manage(t, "--namespace=namespace-own")()
	other := newWorld(t, "namespace-other")
	untouched := other.boot("a", true)
	own := initialized(t, "namespace-own")
	own.published(own.boot("a", false))
	other.Expect(apierrors.IsNotFound(other.get(untouched, &corev1.Secret{}))).To(BeTrue())
	other.Expect(other.pausedCondition(untouched)).To(BeNil(), "it has not been looked at")
}

// leaderLease is the lease of the controllers with --leader-elect.
const leaderLease = "machineadm-bootstrap-manager-leader-election"

// leader waits until one manager leads that is not the given one, and returns its name.
func (w *world) leader(not string) (name string) {
	w.t.Helper()
	key := client.ObjectKey{
		Namespace: controlplane.ProviderNamespace,
		Name:      leaderLease,
	}
	w.Eventually(func(g Gomega) {
		lease := &coordinationv1.Lease{}
		g.Expect(w.env.Client.Get(w.t.Context(), key, lease)).To(Succeed())
		g.Expect(lease.Spec.HolderIdentity).NotTo(BeNil())
		g.Expect(*lease.Spec.HolderIdentity).NotTo(BeElementOf("", not))
		name = *lease.Spec.HolderIdentity
	}).Should(Succeed())
	return name
}

func TestOneOfTwoManagersLeads(t *testing.T) {
	t.Parallel()
	start := manage(t, "--leader-elect")
	leader := start()
	w := newWorld(t, "leader")
	first := w.leader("")
	standby := start()
	w.published(w.boot("a", true))
	w.Expect(w.reconciles(leader)).To(BeTrue())
	w.Expect(w.reconciles(standby)).To(BeFalse(), "it does not lead")
	w.Expect(leader.Stop()).To(Succeed())
	w.leader(first)
	w.join(w.name + "-a")
	w.published(w.boot("b", false))
	w.Expect(w.reconciles(standby)).To(BeTrue())
}

// reconciles reports whether a manager has looked at any config.
func (w *world) reconciles(p *controlplane.Provider) bool {
	w.env.provider = p
	for line := range strings.Lines(w.metrics()) {
		if strings.HasPrefix(line, `controller_runtime_reconcile_total{controller="machinebootstrapconfig"`) &&
			!strings.HasSuffix(line, " 0\n") {
			return true
		}
	}
	return false
}

// TestTokenOfAPoolRotates has a manager whose tokens live shortly, so that each is due soon.
func TestTokenOfAPoolRotates(t *testing.T) {
	t.Parallel()
	manage(t, "--bootstrap-token-ttl=30s")()
	w := initialized(t, "rotation")
	name := w.pool("a")
	w.published(name)
	before := w.token(name)

	lost := &corev1.Secret{}
	w.Expect(w.env.Client.Get(t.Context(), before, lost)).To(Succeed())
	w.Expect(w.env.Client.Delete(t.Context(), lost)).To(Succeed())
	second := w.rotated(name, before)

	// A pool that is complete lets its token end, and has the next one in time.
	pool := &clusterv1.MachinePool{}
	w.Expect(w.get(name, pool)).To(Succeed())
	full := pool.DeepCopy()
	full.Status.NodeRefs = []corev1.ObjectReference{{Name: "one"}, {Name: "two"}}
	w.Expect(w.env.Client.Status().Patch(t.Context(), full, client.MergeFrom(pool))).To(Succeed())
	third := w.rotated(name, second)
	w.Expect(w.env.Client.Get(t.Context(), second, &corev1.Secret{})).To(Succeed(),
		"machines that boot with the old data can still join")
	w.Expect(w.env.Client.Get(t.Context(), third, &corev1.Secret{})).To(Succeed())
	w.Expect(w.get(name, pool)).To(Succeed())
	w.Expect(pool.Spec.Template.Spec.Bootstrap.DataSecretName).To(HaveValue(Equal(name)), "the pool's data keeps its name")
}

// rotated waits until a pool's data holds another token than before, and returns it. The Secret is the same one.
func (w *world) rotated(name string, before client.ObjectKey) client.ObjectKey {
	w.t.Helper()
	s := w.data(name)
	w.Eventually(func() client.ObjectKey { return w.token(name) }).ShouldNot(Equal(before))
	after := w.data(name)
	id := strings.TrimPrefix(w.token(name).Name, "bootstrap-token-")
	w.Expect(after.UID).To(Equal(s.UID))
	w.Expect(string(after.Data["value"])).To(ContainSubstring(id+"."), "the data holds the new token")
	w.Expect(string(after.Data["value"])).NotTo(ContainSubstring(strings.TrimPrefix(before.Name,
		"bootstrap-token-") + "."))
	return w.token(name)
}
