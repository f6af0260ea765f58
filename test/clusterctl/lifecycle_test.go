package clusterctl_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
)

// planesNamespace is the namespace of the cluster that is moved.
const planesNamespace = "moved-planes"

// managed is a management cluster on which the controller of control planes runs.
type managed struct {
	*WithT
	*controlplane.ControlPlane
	t         *testing.T
	workloads *controlplane.Workloads
}

// TestControlPlaneLife installs the providers with the real clusterctl, describes a cluster with a control plane of
// three, upgrades the providers and moves the cluster. No machine is replaced, and no Secret changes. Only a nightly
// run moves the cluster to another management cluster.
func TestControlPlaneLife(t *testing.T) {
	r := catalog(t)
	_, c := management(t)
	source := newManaged(t, c, &controlplane.Workloads{})
	kubeconfig := r.install(t, c)
	stop := source.start()
	source.createCluster()
	source.complete()
	source.initialized()
	described := string(r.run(t, "describe", "cluster", "demo", "--kubeconfig", kubeconfig, "--namespace",
		planesNamespace, "--show-conditions", "all"))
	for _, want := range []string{
		"MachineadmControlPlane moved-planes/cp, v1.36.3", "EtcdClusterHealthy", "CertificatesAvailable", "SpecAccepted",
	} {
		source.Expect(described).To(ContainSubstring(want))
	}

	before := source.machines()
	stop()
	r.upgrade(t, kubeconfig)
	stop = source.start()
	source.leftAlone(before)
	stop()
	if nightly.Enabled() {
		source.moves(r, kubeconfig)
		return
	}
	files := saved(t, r.move(t, c, planesNamespace))
	for name := range before {
		source.Expect(files).To(ContainElements("Machine/"+name, "MachineBootstrapConfig/"+name, "StandInMachine/"+name))
	}
	for name := range source.secrets() {
		source.Expect(files).To(ContainElement("Secret/" + name))
	}
	source.Expect(files).To(ContainElements("MachineadmControlPlane/cp", "StandInMachineTemplate/cp"))
}

// moves moves the cluster to another management cluster, and checks that its controller changes nothing.
func (m *managed) moves(r repository, kubeconfig string) {
	m.t.Helper()
	before, secrets := m.machines(), m.secrets()
	target := newManaged(m.t, startServer(m.t), m.workloads)
	other := r.install(m.t, target.ControlPlane)
	r.upgrade(m.t, other)
	r.run(m.t, "move", "--kubeconfig", kubeconfig, "--to-kubeconfig", other, "--namespace", planesNamespace)
	m.Expect(m.machines()).To(BeEmpty())
	moved := target.machines()
	m.Expect(slices.Sorted(maps.Keys(moved))).To(Equal(slices.Sorted(maps.Keys(before))))
	target.start()
	target.leftAlone(moved)
	m.Expect(target.secrets()).To(Equal(secrets))
}

// upgrade upgrades the providers to the later version of the release, by the command of docs/upgrade.md.
func (r repository) upgrade(t *testing.T, kubeconfig string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(programs.Root(), "docs/upgrade.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, command, found := strings.Cut(string(page), "$ clusterctl upgrade apply --config out/clusterctl.yaml ")
	if !found {
		t.Fatal("docs/upgrade.md has no command that upgrades")
	}
	command, _, _ = strings.Cut(command, "\n")
	args := strings.Fields(strings.ReplaceAll(command, "v0.2.0", later))
	r.run(t, append([]string{"upgrade", "apply", "--kubeconfig", kubeconfig}, args...)...)
}

// startServer starts another API server.
func startServer(t *testing.T) *controlplane.ControlPlane {
	t.Helper()
	dir, err := os.MkdirTemp(shared, "target-")
	if err != nil {
		t.Fatal(err)
	}
	c, err := controlplane.Start(context.WithoutCancel(t.Context()), controlplane.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func newManaged(t *testing.T, c *controlplane.ControlPlane, w *controlplane.Workloads) *managed {
	t.Helper()
	g := NewWithT(t)
	g.SetDefaultEventuallyTimeout(10 * time.Minute)
	g.SetDefaultEventuallyPollingInterval(200 * time.Millisecond)
	return &managed{WithT: g, ControlPlane: c, t: t, workloads: w}
}

// start starts the controller of control planes with the permissions that clusterctl has installed.
func (m *managed) start() (stop func()) {
	m.t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(m.t.Context()))
	m.t.Cleanup(cancel)
	m.Expect(m.StartPlanes(ctx, m.workloads, 1)).To(Succeed())
	return cancel
}

// createCluster creates a cluster whose infrastructure is provisioned.
func (m *managed) createCluster() {
	m.t.Helper()
	m.Expect(m.EnsureNamespace(m.t.Context(), planesNamespace)).To(Succeed())
	meta := metav1.ObjectMeta{Namespace: planesNamespace, Name: "demo"}
	cluster := &clusterv1.Cluster{ObjectMeta: meta, Spec: clusterv1.ClusterSpec{
		ControlPlaneEndpoint: clusterv1.APIEndpoint{Host: "127.0.0.1", Port: 6443},
		ControlPlaneRef: clusterv1.ContractVersionedObjectReference{
			APIGroup: controlplanev1.Group, Kind: controlplanev1.Kind, Name: "cp",
		},
	}}
	m.Expect(m.Client.Create(m.t.Context(), cluster)).To(Succeed())
	owner := metav1.OwnerReference{
		APIVersion: clusterv1.GroupVersion.String(), Kind: clusterv1.ClusterKind, Name: "demo", UID: cluster.UID,
	}
	template := standin.Object(standin.MachineKind+"Template", planesNamespace, "cp")
	template.Object["spec"] = map[string]any{"template": map[string]any{"spec": map[string]any{}}}
	template.SetOwnerReferences([]metav1.OwnerReference{owner})
	plane := &controlplanev1.MachineadmControlPlane{ObjectMeta: metav1.ObjectMeta{
		Namespace: planesNamespace, Name: "cp", OwnerReferences: []metav1.OwnerReference{owner},
		Labels: map[string]string{clusterv1.ClusterNameLabel: "demo"},
	}}
	plane.Spec.Replicas, plane.Spec.Version = ptr.To(int32(3)), "v1.36.3"
	plane.Spec.MachineTemplate.Spec.InfrastructureRef = standin.Reference(standin.MachineKind+"Template", "cp")
	plane.Spec.Bootstrap = v1alpha1.MachineBootstrapConfigSpec{
		OS: v1alpha1.OSSpec{Distribution: "debian"},
		ControlPlane: &v1alpha1.ControlPlaneConfigSpec{
			Certificates: &v1alpha1.CertificatesSpec{Algorithm: "ECDSA-P256"},
		},
	}
	m.Expect(m.Client.Create(m.t.Context(), template)).To(Succeed())
	m.Expect(m.Client.Create(m.t.Context(), plane)).To(Succeed())
	cluster.Status.Initialization.InfrastructureProvisioned = ptr.To(true)
	m.Expect(m.Client.Status().Update(m.t.Context(), cluster)).To(Succeed())
}

// initialized sets the status of the Cluster as the core provider does. clusterctl moves only initialized clusters.
func (m *managed) initialized() {
	m.t.Helper()
	cluster := &clusterv1.Cluster{}
	key := client.ObjectKey{Namespace: planesNamespace, Name: "demo"}
	m.Expect(m.Client.Get(m.t.Context(), key, cluster)).To(Succeed())
	cluster.Status.Initialization.InfrastructureProvisioned = ptr.To(true)
	cluster.Status.Initialization.ControlPlaneInitialized = ptr.To(true)
	conditions.Set(cluster, metav1.Condition{
		Type: clusterv1.ClusterControlPlaneInitializedCondition, Status: metav1.ConditionTrue, Reason: "Initialized",
	})
	m.Expect(m.Client.Status().Update(m.t.Context(), cluster)).To(Succeed())
}

// complete lets Machines become nodes, until the control plane has three of them and nothing is left to do.
func (m *managed) complete() {
	m.t.Helper()
	m.Eventually(func(g Gomega) {
		m.boot(g)
		plane := &controlplanev1.MachineadmControlPlane{}
		key := client.ObjectKey{Namespace: planesNamespace, Name: "cp"}
		g.Expect(m.Client.Get(m.t.Context(), key, plane)).To(Succeed())
		g.Expect(plane.Status.UpToDateReplicas).To(HaveValue(BeEquivalentTo(3)), "%+v", plane.Status.NextOperation)
		g.Expect(plane.Status.Initialized()).To(BeTrue())
		g.Expect(plane.Status.NextOperation.Reason).To(Equal("UpToDate"), "%+v", plane.Status.NextOperation)
	}).Should(Succeed())
}

// boot sets the status of Machines as the core provider does when their nodes join.
func (m *managed) boot(g Gomega) {
	var list clusterv1.MachineList
	g.Expect(m.Client.List(m.t.Context(), &list, client.InNamespace(planesNamespace))).To(Succeed())
	for i := range list.Items {
		machine := &list.Items[i]
		if machine.Status.NodeRef.Name != "" || !machine.DeletionTimestamp.IsZero() {
			continue
		}
		before := machine.DeepCopy()
		machine.Status.NodeRef.Name = machine.Name
		g.Expect(m.Client.Status().Patch(m.t.Context(), machine, client.MergeFrom(before))).To(Succeed())
	}
}

// machines returns the UIDs of the Machines by their names.
func (m *managed) machines() map[string]string {
	m.t.Helper()
	var list clusterv1.MachineList
	m.Expect(m.Client.List(m.t.Context(), &list, client.InNamespace(planesNamespace))).To(Succeed())
	found := map[string]string{}
	for _, machine := range list.Items {
		found[machine.Name] = string(machine.UID)
	}
	return found
}

// leftAlone waits until the controller that was started last has nothing to do, and checks that it has changed no
// Machine.
func (m *managed) leftAlone(machines map[string]string) {
	m.t.Helper()
	m.Consistently(m.machines, time.Second).Should(Equal(machines), "before the core provider has observed the nodes")
	m.initialized()
	plane := &controlplanev1.MachineadmControlPlane{}
	key := client.ObjectKey{Namespace: planesNamespace, Name: "cp"}
	m.Expect(m.Client.Get(m.t.Context(), key, plane)).To(Succeed())
	before := plane.DeepCopy()
	// The controller observes the generation.
	plane.Spec.Rollout.Before.CertificatesExpiryDays = ptr.To(int32(30) + int32(plane.Generation))
	m.Expect(m.Client.Patch(m.t.Context(), plane, client.MergeFrom(before))).To(Succeed())
	m.Eventually(func(g Gomega) {
		m.boot(g)
		current := &controlplanev1.MachineadmControlPlane{}
		g.Expect(m.Client.Get(m.t.Context(), key, current)).To(Succeed())
		g.Expect(current.Status.ObservedGeneration).To(Equal(plane.Generation))
	}).Should(Succeed())
	m.complete()
	m.Expect(m.machines()).To(Equal(machines))
}

// secrets returns the contents of the Secrets of the cluster by their names.
func (m *managed) secrets() map[string]string {
	m.t.Helper()
	var list corev1.SecretList
	m.Expect(m.Client.List(m.t.Context(), &list, client.InNamespace(planesNamespace))).To(Succeed())
	found := map[string]string{}
	for _, s := range list.Items {
		var all []string
		for _, key := range slices.Sorted(maps.Keys(s.Data)) {
			all = append(all, key+"="+string(s.Data[key]))
		}
		found[s.Name] = strings.Join(all, "\n")
	}
	m.Expect(found).To(HaveKey("demo-ca"))
	m.Expect(found).To(HaveKey("demo-kubeconfig"))
	return found
}
