package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/nightly"
)

func (w *world) template(name string,
	change ...func(*v1alpha1.MachineBootstrapConfig),
) *v1alpha1.MachineBootstrapConfigTemplate {
	t := &v1alpha1.MachineBootstrapConfigTemplate{ObjectMeta: metav1.ObjectMeta{
		Namespace: w.name,
		Name:      w.prefix + "-" + name,
	}}
	t.Spec.Template.Spec = w.config(name, change...).Spec
	return t
}

// workers makes a MachineDeployment.
func (w *world) workers(name string, replicas int32, change ...func(*v1alpha1.MachineBootstrapConfig)) {
	w.t.Helper()
	full := w.prefix + "-" + name
	infrastructure := standin.Object(standin.MachineKind+"Template", w.name, full)
	infrastructure.Object["spec"] = map[string]any{"template": map[string]any{"spec": map[string]any{}}}
	w.create(w.template(name, change...), infrastructure, &clusterv1.MachineDeployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: full},
		Spec: clusterv1.MachineDeploymentSpec{
			ClusterName: w.name, Replicas: ptr.To(replicas),
			Template: clusterv1.MachineTemplateSpec{Spec: clusterv1.MachineSpec{
				ClusterName: w.name, Version: version,
				InfrastructureRef: standin.Reference(standin.MachineKind+"Template", full),
				Bootstrap: clusterv1.Bootstrap{ConfigRef: clusterv1.ContractVersionedObjectReference{
					APIGroup: v1alpha1.Group, Kind: v1alpha1.TemplateKind, Name: full,
				}},
			}},
		},
	})
}

// machinesOf waits until the deployment's machines have their data.
func (w *world) machinesOf(name string, replicas int) []clusterv1.Machine {
	w.t.Helper()
	var machines clusterv1.MachineList
	w.Eventually(func(g Gomega) {
		label := client.MatchingLabels{clusterv1.MachineDeploymentNameLabel: w.prefix + "-" + name}
		g.Expect(w.env.Client.List(w.t.Context(), &machines, client.InNamespace(w.name), label)).To(Succeed())
		g.Expect(machines.Items).To(HaveLen(replicas))
		for _, m := range machines.Items {
			g.Expect(m.Spec.Bootstrap.DataSecretName).NotTo(BeNil())
		}
	}).Should(Succeed())
	return machines.Items
}

func TestLockOfADeletedMachineWakesTheNext(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "lock")
	first := w.boot("cp0", true)
	w.published(first)
	second := w.boot("cp1", true)
	w.Eventually(func() string { return w.reason(second) }).Should(Equal("WaitingForFirstMachine"))
	m := &clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: first}}
	w.Expect(w.env.Client.Delete(t.Context(), m)).To(Succeed())
	w.published(second)
	w.Expect(string(w.data(second).Data["value"])).To(ContainSubstring("InitConfiguration"))
}

func TestDeletedConfigRevokesItsToken(t *testing.T) {
	t.Parallel()
	w := common(t, "revoke")
	name := w.boot("a", false)
	w.published(name)
	token := w.token(name)
	w.Expect(w.env.Client.Get(t.Context(), token, &corev1.Secret{})).To(Succeed())
	m := &clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: name}}
	w.Expect(w.env.Client.Delete(t.Context(), m)).To(Succeed())
	w.Eventually(func() bool { return apierrors.IsNotFound(w.get(name, &corev1.Secret{})) }).Should(BeTrue())
	w.Eventually(func() bool {
		return apierrors.IsNotFound(w.env.Client.Get(t.Context(), token, &corev1.Secret{}))
	}).Should(BeTrue())
}

func TestDeletionWhilePausedKeepsTheToken(t *testing.T) {
	t.Parallel()
	w := initialized(t, "paused-deletion")
	name := w.boot("a", false)
	c := w.published(name)
	token := w.token(name)
	w.pauseAndWait(true, name)
	w.Expect(w.env.Client.Delete(t.Context(), c)).To(Succeed())
	w.Consistently(func() error {
		return w.env.Client.Get(t.Context(), token, &corev1.Secret{})
	}, observed).Should(Succeed())
	w.pause(false)
	w.Eventually(func() bool {
		return apierrors.IsNotFound(w.env.Client.Get(t.Context(), token, &corev1.Secret{}))
	}).Should(BeTrue())
}

func TestStatusIsRebuiltAfterAMove(t *testing.T) {
	t.Parallel()
	w := common(t, "move")
	name := w.boot("a", false)
	c := w.published(name)
	w.Eventually(func() *string {
		m := &clusterv1.Machine{}
		w.Expect(w.get(name, m)).To(Succeed())
		return m.Spec.Bootstrap.DataSecretName
	}).ShouldNot(BeNil())
	before := w.data(name)
	emptied := c.DeepCopy()
	emptied.Status = v1alpha1.MachineBootstrapConfigStatus{}
	w.Expect(w.env.Client.Status().Patch(t.Context(), emptied, client.MergeFrom(c))).To(Succeed())
	rebuilt := w.published(name).Status
	w.Expect(rebuilt.DataSecretName).To(Equal(name))
	w.Expect(rebuilt.Payload).To(Equal(c.Status.Payload))
	w.Expect(rebuilt.Payload.Bytes).To(BeNumerically("==", len(before.Data["value"])))
	w.Expect(w.data(name).ResourceVersion).To(Equal(before.ResourceVersion))
}

func TestOwnerReferenceIsRepaired(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "repair")
	name := w.boot("a", true)
	c := w.published(name)
	s := w.data(name)
	w.patch(s, func() { s.OwnerReferences = nil })
	w.Eventually(func() bool { return metav1.IsControlledBy(w.data(name), c) }).Should(BeTrue())
}

func TestForeignSecretIsNeverAdopted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "foreign")
	owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "owner"}}
	w.create(owner)
	foreign := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Namespace: w.name, Name: w.name + "-a",
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(owner,
			corev1.SchemeGroupVersion.WithKind("ConfigMap"))},
	}}
	w.create(foreign)
	name := w.boot("a", true)
	w.Eventually(func() string { return w.reason(name) }).Should(Equal("SecretNotOwned"))
	w.Expect(w.data(name).UID).To(Equal(foreign.UID))
	w.Expect(w.env.Client.Delete(t.Context(), foreign)).To(Succeed())
	w.published(name)
}

func TestMissingReferenceWakesItsConfig(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "reference")
	name := w.boot("a", true, func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.Machine.Files = []v1alpha1.FileSpec{{
			Path: "/etc/site", ContentFrom: &v1alpha1.ContentSource{Secret: &v1alpha1.KeyReference{Name: "site", Key: "text"}},
		}}
	})
	w.Eventually(func() string { return w.reason(name) }).Should(Equal("WaitingForReference"))
	w.create(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "site"},
		StringData: map[string]string{"text": "hello"},
	})
	w.published(name)
}

func TestWorkerCostsThreeRequests(t *testing.T) {
	w := initialized(t, "budget")
	w.boot("warm", false)
	w.published(w.name + "-warm")
	_, offset, err := w.env.Requests(0)
	w.Expect(err).NotTo(HaveOccurred())
	workers := nightly.Or(20, 3)
	w.workers("md", int32(workers))
	w.machinesOf("md", workers)
	requests, _, err := w.env.Requests(offset)
	w.Expect(err).NotTo(HaveOccurred())
	count, total := map[string]int{}, 0
	for _, r := range requests {
		if ours(r, w.name) {
			count[r.Verb+" "+r.Resource+"/"+r.Subresource]++
			total++
		}
	}
	t.Logf("requests of %d workers: %v", workers, count)
	w.Expect(total).To(BeNumerically("<=", 3*workers))
}

// ours reports whether our manager made the request for a machine of the namespace: under its own name, or in the
// workload cluster under the administrator's, where it makes tokens. Watches and leases do not count.
func ours(r controlplane.Request, namespace string) bool {
	if r.Verb == "watch" || r.Resource == "leases" {
		return false
	}
	if r.User == controlplane.ProviderUser {
		return r.Namespace == namespace
	}
	return r.Namespace == metav1.NamespaceSystem && r.Resource == "secrets"
}
