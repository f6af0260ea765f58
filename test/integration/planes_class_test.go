package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane/standin"
)

// TestControlPlaneContractClusterClass has the real topology controller create a control plane from a template, with a
// patch, set its fields at the paths of contract v1beta2, and upgrade it.
func TestControlPlaneContractClusterClass(t *testing.T) {
	t.Parallel()
	workloads, err := simulated()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fleet(); err != nil {
		t.Fatal(err)
	}
	const name = "planes-class"
	w := &planesWorld{
		world: &world{WithT: patient(t), env: shared(), t: t, name: name, prefix: name}, workloads: workloads,
	}
	w.Expect(w.env.EnsureNamespace(t.Context(), name)).To(Succeed())
	endpoint, port := w.env.Endpoint()
	cluster := &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: name},
		Spec: clusterv1.ClusterSpec{Topology: clusterv1.Topology{
			ClassRef: clusterv1.ClusterClassRef{Name: "class"}, Version: version,
			ControlPlane: clusterv1.ControlPlaneTopology{
				Replicas: ptr.To(int32(1)),
				Deletion: clusterv1.ControlPlaneTopologyMachineDeletionSpec{NodeDrainTimeoutSeconds: ptr.To(int32(60))},
			},
		}},
	}
	w.create(w.env.ClusterCA(client.ObjectKeyFromObject(cluster)), &hostsv1.HostClusterTemplate{
		ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: "cluster"},
		Spec: hostsv1.HostClusterTemplateSpec{Template: hostsv1.HostClusterTemplateResource{
			Spec: hostsv1.HostClusterSpec{ControlPlaneEndpoint: hostsv1.APIEndpoint{Host: endpoint, Port: port}},
		}},
	}, w.machineTemplate(), w.planeTemplate(), w.planeClass(), cluster)
	w.complete()
	o := w.plane()
	w.Expect(o.Spec.MachineTemplate.Spec.Deletion.NodeDrainTimeoutSeconds).To(HaveValue(Equal(int32(60))))
	w.Expect(o.Spec.Rollout.MaxSurge).To(HaveValue(Equal(int32(1))), "the patch sets it")
	w.Consistently(func() int64 { return w.plane().Generation }, observed).Should(Equal(o.Generation),
		"the topology controller and the controller of control planes agree")

	w.patch(cluster, func() { cluster.Spec.Topology.Version = "v1.36.4" })
	w.Eventually(func() string {
		w.machines()
		return w.plane().Spec.Version
	}).Should(Equal("v1.36.4"))
	w.complete()
	w.Eventually(func() []clusterv1.StatusVersion { return w.plane().Status.Versions }).
		Should(Equal([]clusterv1.StatusVersion{{Version: "v1.36.4", Replicas: 1}}))
}

// planeTemplate returns the template of the control plane.
func (w *planesWorld) planeTemplate() *controlplanev1.MachineadmControlPlaneTemplate {
	t := &controlplanev1.MachineadmControlPlaneTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: plane}}
	t.Spec.Template.Spec.Bootstrap = w.planeSpec(1).Bootstrap
	return t
}

// planeClass returns a ClusterClass with a patch of the control plane.
func (w *planesWorld) planeClass() *clusterv1.ClusterClass {
	ref := func(api, kind, name string) clusterv1.ClusterClassTemplateReference {
		return clusterv1.ClusterClassTemplateReference{APIVersion: api, Kind: kind, Name: name}
	}
	own := controlplanev1.GroupVersion().String()
	return &clusterv1.ClusterClass{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "class"},
		Spec: clusterv1.ClusterClassSpec{
			Infrastructure: clusterv1.InfrastructureClass{
				TemplateRef: ref(hostsv1.GroupVersion().String(), hostsv1.ClusterTemplateKind, "cluster"),
			},
			ControlPlane: clusterv1.ControlPlaneClass{
				TemplateRef: ref(own, controlplanev1.TemplateKind, plane),
				Naming:      clusterv1.ControlPlaneClassNamingSpec{Template: plane},
				MachineInfrastructure: clusterv1.ControlPlaneClassMachineInfrastructureTemplate{
					TemplateRef: ref(standin.Group+"/"+standin.Version, standin.MachineKind+"Template", plane),
				},
			},
			Patches: []clusterv1.ClusterClassPatch{{
				Name: "surge",
				Definitions: []clusterv1.PatchDefinition{{
					Selector: clusterv1.PatchSelector{
						APIVersion: own, Kind: controlplanev1.TemplateKind,
						MatchResources: clusterv1.PatchSelectorMatch{ControlPlane: ptr.To(true)},
					},
					JSONPatches: []clusterv1.JSONPatch{{
						Op: "add", Path: "/spec/template/spec/rollout",
						Value: &apiextensionsv1.JSON{Raw: []byte(`{"maxSurge":1}`)},
					}},
				}},
			}},
		},
	}
}
