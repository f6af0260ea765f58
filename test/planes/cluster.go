//go:build linux

package planes

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nodeimage"
)

// namespace is that of all objects.
const namespace = "default"

//go:embed testdata/cluster.yaml
var manifests string

// Cluster is a cluster whose control plane is a MachineadmControlPlane. The Cluster and the HostCluster have the same
// name, and the control plane has it too unless the options contain another one.
type Cluster struct {
	*World
	Name  string
	plane string
}

// Options describe a cluster. Its workers are the MachineDeployment NAME-workers, which has no machines at first.
type Options struct {
	// Name is the name of the cluster.
	Name string
	// Plane is the name of the control plane; empty is that of the cluster.
	Plane string
	// Endpoint is the virtual IP of the control plane; empty is the constant Endpoint.
	Endpoint string
	// Release is that of the machines; empty is the current one.
	Release nodeimage.Release
	// Change changes the control plane before it is created; nil changes nothing.
	Change func(*controlplanev1.MachineadmControlPlane)
}

// Create creates a cluster.
func (w *World) Create(o Options) *Cluster {
	w.t.Helper()
	w.Expect(w.Apply(w.ctx, w.decode(o)...)).To(gomega.Succeed())
	return &Cluster{World: w, Name: o.Name, plane: o.Plane}
}

// decode returns the objects of a cluster.
func (w *World) decode(o Options) []*unstructured.Unstructured {
	w.t.Helper()
	if o.Release.Version == "" {
		o.Release = nodeimage.Current()
	}
	words := strings.NewReplacer("NAME", o.Name, "ENDPOINT", cmp.Or(o.Endpoint, Endpoint), "REGISTRY", w.Host.Registry(),
		"VERSION", o.Release.Version, "ROOT", RootName(o.Release), "PLANE", cmp.Or(o.Plane, o.Name))
	objects, err := controlplane.Decode(strings.NewReader(words.Replace(manifests)))
	w.Expect(err).NotTo(gomega.HaveOccurred())
	for _, u := range objects {
		if u.GetKind() == controlplanev1.Kind && o.Change != nil {
			w.Expect(changeObject(u, o.Change)).To(gomega.Succeed())
		}
	}
	return objects
}

// changeObject changes an object as its type.
func changeObject[T any](u *unstructured.Unstructured, change func(*T)) error {
	typed := new(T)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, typed); err != nil {
		return err
	}
	change(typed)
	var err error
	u.Object, err = runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	delete(u.Object, "status")
	return err
}

// AddTemplate creates the template of machines with another release, and returns its name.
func (c *Cluster) AddTemplate(r nodeimage.Release) string {
	c.t.Helper()
	template := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "infrastructure.machineadm.io/v1alpha1", "kind": "HostMachineTemplate",
		"metadata": map[string]any{"namespace": namespace, "name": c.Name + "-" + RootName(r)},
		"spec": map[string]any{"template": map[string]any{"spec": map[string]any{
			"namespaceMachine": map[string]any{"root": RootName(r)},
		}}},
	}}
	c.Expect(c.Apply(c.ctx, template)).To(gomega.Succeed())
	return template.GetName()
}

// For returns the cluster with assertions for another test.
func (c *Cluster) For(t *testing.T) *Cluster {
	t.Helper()
	world := *c.World
	world.t, world.WithT = t, gomega.NewWithT(t)
	world.SetDefaultEventuallyTimeout(Patience)
	world.SetDefaultEventuallyPollingInterval(500 * time.Millisecond)
	return &Cluster{World: &world, Name: c.Name, plane: c.plane}
}

// Plane returns the control plane.
func (c *Cluster) Plane() *controlplanev1.MachineadmControlPlane {
	o := &controlplanev1.MachineadmControlPlane{}
	_ = c.Client.Get(c.ctx, client.ObjectKey{Namespace: namespace, Name: cmp.Or(c.plane, c.Name)}, o)
	return o
}

// Change changes the control plane as a user does.
func (c *Cluster) Change(change func(*controlplanev1.MachineadmControlPlaneSpec)) {
	c.t.Helper()
	c.Eventually(func() error {
		o := c.Plane()
		before := o.DeepCopy()
		change(&o.Spec)
		return c.Client.Patch(c.ctx, o, client.MergeFrom(before))
	}).Should(gomega.Succeed())
}

// Machines returns the Machines with a label, sorted by name.
func (c *Cluster) machines(label string) []clusterv1.Machine {
	var list clusterv1.MachineList
	_ = c.Client.List(c.ctx, &list, client.InNamespace(namespace),
		client.MatchingLabels{clusterv1.ClusterNameLabel: c.Name}, client.HasLabels{label})
	slices.SortFunc(list.Items, func(a, b clusterv1.Machine) int { return strings.Compare(a.Name, b.Name) })
	return list.Items
}

// Machines returns the Machines of the control plane, sorted by name.
func (c *Cluster) Machines() []clusterv1.Machine {
	return c.machines(clusterv1.MachineControlPlaneLabel)
}

// Workers returns the other Machines, sorted by name.
func (c *Cluster) Workers() []clusterv1.Machine {
	return c.machines(clusterv1.MachineDeploymentNameLabel)
}

// Complete waits until the control plane has as many machines as specified, all of them up to date and healthy, and
// nothing is left to do. It returns the machines.
func (c *Cluster) Complete() []clusterv1.Machine {
	c.t.Helper()
	var found []clusterv1.Machine
	c.Eventually(func(g gomega.Gomega) {
		found = c.Machines()
		o := c.Plane()
		g.Expect(o.Status.ObservedGeneration).To(gomega.Equal(o.Generation))
		g.Expect(o.Status.NextOperation).To(gomega.HaveField("Reason", "UpToDate"))
		g.Expect(found).To(gomega.HaveLen(int(*o.Spec.Replicas)))
		g.Expect(o.Status.UpToDateReplicas).To(gomega.HaveValue(gomega.Equal(*o.Spec.Replicas)))
		for _, kind := range []string{
			"Available", "EtcdClusterHealthy", "ControlPlaneComponentsHealthy", "MachinesUpToDate", "MachinesReady",
		} {
			g.Expect(conditions.IsTrue(o, kind)).To(gomega.BeTrue(), kind)
		}
		for i := range found {
			g.Expect(found[i].Spec.Version).To(gomega.Equal(o.Spec.Version))
			g.Expect(found[i].DeletionTimestamp).To(gomega.BeNil())
		}
	}).Should(gomega.Succeed(), c.Describe)
	return found
}

// Describe describes the control plane and its machines, for the message of a failed test.
func (c *Cluster) Describe() string {
	var text strings.Builder
	o := c.Plane()
	fmt.Fprintf(&text, "control plane: %+v\n", o.Status.NextOperation)
	for _, condition := range o.Status.Conditions {
		fmt.Fprintf(&text, "  %s %s %s: %s\n", condition.Type, condition.Status, condition.Reason, condition.Message)
	}
	for _, m := range append(c.Machines(), c.Workers()...) {
		fmt.Fprintf(&text, "machine %s: %s, deleted %v\n", m.Name, m.Status.Phase, m.DeletionTimestamp)
		for _, condition := range m.Status.Conditions {
			if condition.Status != "True" {
				fmt.Fprintf(&text, "  %s %s %s: %s\n", condition.Type, condition.Status, condition.Reason, condition.Message)
			}
		}
		text.WriteString(c.logs(&m))
	}
	return text.String()
}

// Kubeconfig returns the configuration of clients of the cluster, once it exists.
func (c *Cluster) Kubeconfig() *rest.Config {
	c.t.Helper()
	secret := &corev1.Secret{}
	c.Eventually(func() error {
		return c.Client.Get(c.ctx, client.ObjectKey{Namespace: namespace, Name: c.Name + "-kubeconfig"}, secret)
	}).Should(gomega.Succeed())
	config, err := clientcmd.RESTConfigFromKubeConfig(secret.Data["value"])
	c.Expect(err).NotTo(gomega.HaveOccurred())
	config.Timeout, config.QPS = 10*time.Second, -1
	return config
}

// Workload returns a client of the cluster.
func (c *Cluster) Workload() client.Client {
	c.t.Helper()
	var workload client.Client
	c.Eventually(func() (err error) {
		workload, err = client.New(c.Kubeconfig(), client.Options{})
		return err
	}).Should(gomega.Succeed())
	return workload
}
