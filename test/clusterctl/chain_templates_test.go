package clusterctl_test

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/nightly"
)

// applied is a template that is generated, validated and applied.
type applied struct {
	name     string
	userdata [2]string
	provider *provider
}

// allTemplates returns each template of the release, but for the one of hosts.
func allTemplates() (all []applied) {
	for name, userdata := range templates() {
		all = append(all, applied{name: name, userdata: userdata})
	}
	for _, p := range providers() {
		all = append(all, applied{name: p.template, userdata: [2]string{p.userdata, p.userdata}, provider: &p})
	}
	slices.SortFunc(all, func(a, b applied) int { return strings.Compare(a.name, b.name) })
	return all
}

// acceptsTemplates generates a cluster of each flavor, the one of the ClusterClass with its class. machineadmctl
// accepts the objects and renders their machines. The API server accepts them, with the webhooks of Cluster API. At
// last, all of them are deleted. In a nightly run, the managers work for the clusters; otherwise they are paused.
func (s *site) acceptsTemplates() {
	s.t.Helper()
	s.Expect(s.EnsureNamespace(s.t.Context(), templatesNamespace)).To(Succeed())
	all := allTemplates()
	for _, a := range all {
		s.accepts(a)
	}
	created := &clusterv1.ClusterList{}
	s.Expect(s.Client.List(s.t.Context(), created, client.InNamespace(templatesNamespace))).To(Succeed())
	s.Expect(created.Items).To(HaveLen(len(all)))
	if nightly.Enabled() {
		s.deleteClusters(templatesNamespace)
	} else {
		s.deletePaused(created.Items)
	}
}

// deletePaused deletes paused clusters, whose managers continue when everything is to be deleted.
func (s *site) deletePaused(clusters []clusterv1.Cluster) {
	s.t.Helper()
	for _, o := range []client.Object{&clusterv1.MachineDeployment{}, &clusterv1.MachinePool{}, &clusterv1.Cluster{}} {
		s.Expect(s.Client.DeleteAllOf(s.t.Context(), o, client.InNamespace(templatesNamespace))).To(Succeed())
	}
	resumed := client.RawPatch(types.MergePatchType, []byte(`{"spec": {"paused": false}}`))
	for i := range clusters {
		s.Expect(clusters[i].Spec.Paused).To(HaveValue(BeTrue()), clusters[i].Name)
		s.Expect(client.IgnoreNotFound(s.Client.Patch(s.t.Context(), &clusters[i], resumed))).To(Succeed())
	}
	s.awaitDeletion(templatesNamespace)
}

// templatesNamespace is the namespace of the clusters of all templates. The namespace controller sends two requests for
// each kind when it deletes a namespace.
const templatesNamespace = "templates"

func (s *site) accepts(a applied) {
	s.t.Helper()
	t := s.t
	manifests := s.generated(templatesNamespace, a.name, a.name, 3, 5)
	validates(t, s.machineadmctl, manifests)
	// machineadmctl renders the machines of a topology with its own names.
	if a.userdata[0] != "" {
		renders(t, s.machineadmctl, a.name, a.userdata, manifests)
	}
	objects := decode(t, manifests)
	if a.provider != nil {
		a.provider.refersToItself(t, objects)
		s.installDefinitions(*a.provider, objects)
	}
	for _, o := range objects {
		if o.GetKind() == "Cluster" && !nightly.Enabled() {
			s.Expect(unstructured.SetNestedField(o.Object, true, "spec", "paused")).To(Succeed())
		}
	}
	s.Expect(s.Apply(t.Context(), objects...)).To(Succeed(), a.name)
}

// generated returns the cluster of a template.
func (s *site) generated(namespace, cluster, template string, controlPlane, workers int) []byte {
	s.t.Helper()
	args := s.generate(template)
	args[2] = cluster
	args[slices.Index(args, "--target-namespace")+1] = namespace
	args[slices.Index(args, "--control-plane-machine-count")+1] = fmt.Sprint(controlPlane)
	args[slices.Index(args, "--worker-machine-count")+1] = fmt.Sprint(workers)
	manifests, stderr, err := s.output(s.t, append(variables(), examples()...), append(args, "--kubeconfig",
		s.kubeconfig)...)
	s.Expect(err).NotTo(HaveOccurred(), stderr)
	return manifests
}

// installDefinitions installs the definitions of the provider's release. If no module contains them, definitions
// without a schema replace them.
func (s *site) installDefinitions(p provider, objects []*unstructured.Unstructured) {
	s.t.Helper()
	version := objects[slices.IndexFunc(objects, func(o *unstructured.Unstructured) bool {
		return o.GroupVersionKind().Group == infrastructureGroup
	})].GroupVersionKind().Version
	labels := map[string]string{"cluster.x-k8s.io/v1beta1": version}
	if paths := p.definitions(s.t); len(paths) > 0 {
		s.Expect(s.InstallCRDs(labels, paths...)).To(Succeed())
		return
	}
	for _, o := range objects {
		if gvk := o.GroupVersionKind(); gvk.Group == infrastructureGroup {
			plural := strings.ToLower(gvk.Kind) + "s"
			definition := fmt.Appendf(nil, anyKind, plural, gvk.Group, gvk.Version, gvk.Kind, plural, gvk.Version)
			s.Expect(s.Apply(s.t.Context(), decode(s.t, definition)...)).To(Succeed())
		}
	}
}

// anyKind is a definition without a schema.
const anyKind = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %s.%s, labels: {cluster.x-k8s.io/v1beta1: %s}}
spec:
  group: infrastructure.cluster.x-k8s.io
  scope: Namespaced
  names: {kind: %s, plural: %s}
  versions:
  - {name: %s, served: true, storage: true, subresources: {status: {}},
     schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`

// deleteClusters deletes the Clusters of namespaces, and then the namespaces with their other objects. It waits until
// they are gone.
func (s *site) deleteClusters(namespaces ...string) {
	s.t.Helper()
	list := &clusterv1.ClusterList{}
	for _, namespace := range namespaces {
		s.Expect(s.Client.List(s.t.Context(), list, client.InNamespace(namespace))).To(Succeed())
		s.Expect(list.Items).NotTo(BeEmpty())
		for i := range list.Items {
			s.Expect(s.Client.Delete(s.t.Context(), &list.Items[i])).To(Succeed())
		}
	}
	s.awaitDeletion(namespaces...)
}

// awaitDeletion waits until the Clusters of namespaces are gone, and deletes the namespaces with their other objects.
func (s *site) awaitDeletion(namespaces ...string) {
	s.t.Helper()
	list := &clusterv1.ClusterList{}
	s.Eventually(func(g Gomega) {
		var remaining []string
		for _, namespace := range namespaces {
			g.Expect(s.Client.List(s.t.Context(), list, client.InNamespace(namespace))).To(Succeed())
			for _, c := range list.Items {
				remaining = append(remaining, namespace+": "+conditions.GetMessage(&c, clusterv1.ClusterDeletingCondition))
			}
		}
		g.Expect(remaining).To(BeEmpty())
	}).Should(Succeed())
	for _, name := range namespaces {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		s.Expect(s.Client.Delete(s.t.Context(), namespace)).To(Succeed())
	}
	s.Eventually(func(g Gomega) {
		for _, name := range namespaces {
			err := s.Client.Get(s.t.Context(), client.ObjectKey{Name: name}, &corev1.Namespace{})
			g.Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%s: %v", name, err)
		}
	}).Should(Succeed())
}
