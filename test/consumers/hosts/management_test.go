//go:build linux

package hosts_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2/textlogger"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/hostdriver/ssh"
	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/hosts"
)

// management is a management cluster with Cluster API core and the kinds of hosts. Tests share it, and have a namespace
// each.
type management struct {
	*controlplane.ControlPlane
	processes []*controlplane.Process
	// ctx ends with the run: processes outlive the test that starts them.
	ctx context.Context //nolint:containedctx // it is the run's
	dir string
	err error
}

// managementCluster starts the management cluster with the first test that needs it.
var managementCluster = sync.OnceValue(func() *management {
	m := &management{ctx: context.Background()}
	m.err = m.start()
	started = m
	return m
})

// started is the management cluster that TestMain stops.
var started *management

func TestMain(m *testing.M) {
	code := m.Run()
	if started != nil {
		if err := started.stop(); err != nil {
			fmt.Fprintln(os.Stderr, "hosts:", err)
			code = 1
		}
	}
	os.Exit(code)
}

func (m *management) start() (err error) {
	if m.dir, err = os.MkdirTemp("", "machineadm-hosts-"); err != nil {
		return err
	}
	// The end of the control plane searches the logs for secrets.
	log, err := os.Create(filepath.Join(m.dir, "hosts.log"))
	if err != nil {
		return err
	}
	ctrl.SetLogger(textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(log), textlogger.Verbosity(4))))
	if m.ControlPlane, err = controlplane.Start(m.ctx, controlplane.Options{Dir: m.dir, Audit: true}); err != nil {
		return err
	}
	for _, start := range []func(context.Context) (*controlplane.Process, error){
		m.StartControllerManager,
		func(ctx context.Context) (*controlplane.Process, error) {
			return m.StartCore(ctx, controlplane.Core114())
		},
	} {
		p, err := start(m.ctx)
		if err != nil {
			return err
		}
		m.processes = append(m.processes, p)
	}
	return m.InstallHosts(m.ctx)
}

// stop stops the cluster, which searches objects, events and logs for secrets.
func (m *management) stop() (err error) {
	for _, p := range slices.Backward(m.processes) {
		err = errors.Join(err, p.Stop())
	}
	if m.ControlPlane != nil {
		err = errors.Join(err, m.Stop())
	}
	return errors.Join(err, os.RemoveAll(m.dir))
}

// fleet is a namespace with hosts that real SSH servers serve, the controllers of hosts and a cluster. The cluster and
// the namespace have the same name.
type fleet struct {
	*WithT
	*management
	t       *testing.T
	name    string
	network *hosts.Network
	hosts   map[string]*hosts.Host
	// stop stops the controllers of hosts.
	stop func()
	// meter measures the connections of the controllers.
	meter *meter
}

// kubernetes is the version of all machines.
const kubernetes = "v1.36.3"

// newFleet starts hosts and the controllers of hosts, and waits until the hosts are available.
func newFleet(t *testing.T, name string, number int, limits ports.HostDriverLimits) *fleet {
	t.Helper()
	f := &fleet{
		WithT: NewWithT(t), management: managementCluster(), t: t, name: name, network: hosts.NewNetwork(t),
		hosts: map[string]*hosts.Host{}, stop: func() {},
	}
	f.Expect(f.err).NotTo(HaveOccurred())
	f.SetDefaultEventuallyTimeout(fleetPatience)
	f.SetDefaultEventuallyPollingInterval(500 * time.Millisecond)
	f.control(limits)
	t.Cleanup(func() { f.stop() })
	f.Expect(f.EnsureNamespace(t.Context(), name)).To(Succeed())
	for range number {
		h := f.network.Start(t, hosts.Options{})
		f.hosts[h.Name] = h
		f.create(f.objects(h)...)
	}
	f.available(number)
	return f
}

// control starts the controllers of hosts, in place of those that run.
func (f *fleet) control(limits ports.HostDriverLimits) {
	f.t.Helper()
	f.stop()
	f.meter = &meter{}
	d := ssh.New(ssh.Options{Limits: limits, Dial: f.meter.dial(f.network)})
	stop, err := f.StartHosts(f.ctx, controlplane.HostsOptions{Driver: d, Namespace: f.name, Concurrency: 64})
	f.Expect(err).NotTo(HaveOccurred())
	f.stop = func() {
		stop()
		d.Close()
	}
}

// fleetPatience is how long a fleet may take on a busy machine.
const fleetPatience = 10 * time.Minute

// objects returns the Host and the Secret with its SSH key.
func (f *fleet) objects(h *hosts.Host) []client.Object {
	meta := metav1.ObjectMeta{Namespace: f.name, Name: h.Name}
	labelled := *meta.DeepCopy()
	labelled.Labels = map[string]string{hostsv1.SSHKeyLabel: "true"}
	return []client.Object{
		&corev1.Secret{ObjectMeta: labelled, Data: map[string][]byte{corev1.SSHAuthPrivateKey: h.Key.Reveal()}},
		&hostsv1.Host{ObjectMeta: meta, Spec: hostsv1.HostSpec{
			Address: h.Address, HostKeys: []string{h.HostKey}, SSHKeyRef: hostsv1.SSHKeyReference{Name: h.Name},
		}},
	}
}

func (f *fleet) create(objects ...client.Object) {
	f.t.Helper()
	for _, o := range objects {
		f.Expect(f.Client.Create(f.t.Context(), o)).To(Succeed())
	}
}

// available waits until a number of hosts is available.
func (f *fleet) available(number int) {
	f.t.Helper()
	f.Eventually(func(g Gomega) {
		var list hostsv1.HostList
		g.Expect(f.Client.List(f.t.Context(), &list, client.InNamespace(f.name))).To(Succeed())
		free, others := 0, ""
		for i := range list.Items {
			if h := &list.Items[i]; h.Status.State == string(host.StateAvailable) {
				free++
			} else {
				others = fmt.Sprintf("%s %s: %+v", h.Name, h.Status.State, h.Status.Conditions)
			}
		}
		g.Expect(free).To(Equal(number), others)
	}).Should(Succeed())
}

// cluster creates the cluster and the bootstrap data of its machines.
func (f *fleet) cluster(data []byte) *clusterv1.Cluster {
	f.t.Helper()
	endpoint, port := f.Endpoint()
	meta := metav1.ObjectMeta{Namespace: f.name, Name: f.name}
	cluster := &clusterv1.Cluster{ObjectMeta: meta, Spec: clusterv1.ClusterSpec{
		InfrastructureRef: f.reference(hostsv1.ClusterKind, f.name),
	}}
	f.create(f.ClusterCA(client.ObjectKeyFromObject(cluster)), cluster,
		&hostsv1.HostCluster{ObjectMeta: *meta.DeepCopy(), Spec: hostsv1.HostClusterSpec{
			ControlPlaneEndpoint: hostsv1.APIEndpoint{Host: endpoint, Port: port},
		}},
		&corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: f.name, Name: "data"}, Data: map[string][]byte{"value": data},
		})
	return cluster
}

func (f *fleet) reference(kind, name string) clusterv1.ContractVersionedObjectReference {
	return clusterv1.ContractVersionedObjectReference{APIGroup: hostsv1.Group, Kind: kind, Name: name}
}

// machine returns the specification of a machine.
func (f *fleet) machine(kind, name string) clusterv1.MachineSpec {
	return clusterv1.MachineSpec{
		ClusterName: f.name, Version: kubernetes, InfrastructureRef: f.reference(kind, name),
		Bootstrap: clusterv1.Bootstrap{DataSecretName: ptr.To("data")},
	}
}

// boot creates a Machine and its HostMachine.
func (f *fleet) boot(name string, change ...func(*clusterv1.Machine, *hostsv1.HostMachine)) {
	f.t.Helper()
	meta := metav1.ObjectMeta{
		Namespace: f.name, Name: name, Labels: map[string]string{clusterv1.ClusterNameLabel: f.name},
	}
	infrastructure := &hostsv1.HostMachine{ObjectMeta: meta}
	m := &clusterv1.Machine{ObjectMeta: *meta.DeepCopy(), Spec: f.machine(hostsv1.MachineKind, name)}
	for _, c := range change {
		c(m, infrastructure)
	}
	f.create(infrastructure, m)
}

// infrastructure returns the HostMachines by their names.
func (f *fleet) infrastructure() map[string]*hostsv1.HostMachine {
	var list hostsv1.HostMachineList
	if err := f.Client.List(f.t.Context(), &list, client.InNamespace(f.name)); err != nil {
		return nil
	}
	all := map[string]*hostsv1.HostMachine{}
	for i := range list.Items {
		all[list.Items[i].Name] = &list.Items[i]
	}
	return all
}
