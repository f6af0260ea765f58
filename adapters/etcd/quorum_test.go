//go:build linux && !unit

package etcd_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	plane "github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nightly"
)

const (
	// settling is how long etcd counts a connection as new (HealthInterval in server/etcdserver/server.go of etcd 3.6).
	// Until then, a member refuses removals that it permits later.
	settling = 5 * time.Second
	// undecided is how long a request may take that etcd cannot decide, because it has no quorum.
	undecided = 3 * time.Second
)

// TestModelEqualsEtcd stops members of a real etcd, and removes one: etcd permits it exactly if the quorum of
// domain/controlplane holds before and afterwards. Etcd adds a member exactly if all others respond. In a nightly run,
// these are all sets of stopped members and all members to remove, of one to five voters.
func TestModelEqualsEtcd(t *testing.T) {
	t.Parallel()
	for voters := 1; voters <= maxMembers; voters++ {
		all := subsets(voters)
		// Each lane has a cluster; larger ones have more cases.
		lanes := max(1, voters-2)
		for lane := range lanes {
			var mine []uint
			for i, stopped := range all {
				if i%lanes == lane {
					mine = append(mine, stopped)
				}
			}
			if mine = nightly.Or(mine, quick(voters)); len(mine) == 0 || lane > 0 && !nightly.Enabled() {
				continue
			}
			t.Run(fmt.Sprintf("%d voters, part %d", voters, lane), func(t *testing.T) {
				t.Parallel()
				compare(t, voters, mine)
			})
		}
	}
}

// quick returns the sets of stopped members for make test: the first one of three.
func quick(voters int) []uint {
	if voters == 3 {
		return []uint{1}
	}
	return nil
}

// subsets returns all sets of n members as bits.
func subsets(n int) []uint {
	all := make([]uint, 1<<n)
	for i := range all {
		all[i] = uint(i)
	}
	return all
}

// compare asks a real cluster for each set of stopped members.
func compare(t *testing.T, voters int, sets []uint) {
	c := newCluster(t, voters)
	ids := make([]uint64, voters)
	for i, m := range c.members {
		ids[i] = c.id(t, m)
	}
	c.stopAll()
	backup := t.TempDir()
	c.copyData(t, c.dir, backup)
	for _, stopped := range sets {
		for _, group := range groups(voters, stopped) {
			c.copyData(t, backup, c.dir)
			c.startAll(t)
			for i, m := range c.members {
				if stopped&(1<<i) != 0 {
					m.kill()
				}
			}
			c.expectAddition(t, stopped)
			for _, removed := range group {
				c.expectRemoval(t, ids, stopped, removed)
			}
			c.stopAll()
		}
	}
}

// expectAddition adds a learner, and compares the answer with that of the domain. The learner has no vote, so that it
// changes no removal.
func (c *cluster) expectAddition(t *testing.T, stopped uint) {
	t.Helper()
	want := votes(len(c.members), stopped).MayAdd()
	what := fmt.Sprintf("%d voters, stopped %0*b, add a learner", len(c.members), len(c.members), stopped)
	for _, m := range c.asked(stopped, -1)[:min(1, len(c.asked(stopped, -1)))] {
		cli := c.talk(t, m)
		answers(t, want, what, func(ctx context.Context) error {
			_, err := cli.MemberAddAsLearner(ctx, []string{fmt.Sprintf("https://127.%d.0.99:2380", c.network)})
			return err
		})
	}
}

// answers expects that a request succeeds sooner or later, or that it never does. A connection has to be old enough.
func answers(t *testing.T, want bool, what string, request func(context.Context) error) {
	t.Helper()
	limited := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), undecided)
		defer cancel()
		return request(ctx)
	}
	if want {
		NewWithT(t).Eventually(limited).WithTimeout(patience).WithPolling(time.Second/4).Should(Succeed(), what)
		return
	}
	NewWithT(t).Consistently(limited).WithTimeout(settling+time.Second).WithPolling(time.Second).ShouldNot(Succeed(), what)
}

// groups returns the members to remove, grouped by cluster: a removal that is refused changes nothing, so all of them
// are tried before one that is permitted.
func groups(voters int, stopped uint) [][]int {
	var refused []int
	var all [][]int
	for removed := range voters {
		if predict(voters, stopped, removed) {
			all = append(all, []int{removed})
		} else {
			refused = append(refused, removed)
		}
	}
	if len(all) == 0 {
		return [][]int{refused}
	}
	all[0] = append(refused, all[0]...)
	return all
}

// votes returns what the domain counts.
func votes(voters int, stopped uint) plane.Quorum {
	members := make([]plane.Member, voters)
	for i := range members {
		members[i] = voter(stopped, i)
	}
	return plane.CountVotes(members)
}

func voter(stopped uint, i int) plane.Member {
	return plane.Member{ID: uint64(i + 1), Name: "started", Responds: stopped&(1<<i) == 0}
}

// predict returns whether the domain permits a removal.
func predict(voters int, stopped uint, removed int) bool {
	q := votes(voters, stopped)
	return q.Holds() && q.Without(voter(stopped, removed)).Holds()
}

// expectRemoval removes a member through each of two others, or itself if it is the only one, and compares the answer.
func (c *cluster) expectRemoval(t *testing.T, ids []uint64, stopped uint, removed int) {
	t.Helper()
	want := predict(len(c.members), stopped, removed)
	what := fmt.Sprintf("%d voters, stopped %0*b, remove number %d", len(c.members), len(c.members), stopped, removed+1)
	asked := c.asked(stopped, removed)
	if len(asked) == 0 && want {
		t.Errorf("%s: predicted, and no member responds", what)
	}
	for _, m := range asked {
		cli := c.talk(t, m)
		answers(t, want, what, func(ctx context.Context) error {
			_, err := cli.MemberRemove(ctx, ids[removed])
			return err
		})
		if want {
			return // It is not a member any more.
		}
	}
}

// asked returns up to two members that respond, other than the one to remove. The check uses the connections of the
// member that is asked.
func (c *cluster) asked(stopped uint, removed int) []*member {
	var all []*member
	for i, m := range c.members {
		if stopped&(1<<i) == 0 && i != removed {
			all = append(all, m)
		}
	}
	if len(all) == 0 && removed >= 0 && stopped&(1<<removed) == 0 {
		return []*member{c.members[removed]}
	}
	return all[:min(len(all), 2)]
}

// stopAll ends all members.
func (c *cluster) stopAll() {
	for _, m := range c.members {
		m.kill()
	}
}

// startAll starts all members, and waits until each serves. A member serves only with a quorum.
func (c *cluster) startAll(t *testing.T) {
	t.Helper()
	for _, m := range c.members {
		p, err := controlplane.StartProcess(context.WithoutCancel(t.Context()), m.data+".log", c.program, c.flags(m)...)
		if err != nil {
			t.Fatal(err)
		}
		m.Process = p
	}
	for _, m := range c.members {
		c.serves(t, m)
	}
}

// copyData replaces the data of all members.
func (c *cluster) copyData(t *testing.T, from, to string) {
	t.Helper()
	for _, m := range c.members {
		source, target := filepath.Join(from, m.name), filepath.Join(to, m.name)
		if err := os.RemoveAll(target); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(target, os.DirFS(source)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGroups expects that each member is removed once, and that a permitted removal is the last one of a cluster.
func TestGroups(t *testing.T) {
	for voters := 1; voters <= maxMembers; voters++ {
		for _, stopped := range subsets(voters) {
			var all []int
			for _, group := range groups(voters, stopped) {
				for i, removed := range group {
					if i < len(group)-1 && predict(voters, stopped, removed) {
						t.Errorf("%d voters, stopped %b: %v continues after a removal", voters, stopped, group)
					}
				}
				all = append(all, group...)
			}
			if slices.Sort(all); len(all) != voters || len(slices.Compact(all)) != voters {
				t.Errorf("%d voters, stopped %b: removes %v", voters, stopped, all)
			}
		}
	}
}
