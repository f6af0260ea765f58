package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// TestPluginTemplates has a plugin made of each of two templates for each of two machines, and go with them.
func TestPluginTemplates(t *testing.T) {
	t.Parallel()
	foreign(t)
	w := initialized(t, "plugin-templates")
	ours := w.named(pluginObject("SysctlConfigTemplate", map[string]any{
		"template": map[string]any{
			"metadata": map[string]any{"labels": map[string]any{"site": "a"}},
			"spec":     map[string]any{"sysctls": map[string]any{"vm.swappiness": "7"}},
		},
	}), "kernel")
	theirs := w.named(anObject(motd(nil).GroupVersionKind().GroupVersion().WithKind("MotdTemplate"), map[string]any{
		"template": map[string]any{"spec": map[string]any{
			"message": "from a template",
			"after":   []any{"SysctlConfigTemplate/kernel"},
		}},
	}), "greeting")
	w.workers("md", 2, func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.PluginTemplateRefs = []v1alpha1.PluginReference{reference(ours), reference(theirs)}
	})
	configs := &v1alpha1.MachineBootstrapConfigList{}
	w.Eventually(func(g Gomega) {
		g.Expect(w.env.Client.List(t.Context(), configs, client.InNamespace(w.name),
			client.HasLabels{clusterv1.MachineDeploymentNameLabel})).To(Succeed())
		g.Expect(configs.Items).To(HaveLen(2))
		for _, c := range configs.Items {
			g.Expect(c.Status.PluginConditions).To(HaveEach(HaveField("Reason", "TemplateNotFound")), "the templates come last")
			g.Expect(c.Status.PluginConditions).To(HaveLen(2))
		}
	}).Should(Succeed())
	w.create(ours, theirs)
	created := map[string]bool{}
	for _, m := range w.machinesOf("md", 2) {
		c := w.published(m.Spec.Bootstrap.ConfigRef.Name)
		w.Expect(string(w.data(c.Name).Data["value"])).To(And(ContainSubstring("from a template"),
			ContainSubstring("vm.swappiness")))
		w.Expect(c.Spec.PluginRefs).To(BeEmpty(), "what is made is no part of the spec")
		for _, p := range c.Status.PluginConditions {
			o := anObject(motd(nil).GroupVersionKind(), nil)
			if p.APIGroup == v1alpha1.Group {
				o = pluginObject(p.Kind, nil)
			}
			w.Expect(w.get(p.Name, o)).To(Succeed())
			w.Expect(metav1.IsControlledBy(o, c)).To(BeTrue())
			w.Expect(p.Template).NotTo(BeNil())
			w.Expect(o.GetLabels()).To(HaveKeyWithValue(clusterv1.ClusterNameLabel, w.name))
			created[p.Kind+"/"+p.Name] = true
		}
	}
	w.Expect(created).To(HaveLen(4))
	w.Expect(w.env.Client.Delete(t.Context(), &clusterv1.MachineDeployment{ObjectMeta: metav1.ObjectMeta{
		Namespace: w.name,
		Name:      w.name + "-md",
	}})).To(Succeed())
	w.Eventually(func(g Gomega) { g.Expect(w.left(g)).To(BeEmpty()) }).Should(Succeed())
}

// left returns the plugins and the Secrets of plugins in the namespace.
func (w *world) left(g Gomega) []string {
	var names []string
	kinds := []*unstructured.Unstructured{pluginObject("SysctlConfig", nil), pluginObject("TimeSyncConfig",
		nil), motd(nil)}
	for _, kind := range kinds {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(kind.GroupVersionKind().GroupVersion().WithKind(kind.GetKind() + "List"))
		g.Expect(w.env.Client.List(w.t.Context(), list, client.InNamespace(w.name))).To(Succeed())
		for _, o := range list.Items {
			names = append(names, o.GetKind()+"/"+o.GetName())
		}
	}
	var secrets corev1.SecretList
	g.Expect(w.env.Client.List(w.t.Context(), &secrets, client.InNamespace(w.name))).To(Succeed())
	for _, s := range secrets.Items {
		if _, documents := s.Data[v1alpha1.PluginDocumentsKey]; documents {
			names = append(names, "Secret/"+s.Name)
		}
	}
	return names
}

// TestOrphanedTemplateNameIsNotAdopted checks that another client's object with the name of an instance is left alone.
func TestOrphanedTemplateNameIsNotAdopted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "plugin-adoption")
	template := w.named(pluginObject("SysctlConfigTemplate", map[string]any{
		"template": map[string]any{"spec": map[string]any{"sysctls": map[string]any{"vm.swappiness": "7"}}},
	}), "kernel")
	first := w.boot("a", true, func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.PluginTemplateRefs = []v1alpha1.PluginReference{reference(template)}
	})
	c := &v1alpha1.MachineBootstrapConfig{}
	w.Eventually(func(g Gomega) {
		g.Expect(w.get(first, c)).To(Succeed())
		g.Expect(c.Status.PluginConditions).To(HaveLen(1))
	}).Should(Succeed())
	intruder := w.named(pluginObject("SysctlConfig", map[string]any{"sysctls": map[string]any{"vm.swappiness": "1"}}),
		c.Status.PluginConditions[0].Name)
	w.create(intruder, template)
	w.Eventually(func() string { return w.reason(first) }).Should(Equal("PluginNotOwned"))
	w.Expect(w.env.Client.Delete(t.Context(), intruder)).To(Succeed())
	w.published(first)
	w.Expect(conditions.IsTrue(w.published(first), clusterv1.ReadyCondition)).To(BeTrue())
}
