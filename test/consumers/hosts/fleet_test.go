//go:build linux

package hosts_test

import (
	"context"
	"net"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/hosts"
	"github.com/machineadm/machineadm/test/nightly"
)

// recordingScript appends its path, which contains the ID of the claim, to a file that no reset removes.
const recordingScript = "#!/bin/sh\n# " + canary.Mark + `
echo "$0" >>/var/lib/runs
` + hosts.Succeed

// meter measures the connections of a driver.
type meter struct {
	mutex      sync.Mutex
	open, most int
}

func (m *meter) add(n int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.open += n
	m.most = max(m.most, m.open)
}

// peak returns the largest number of connections that were open at once.
func (m *meter) peak() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.most
}

// dial returns the dialer of a network whose connections are measured.
func (m *meter) dial(n *hosts.Network) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := n.Dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		m.add(1)
		return &meteredConn{Conn: c, closed: sync.OnceFunc(func() { m.add(-1) })}, nil
	}
}

type meteredConn struct {
	net.Conn
	closed func()
}

// Close closes the connection.
func (c *meteredConn) Close() error {
	c.closed()
	return c.Conn.Close()
}

// TestFleet boots a machine on each host of a pool and deletes the cluster: no host serves two machines, no machine
// runs twice, and all hosts are available again. The controller that boots the machines has fewer connections than
// hosts. Its successor has enough, so that it connects to each host once. The test creates the Nodes in place of
// kubelets.
func TestFleet(t *testing.T) {
	number, few := nightly.Or(200, 4), limitTo(nightly.Or(64, 3))
	start := time.Now()
	f := newFleet(t, "fleet", number, few)
	t.Logf("%d hosts are available after %s", number, time.Since(start).Round(time.Second))

	start = time.Now()
	cluster := f.cluster([]byte(recordingScript))
	f.kubelets()
	f.boot("control-plane", func(m *clusterv1.Machine, _ *hostsv1.HostMachine) {
		m.Labels[clusterv1.MachineControlPlaneLabel] = ""
	})
	f.workers(int32(number - 1))
	f.joined(number)
	t.Logf("%d machines have Nodes after %s", number, time.Since(start).Round(time.Second))
	claims := f.claims()
	f.Expect(claims).To(HaveLen(number))
	f.Expect(f.Search(t.Context())).To(Succeed())
	logins, sessions := f.logins()
	t.Logf("%d sessions over %d connections, at most %d at once", sessions, logins, f.meter.peak())
	if f.meter.peak() > few.Connections {
		t.Errorf("%d connections were open at once, more than the limit of %d", f.meter.peak(), few.Connections)
	}

	start = time.Now()
	f.control(limitTo(2 * number))
	f.Expect(f.Client.Delete(t.Context(), cluster)).To(Succeed())
	f.available(number)
	f.Eventually(f.infrastructure).Should(BeEmpty())
	t.Logf("%d hosts are available again after %s", number, time.Since(start).Round(time.Second))
	f.ranOnce(claims)
	allLogins, allSessions := f.logins()
	logins, sessions = allLogins-logins, allSessions-sessions
	t.Logf("%d sessions over %d connections, at most %d at once", sessions, logins, f.meter.peak())
	if logins > sessions/2 {
		t.Errorf("%d sessions used %d connections", sessions, logins)
	}
}

// limitTo returns the default limits with a number of connections.
func limitTo(connections int) ports.HostDriverLimits {
	limits := ports.DefaultHostDriverLimits()
	limits.Connections = connections
	return limits
}

// kubelets creates the Nodes of machines until the test ends.
func (f *fleet) kubelets() {
	f.t.Helper()
	stop := make(chan struct{})
	var kubelets sync.WaitGroup
	kubelets.Go(func() {
		created := map[types.UID]bool{}
		for {
			select {
			case <-stop:
				return
			case <-time.After(500 * time.Millisecond):
				f.join(created)
			}
		}
	})
	f.t.Cleanup(func() {
		close(stop)
		kubelets.Wait()
	})
}

// workers creates a MachineDeployment.
func (f *fleet) workers(replicas int32) {
	f.t.Helper()
	meta := metav1.ObjectMeta{Namespace: f.name, Name: "workers"}
	f.create(&hostsv1.HostMachineTemplate{ObjectMeta: meta}, &clusterv1.MachineDeployment{
		ObjectMeta: *meta.DeepCopy(),
		Spec: clusterv1.MachineDeploymentSpec{
			ClusterName: f.name, Replicas: ptr.To(replicas),
			Template: clusterv1.MachineTemplateSpec{Spec: f.machine(hostsv1.MachineTemplateKind, meta.Name)},
		},
	})
}

// join creates the Nodes of the machines that are not among the created ones, before their data runs: for the control
// plane machine, the core looks for the Node only when the machine changes.
func (f *fleet) join(created map[types.UID]bool) {
	for _, m := range f.infrastructure() {
		node := &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: m.Namespace + "-" + m.Name},
			Spec:       corev1.NodeSpec{ProviderID: m.ExpectedProviderID()},
		}
		if created[m.UID] || !m.DeletionTimestamp.IsZero() {
			continue
		}
		// The next call repeats what fails.
		if f.Client.Create(f.ctx, node) != nil {
			continue
		}
		created[m.UID] = true
		before := node.DeepCopy()
		node.Status.Conditions = []corev1.NodeCondition{{
			Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastHeartbeatTime: metav1.Now(),
			LastTransitionTime: metav1.Now(),
		}}
		_ = f.Client.Status().Patch(f.ctx, node, client.MergeFrom(before))
	}
}

// joined waits until a number of Machines has a Node.
func (f *fleet) joined(number int) {
	f.t.Helper()
	f.Eventually(func(g Gomega) {
		var list clusterv1.MachineList
		g.Expect(f.Client.List(f.t.Context(), &list, client.InNamespace(f.name))).To(Succeed())
		g.Expect(slices.DeleteFunc(list.Items, func(m clusterv1.Machine) bool { return !m.Status.NodeRef.IsDefined() })).
			To(HaveLen(number))
	}).Should(Succeed())
}

// claims returns the names of the hosts by the IDs of the claims of all machines.
func (f *fleet) claims() map[string]string {
	claims := map[string]string{}
	for _, m := range f.infrastructure() {
		if m.Spec.Claim != nil {
			claims[m.Spec.Claim.ID] = m.Spec.Claim.HostName
		}
	}
	return claims
}

// ranOnce compares the claims with the records on the disks of the hosts, which contain one run for each claim.
func (f *fleet) ranOnce(claims map[string]string) {
	f.t.Helper()
	ran := map[string]string{}
	for name, h := range f.hosts {
		lines := strings.Fields(h.Run(f.t, "cat /var/lib/runs"))
		if len(lines) != 1 {
			f.t.Errorf("%s has the runs %q", name, lines)
		}
		for _, line := range lines {
			ran[path.Base(path.Dir(line))] = name
		}
		if left := h.Run(f.t, "ls /var/lib/machineadm-hosts"); left != "lock\n" {
			f.t.Errorf("%s still has %q", name, left)
		}
	}
	f.Expect(ran).To(Equal(claims))
}

// logins returns the number of connections that logged in to the hosts, and of their sessions.
func (f *fleet) logins() (connections, sessions int) {
	f.t.Helper()
	for _, h := range f.hosts {
		c, s := h.Logins(f.t)
		connections, sessions = connections+c, sessions+s
	}
	return connections, sessions
}
