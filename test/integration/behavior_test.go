package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// TestBehavior1WithoutOwnerNothingHappens checks that a config without an owner gets a condition, and nothing else.
func TestBehavior1WithoutOwnerNothingHappens(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "behavior1")
	c := w.config("a")
	w.create(c)
	w.Consistently(func(g Gomega) {
		g.Expect(w.get(c.Name, c)).To(Succeed())
		g.Expect(c.Status).To(BeZero())
		g.Expect(apierrors.IsNotFound(w.get(c.Name, &corev1.Secret{}))).To(BeTrue())
	}, observed).Should(Succeed())
	w.Eventually(func() string { return w.reason(c.Name) }).Should(Equal("WaitingForOwner"))
	w.Expect(w.get(c.Name, c)).To(Succeed())
	before := c.ResourceVersion
	w.Consistently(func(g Gomega) {
		g.Expect(w.get(c.Name, c)).To(Succeed())
		g.Expect(c.ResourceVersion).To(Equal(before))
		g.Expect(apierrors.IsNotFound(w.get(c.Name, &corev1.Secret{}))).To(BeTrue())
	}, observed).Should(Succeed())
	w.Expect(c.Status.DataSecretCreated() || c.Status.Ready || c.Status.FailureReason != nil).To(BeFalse())
}

func TestBehavior2AfterAFailureNothingHappens(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*v1alpha1.MachineBootstrapConfig){
		"behavior2-reason":  func(c *v1alpha1.MachineBootstrapConfig) { c.Status.FailureReason = ptr.To("Broken") },
		"behavior2-message": func(c *v1alpha1.MachineBootstrapConfig) { c.Status.FailureMessage = ptr.To("it is broken") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, name)
			c := w.config("a")
			w.create(c)
			before := c.DeepCopy()
			change(c)
			w.Expect(w.env.Client.Status().Patch(t.Context(), c, client.MergeFrom(before))).To(Succeed())
			m, infrastructure := w.machine("a", true)
			w.create(infrastructure, m)
			w.Eventually(func() int {
				w.Expect(w.get(c.Name, c)).To(Succeed())
				return len(c.OwnerReferences)
			}).Should(Equal(1))
			w.Consistently(func() bool {
				return apierrors.IsNotFound(w.get(c.Name, &corev1.Secret{}))
			}, observed).Should(BeTrue())
		})
	}
}

// TestBehavior3WithoutClusterNothingHappens checks that a config without a cluster gets a condition, and nothing else.
func TestBehavior3WithoutClusterNothingHappens(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "behavior3")
	c := w.config("a")
	m, infrastructure := w.machine("a", true)
	m.Spec.ClusterName = "none"
	m.Labels[clusterv1.ClusterNameLabel] = "none"
	w.create(infrastructure, m)
	w.Expect(w.get(m.Name, m)).To(Succeed())
	c.OwnerReferences = ownerReference(m)
	w.create(c)
	w.Consistently(func(g Gomega) {
		g.Expect(w.get(c.Name, c)).To(Succeed())
		g.Expect(c.Status).To(BeZero())
	}, observed).Should(Succeed())
	w.Eventually(func() string { return w.message(c.Name) }).Should(ContainSubstring("the Cluster none does not exist"))
	w.Expect(w.reason(c.Name)).To(Equal("WaitingForCluster"))
	w.Expect(apierrors.IsNotFound(w.get(c.Name, &corev1.Secret{}))).To(BeTrue())
}

func TestBehavior4TheSecretsNameIsDeterministic(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "behavior4")
	name := w.boot("a", true)
	w.Expect(w.published(name).Status.DataSecretName).To(Equal(name))
}

func TestBehavior5AnExistingSecretStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "behavior5")
	name := w.boot("a", true)
	c := w.published(name)
	before := w.data(name)
	w.patch(c, func() { c.Spec.OS.Version = "22.04" })
	w.Eventually(func() int64 {
		w.Expect(w.get(name, c)).To(Succeed())
		return c.Status.ObservedGeneration
	}).Should(Equal(c.Generation))
	after := w.data(name)
	w.Expect(after.ResourceVersion).To(Equal(before.ResourceVersion))
}

func TestBehavior5aAMissingSecretIsCreated(t *testing.T) {
	t.Parallel()
	w := common(t, "behavior5a")
	name := w.boot("a", false)
	w.published(name)
	before := w.data(name)
	w.Expect(w.env.Client.Delete(t.Context(), before.DeepCopy())).To(Succeed())
	after := &corev1.Secret{}
	w.Eventually(func(g Gomega) {
		g.Expect(w.get(name, after)).To(Succeed())
		g.Expect(after.UID).NotTo(Equal(before.UID))
	}).Should(Succeed())
	w.Expect(after.Data["value"]).To(Equal(before.Data["value"]), "the same token is in both")
}

func TestBehavior6And7And8TheStatusIsPersisted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "behavior6")
	name := w.boot("a", true)
	c := w.published(name)
	w.Expect(c.Status.DataSecretName).To(Equal(name))
	w.Expect(c.Status.Ready).To(BeTrue())
	w.Expect(c.Status.Initialization.DataSecretCreated).To(HaveValue(BeTrue()))
	w.Expect(c.Status.ObservedGeneration).To(Equal(c.Generation))
	for _, condition := range []string{"Ready", "DataSecretAvailable", "CertificatesAvailable"} {
		w.Expect(conditions.IsTrue(c, condition)).To(BeTrue(), condition)
	}
	w.Expect(conditions.IsFalse(c, "Paused")).To(BeTrue())
	m := &clusterv1.Machine{}
	w.Eventually(func() *string {
		w.Expect(w.get(name, m)).To(Succeed())
		return m.Spec.Bootstrap.DataSecretName
	}).Should(HaveValue(Equal(name)))
}
