package integration_test

import (
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/contract"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

func ownerReference(m *clusterv1.Machine) []metav1.OwnerReference {
	return []metav1.OwnerReference{*metav1.NewControllerRef(m, clusterv1.GroupVersion.WithKind("Machine"))}
}

func crds(t *testing.T) []apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	g := NewWithT(t)
	var list unstructured.UnstructuredList
	list.SetAPIVersion("apiextensions.k8s.io/v1")
	list.SetKind("CustomResourceDefinitionList")
	g.Expect(shared().Client.List(t.Context(), &list)).To(Succeed())
	var ours []apiextensionsv1.CustomResourceDefinition
	for _, item := range list.Items {
		if !strings.HasSuffix(item.GetName(), "."+v1alpha1.Group) || !strings.HasPrefix(item.GetName(),
			"machinebootstrapconfig") {
			continue
		}
		var crd apiextensionsv1.CustomResourceDefinition
		g.Expect(runtime.DefaultUnstructuredConverter.FromUnstructured(item.Object, &crd)).To(Succeed())
		ours = append(ours, crd)
	}
	g.Expect(ours).To(HaveLen(2))
	return ours
}

func TestContractResourcesAreNamespacedAndHaveLists(t *testing.T) {
	t.Parallel()
	for _, crd := range crds(t) {
		if crd.Spec.Scope != apiextensionsv1.NamespaceScoped || crd.Spec.Names.ListKind != crd.Spec.Names.Kind+"List" {
			t.Errorf("%s: scope %s, list %s", crd.Name, crd.Spec.Scope, crd.Spec.Names.ListKind)
		}
	}
}

func TestContractCRDNames(t *testing.T) {
	t.Parallel()
	for _, crd := range crds(t) {
		if want := contract.CalculateCRDName(crd.Spec.Group, crd.Spec.Names.Kind); crd.Name != want {
			t.Errorf("name %s, want %s", crd.Name, want)
		}
	}
}

func TestContractCRDLabels(t *testing.T) {
	t.Parallel()
	for _, crd := range crds(t) {
		for _, label := range []string{"cluster.x-k8s.io/v1beta1", "cluster.x-k8s.io/v1beta2"} {
			if crd.Labels[label] != v1alpha1.Version {
				t.Errorf("%s: label %s is %q, want %s", crd.Name, label, crd.Labels[label], v1alpha1.Version)
			}
		}
	}
}

func TestContractAPIGroupIsOpenedToTheCore(t *testing.T) {
	t.Parallel()
	g := NewWithT(t)
	var roles rbacv1.ClusterRoleList
	label := client.MatchingLabels{
		"cluster.x-k8s.io/aggregate-to-manager": "true",
		"cluster.x-k8s.io/provider":             "bootstrap-machineadm",
	}
	g.Expect(shared().Client.List(t.Context(), &roles, label)).To(Succeed())
	g.Expect(roles.Items).To(HaveLen(1))
	rule := roles.Items[0].Rules[0]
	g.Expect(rule.APIGroups).To(ConsistOf(v1alpha1.Group))
	g.Expect(rule.Resources).To(ConsistOf("machinebootstrapconfigs", "machinebootstrapconfigtemplates"))
	g.Expect(rule.Verbs).To(ConsistOf("create", "delete", "get", "list", "patch", "update", "watch"))
}

func TestContractDataSecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "contract-secret")
	// The keys are those of the default.
	name := w.boot("a", true, func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.ControlPlane = &v1alpha1.ControlPlaneConfigSpec{}
	})
	c := w.published(name)
	s := w.data(c.Status.DataSecretName)
	w.Expect(s.Labels).To(HaveKeyWithValue(clusterv1.ClusterNameLabel, w.name))
	w.Expect(s.Type).To(Equal(clusterv1.ClusterSecretType))
	w.Expect(s.Data["value"]).NotTo(BeEmpty())
	controller := metav1.GetControllerOf(s)
	w.Expect(controller).NotTo(BeNil())
	w.Expect(controller.UID).To(Equal(c.UID))
	for key := range s.Data {
		w.Expect(key).To(BeElementOf("value", "format"))
	}
}

func TestContractTemplateIsCloned(t *testing.T) {
	t.Parallel()
	w := common(t, "contract-template")
	w.workers("md", 2)
	for _, m := range w.machinesOf("md", 2) {
		w.Expect(m.Spec.Bootstrap.DataSecretName).To(HaveValue(Equal(m.Spec.Bootstrap.ConfigRef.Name)))
	}
}

func TestContractServerSideApplyDryRunOfATemplate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "contract-dryrun")
	template := w.template("a")
	w.create(template)
	changed := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": v1alpha1.GroupVersion().String(), "kind": v1alpha1.TemplateKind,
		"metadata": map[string]any{
			"namespace": w.name, "name": template.Name, "annotations": map[string]any{clusterv1.TopologyDryRunAnnotation: ""},
		},
		"spec": map[string]any{"template": map[string]any{"spec": map[string]any{
			"os": map[string]any{"distribution": "flatcar"},
		}}},
	}}
	apply := client.Apply //nolint:staticcheck // as the core does
	err := w.env.Client.Patch(t.Context(), changed, apply, client.DryRunAll, client.ForceOwnership,
		client.FieldOwner("capi-topology"))
	w.Expect(err).NotTo(HaveOccurred())
}

func TestContractPausedObjectsAreLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "contract-paused")
	w.pause(true)
	m, infrastructure := w.machine("a", true)
	c := w.config("a")
	w.create(infrastructure, m)
	w.Expect(w.get(m.Name, m)).To(Succeed())
	c.OwnerReferences = ownerReference(m)
	w.create(c)
	w.Eventually(func() bool {
		w.Expect(w.get(c.Name, c)).To(Succeed())
		for _, condition := range c.Status.Conditions {
			if condition.Type == clusterv1.PausedCondition {
				return condition.Status == metav1.ConditionTrue
			}
		}
		return false
	}).Should(BeTrue())
	w.Expect(client.IgnoreNotFound(w.get(c.Name, &corev1.Secret{}))).To(Succeed())
	w.Expect(w.get(c.Name, &corev1.Secret{})).NotTo(Succeed())
	w.pause(false)
	w.published(c.Name)
}
