package integration_test

import (
	"context"
	"sync"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
)

// simulated starts the controller of control planes in the shared environment, once, and returns the workload clusters
// that it sees.
var simulated = sync.OnceValues(func() (*controlplane.Workloads, error) {
	w, e := &controlplane.Workloads{}, shared()
	if err := e.InstallPlanes(e.ctx); err != nil {
		return nil, err
	}
	return w, e.StartPlanes(e.ctx, w, 0)
})

// planesWorld is a test's namespace with a cluster, whose name is the namespace's, and its control plane cp.
type planesWorld struct {
	*world
	workloads *controlplane.Workloads
}

// plane is the name of the control plane.
const plane = "cp"

// newPlanes creates a cluster with a control plane.
func newPlanes(t *testing.T, name string, replicas int32, change ...func(*controlplanev1.MachineadmControlPlane),
) *planesWorld {
	t.Helper()
	workloads, err := simulated()
	if err != nil {
		t.Fatal(err)
	}
	w := &planesWorld{
		world: &world{WithT: patient(t), env: shared(), t: t, name: name, prefix: name}, workloads: workloads,
	}
	w.createCluster(replicas, change...)
	return w
}

// createCluster creates the cluster and its control plane.
func (w *planesWorld) createCluster(replicas int32, change ...func(*controlplanev1.MachineadmControlPlane)) {
	w.t.Helper()
	t, name := w.t, w.name
	w.Expect(w.env.EnsureNamespace(t.Context(), name)).To(Succeed())
	o := &controlplanev1.MachineadmControlPlane{
		ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: plane}, Spec: w.planeSpec(replicas),
	}
	for _, f := range change {
		f(o)
	}
	cluster := &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: name},
		Spec: clusterv1.ClusterSpec{
			InfrastructureRef: standin.Reference(standin.ClusterKind, name),
			ControlPlaneRef: clusterv1.ContractVersionedObjectReference{
				APIGroup: controlplanev1.Group, Kind: controlplanev1.Kind, Name: plane,
			},
		},
	}
	w.create(w.env.ClusterCA(client.ObjectKeyFromObject(cluster)), standin.Object(standin.ClusterKind, name, name),
		w.machineTemplate(), o, cluster)
	t.Cleanup(w.rest)
}

// machineTemplate returns the template of the infrastructure machines.
func (w *planesWorld) machineTemplate() client.Object {
	template := standin.Object(standin.MachineKind+"Template", w.name, plane)
	template.Object["spec"] = map[string]any{"template": map[string]any{"spec": map[string]any{}}}
	return template
}

// planeSpec returns a specification of machines whose image has what they need.
func (w *planesWorld) planeSpec(replicas int32) controlplanev1.MachineadmControlPlaneSpec {
	spec := controlplanev1.MachineadmControlPlaneSpec{
		Replicas: ptr.To(replicas), Version: version, Bootstrap: w.config(plane).Spec,
	}
	spec.Bootstrap.ControlPlane = quickKeys()
	spec.MachineTemplate.Spec.InfrastructureRef = standin.Reference(standin.MachineKind+"Template", plane)
	return spec
}

// plane returns the control plane of the namespace. The topology controller and templates choose its name.
func (w *planesWorld) plane() *controlplanev1.MachineadmControlPlane {
	var list controlplanev1.MachineadmControlPlaneList
	_ = w.env.Client.List(context.WithoutCancel(w.t.Context()), &list, client.InNamespace(w.name))
	if len(list.Items) == 0 {
		return &controlplanev1.MachineadmControlPlane{}
	}
	return &list.Items[0]
}

// changePlane changes the control plane as a user does.
func (w *planesWorld) changePlane(change func(*controlplanev1.MachineadmControlPlane)) {
	w.t.Helper()
	o := &controlplanev1.MachineadmControlPlane{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: plane}}
	w.patch(o, func() { change(o) })
}

// machines returns the control plane Machines. Those that have their data become nodes.
func (w *planesWorld) machines() []clusterv1.Machine {
	var list clusterv1.MachineList
	_ = w.env.Client.List(w.t.Context(), &list, client.InNamespace(w.name),
		client.HasLabels{clusterv1.MachineControlPlaneLabel})
	for i := range list.Items {
		m := &list.Items[i]
		if m.Spec.Bootstrap.DataSecretName == nil || m.Status.NodeRef.Name != "" || !m.DeletionTimestamp.IsZero() {
			continue
		}
		if w.env.Client.Get(w.t.Context(), client.ObjectKey{Name: m.Name}, &corev1.Node{}) != nil {
			_, _ = standin.Join(w.t.Context(), w.env.Client, m)
		}
	}
	return list.Items
}

// complete waits until the control plane has as many up-to-date machines as specified, and no others, and returns them.
func (w *planesWorld) complete() []clusterv1.Machine {
	w.t.Helper()
	var found []clusterv1.Machine
	w.Eventually(func(g Gomega) {
		found = w.machines()
		o := w.plane()
		// The topology controller creates the control plane after its Cluster.
		g.Expect(o.Spec.Replicas).NotTo(BeNil())
		g.Expect(found).To(HaveLen(int(*o.Spec.Replicas)), "%+v", o.Status.NextOperation)
		for _, m := range found {
			g.Expect(m.Status.NodeRef.Name).NotTo(BeEmpty(), "%s: %+v %+v", m.Name, o.Status.NextOperation, m.Status.Conditions)
			g.Expect(m.Spec.Version).To(Equal(o.Spec.Version))
		}
		g.Expect(o.Status.UpToDateReplicas).To(HaveValue(Equal(*o.Spec.Replicas)))
		g.Expect(o.Status.ObservedGeneration).To(Equal(o.Generation))
		g.Expect(o.Status.NextOperation.Operation).To(Equal("Wait"), "%+v", o.Status.NextOperation)
	}).Should(Succeed())
	return found
}

// cluster returns the Cluster.
func (w *planesWorld) cluster() *clusterv1.Cluster {
	c := &clusterv1.Cluster{}
	_ = w.get(w.name, c)
	return c
}

// conditionIs waits for the status of a condition of the control plane.
func (w *planesWorld) conditionIs(kind string, status metav1.ConditionStatus) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		c := conditions.Get(w.plane(), kind)
		g.Expect(c).NotTo(BeNil())
		g.Expect(c.Status).To(Equal(status), "%+v", c)
	}).Should(Succeed())
}

// names returns the names of Machines.
func machineNames(machines []clusterv1.Machine) []string {
	var found []string
	for _, m := range machines {
		if util.IsControlPlaneMachine(&m) {
			found = append(found, m.Name)
		}
	}
	return found
}
