package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/contract"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/integration/readers"
)

// reference returns the reference by which a core of another version finds one of our kinds among the installed CRDs.
func (w *world) reference(core readers.Core, kind string) readers.Reference {
	w.t.Helper()
	return w.referenceOf(core, schema.GroupKind{Group: v1alpha1.Group, Kind: kind})
}

// referenceOf returns the reference by which a core of another version finds a kind among the installed CRDs.
func (w *world) referenceOf(core readers.Core, kind schema.GroupKind) readers.Reference {
	w.t.Helper()
	crds := &unstructured.UnstructuredList{}
	crds.SetGroupVersionKind(schema.GroupVersionKind{
		Group: "apiextensions.k8s.io", Version: "v1",
		Kind: "CustomResourceDefinitionList",
	})
	// All CRDs together are several megabytes.
	name := client.MatchingFields{"metadata.name": contract.CalculateCRDName(kind.Group, kind.Kind)}
	w.Expect(w.env.Client.List(w.t.Context(), crds, name)).To(Succeed())
	by, err := core.Reference(crds.Items, kind)
	w.Expect(err).NotTo(HaveOccurred(), "core "+core.Name)
	return by
}

// read returns a config as a core of another version reads it.
func (w *world) read(core readers.Core, name string) readers.Reading {
	w.t.Helper()
	by := w.reference(core, v1alpha1.ConfigKind)
	config := &unstructured.Unstructured{}
	config.SetGroupVersionKind(by.Kind)
	w.Expect(w.get(name, config)).To(Succeed())
	reading, err := core.Config(by, config)
	w.Expect(err).NotTo(HaveOccurred(), "core "+core.Name)
	return reading
}

// mirrored waits until the running core reports the conditions that the readers expect, in both generations.
func (w *world) mirrored(name string, older, newer readers.Condition) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		m := &clusterv1.Machine{}
		g.Expect(w.get(name, m)).To(Succeed())
		g.Expect(m.Status.Conditions).To(ContainElement(SatisfyAll(
			HaveField("Type", clusterv1.MachineBootstrapConfigReadyCondition), HaveField("Status", BeEquivalentTo(newer.Status)),
			HaveField("Reason", newer.Reason), HaveField("Message", newer.Message),
		)))
		g.Expect(m.Status.Deprecated).NotTo(BeNil())
		deprecated := m.Status.Deprecated.V1Beta1.Conditions //nolint:staticcheck // older cores have no other
		g.Expect(deprecated).
			To(ContainElement(SatisfyAll(
				HaveField("Type", clusterv1.BootstrapReadyV1Beta1Condition), HaveField("Status", BeEquivalentTo(older.Status)),
				HaveField("Severity", BeEquivalentTo(older.Severity)), HaveField("Reason", older.Reason),
				HaveField("Message", older.Message),
			)))
	}).Should(Succeed())
}

// notReady checks how both readers read a config without data, and its reason.
func (w *world) notReady(name, reason string) {
	w.t.Helper()
	w.Eventually(func() string { return w.reason(name) }).Should(Equal(reason))
	older, newer := w.read(readers.Core17(), name), w.read(readers.Core113(), name)
	for _, reading := range []readers.Reading{older, newer} {
		w.Expect(reading.Created).To(BeFalse())
		w.Expect(reading.Secret).To(BeEmpty())
		w.Expect(reading.FailureReason+reading.FailureMessage).To(BeEmpty(),
			"a mistake that can be corrected is no failure of the machine")
		w.Expect(reading.Ready.Mirrored).To(BeTrue())
		w.Expect(reading.Ready.Status).To(Equal("False"))
		w.Expect(reading.Ready.Reason).To(Equal(reason))
		w.Expect(reading.Ready.Message).NotTo(BeEmpty())
	}
	w.mirrored(name, older.Ready, newer.Ready)
}

func TestReadersOfOtherCoresWhileWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "readers-waiting")
	w.notReady(w.boot("a", false), "WaitingForControlPlane")
}

func TestReadersOfOtherCoresWhileStalled(t *testing.T) {
	t.Parallel()
	w := common(t, "readers-stalled")
	name := w.boot("a", false, func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.Machine.Files = []v1alpha1.FileSpec{{Path: "/etc/bad", Encoding: v1alpha1.EncodingBase64, Content: "%"}}
	})
	w.notReady(name, "InvalidSpec")
}

func TestReadersOfOtherCoresWhenReady(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "readers-ready")
	name := w.boot("a", true)
	w.published(name)
	ready := readers.Condition{Mirrored: true, Status: "True", Reason: "Ready"}
	want := readers.Reading{Created: true, Secret: name, Ready: ready}
	w.Expect(w.read(readers.Core17(), name)).To(Equal(want))
	w.Expect(w.read(readers.Core113(), name)).To(Equal(want))
	w.mirrored(name, readers.Condition{Status: "True"}, ready)
	w.pause(true)
	w.Eventually(func() *bool { return w.pausedCondition(name) }).Should(HaveValue(BeTrue()))
	w.Expect(w.read(readers.Core17(), name)).To(Equal(want), "what is published stays while the cluster is paused")
	w.Expect(w.read(readers.Core113(), name)).To(Equal(want))
}

// pausedCondition returns whether a config is paused by its condition, or nil without the condition.
func (w *world) pausedCondition(name string) *bool {
	c := &v1alpha1.MachineBootstrapConfig{}
	if w.get(name, c) != nil {
		return nil
	}
	for _, condition := range c.Status.Conditions {
		if condition.Type == clusterv1.PausedCondition {
			return ptr.To(condition.Status == "True")
		}
	}
	return nil
}

func TestReadersOfOtherCoresWhilePaused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "readers-paused")
	name := w.boot("a", true, func(c *v1alpha1.MachineBootstrapConfig) {
		c.Annotations = map[string]string{clusterv1.PausedAnnotation: ""}
	})
	w.Eventually(func() *bool { return w.pausedCondition(name) }).Should(HaveValue(BeTrue()))
	w.Expect(w.read(readers.Core17(), name)).To(Equal(readers.Reading{Paused: true}))
	newer := w.read(readers.Core113(), name)
	w.Expect(newer.Created).To(BeFalse())
	w.Expect(newer.Ready.Mirrored).To(BeFalse(), "nothing is known of it yet")
	w.mirrored(name, readers.Condition{Status: "False", Severity: "Info", Reason: "WaitingForDataSecret"}, newer.Ready)
}

func TestReadersOfOtherCoresAfterAFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "readers-failed")
	c := w.config("a")
	w.create(c)
	before := c.DeepCopy()
	c.Status.FailureReason, c.Status.FailureMessage = ptr.To("Broken"), ptr.To("it is broken")
	w.Expect(w.env.Client.Status().Patch(t.Context(), c, client.MergeFrom(before))).To(Succeed())
	for _, core := range []readers.Core{readers.Core17(), readers.Core113()} {
		reading := w.read(core, c.Name)
		w.Expect(reading.FailureReason).To(Equal("Broken"))
		w.Expect(reading.FailureMessage).To(Equal("it is broken"))
		w.Expect(reading.Created).To(BeFalse())
	}
}

func TestReadersOfOtherCoresCloneTheTemplate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "readers-template")
	typed := w.template("a")
	w.create(typed)
	for _, core := range []readers.Core{readers.Core17(), readers.Core113()} {
		by := w.reference(core, v1alpha1.TemplateKind)
		template := &unstructured.Unstructured{}
		template.SetGroupVersionKind(by.Kind)
		w.Expect(w.get(typed.Name, template)).To(Succeed())
		clone, err := core.Clone(by, template, "clone", w.name)
		w.Expect(err).NotTo(HaveOccurred(), "core "+core.Name)
		w.Expect(w.env.Client.Create(t.Context(), clone, client.DryRunAll)).To(Succeed(), "core "+core.Name)
		w.Expect(clone.GroupVersionKind()).To(Equal(w.reference(core, v1alpha1.ConfigKind).Kind))
	}
}
