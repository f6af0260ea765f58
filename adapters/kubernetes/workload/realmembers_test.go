//go:build linux && !unit

package workload_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/onsi/gomega"

	"github.com/machineadm/machineadm/adapters/kubernetes/workload"
	"github.com/machineadm/machineadm/adapters/memory"
	domain "github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/etcdcluster"
)

// etcd starts members for nodes, and returns them with their port and kubelet.
func etcd(t *testing.T, timeout time.Duration, nodes ...string) (*etcdcluster.Cluster, *controlplane.Kubelet,
	ports.EtcdMembers,
) {
	t.Helper()
	cluster, k, options := startEtcd(t, timeout, nodes...)
	return cluster, k, workload.NewMembers(options)
}

// startEtcd is etcd with the options of the port instead of the port.
func startEtcd(t *testing.T, timeout time.Duration, nodes ...string) (*etcdcluster.Cluster, *controlplane.Kubelet,
	workload.MembersOptions,
) {
	t.Helper()
	certificates := &memory.Certificates{Assume: true}
	ca, err := certificates.Find(t.Context(), ports.Key{Namespace: "default", Name: "c1"}, node.PurposeEtcdCA)
	if err != nil {
		t.Fatal(err)
	}
	cluster := etcdcluster.New(t, ca, nodes...)
	k := kubelet(t, nodes...)
	for _, m := range cluster.Members {
		k.Forward("etcd-"+m.Name, 2379, m.Client())
	}
	return cluster, k, workload.MembersOptions{
		Clusters: reachable(), Certificates: certificates, Clock: memory.NewClock(time.Now()), Timeout: timeout,
	}
}

// TestSnapshot verifies that etcdutl restores a snapshot, which is larger than the limit of other connections, and that
// a cluster without a quorum, or with corrupt data, has none.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	nodes := []string{"snap1", "snap2", "snap3"}
	cluster, k, options := startEtcd(t, timeout, nodes...)
	members := workload.NewSnapshotter(options)
	cluster.Fill(t, 6<<20)
	path := filepath.Join(t.TempDir(), "snapshot.db")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := members.Snapshot(t.Context(), plane(nodes...))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(file, data); err != nil || n < 6<<20 {
		t.Fatalf("%d bytes, error %v", n, err)
	}
	if err := errors.Join(data.Close(), file.Close()); err != nil {
		t.Error(err)
	}
	out, err := exec.CommandContext(t.Context(), debian.Tool(t, "etcdutl"), "snapshot", "restore", path, "--data-dir",
		filepath.Join(t.TempDir(), "data")).CombinedOutput()
	if err != nil {
		t.Errorf("restore: %v\n%s", err, out)
	}
	gomega.NewWithT(t).Eventually(k.Open).WithTimeout(time.Minute).Should(gomega.BeZero())
	cluster.RaiseCorrupt(t, cluster.Members[1].ID)
	if _, err := members.Snapshot(t.Context(), plane(nodes...)); err == nil || !strings.Contains(err.Error(), "corrupt") {
		t.Errorf("error %v", err)
	}
	cluster.Kill(cluster.Members[0].ID)
	cluster.Kill(cluster.Members[1].ID)
	gomega.NewWithT(t).Eventually(func() error {
		_, err := members.Snapshot(t.Context(), plane(nodes...))
		return err
	}).WithTimeout(5 * time.Minute).WithPolling(time.Second).Should(gomega.MatchError(ports.ErrUnreachable))
}

func TestMembersConform(t *testing.T) {
	t.Parallel()
	portstest.EtcdMembers(t, func(t *testing.T) portstest.EtcdCluster {
		nodes := []string{"n1", "n2", "n3"}
		cluster, k, members := etcd(t, timeout, nodes...)
		// The forwarder of the API server closes a connection after its client.
		t.Cleanup(func() { gomega.NewWithT(t).Eventually(k.Open).WithTimeout(time.Minute).Should(gomega.BeZero()) })
		return portstest.EtcdCluster{
			Members: members, ControlPlane: func() ports.ControlPlane { return plane(nodes...) },
			Stop: func(_ *testing.T, id uint64) { cluster.Kill(id) }, Settle: cluster.Settle,
		}
	})
}

// TestFrozenMember verifies that a member which keeps its connections and does nothing does not respond.
func TestFrozenMember(t *testing.T) {
	t.Parallel()
	nodes := []string{"frozen1", "frozen2", "frozen3"}
	// A third of it passes until the member is given up.
	cluster, _, members := etcd(t, timeout/3, nodes...)
	frozen := cluster.Members[2]
	cluster.Freeze(frozen.ID)
	defer cluster.Thaw(frozen.ID)
	got, err := members.Observe(t.Context(), plane(nodes...))
	if err != nil || !got.Known || len(got.List) != 3 {
		t.Fatalf("observed %+v, error %v", got, err)
	}
	for _, m := range got.List {
		if m.Responds == (m.ID == frozen.ID) {
			t.Errorf("member %x responds: %t", m.ID, m.Responds)
		}
	}
}

// TestMemberWithoutNode verifies that the second of two members responds although its machine has no node, because its
// API server does not start, and that it can be removed. A frozen one does not respond.
func TestMemberWithoutNode(t *testing.T) {
	t.Parallel()
	cluster, _, members := etcd(t, timeout/3, "alone1", "alone2")
	cluster.Settle(t)
	c := plane("alone1", "alone2")
	c.Observed.Machines[1].NodeName = ""
	observe := func() (responds int) {
		got, err := members.Observe(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range got.List {
			if m.Responds {
				responds++
			}
		}
		return responds
	}
	if n := observe(); n != 2 {
		t.Errorf("%d of 2 members respond", n)
	}
	without := cluster.Members[1].ID
	cluster.Freeze(without)
	gomega.NewWithT(t).Eventually(observe).WithTimeout(5 * time.Minute).WithPolling(time.Second).Should(
		gomega.BeNumerically("<", 2))
	cluster.Thaw(without)
	gomega.NewWithT(t).Eventually(observe).WithTimeout(5 * time.Minute).WithPolling(time.Second).Should(gomega.Equal(2))
	if err := members.Remove(t.Context(), c, without); err != nil {
		t.Error(err)
	}
}

// TestLeaderIsLost verifies that the members which remain elect a leader and remove the one that was lost. The rules of
// KubeadmControlPlane need the lost leader for that.
func TestLeaderIsLost(t *testing.T) {
	t.Parallel()
	nodes := []string{"lost1", "lost2", "lost3"}
	cluster, _, members := etcd(t, timeout/3, nodes...)
	cluster.Settle(t)
	before, err := members.Observe(t.Context(), plane(nodes...))
	if err != nil || !before.Known {
		t.Fatalf("observed %+v, error %v", before, err)
	}
	lost := before.List[slices.IndexFunc(before.List, func(m domain.Member) bool { return m.Leader })].ID
	cluster.Kill(lost)
	gomega.NewWithT(t).Eventually(func() error {
		return members.Remove(t.Context(), plane(nodes...), lost)
	}).WithTimeout(5 * time.Minute).WithPolling(time.Second).Should(gomega.Succeed())
	after, err := members.Observe(t.Context(), plane(nodes...))
	if err != nil || !after.Known || len(after.List) != 2 {
		t.Fatalf("observed %+v, error %v", after, err)
	}
	for _, m := range after.List {
		if !m.Responds || m.ID == lost {
			t.Errorf("observed %+v", m)
		}
	}
}

// TestJoinThatFailed verifies that a member which never started is observed as one, and is removed without a quorum of
// more members. It would prevent every further join.
func TestJoinThatFailed(t *testing.T) {
	t.Parallel()
	cluster, _, members := etcd(t, timeout, "failed1")
	id := cluster.AddLearner(t, "https://192.0.2.77:2380")
	cluster.RaiseNoSpace(t, cluster.Members[0].ID)
	got, err := members.Observe(t.Context(), plane("failed1"))
	if err != nil || len(got.List) != 2 {
		t.Fatalf("observed %+v, error %v", got, err)
	}
	want := map[uint64]domain.Member{
		id: {ID: id, PeerAddresses: []string{"192.0.2.77"}, Learner: true},
		cluster.Members[0].ID: {
			ID: cluster.Members[0].ID, Name: "failed1", PeerAddresses: []string{cluster.Members[0].Address}, Responds: true,
			Leader: true, Alarms: []string{"NOSPACE"},
		},
	}
	for _, m := range got.List {
		if diff := cmp.Diff(want[m.ID], m); diff != "" {
			t.Errorf("member %x (-want +got):\n%s", m.ID, diff)
		}
	}
	if err := members.Remove(t.Context(), plane("failed1"), id); err != nil {
		t.Errorf("remove: %v", err)
	}
	if got, err := members.Observe(t.Context(), plane("failed1")); err != nil || len(got.List) != 1 {
		t.Errorf("observed %+v, error %v", got, err)
	}
}
