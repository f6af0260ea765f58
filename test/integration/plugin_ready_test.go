package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// TestPluginCycleOfTwoIsNamed has two plugins ask for opposite orders.
func TestPluginCycleOfTwoIsNamed(t *testing.T) {
	t.Parallel()
	foreign(t)
	w := newWorld(t, "plugin-cycle")
	a := w.named(motd(map[string]any{"message": "a", "before": []any{"Motd/b"}}), "a")
	b := w.named(motd(map[string]any{"message": "b", "before": []any{"Motd/a"}}), "b")
	w.create(a, b)
	name := w.boot("m", true, withPlugins(a, b))
	w.waitsFor(name, "InvalidPluginOrder", "OrderCycle", "before Motd/")
	w.patch(b, func() { b.Object["spec"] = map[string]any{"message": "b"} })
	w.published(name)
}

// TestKindArrivesLast has a machine name a plugin whose kind does not exist, then may not be read, then is there.
func TestKindArrivesLast(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "plugin-kind")
	p := w.named(gadget("Gizmo", "a"), "a")
	name := w.boot("m", true, withPlugins(p))
	w.waitsFor(name, "WaitingForPlugin", "NoSuchKind", "the API server does not serve Gizmo."+foreignGroup)
	w.define("Gizmo", "gizmos", "Namespaced")
	w.waitsFor(name, "WaitingForPlugin", "NotPermitted", "the controller may not list gizmos."+foreignGroup)
	w.create(allow("gizmos"))
	w.waitsFor(name, "WaitingForPlugin", "NotFound", "no such resource")
	w.create(p)
	w.hold("a", p, aFile)
	w.status(p, ready("a"))
	w.published(name)
}

// TestKindWithoutNamespaceIsRefused holds that namespaces are the border.
func TestKindWithoutNamespaceIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "plugin-scope")
	p := gadget("World", "a")
	w.define("World", "worlds", "Cluster")
	w.create(allow("worlds"), p)
	w.waitsFor(w.boot("m", true, withPlugins(p)), "InvalidPlugin", "NotNamespaced", "are not namespaced")
}

// TestSameDocumentInlineAndFromAPlugin is an error that names both places.
func TestSameDocumentInlineAndFromAPlugin(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "plugin-twice")
	p := w.named(pluginObject("TimeSyncConfig", map[string]any{"servers": []any{"a.example"}}), "time")
	w.create(p)
	name := w.boot("m", true, withPlugins(p), func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.Machine.TimeSync = &v1alpha1.TimeSyncConfigSpec{Servers: []string{"b.example"}}
	})
	w.Eventually(func(g Gomega) {
		c := &v1alpha1.MachineBootstrapConfig{}
		g.Expect(w.get(name, c)).To(Succeed())
		g.Expect(conditions.GetReason(c, clusterv1.ReadyCondition)).To(Equal("InvalidSpec"))
		g.Expect(conditions.GetMessage(c, clusterv1.ReadyCondition)).To(And(
			ContainSubstring("spec.pluginRefs[0].documents[0].spec: another TimeSyncConfig"),
			ContainSubstring("MachineBootstrapConfig/"+w.name+"/"+name+": spec.machine.timeSync")))
	}).Should(Succeed())
}

// TestPluginsOutliveAMove wipes all statuses, as a move does: they come back, and nothing is made twice.
func TestPluginsOutliveAMove(t *testing.T) {
	t.Parallel()
	foreign(t)
	w := initialized(t, "plugin-move")
	template := w.named(pluginObject("SysctlConfigTemplate", map[string]any{
		"template": map[string]any{"spec": map[string]any{"sysctls": map[string]any{"vm.swappiness": "7"}}},
	}), "kernel")
	p := w.named(motd(map[string]any{"message": "hello"}), "hello")
	w.create(template, p)
	name := w.boot("m", false, withPlugins(p), func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.PluginTemplateRefs = []v1alpha1.PluginReference{reference(template)}
	})
	before := w.published(name).DeepCopy()
	data := w.data(name)
	created := w.left(w)
	w.pause(true)
	c := before.DeepCopy()
	c.Status = v1alpha1.MachineBootstrapConfigStatus{}
	w.Expect(w.env.Client.Status().Patch(t.Context(), c, client.MergeFrom(before))).To(Succeed())
	instance := pluginObject("SysctlConfig", nil)
	w.Expect(w.get(before.Status.PluginConditions[1].Name, instance)).To(Succeed())
	w.status(instance, map[string]any{})
	w.pause(false)
	after := w.published(name)
	w.Expect(after.Status.PluginConditions).To(HaveLen(2))
	w.Eventually(func(g Gomega) {
		g.Expect(w.get(name, c)).To(Succeed())
		g.Expect(c.Status.PluginConditions[1].PluginReference).To(Equal(before.Status.PluginConditions[1].PluginReference))
		g.Expect(w.get(instance.GetName(), instance)).To(Succeed())
		status, _, _ := unstructured.NestedBool(instance.Object, "status", "ready")
		g.Expect(status).To(BeTrue())
	}).Should(Succeed())
	w.Expect(w.data(name).ResourceVersion).To(Equal(data.ResourceVersion))
	w.Expect(w.left(w)).To(ConsistOf(created))
}
