package integration_test

import (
	"fmt"
	"sync"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/controlplane"
)

// fleet starts the controllers of hosts in the shared environment, once, and returns the hosts that they use.
var fleet = sync.OnceValues(func() (*memory.HostFleet, error) {
	f, e := &memory.HostFleet{}, shared()
	if err := e.InstallHosts(e.ctx); err != nil {
		return nil, err
	}
	_, err := e.StartHosts(e.ctx, controlplane.HostsOptions{Driver: f.Driver(ports.HostFormatShell)})
	return f, err
})

// dataName is the name of the Secret with the bootstrap data of all machines.
const dataName = "data"

// hostsWorld is a test's namespace with a cluster of hosts, whose name is the namespace's.
type hostsWorld struct {
	*world
	fleet *memory.HostFleet
}

// newHosts creates a world in the shared environment.
func newHosts(t *testing.T, name string, change ...func(*hostsv1.HostCluster, *clusterv1.Cluster)) *hostsWorld {
	t.Helper()
	f, err := fleet()
	if err != nil {
		t.Fatal(err)
	}
	return newHostsIn(t, shared(), f, name, change...)
}

// newHostsIn creates a namespace with a cluster of hosts, the SSH key of its hosts and bootstrap data.
func newHostsIn(t *testing.T, env *environment, f *memory.HostFleet, name string,
	change ...func(*hostsv1.HostCluster, *clusterv1.Cluster),
) *hostsWorld {
	t.Helper()
	w := &hostsWorld{world: &world{WithT: patient(t), env: env, t: t, name: name, prefix: name}, fleet: f}
	w.Expect(w.env.EnsureNamespace(t.Context(), name)).To(Succeed())
	endpoint, port := w.env.Endpoint()
	infrastructure := &hostsv1.HostCluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: name},
		Spec:       hostsv1.HostClusterSpec{ControlPlaneEndpoint: hostsv1.APIEndpoint{Host: endpoint, Port: port}},
	}
	cluster := &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: name},
		Spec:       clusterv1.ClusterSpec{InfrastructureRef: w.reference(hostsv1.ClusterKind, name)},
	}
	for _, f := range change {
		f(infrastructure, cluster)
	}
	w.kubeconfig()
	data := w.secret(dataName, map[string]string{"value": "#!/bin/sh\necho " + name + "\n"})
	w.create(w.env.ClusterCA(client.ObjectKeyFromObject(cluster)), infrastructure, cluster, data)
	key := w.secret("ssh", map[string]string{corev1.SSHAuthPrivateKey: "key of " + name})
	key.Labels = map[string]string{hostsv1.SSHKeyLabel: "true"}
	w.create(key)
	t.Cleanup(w.rest)
	return w
}

func (w *hostsWorld) reference(kind, name string) clusterv1.ContractVersionedObjectReference {
	return clusterv1.ContractVersionedObjectReference{APIGroup: hostsv1.Group, Kind: kind, Name: name}
}

func (w *hostsWorld) secret(name string, data map[string]string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: name}, StringData: data}
}

// hosts creates hosts with the names h0, h1 and so on, and waits until they are available.
func (w *hostsWorld) hosts(number int, change ...func(*hostsv1.Host)) {
	w.t.Helper()
	for i := range number {
		h := w.newHost(fmt.Sprintf("h%d", i))
		for _, f := range change {
			f(h)
		}
		w.create(h)
		// A machine that waits for a host claims it at once.
		w.Eventually(func() string { return w.host(h.Name).Status.State }).
			Should(BeElementOf(string(host.StateAvailable), string(host.StateClaimed)))
	}
}

func (w *hostsWorld) host(name string) *hostsv1.Host {
	h := &hostsv1.Host{}
	_ = w.get(name, h)
	return h
}

// machine returns a Machine with its bootstrap data, and its HostMachine.
func (w *hostsWorld) machine(name string, controlPlane bool) (*clusterv1.Machine, *hostsv1.HostMachine) {
	meta := metav1.ObjectMeta{
		Namespace: w.name, Name: name, Labels: map[string]string{clusterv1.ClusterNameLabel: w.name},
	}
	infrastructure := &hostsv1.HostMachine{ObjectMeta: *meta.DeepCopy()}
	m := &clusterv1.Machine{
		ObjectMeta: meta,
		Spec: clusterv1.MachineSpec{
			ClusterName: w.name, Version: version, InfrastructureRef: w.reference(hostsv1.MachineKind, name),
			Bootstrap: clusterv1.Bootstrap{DataSecretName: ptr.To(dataName)},
		},
	}
	if controlPlane {
		m.Labels[clusterv1.MachineControlPlaneLabel] = ""
	}
	return m, infrastructure
}

// boot creates a machine and its HostMachine.
func (w *hostsWorld) boot(name string, controlPlane bool, change ...func(*hostsv1.HostMachine)) {
	w.t.Helper()
	m, infrastructure := w.machine(name, controlPlane)
	for _, f := range change {
		f(infrastructure)
	}
	w.create(infrastructure, m)
}

func (w *hostsWorld) infrastructure(name string) *hostsv1.HostMachine {
	m := &hostsv1.HostMachine{}
	_ = w.get(name, m)
	return m
}

// claimed waits until the machine has a host on which its data runs, and returns the key of the host.
func (w *hostsWorld) claimed(name string) ports.Key {
	w.t.Helper()
	var key ports.Key
	w.Eventually(func(g Gomega) {
		m := w.infrastructure(name)
		g.Expect(m.Spec.Claim).NotTo(BeNil(), "%+v", m.Status.Conditions)
		key = ports.Key{Namespace: w.name, Name: m.Spec.Claim.HostName}
		g.Expect(w.fleet.Claim(key)).To(Equal(m.Spec.Claim.ID))
		// The host may have served another machine before.
		_, last := w.fleet.Runs(key)
		g.Expect(last.ProviderID).To(Equal(m.ExpectedProviderID()), "%+v", m.Status.Conditions)
	}).Should(Succeed())
	return key
}

// provision ends the run of a machine with success, after its Node exists, and waits until it is provisioned.
func (w *hostsWorld) provision(name string) *hostsv1.HostMachine {
	w.t.Helper()
	key := w.claimed(name)
	w.node(name)
	w.fleet.Finish(key, "")
	w.Eventually(func(g Gomega) {
		m := w.infrastructure(name)
		g.Expect(m.Status.Ready).To(BeTrue(), "%+v", m.Status.Conditions)
	}).Should(Succeed())
	return w.infrastructure(name)
}

// node creates the Node that the machine's kubelet creates.
func (w *hostsWorld) node(name string) {
	w.t.Helper()
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: w.name + "-" + name},
		Spec:       corev1.NodeSpec{ProviderID: w.infrastructure(name).ExpectedProviderID()},
	}
	w.create(node)
	before := node.DeepCopy()
	node.Status.Conditions = []corev1.NodeCondition{{
		Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastHeartbeatTime: metav1.Now(),
		LastTransitionTime: metav1.Now(),
	}}
	w.Expect(w.env.Client.Status().Patch(w.t.Context(), node, client.MergeFrom(before))).To(Succeed())
}

// reason returns the reason of the condition Ready of a HostMachine.
func (w *hostsWorld) reason(name string) string {
	return conditions.GetReason(w.infrastructure(name), host.ConditionReady)
}

// delete deletes a Machine and waits until it and its HostMachine are gone.
func (w *hostsWorld) delete(name string) {
	w.t.Helper()
	m, infrastructure := w.machine(name, false)
	w.Expect(w.env.Client.Delete(w.t.Context(), m)).To(Succeed())
	w.Eventually(func(g Gomega) {
		g.Expect(w.get(name, infrastructure)).NotTo(Succeed())
		g.Expect(w.get(name, m)).NotTo(Succeed())
	}).Should(Succeed())
}
