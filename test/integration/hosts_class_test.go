package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/contract"
	"sigs.k8s.io/controller-runtime/pkg/client"

	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
)

// The control plane provider of the ClusterClass has no controller.
const (
	classGroup = "controlplane.example.com"
	classKind  = "ExampleControlPlane"
)

// TestHostsContractClusterClass has the real topology controller create a cluster of hosts from templates, and rotate
// the template of its machines.
func TestHostsContractClusterClass(t *testing.T) {
	t.Parallel()
	w := newHosts(t, "hosts-class")
	w.controlPlaneKinds()
	endpoint, port := w.env.Endpoint()
	w.create(
		&hostsv1.HostClusterTemplate{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "cluster"},
			Spec: hostsv1.HostClusterTemplateSpec{Template: hostsv1.HostClusterTemplateResource{
				Spec: hostsv1.HostClusterSpec{ControlPlaneEndpoint: hostsv1.APIEndpoint{Host: endpoint, Port: port}},
			}},
		},
		w.classTemplate(),
		w.template("amd64", func(t *hostsv1.HostMachineTemplate) { t.Spec.Template.Spec.Architecture = "amd64" }),
		w.template("arm64", func(t *hostsv1.HostMachineTemplate) { t.Spec.Template.Spec.Architecture = "arm64" }),
		&v1alpha1.MachineBootstrapConfigTemplate{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "worker"},
			Spec: v1alpha1.MachineBootstrapConfigTemplateSpec{Template: v1alpha1.MachineBootstrapConfigTemplateResource{
				Spec: w.config("worker").Spec,
			}},
		},
		w.class("amd64"),
		&clusterv1.Cluster{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "topology"},
			Spec: clusterv1.ClusterSpec{Topology: clusterv1.Topology{
				ClassRef: clusterv1.ClusterClassRef{Name: "class"}, Version: version,
				Workers: clusterv1.WorkersTopology{MachineDeployments: []clusterv1.MachineDeploymentTopology{
					{Class: "worker", Name: "md", Replicas: ptr.To(int32(1))},
				}},
			}},
		},
	)
	c := &clusterv1.Cluster{}
	w.Eventually(func(g Gomega) {
		g.Expect(w.get("topology", c)).To(Succeed())
		g.Expect(c.Status.Initialization.InfrastructureProvisioned).To(HaveValue(BeTrue()), "%+v", c.Status.Conditions)
		g.Expect(c.Spec.ControlPlaneEndpoint).To(Equal(clusterv1.APIEndpoint{Host: endpoint, Port: port}))
	}).Should(Succeed())
	w.stable(c)
	w.Eventually(func() []string { return w.architectures() }).Should(ConsistOf("amd64"))
	w.Eventually(func(g Gomega) {
		for _, m := range w.topologyMachines() {
			g.Expect(w.reason(m.Name)).To(Equal(string(host.ReasonWaitingForData)))
		}
	}).Should(Succeed())
	// The topology controller compares the templates by dry runs, and then rolls out new machines.
	class := w.class("amd64")
	w.patch(class, func() { class.Spec = w.class("arm64").Spec })
	w.Eventually(func() []string { return w.architectures() }).Should(ContainElement("arm64"))
}

// stable reports the version of the control plane, without which the core creates no workers.
func (w *hostsWorld) stable(c *clusterv1.Cluster) {
	w.t.Helper()
	cp := &unstructured.Unstructured{Object: map[string]any{"apiVersion": classGroup + "/v1", "kind": classKind}}
	w.Eventually(func(g Gomega) {
		g.Expect(w.get(c.Name, c)).To(Succeed())
		g.Expect(w.get(c.Spec.ControlPlaneRef.Name, cp)).To(Succeed())
	}).Should(Succeed())
	before := cp.DeepCopy()
	cp.Object["status"] = map[string]any{"version": version}
	w.Expect(w.env.Client.Status().Patch(w.t.Context(), cp, client.MergeFrom(before))).To(Succeed())
}

// topologyMachines returns the HostMachines of the cluster.
func (w *hostsWorld) topologyMachines() []hostsv1.HostMachine {
	var list hostsv1.HostMachineList
	label := client.MatchingLabels{clusterv1.ClusterNameLabel: "topology"}
	_ = w.env.Client.List(w.t.Context(), &list, client.InNamespace(w.name), label)
	return list.Items
}

// architectures returns the architecture of each HostMachine of the cluster.
func (w *hostsWorld) architectures() []string {
	var found []string
	for _, m := range w.topologyMachines() {
		found = append(found, m.Spec.Architecture)
	}
	return found
}

// class returns a ClusterClass whose workers use the template of the architecture.
func (w *hostsWorld) class(architecture string) *clusterv1.ClusterClass {
	ref := func(api, kind, name string) clusterv1.ClusterClassTemplateReference {
		return clusterv1.ClusterClassTemplateReference{APIVersion: api, Kind: kind, Name: name}
	}
	hosts := hostsv1.GroupVersion().String()
	return &clusterv1.ClusterClass{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "class"},
		Spec: clusterv1.ClusterClassSpec{
			Infrastructure: clusterv1.InfrastructureClass{TemplateRef: ref(hosts, hostsv1.ClusterTemplateKind, "cluster")},
			ControlPlane:   clusterv1.ControlPlaneClass{TemplateRef: ref(classGroup+"/v1", classKind+"Template", "cp")},
			Workers: clusterv1.WorkersClass{MachineDeployments: []clusterv1.MachineDeploymentClass{{
				Class: "worker",
				Bootstrap: clusterv1.MachineDeploymentClassBootstrapTemplate{
					TemplateRef: ref(v1alpha1.GroupVersion().String(), v1alpha1.TemplateKind, "worker"),
				},
				Infrastructure: clusterv1.MachineDeploymentClassInfrastructureTemplate{
					TemplateRef: ref(hosts, hostsv1.MachineTemplateKind, architecture),
				},
			}}},
		},
	}
}

// classTemplate returns the template of the control plane.
func (w *hostsWorld) classTemplate() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": classGroup + "/v1", "kind": classKind + "Template",
		"metadata": map[string]any{"namespace": w.name, "name": "cp"},
		"spec":     map[string]any{"template": map[string]any{"spec": map[string]any{}}},
	}}
}

// controlPlaneKinds installs the kinds of the control plane provider, and opens them to the core.
func (w *hostsWorld) controlPlaneKinds() {
	w.t.Helper()
	var resources []string
	for _, kind := range []string{classKind, classKind + "Template"} {
		crd := exampleDefinition(kind)
		resources = append(resources, crd.Spec.Names.Plural)
		w.create(crd)
		w.Eventually(func(g Gomega) {
			g.Expect(w.env.Client.Get(w.t.Context(), client.ObjectKeyFromObject(crd), crd)).To(Succeed())
			g.Expect(crd.Status.Conditions).To(ContainElement(SatisfyAll(
				HaveField("Type", apiextensionsv1.Established), HaveField("Status", apiextensionsv1.ConditionTrue))))
		}).Should(Succeed())
	}
	w.create(&rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{
			Name: "example-control-plane", Labels: map[string]string{"cluster.x-k8s.io/aggregate-to-manager": "true"},
		},
		Rules: []rbacv1.PolicyRule{{
			APIGroups: []string{classGroup}, Resources: resources,
			Verbs: []string{"create", "delete", "get", "list", "patch", "update", "watch"},
		}},
	})
}

// exampleDefinition returns the definition of a kind with any fields.
func exampleDefinition(kind string) *apiextensionsv1.CustomResourceDefinition {
	anything := apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: ptr.To(true)}
	name := contract.CalculateCRDName(classGroup, kind)
	plural := name[:len(name)-len(classGroup)-1]
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"cluster.x-k8s.io/v1beta2": "v1"}},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: classGroup, Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: kind, ListKind: kind + "List", Plural: plural},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Subresources: &apiextensionsv1.CustomResourceSubresources{
					Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
				},
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
					Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": anything, "status": anything},
				}},
			}},
		},
	}
}
