package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// gadget returns a plugin of a kind that no controller looks after: the test does.
func gadget(kind, name string) *unstructured.Unstructured {
	o := anObject(schema.GroupVersionKind{Group: foreignGroup, Version: "v1", Kind: kind}, map[string]any{})
	o.SetName(name)
	return o
}

// definition returns the definition of a kind of gadgets.
func definition(kind, plural, scope string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{
		"spec": map[string]any{
			"group": foreignGroup, "scope": scope,
			"names": map[string]any{
				"kind": kind, "listKind": kind + "List", "plural": plural,
				"singular": plural[:len(plural)-1],
			},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true, "subresources": map[string]any{"status": map[string]any{}},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type":                                 "object",
					"x-kubernetes-preserve-unknown-fields": true,
				}},
			}},
		},
	}}
	o.SetGroupVersionKind(schema.GroupVersionKind{
		Group: "apiextensions.k8s.io", Version: "v1",
		Kind: "CustomResourceDefinition",
	})
	o.SetName(plural + "." + foreignGroup)
	return o
}

// allow returns the role by which the controller may see a kind.
func allow(plural string) *rbacv1.ClusterRole {
	return &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{
			Name:   plural + "-plugins",
			Labels: map[string]string{v1alpha1.PluginsRoleLabel: "true"},
		},
		Rules: []rbacv1.PolicyRule{{
			APIGroups: []string{foreignGroup}, Resources: []string{plural},
			Verbs: []string{"get", "list", "watch"},
		}},
	}
}

// define makes a definition and waits until its kind is served.
func (w *world) define(kind, plural, scope string) {
	w.t.Helper()
	w.create(definition(kind, plural, scope))
	w.Eventually(func() error {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(schema.GroupVersionKind{Group: foreignGroup, Version: "v1", Kind: kind + "List"})
		return w.env.Client.List(w.t.Context(), list)
	}).Should(Succeed())
}

// status writes a plugin's status, as its controller would.
func (w *world) status(o *unstructured.Unstructured, status map[string]any) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		g.Expect(w.env.Client.Get(w.t.Context(), client.ObjectKeyFromObject(o), o)).To(Succeed())
		o.Object["status"] = status
		g.Expect(w.env.Client.Status().Update(w.t.Context(), o)).To(Succeed())
	}).Should(Succeed())
}

// hold makes a Secret with documents; the owner, if there is one, controls it.
func (w *world) hold(name string, owner *unstructured.Unstructured, documents string) {
	w.t.Helper()
	s := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: name},
		Data:       map[string][]byte{v1alpha1.PluginDocumentsKey: []byte(documents)},
	}
	if owner != nil {
		s.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, owner.GroupVersionKind())}
	}
	w.create(s)
}

const aFile = `apiVersion: machineadm.io/v1alpha1
kind: File
spec: {path: /etc/gadget, content: made by a gadget}
`

func ready(secret string, more ...map[string]any) map[string]any {
	s := map[string]any{"ready": true, "secretName": secret}
	for _, m := range more {
		for k, v := range m {
			s[k] = v
		}
	}
	return s
}

// withPlugins returns a change that has a config name the plugins.
func withPlugins(plugins ...*unstructured.Unstructured) func(*v1alpha1.MachineBootstrapConfig) {
	return func(c *v1alpha1.MachineBootstrapConfig) {
		for _, p := range plugins {
			c.Spec.PluginRefs = append(c.Spec.PluginRefs, reference(p))
		}
	}
}

// waitsFor waits until the config reports why it waits: the reason of its condition, that of its first plugin, and the
// message.
func (w *world) waitsFor(name, reason, plugin, words string) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		c := &v1alpha1.MachineBootstrapConfig{}
		g.Expect(w.get(name, c)).To(Succeed())
		g.Expect(conditions.GetReason(c, clusterv1.ReadyCondition)).To(Equal(reason), "%+v", c.Status.PluginConditions)
		g.Expect(conditions.GetMessage(c, clusterv1.ReadyCondition)).To(ContainSubstring(words))
		g.Expect(c.Status.PluginConditions).NotTo(BeEmpty())
		g.Expect(c.Status.PluginConditions[0].Reason).To(Equal(plugin), c.Status.PluginConditions[0].Message)
		g.Expect(c.Status.DataSecretCreated()).To(BeFalse())
		g.Expect(c.Status.FailureReason).To(BeNil(), "a mistake that can be corrected is no failure of the machine")
	}).Should(Succeed())
}

// TestPluginConditions tests each state of a plugin. Each case ends with a corrected plugin, and a machine that gets
// its data without a change of its config.
func TestPluginConditions(t *testing.T) {
	t.Parallel()
	shared := common(t, "plugin-conditions")
	shared.define("Gadget", "gadgets", "Namespaced")
	shared.create(allow("gadgets"))
	cases := map[string]struct {
		arrange               func(*world, *unstructured.Unstructured)
		reason, plugin, words string
		mend                  func(*world, *unstructured.Unstructured)
	}{
		"late": {
			arrange: func(*world, *unstructured.Unstructured) {},
			reason:  "WaitingForPlugin", plugin: "NotFound", words: "there is no such resource in this namespace",
			mend: func(w *world, p *unstructured.Unstructured) {
				w.create(p)
				w.hold(p.GetName(), p, aFile)
				w.status(p, ready(p.GetName()))
			},
		},
		"not-ready": {
			arrange: func(w *world, p *unstructured.Unstructured) {
				w.create(p)
				w.status(p, map[string]any{"conditions": []any{map[string]any{
					"type": "Ready", "status": "False",
					"reason": "Thinking", "message": "not yet",
				}}})
			},
			reason: "WaitingForPlugin", plugin: "NotReady", words: "it is not ready: Thinking: not yet",
			mend: func(w *world, p *unstructured.Unstructured) {
				w.hold(p.GetName(), p, aFile)
				w.status(p, ready(p.GetName()))
			},
		},
		"secret-late": {
			arrange: func(w *world, p *unstructured.Unstructured) {
				w.create(p)
				w.status(p, ready(p.GetName()))
			},
			reason: "WaitingForPlugin", plugin: "SecretNotFound", words: "does not exist",
			mend: func(w *world, p *unstructured.Unstructured) { w.hold(p.GetName(), p, aFile) },
		},
		"failed": {
			arrange: func(w *world, p *unstructured.Unstructured) {
				w.create(p)
				w.status(p, map[string]any{"failureReason": "Broken", "failureMessage": "no such server"})
			},
			reason: "PluginFailed", plugin: "Failed", words: "Broken: no such server",
			mend: func(w *world, p *unstructured.Unstructured) {
				w.hold(p.GetName(), p, aFile)
				w.status(p, ready(p.GetName()))
			},
		},
		"deleted": {
			arrange: func(w *world, p *unstructured.Unstructured) {
				p.SetFinalizers([]string{foreignGroup + "/keep"})
				w.create(p)
				w.hold(p.GetName(), p, aFile)
				w.Expect(w.env.Client.Delete(w.t.Context(), p.DeepCopy())).To(Succeed())
				w.status(p, ready(p.GetName()))
			},
			reason: "WaitingForPlugin", plugin: "Deleting", words: "it is being deleted",
			mend: func(w *world, p *unstructured.Unstructured) {
				w.patch(p, func() { p.SetFinalizers(nil) })
				again := gadget("Gadget", p.GetName())
				again.SetNamespace(w.name)
				w.Eventually(func() error { return w.env.Client.Create(w.t.Context(), again) }).Should(Succeed())
				w.hold(p.GetName()+"-again", again, aFile)
				w.status(again, ready(p.GetName()+"-again"))
			},
		},
		"foreign-owned": {
			arrange: func(w *world, p *unstructured.Unstructured) {
				other := gadget("Gadget", "other-"+p.GetName())
				other.SetNamespace(w.name)
				w.create(p, other)
				w.hold(p.GetName(), other, aFile)
				w.status(p, ready(p.GetName()))
			},
			reason: "PluginNotOwned", plugin: "SecretNotOwned", words: "it does not control the Secret",
			mend: func(w *world, p *unstructured.Unstructured) {
				w.hold(p.GetName()+"-own", p, aFile)
				w.status(p, ready(p.GetName()+"-own"))
			},
		},
		"unowned": {
			arrange: func(w *world, p *unstructured.Unstructured) {
				w.create(p)
				w.hold(p.GetName(), nil, aFile)
				w.status(p, ready(p.GetName()))
			},
			reason: "PluginNotOwned", plugin: "SecretNotOwned", words: "it does not control the Secret",
			mend: func(w *world, p *unstructured.Unstructured) {
				s := w.data(p.GetName())
				w.patch(s, func() {
					s.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(p,
						p.GroupVersionKind())}
				})
			},
		},
		"cross-namespace": {
			arrange: func(w *world, p *unstructured.Unstructured) {
				w.create(p)
				w.status(p, ready("kube-system/"+p.GetName()))
			},
			reason: "InvalidPlugin", plugin: "InvalidStatus", words: "not the name of a Secret",
			mend: func(w *world, p *unstructured.Unstructured) {
				w.hold(p.GetName(), p, aFile)
				w.status(p, ready(p.GetName()))
			},
		},
		"elsewhere": {
			arrange: func(w *world, p *unstructured.Unstructured) {
				w.Expect(w.env.EnsureNamespace(w.t.Context(), w.name+"-elsewhere")).To(Succeed())
				abroad := gadget("Gadget", p.GetName())
				abroad.SetNamespace(w.name + "-elsewhere")
				w.create(abroad)
			},
			reason: "WaitingForPlugin", plugin: "NotFound", words: "in this namespace",
			mend: func(w *world, p *unstructured.Unstructured) {
				w.create(p)
				w.hold(p.GetName(), p, aFile)
				w.status(p, ready(p.GetName()))
			},
		},
		"garbage": {
			arrange: func(w *world, p *unstructured.Unstructured) {
				w.create(p)
				// The library names the anchor, which is not to be seen anywhere (TestNoSecretIsSeen, and the end of the run).
				w.hold(p.GetName(), p, "password: *"+planted+"\n")
				w.status(p, ready(p.GetName()))
			},
			reason: "InvalidPlugin", plugin: "InvalidDocuments", words: "its Secret does not hold documents: line 1",
			mend: func(w *world, p *unstructured.Unstructured) {
				s := w.data(p.GetName())
				w.patch(s, func() { s.Data[v1alpha1.PluginDocumentsKey] = []byte(aFile) })
			},
		},
		"unknown": {
			arrange: func(w *world, p *unstructured.Unstructured) {
				w.create(p)
				w.hold(p.GetName(), p, aFile)
				w.status(p, ready(p.GetName(), map[string]any{"afterPlugins": []any{"Gadget/missing"}}))
			},
			reason: "InvalidPluginOrder", plugin: "UnknownPlugin",
			words: "it comes after Gadget/missing, which is none of the machine's plugins",
			mend:  func(w *world, p *unstructured.Unstructured) { w.status(p, ready(p.GetName())) },
		},
		"cycle": {
			arrange: func(w *world, p *unstructured.Unstructured) {
				w.create(p)
				w.hold(p.GetName(), p, aFile)
				w.status(p, ready(p.GetName(), map[string]any{"beforePlugins": []any{"Gadget/" + p.GetName()}}))
			},
			reason: "InvalidPluginOrder", plugin: "OrderCycle",
			words: "there is no such order: Gadget/cycle before Gadget/cycle",
			mend:  func(w *world, p *unstructured.Unstructured) { w.status(p, ready(p.GetName())) },
		},
		"agent": {
			arrange: func(w *world, p *unstructured.Unstructured) {
				w.create(p)
				w.hold(p.GetName(), p, "apiVersion: plugins.example.com/v1\nkind: Gadget\nspec: {a: b}\n")
				w.status(p, ready(p.GetName()))
			},
			reason: "PluginNeedsAgent", plugin: "NeedsAgent",
			words: "only a plugin of the machine's agent can know what to do with a Gadget; set spec.delivery.mode to Agent",
			mend: func(w *world, p *unstructured.Unstructured) {
				c := &v1alpha1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: w.prefix + "-agent"}}
				w.patch(c, func() { c.Spec.Delivery = &v1alpha1.DeliverySpec{Mode: "Agent"} })
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &world{WithT: patient(t), env: shared.env, t: t, name: shared.name, prefix: shared.prefix}
			p := w.named(gadget("Gadget", name), name)
			tc.arrange(w, p)
			machine := w.boot(name, false, withPlugins(w.named(gadget("Gadget", name), name)))
			w.waitsFor(machine, tc.reason, tc.plugin, tc.words)
			tc.mend(w, p)
			w.published(machine)
		})
	}
}
