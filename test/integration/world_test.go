package integration_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane/standin"
)

const (
	version  = "v1.36.3"
	observed = 3 * time.Second
	polling  = 500 * time.Millisecond
	// commonName is the name of the common cluster.
	commonName = "common"
)

// world is a test's namespace with one cluster, whose name is the namespace's.
type world struct {
	*WithT
	env  *environment
	t    *testing.T
	name string
	// prefix is the prefix of the names of the test's machines: the test's own in the common cluster, otherwise name.
	prefix string
}

// newWorld makes a namespace and in it a cluster; the cluster's CA is that of the API server, so that it can be joined.
func newWorld(t *testing.T, name string) *world {
	t.Helper()
	w := &world{WithT: patient(t), env: environmentOf(t), t: t, name: name, prefix: name}
	w.Expect(w.env.EnsureNamespace(t.Context(), name)).To(Succeed())
	cluster := &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: name},
		Spec:       clusterv1.ClusterSpec{InfrastructureRef: standin.Reference(standin.ClusterKind, name)},
	}
	w.kubeconfig()
	w.create(w.env.ClusterCA(client.ObjectKeyFromObject(cluster)), standin.Object(standin.ClusterKind, name,
		name), cluster)
	t.Cleanup(w.log)
	t.Cleanup(w.rest)
	return w
}

// kubeconfig creates the kubeconfig of the cluster with an ECDSA key. The core would generate an RSA key, as it does
// for the clusters of the replaceable environment, and for those of the older core.
func (w *world) kubeconfig() {
	w.t.Helper()
	if w.env != shared() || wantedCore() != newestCore {
		return
	}
	s, err := w.env.ClusterKubeconfig(w.key(w.name), "kubernetes-admin")
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(client.IgnoreAlreadyExists(w.env.Client.Create(w.t.Context(), s))).To(Succeed())
}

// rest pauses the cluster when its test has ended. Otherwise, each new cluster makes the core reconcile all Machines
// with a Node again: the clusters are in one API server, and the core observes the Nodes of it for each of them.
func (w *world) rest() {
	if w.name == commonName {
		return
	}
	c := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: w.name}}
	paused := client.RawPatch(types.MergePatchType, []byte(`{"spec": {"paused": true}}`))
	err := w.env.Client.Patch(context.WithoutCancel(w.t.Context()), c, paused)
	w.Expect(client.IgnoreNotFound(err)).To(Succeed())
}

// patient returns assertions with the tests' timeout and polling interval. Gomega's default interval of ten
// milliseconds would give the API server more work than the controllers do.
func patient(t *testing.T) *WithT {
	g := NewWithT(t)
	g.SetDefaultEventuallyTimeout(patience)
	g.SetDefaultEventuallyPollingInterval(polling)
	g.SetDefaultConsistentlyPollingInterval(polling)
	return g
}

// log shows the last words of the controllers about a test that has failed.
func (w *world) log() {
	if w.t.Failed() {
		w.t.Log(w.env.mentions(w.prefix))
	}
}

func (w *world) create(objects ...client.Object) {
	w.t.Helper()
	for _, o := range objects {
		w.Expect(w.env.Client.Create(w.t.Context(), o)).To(Succeed())
	}
}

func (w *world) key(name string) client.ObjectKey {
	return client.ObjectKey{Namespace: w.name, Name: name}
}

func (w *world) get(name string, o client.Object) error {
	return w.env.Client.Get(context.WithoutCancel(w.t.Context()), w.key(name), o)
}

// config returns a config for a machine on Ubuntu whose image has what it needs.
func (w *world) config(name string, change ...func(*v1alpha1.MachineBootstrapConfig)) *v1alpha1.MachineBootstrapConfig {
	c := &v1alpha1.MachineBootstrapConfig{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: w.name, Name: w.prefix + "-" + name, Labels: map[string]string{clusterv1.ClusterNameLabel: w.name},
		},
		Spec: v1alpha1.MachineBootstrapConfigSpec{
			OS:      v1alpha1.OSSpec{Distribution: "ubuntu", Version: "24.04"},
			Machine: &v1alpha1.MachineSpec{Kubernetes: &v1alpha1.KubernetesConfigSpec{Provision: "Image"}},
		},
	}
	for _, f := range change {
		f(c)
	}
	return c
}

// machine returns the machine of a config, with its infrastructure.
func (w *world) machine(name string, controlPlane bool) (*clusterv1.Machine, client.Object) {
	full := w.prefix + "-" + name
	labels := map[string]string{clusterv1.ClusterNameLabel: w.name}
	if controlPlane {
		labels[clusterv1.MachineControlPlaneLabel] = ""
	}
	return &clusterv1.Machine{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: full, Labels: labels},
		Spec: clusterv1.MachineSpec{
			ClusterName: w.name, Version: version, InfrastructureRef: standin.Reference(standin.MachineKind, full),
			Bootstrap: clusterv1.Bootstrap{ConfigRef: clusterv1.ContractVersionedObjectReference{
				APIGroup: v1alpha1.Group, Kind: v1alpha1.ConfigKind, Name: full,
			}},
		},
	}, standin.Object(standin.MachineKind, w.name, full)
}

// boot makes a config and its machine, and returns the machine's name. A control plane without settings has ECDSA keys.
func (w *world) boot(name string, controlPlane bool, change ...func(*v1alpha1.MachineBootstrapConfig)) string {
	w.t.Helper()
	m, infrastructure := w.machine(name, controlPlane)
	c := w.config(name, change...)
	if controlPlane && c.Spec.ControlPlane == nil && c.Spec.OS.Distribution != "talos" {
		c.Spec.ControlPlane = quickKeys()
	}
	w.create(c, infrastructure, m)
	return m.Name
}

// quickKeys returns settings of a control plane with ECDSA keys, which are generated in less than a hundredth of the
// time of the default.
func quickKeys() *v1alpha1.ControlPlaneConfigSpec {
	return &v1alpha1.ControlPlaneConfigSpec{Certificates: &v1alpha1.CertificatesSpec{Algorithm: "ECDSA-P256"}}
}

// published waits until the config is ready and returns it.
func (w *world) published(name string) *v1alpha1.MachineBootstrapConfig {
	w.t.Helper()
	c := &v1alpha1.MachineBootstrapConfig{}
	w.Eventually(func(g Gomega) {
		g.Expect(w.get(name, c)).To(Succeed())
		g.Expect(c.Status.DataSecretCreated()).To(BeTrue(), "%+v", c.Status.Conditions)
	}).Should(Succeed())
	return c
}

func (w *world) reason(name string) string {
	c := &v1alpha1.MachineBootstrapConfig{}
	if w.get(name, c) != nil {
		return ""
	}
	return conditions.GetReason(c, clusterv1.ReadyCondition)
}

func (w *world) data(name string) *corev1.Secret {
	w.t.Helper()
	s := &corev1.Secret{}
	w.Expect(w.get(name, s)).To(Succeed())
	return s
}

// join makes the node of a machine that has its data, and waits until the machine knows it.
func (w *world) join(name string) {
	w.t.Helper()
	m := &clusterv1.Machine{}
	w.Expect(w.get(name, m)).To(Succeed())
	_, err := standin.Join(w.t.Context(), w.env.Client, m)
	w.Expect(err).NotTo(HaveOccurred())
	w.Eventually(func(g Gomega) {
		g.Expect(w.get(name, m)).To(Succeed())
		g.Expect(m.Status.NodeRef.Name).NotTo(BeEmpty())
	}).Should(Succeed())
}

// initialized returns a world whose control plane is up.
func initialized(t *testing.T, name string) *world {
	t.Helper()
	w := newWorld(t, name)
	first := w.boot("cp0", true)
	w.published(first)
	w.join(first)
	w.Eventually(func() bool {
		c := &clusterv1.Cluster{}
		return w.get(w.name, c) == nil && conditions.IsTrue(c, clusterv1.ClusterControlPlaneInitializedCondition)
	}).Should(BeTrue())
	return w
}

// common returns a world whose control plane is up, in a namespace that tests share. Such a test creates workers alone,
// and does not change the cluster.
func common(t *testing.T, prefix string) *world {
	t.Helper()
	e := environmentOf(t)
	e.common.Do(func() { initialized(t, commonName) })
	w := &world{WithT: patient(t), env: e, t: t, name: commonName, prefix: prefix}
	t.Cleanup(w.log)
	return w
}

func (w *world) patch(o client.Object, change func()) {
	w.t.Helper()
	w.Expect(w.env.Client.Get(w.t.Context(), client.ObjectKeyFromObject(o), o)).To(Succeed())
	before, ok := o.DeepCopyObject().(client.Object)
	w.Expect(ok).To(BeTrue())
	change()
	w.Expect(w.env.Client.Patch(w.t.Context(), o, client.MergeFrom(before))).To(Succeed())
}

func (w *world) pause(paused bool) {
	w.t.Helper()
	c := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: w.name}}
	w.patch(c, func() { c.Spec.Paused = ptr.To(paused) })
}

// pauseAndWait pauses the cluster, or ends its pause, and waits until the controller has seen that: the named config
// has the condition.
func (w *world) pauseAndWait(paused bool, name string) {
	w.t.Helper()
	w.pause(paused)
	w.Eventually(func() *bool { return w.pausedCondition(name) }).Should(HaveValue(Equal(paused)))
}

// token returns the ID of the token that a machine's data holds.
func (w *world) token(name string) client.ObjectKey {
	id := w.data(name).Annotations["bootstrap.machineadm.io/token-id"]
	return client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: "bootstrap-token-" + id}
}
