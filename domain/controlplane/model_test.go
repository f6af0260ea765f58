package controlplane_test

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/nightly"
)

// modelPage contains the results of TestModel.
const modelPage = "../../docs/evidence/control-plane-model.md"

// modelCase is a run of the model.
type modelCase struct {
	replicas, surge, failures int
	variant                   string
}

// The variants of a run.
const (
	variantPlain = "–"
	variantBlind = "members recognized only by their nodes"
	variantTwice = "an operation may create two machines"
	variantTalos = "Talos"
	variantDelay = "a replacement may be delayed"
	variantMute  = "an API server may fail to start"
	variantSSH   = "an API server may fail to start, and addresses are not known before"
)

// key identifies the row of the case.
func (c modelCase) key() string {
	return fmt.Sprintf("| %d | %d | %d | %s |", c.replicas, c.surge, c.failures, c.variant)
}

// modelCases returns the runs: all in a nightly run, and those with up to two failures otherwise.
func modelCases() (all, now []modelCase) {
	for failures := range 4 {
		for _, replicas := range []int{1, 3, 5} {
			for surge := range 2 {
				c := modelCase{replicas, surge, failures, variantPlain}
				if failures >= 2 {
					all = append(all, c)
				}
			}
		}
	}
	for _, replicas := range []int{1, 3, 5} {
		all = append(all, modelCase{replicas, 1, 2, variantBlind}, modelCase{replicas, 1, 1, variantTwice},
			modelCase{replicas, 1, 2, variantTalos}, modelCase{replicas, 1, 2, variantDelay},
			modelCase{replicas, 1, 2, variantMute}, modelCase{replicas, 1, 2, variantSSH})
	}
	for _, c := range all {
		if nightly.Enabled() || c.failures == 2 && c.variant == variantPlain || c.replicas < 5 && c.failures < 3 {
			now = append(now, c)
		}
	}
	return all, now
}

// TestModel visits every state that a control plane can reach, with Plan and an environment in which things fail. No
// operation of ours loses the quorum, also if it is carried out one event later, or twice. As long as there is a
// quorum, the goal can be reached, and if nothing more fails, it is reached. Plan remembers nothing, so a restart of
// the controller between two operations changes nothing.
//
// UPDATE=1 writes the page with the rows of this run; the rows of a nightly run stay as they are otherwise.
func TestModel(t *testing.T) {
	all, now := modelCases()
	rows := storedRows(t)
	for _, c := range now {
		w := &world{
			observer: observer{blind: c.variant == variantBlind || c.variant == variantSSH},
			replicas: c.replicas, surge: c.surge, failures: c.failures,
			duplicates: c.variant == variantTwice, talos: c.variant == variantTalos, delayed: c.variant == variantDelay,
			broken: c.variant == variantMute || c.variant == variantSSH,
		}
		w.run()
		rows[c.key()] = fmt.Sprintf("%s %d | %d | %d | %d | %d | %d | %d |", c.key(), len(w.states), w.transitions, w.late,
			w.refused, len(w.unsafe), len(w.stuck), len(w.cycles))
		t.Log(rows[c.key()])
		for name, found := range map[string][]string{"unsafe": w.unsafe, "stuck": w.stuck, "cycle": w.cycles} {
			for _, description := range found[:min(5, len(found))] {
				t.Errorf("%s %s: %s", c.key(), name, description)
			}
		}
	}
	golden.File(t, modelPage, []byte(renderModel(all, rows)))
}

// storedRows returns the rows of the page by their keys.
func storedRows(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile(modelPage)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.SplitAfterN(line, "|", 6); len(cells) == 6 {
			rows[strings.Join(cells[:5], "")] = strings.TrimSpace(line)
		}
	}
	return rows
}

func renderModel(cases []modelCase, rows map[string]string) string {
	var b strings.Builder
	b.WriteString(`# All states of a control plane

` + "`TestModel`" + ` of ` + "`domain/controlplane`" + ` visits every state that a control plane with stacked etcd can
reach. The machines, their etcd members and the failures are a model; the decisions are those of ` + "`Plan`" + `.
A run begins without machines, with outdated ones, with a perfect control plane, with one machine, and with two too
many.

Failures are a crash, also during a join; a mark of a health check by mistake; a deletion by a user; and a machine that
vanishes with its deletion hook. Machines may restart or stay dead, and marks may disappear. Etcd accepts one learner
at a time, adds members only while all voters are connected, and refuses removals as a real member does. A join that
etcd refuses ends with a machine that failed. ` + "`TestModelEqualsEtcd`" + ` compares these checks with real ones.

The member of a machine that is not a node cannot be asked, except with Talos. Of two voters it is known that both
respond if there is a quorum. An API server that does not start leaves a machine whose member votes, and that never
becomes a node unless a health check marks it. A machine that leaves etcd keeps its node and the recorded ID of its
member. If another member fails, too, and etcd needs the one that cannot be asked, it is not known which of both
responds. These states are not counted as stuck: a user starts one of the machines.

Talos machines are created in parallel, one of them is told to start the cluster, and a join never gives up.

The model has no time. Where a replacement may be delayed, both decisions are followed: the one before the delay of all
machines that have not joined has passed, and the one afterwards.

- Late: operations that were carried out after another event than Plan observed, or twice.
- Refused: removals that the check of etcd refused.
- Unsafe: operations of ours after which a cluster with a quorum has none.
- Stuck: states with a quorum, or without a cluster yet, from which the goal cannot be reached unless more fails.
- Cycles: states that follow from themselves although nothing fails, so that a control plane might never come to rest.

` + "`make test`" + ` checks the rows with up to two failures, except for the variants of five replicas.
` + "`make nightly`" + ` checks all.

| replicas | surge | failures | variant | states | transitions | late | refused | unsafe | stuck | cycles |
|---|---|---|---|---|---|---|---|---|---|---|
`)
	for _, c := range cases {
		fmt.Fprintln(&b, cmp.Or(rows[c.key()], c.key()+" not run"))
	}
	b.WriteString(`
## Comparison with etcd

` + "`TestModelEqualsEtcd`" + ` of ` + "`adapters/etcd`" + ` starts real members of etcd 3.6.8, stops some of them, and
removes one, or adds a learner. There are 258 combinations of one to five voters, stopped members and the member to
remove, and 62 for an addition. In 15 and 5 of them no member is left that could be asked. The full run of 23 November
2026 found no difference from the counting of ` + "`controlplane.Quorum`" + `: of the others, etcd permitted exactly
those that it predicts. ` + "`make test`" + ` repeats four of them, and ` + "`make nightly`" + ` all.
`)
	return b.String()
}

// TestModelCountsAsPlan expects that the model's checks of etcd permit an addition and a removal exactly if Plan counts
// so. TestModelEqualsEtcd of adapters/etcd compares the counting with real members.
func TestModelCountsAsPlan(t *testing.T) {
	for voters := 1; voters <= 5; voters++ {
		for stopped := range 1 << voters {
			s := state{initialized: true}
			members := make([]controlplane.Member, voters)
			for i := range voters {
				responds := stopped&(1<<i) == 0
				m := running | voter
				if responds {
					m |= up
				}
				s = s.with(i, m)
				members[i] = controlplane.Member{ID: uint64(i + 1), Name: "started", Responds: responds}
			}
			votes := controlplane.CountVotes(members)
			if s.mayAdd() != votes.MayAdd() {
				t.Errorf("%d voters, stopped %b, add one: the model returns %t", voters, stopped, s.mayAdd())
			}
			for i, m := range members {
				want := votes.Holds() && votes.Without(m).Holds()
				if got := s.mayRemove(alive(s.machines[i])); got != want {
					t.Errorf("%d voters, stopped %b, remove number %d: the model returns %t, Plan %t", voters, stopped, i+1, got, want)
				}
			}
		}
	}
}
