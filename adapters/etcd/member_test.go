//go:build linux && !unit

package etcd_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/etcd"
	"github.com/machineadm/machineadm/ports/portstest"
)

// TestLeaves removes the leader; the other member goes on. The leader began the cluster, so its manifest names no other
// member, and the second call depends on the noted members to learn that it has left.
func TestLeaves(t *testing.T) {
	t.Parallel()
	// It leads, and goes on to: a busy machine is no reason to vote again.
	c := newCluster(t, 2, "--election-timeout=20000")
	first, second := c.members[0], c.members[1]
	m, _ := first.leaving()
	portstest.Membership(t, m, func(t *testing.T) bool { return c.idBy(t, second, first) != 0 })
	c.serves(t, second)
	if log, err := os.ReadFile(first.Log); err != nil || !bytes.Contains(log, []byte("leadership transfer finished")) {
		t.Errorf("%v, or the first did not hand over before it left", err)
	}
}

// TestLeavesOnce has an answer get lost: the member is removed, and the machine does not know.
func TestLeavesOnce(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	first, second := c.members[0], c.members[1]
	put(t, first.data+"/machineadm-members", []byte(second.client()+"\n"))
	id, other := c.id(t, first), c.talk(t, second)
	insist(t, func(ctx context.Context) error {
		_, err := other.MemberRemove(ctx, id)
		return err
	})
	first.kill()
	m, log := first.leaving()
	if err := m.Leave(t.Context()); err != nil {
		t.Errorf("%v\n%s", err, log)
	}
}

// TestLeavesAfterRemoval removes members before their machines are reset, as control plane providers do. A removed
// member ends, and the manifests name only members that are gone: the data lists the one that stays. Damaged data lists
// none.
func TestLeavesAfterRemoval(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 3)
	third := c.members[2]
	other := c.talk(t, third)
	for _, m := range c.members[:2] {
		id := c.idBy(t, third, m)
		insist(t, func(ctx context.Context) error {
			_, err := other.MemberRemove(ctx, id)
			return err
		})
		for deadline := time.Now().Add(patience); m.Running() && time.Now().Before(deadline); {
			time.Sleep(100 * time.Millisecond)
		}
		m.kill()
	}
	for _, m := range c.members[:2] {
		leaving, log := m.leaving()
		leaving.Timeout = time.Minute
		if err := leaving.Leave(t.Context()); err != nil {
			t.Errorf("%s: %v\n%s", m.name, err, log)
		}
	}
	db := c.members[0].data + "/member/snap/db"
	for _, size := range []int64{12 << 10, 100, 0} {
		if err := os.Truncate(db, size); err != nil {
			t.Fatal(err)
		}
		leaving, _ := c.members[0].leaving()
		leaving.Timeout = time.Second
		// The list may be in the part that is left.
		if err := leaving.Leave(t.Context()); err == nil && size < 4<<10 {
			t.Errorf("it left with %d bytes of data", size)
		}
	}
	c.serves(t, third)
}

// TestLeavesASlowCluster waits for a member that answers late: longer than kubeadm does.
func TestLeavesASlowCluster(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	first, second := c.members[0], c.members[1]
	first.signal(syscall.SIGSTOP)
	wake := time.AfterFunc(20*time.Second, func() { first.signal(syscall.SIGCONT) })
	defer wake.Stop()
	m, log := second.leaving()
	if err := m.Leave(t.Context()); err != nil || log.Len() == 0 {
		t.Errorf("error %v after\n%s", err, log)
	}
	if c.id(t, second) != 0 {
		t.Error("it is still a member")
	}
	c.serves(t, first)
}

// TestLeaveRefusesToLoseQuorum has a cluster that cannot do without the member, until it can.
func TestLeaveRefusesToLoseQuorum(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 3)
	second, third := c.members[1], c.members[2]
	second.kill()
	m, log := third.leaving()
	m.Timeout = 15 * time.Second
	err := m.Leave(t.Context())
	if err == nil || !strings.Contains(err.Error(), "did not agree to go on without this machine") ||
		!strings.Contains(err.Error(), "kubeadm reset --force") {
		t.Errorf("with one of three down: %v", err)
	}
	if !strings.Contains(log.String(), "unhealthy cluster") {
		t.Errorf("the log does not contain the cause:\n%s", log)
	}
	if c.id(t, third) == 0 {
		t.Error("it left")
	}
	c.start(t, second)
	m.Timeout = patience
	if err := m.Leave(t.Context()); err != nil || c.id(t, third) != 0 {
		t.Errorf("with all of them: %v\n%s", err, log)
	}
	c.serves(t, second)
}

// TestLeavesWithoutLocalMember has a machine leave whose own member is down.
func TestLeavesWithoutLocalMember(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 3)
	third := c.members[2]
	third.kill()
	m, log := third.leaving()
	if err := m.Leave(t.Context()); err != nil || c.id(t, third) != 0 {
		t.Errorf("%v\n%s", err, log)
	}
	c.serves(t, c.members[1])
}

// TestLearnerLeaves has a machine leave whose join was cut off before its member had a vote.
func TestLearnerLeaves(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	m, log := c.join(t).leaving()
	if err := m.Leave(t.Context()); err != nil || c.id(t, c.members[1]) != 0 {
		t.Errorf("%v\n%s", err, log)
	}
	c.serves(t, c.members[0])
}

// TestNothingToLeave has machines that are not members.
func TestNothingToLeave(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	only := c.members[0]
	m, _ := only.leaving()
	if err := m.Leave(t.Context()); err != nil {
		t.Errorf("the only member: %v", err)
	}
	c.serves(t, only)
	m, _ = c.member(t).leaving()
	if err := m.Leave(t.Context()); err != nil {
		t.Errorf("a member that never ran: %v", err)
	}
	m.Manifest = filepath.Join(c.dir, "none.yaml")
	if err := m.Leave(t.Context()); err != nil {
		t.Errorf("a machine without etcd: %v", err)
	}
}

// TestUnreachableMembers checks that the connections' errors are logged.
func TestUnreachableMembers(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.members[0].kill()
	m, log := c.members[0].leaving()
	m.Timeout = 3 * time.Second
	// host.sh of the ssh driver looks for the first words.
	if err := m.Leave(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "leave etcd (") ||
		!strings.Contains(err.Error(), "or did not answer: list the members (of "+c.members[0].client()+")") {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "connection refused") {
		t.Errorf("the log does not contain the cause:\n%s", log)
	}
}

// TestLeaveIsCancelled ends with the caller's context and returns its cause.
func TestLeaveIsCancelled(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.members[0].kill()
	m, _ := c.members[1].leaving()
	why := errors.New("the machine shuts down")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(time.Second, func() { cancel(why) })
	if err := m.Leave(ctx); !errors.Is(err, why) {
		t.Error(err)
	}
}

// TestManifests names the file and what is wrong in it.
func TestManifests(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/member", 0o700); err != nil {
		t.Fatal(err)
	}
	flags := "spec: {containers: [{command: [etcd, --data-dir=" + dir +
		", '--advertise-client-urls=https://127.0.0.1:1'], args: ['--initial-advertise-peer-urls=https://127.0.0.1:2'"
	put(t, dir+"/key", nil)
	const way = "run kubeadm reset --force before"
	cases := map[string]struct{ text, want string }{
		"no YAML":       {"\t", "no Pod"},
		"no containers": {"spec: {}", "does not set etcd's --initial-advertise-peer-urls"},
		"no certificate": {
			flags + ", --cert-file=" + dir + "/none, --key-file=" + dir + "/key]}]}",
			"the member's certificates: open " + dir + "/none",
		},
		"empty key": {
			flags + ", --cert-file=" + dir + "/key, --key-file=" + dir + "/key]}]}",
			"the member's certificates: tls: failed to find any PEM data",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			manifest := filepath.Join(t.TempDir(), "etcd.yaml")
			put(t, manifest, []byte(c.text))
			err := etcd.Member{Manifest: manifest, Log: t.Output(), Timeout: time.Millisecond}.Leave(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), way) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
