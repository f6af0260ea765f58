package planescale_test

import (
	_ "embed" // the control planes
	"fmt"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/controlplane/standin"
)

// patience is the limit for everything that is awaited. The machine may be slow and busy.
const patience = 20 * time.Minute

//go:embed machineadm.yaml
var machineadmPlane string

// fleet is a number of clusters with equal control planes.
type fleet struct {
	*WithT
	t *testing.T
	// plane is the manifest of the control plane.
	plane *unstructured.Unstructured
	names []string
	// machine is the specification of the infrastructure machines.
	machine map[string]any
}

// newFleet returns clusters that do not exist yet. Each has a namespace of the same name.
func newFleet(t *testing.T, prefix, manifest string, clusters int, machine map[string]any) *fleet {
	t.Helper()
	f := &fleet{WithT: NewWithT(t), t: t, plane: &unstructured.Unstructured{}, machine: machine}
	f.Expect(yaml.Unmarshal([]byte(manifest), &f.plane.Object)).To(Succeed())
	f.SetDefaultEventuallyTimeout(patience)
	f.SetDefaultEventuallyPollingInterval(time.Second)
	for i := range clusters {
		f.names = append(f.names, fmt.Sprintf("%s-%d", prefix, i))
	}
	t.Cleanup(f.explain)
	return f
}

// create creates the clusters.
func (f *fleet) create() {
	f.t.Helper()
	for _, name := range f.names {
		f.Expect(env.EnsureNamespace(f.t.Context(), name)).To(Succeed())
		template := standin.Object(standin.MachineKind+"Template", name, f.plane.GetName())
		template.Object["spec"] = map[string]any{"template": map[string]any{"spec": f.machine}}
		plane := f.plane.DeepCopy()
		plane.SetNamespace(name)
		cluster := &clusterv1.Cluster{
			ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: name},
			Spec: clusterv1.ClusterSpec{
				InfrastructureRef: standin.Reference(standin.ClusterKind, name),
				ControlPlaneRef: clusterv1.ContractVersionedObjectReference{
					APIGroup: plane.GroupVersionKind().Group, Kind: plane.GetKind(), Name: plane.GetName(),
				},
			},
		}
		for _, o := range []client.Object{standin.Object(standin.ClusterKind, name, name), template, plane, cluster} {
			f.Expect(env.Client.Create(f.t.Context(), o)).To(Succeed())
		}
	}
}

// complete waits until each control plane has its machines, of which none is outdated or being deleted, and returns the
// UIDs of the Machines.
func (f *fleet) complete() (machines map[types.UID]bool) {
	f.t.Helper()
	f.Eventually(func(g Gomega) {
		machines = map[types.UID]bool{}
		for _, name := range f.names {
			plane := f.get(name)
			replicas, _, _ := unstructured.NestedInt64(plane.Object, "spec", "replicas")
			for _, field := range []string{"replicas", "readyReplicas", "upToDateReplicas", "availableReplicas"} {
				n, _, _ := unstructured.NestedInt64(plane.Object, "status", field)
				g.Expect(n).To(Equal(replicas), "%s of %s: %v", field, name, plane.Object["status"])
			}
			observed, _, _ := unstructured.NestedInt64(plane.Object, "status", "observedGeneration")
			g.Expect(observed).To(Equal(plane.GetGeneration()))
			list := f.machines(name)
			g.Expect(list).To(HaveLen(int(replicas)))
			for _, m := range list {
				machines[m.UID] = true
			}
		}
	}).Should(Succeed())
	return machines
}

// get returns the control plane of a cluster.
func (f *fleet) get(name string) *unstructured.Unstructured {
	plane := f.plane.DeepCopy()
	f.Expect(env.Client.Get(f.t.Context(), client.ObjectKey{Namespace: name, Name: plane.GetName()}, plane)).To(Succeed())
	return plane
}

func (f *fleet) machines(name string) []clusterv1.Machine {
	var list clusterv1.MachineList
	f.Expect(env.Client.List(f.t.Context(), &list, client.InNamespace(name))).To(Succeed())
	return list.Items
}

// roll replaces all machines and waits until that is done.
func (f *fleet) roll() {
	f.t.Helper()
	before := f.complete()
	for _, name := range f.names {
		plane := f.get(name)
		old := plane.DeepCopy()
		// Machines that were created before are outdated. Times have seconds.
		now := time.Now().UTC().Add(time.Second).Format(time.RFC3339)
		f.Expect(unstructured.SetNestedField(plane.Object, now, "spec", "rollout", "after")).To(Succeed())
		f.Expect(env.Client.Patch(f.t.Context(), plane, client.MergeFrom(old))).To(Succeed())
	}
	f.Eventually(func() (left int) {
		for machine := range f.complete() {
			if before[machine] {
				left++
			}
		}
		return left
	}).Should(BeZero())
}

// explain logs the state of a test that fails.
func (f *fleet) explain() {
	if !f.t.Failed() {
		return
	}
	for _, name := range f.names {
		plane := f.plane.DeepCopy()
		key := client.ObjectKey{Namespace: name, Name: plane.GetName()}
		if err := env.Client.Get(env.ctx, key, plane); err != nil {
			f.t.Log(err)
			continue
		}
		text, _ := yaml.Marshal(plane.Object["status"])
		f.t.Logf("%s:\n%s", name, text)
		var list clusterv1.MachineList
		_ = env.Client.List(env.ctx, &list, client.InNamespace(name))
		for _, m := range list.Items {
			var problems []string
			for _, c := range m.Status.Conditions {
				if c.Status != metav1.ConditionTrue {
					problems = append(problems, c.Type+": "+c.Message)
				}
			}
			f.t.Logf("%s %s: %s", m.Name, m.Status.Phase, strings.Join(problems, "; "))
		}
	}
}
