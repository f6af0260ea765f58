package integration_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	bootstrapapi "k8s.io/cluster-bootstrap/token/api"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/nightly"
)

// machines returns the number of machines that the set is scaled to, which INTEGRATION_MACHINES overrides.
func machines(t *testing.T) int {
	t.Helper()
	text := os.Getenv("INTEGRATION_MACHINES")
	if text == "" {
		return nightly.Or(20, 3)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// set makes a MachineSet whose machines have a plugin of each template.
func (w *world) set(name string, replicas int, templates ...*unstructured.Unstructured) *clusterv1.MachineSet {
	w.t.Helper()
	full := w.prefix + "-" + name
	infrastructure := standin.Object(standin.MachineKind+"Template", w.name, full)
	infrastructure.Object["spec"] = map[string]any{"template": map[string]any{"spec": map[string]any{}}}
	label := map[string]string{"set": full}
	s := &clusterv1.MachineSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: full},
		Spec: clusterv1.MachineSetSpec{
			ClusterName: w.name, Replicas: ptr.To(int32(replicas)), Selector: metav1.LabelSelector{MatchLabels: label},
			Template: clusterv1.MachineTemplateSpec{ObjectMeta: clusterv1.ObjectMeta{Labels: label}, Spec: clusterv1.MachineSpec{
				ClusterName: w.name, Version: version,
				InfrastructureRef: standin.Reference(standin.MachineKind+"Template", full),
				Bootstrap: clusterv1.Bootstrap{ConfigRef: clusterv1.ContractVersionedObjectReference{
					APIGroup: v1alpha1.Group, Kind: v1alpha1.TemplateKind, Name: full,
				}},
			}},
		},
	}
	w.create(infrastructure, w.template(name, func(c *v1alpha1.MachineBootstrapConfig) {
		for _, o := range templates {
			c.Spec.PluginTemplateRefs = append(c.Spec.PluginTemplateRefs, reference(o))
		}
	}), s)
	return s
}

// TestMachineSetOfPluginTemplates scales a set of machines that have three plugins each, one of them foreign: each
// machine has its own plugins and all of their documents, and nothing is left when the set is deleted.
func TestMachineSetOfPluginTemplates(t *testing.T) {
	t.Parallel()
	foreign(t)
	w := initialized(t, "plugin-scale")
	w.SetDefaultEventuallyTimeout(15 * time.Minute)
	w.SetDefaultEventuallyPollingInterval(time.Second)
	kernel := w.named(pluginObject("SysctlConfigTemplate",
		map[string]any{"template": map[string]any{"spec": map[string]any{"sysctls": map[string]any{"vm.swappiness": "7"}}}}),
		"kernel")
	clock := w.named(pluginObject("TimeSyncConfigTemplate",
		map[string]any{"template": map[string]any{"spec": map[string]any{"servers": []any{"a.time.example"}}}}), "clock")
	greeting := w.named(anObject(motd(nil).GroupVersionKind().GroupVersion().WithKind("MotdTemplate"), map[string]any{
		"template": map[string]any{"spec": map[string]any{"message": "from a template"}},
	}), "greeting")
	w.create(kernel, clock, greeting)
	s := w.set("many", 1, kernel, clock, greeting)
	n := machines(t)
	begin := time.Now()
	w.patch(s, func() { s.Spec.Replicas = ptr.To(int32(n)) })
	configs := &v1alpha1.MachineBootstrapConfigList{}
	w.Eventually(func(g Gomega) {
		g.Expect(w.env.Client.List(t.Context(), configs, client.InNamespace(w.name), client.MatchingLabels{"set": s.Name})).
			To(Succeed())
		g.Expect(configs.Items).To(HaveLen(n))
		published := 0
		for i := range configs.Items {
			if configs.Items[i].Status.DataSecretCreated() {
				published++
			}
		}
		g.Expect(published).To(Equal(n))
	}).Should(Succeed())
	t.Logf("%d machines with 3 plugins each were published in %s", n, time.Since(begin).Round(time.Second))
	t.Logf("from a config to its data it took %s at the median and %s at most, by the clock of the API server",
		w.right(configs)...)
	w.Expect(w.left(w)).To(HaveLen(2*3*n), "three plugins for each machine, and their Secrets")
	begin = time.Now()
	w.Expect(w.env.Client.Delete(t.Context(), s)).To(Succeed())
	w.Eventually(func(g Gomega) {
		g.Expect(w.left(g)).To(BeEmpty())
		g.Expect(w.leaked(g, s.Name)).To(BeEmpty())
	}).Should(Succeed())
	t.Logf("they were gone after %s", time.Since(begin).Round(time.Second))
}

// right checks that each config has three plugins of its own, and that its data has their content. It returns how long
// that took, at the median and at most.
func (w *world) right(configs *v1alpha1.MachineBootstrapConfigList) []any {
	w.t.Helper()
	names := map[string]bool{}
	var took []time.Duration
	for i := range configs.Items {
		c := &configs.Items[i]
		w.Expect(c.Status.PluginConditions).To(HaveLen(3))
		for _, p := range c.Status.PluginConditions {
			w.Expect(p.Reason).To(Equal("Ready"))
			w.Expect(names).NotTo(HaveKey(p.Kind + "/" + p.Name))
			names[p.Kind+"/"+p.Name] = true
		}
		data := w.data(c.Status.DataSecretName)
		took = append(took, data.CreationTimestamp.Sub(c.CreationTimestamp.Time))
		w.Expect(string(data.Data["value"])).To(And(
			ContainSubstring("from a template"), ContainSubstring("vm.swappiness"), ContainSubstring("a.time.example")))
	}
	slices.Sort(took)
	return []any{took[len(took)/2], took[len(took)-1]}
}

// leaked returns the configs, the data and the tokens of a set's machines that are still there.
func (w *world) leaked(g Gomega, set string) []string {
	var names []string
	configs := &v1alpha1.MachineBootstrapConfigList{}
	g.Expect(w.env.Client.List(w.t.Context(), configs, client.InNamespace(w.name), client.MatchingLabels{"set": set})).To(
		Succeed())
	for i := range configs.Items {
		names = append(names, configs.Items[i].Name)
	}
	var secrets corev1.SecretList
	g.Expect(w.env.Client.List(w.t.Context(), &secrets, client.InNamespace(w.name))).To(Succeed())
	for _, s := range secrets.Items {
		if s.Type == clusterv1.ClusterSecretType && s.Data["value"] != nil && s.Name != w.name+"-cp0" &&
			metav1.GetControllerOf(&s) != nil {
			names = append(names, "Secret/"+s.Name)
		}
	}
	var found corev1.SecretList
	g.Expect(w.env.Client.List(w.t.Context(), &found, client.InNamespace(metav1.NamespaceSystem),
		client.MatchingFields{"type": string(bootstrapapi.SecretTypeBootstrapToken)})).To(Succeed())
	for _, s := range found.Items {
		if strings.Contains(s.Annotations[capi.TokenOwnerAnnotation], set) {
			names = append(names, "token "+s.Name)
		}
	}
	return names
}
