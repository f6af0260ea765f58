package etcdmembers_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/internal/etcdmembers"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// fixedClock is a clock that does not advance.
type fixedClock struct{}

func (fixedClock) Now() time.Time { return time.Unix(1_800_000_000, 0) }

// fake is a session with a member.
type fake struct {
	report etcdmembers.Report
	// down means that the member does not respond, and changed that it fails after each change.
	down, changed error
	list          []etcdmembers.Entry
	// asked contains the operations of all sessions.
	asked  *[]string
	name   string
	closed int
}

func (f *fake) Report(context.Context) (etcdmembers.Report, error) { return f.report, f.down }

func (f *fake) List(_ context.Context, quorum bool) ([]etcdmembers.Entry, error) {
	if quorum && f.report.Leader == 0 {
		return nil, ports.ErrUnreachable
	}
	return f.list, nil
}

func (f *fake) Remove(context.Context, uint64) error {
	*f.asked = append(*f.asked, "remove by "+f.name)
	return f.changed
}

func (f *fake) MoveLeader(context.Context, uint64) error {
	*f.asked = append(*f.asked, "move by "+f.name)
	return f.changed
}

func (f *fake) Close() error {
	f.closed++
	return nil
}

// members returns three members, of which the second leads.
func members() (fakes []*fake, asked *[]string) {
	asked = &[]string{}
	list := []etcdmembers.Entry{{ID: 1, Name: "n1"}, {ID: 2, Name: "n2"}, {ID: 3, Name: "n3"}}
	for i, name := range []string{"n1", "n2", "n3"} {
		report := etcdmembers.Report{ClusterID: 7, MemberID: uint64(i + 1), Leader: 2}
		fakes = append(fakes, &fake{report: report, list: list, asked: asked, name: name})
	}
	return fakes, asked
}

func under(fakes []*fake) *etcdmembers.Members {
	return &etcdmembers.Members{
		Clock: fixedClock{}, Timeout: time.Minute,
		Connect: func(context.Context, ports.ControlPlane) ([]etcdmembers.Session, error) {
			var sessions []etcdmembers.Session
			for _, f := range fakes {
				sessions = append(sessions, f)
			}
			return sessions, nil
		},
	}
}

func TestRemove(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(fakes []*fake)
		member uint64
		want   error
		asked  []string
	}{
		"leader first": {
			reason: "it knows the connections of all", change: func([]*fake) {}, member: 1, asked: []string{"remove by n2"},
		},
		"of the leader": {
			reason: "a member does not remove itself", change: func([]*fake) {}, member: 2, asked: []string{"remove by n1"},
		},
		"refused": {
			reason: "another member must not be asked for another answer", member: 1, want: ports.ErrRefused,
			change: func(f []*fake) { f[1].changed = ports.ErrRefused }, asked: []string{"remove by n2"},
		},
		"silent leader": {
			reason: "it may have removed the member", member: 1, asked: []string{"remove by n2", "remove by n3"},
			change: func(f []*fake) { f[1].changed = ports.ErrUnreachable },
		},
		"silent members": {
			reason: "two are asked", member: 9, want: ports.ErrUnreachable, asked: []string{"remove by n2", "remove by n1"},
			change: func(f []*fake) {
				for _, each := range f {
					each.changed = ports.ErrUnreachable
				}
			},
		},
		"last": {
			reason: "its data is the cluster", member: 1, want: ports.ErrRefused,
			change: func(f []*fake) {
				f[1].down, f[2].down = errors.New("down"), errors.New("down")
				f[0].report.Leader, f[0].list = 1, f[0].list[:1]
			},
		},
		"only one responds": {
			reason: "it cannot know whether the others are lost", member: 1, want: ports.ErrUnreachable,
			change: func(f []*fake) { f[1].down, f[2].down = errors.New("down"), errors.New("down") },
		},
		"none responds": {
			reason: "nothing is known", member: 1, want: ports.ErrUnreachable,
			change: func(f []*fake) {
				for _, each := range f {
					each.down = errors.New("down")
				}
			},
		},
		"other cluster": {
			reason: "a machine that started a cluster of its own is not asked", member: 2, asked: []string{"remove by n3"},
			change: func(f []*fake) { f[0].report.ClusterID = 8 },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			fakes, asked := members()
			tc.change(fakes)
			err := under(fakes).Remove(t.Context(), ports.ControlPlane{}, tc.member)
			if !errors.Is(err, tc.want) || !slices.Equal(*asked, tc.asked) {
				t.Errorf("error %v, want %v; asked %q, want %q: %s", err, tc.want, *asked, tc.asked, tc.reason)
			}
			checkClosed(t, fakes)
		})
	}
}

// checkClosed checks that no session outlives a call.
func checkClosed(t *testing.T, fakes []*fake) {
	t.Helper()
	for _, f := range fakes {
		if f.closed != 1 {
			t.Errorf("the session with %s was closed %d times", f.name, f.closed)
		}
	}
}

func TestMoveLeader(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(fakes []*fake)
		from   uint64
		want   error
		asked  []string
	}{
		"leader":     {change: func([]*fake) {}, from: 2, asked: []string{"move by n2"}},
		"not leader": {reason: "it has moved already", change: func([]*fake) {}, from: 1},
		"silent leader": {
			reason: "only the leader can transfer the leadership", from: 2, want: ports.ErrUnreachable,
			change: func(f []*fake) { f[1].down = errors.New("down") },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			fakes, asked := members()
			tc.change(fakes)
			err := under(fakes).MoveLeader(t.Context(), ports.ControlPlane{}, tc.from, 3)
			if !errors.Is(err, tc.want) || !slices.Equal(*asked, tc.asked) {
				t.Errorf("error %v, want %v; asked %q, want %q: %s", err, tc.want, *asked, tc.asked, tc.reason)
			}
			checkClosed(t, fakes)
		})
	}
}

func TestObserve(t *testing.T) {
	cases := map[string]struct {
		reason   string
		change   func(fakes []*fake)
		external bool
		known    bool
		responds []uint64
	}{
		"all":      {change: func([]*fake) {}, known: true, responds: []uint64{1, 2, 3}},
		"one down": {change: func(f []*fake) { f[2].down = errors.New("down") }, known: true, responds: []uint64{1, 2}},
		"isolated": {
			reason: "a member without a leader has no quorum", known: true, responds: []uint64{1, 2},
			change: func(f []*fake) { f[2].report.Leader = 0 },
		},
		"no quorum": {
			reason: "the list is known, so that the loss can be reported", known: true,
			change: func(f []*fake) {
				f[0].report.Leader, f[1].down, f[2].down = 0, errors.New("down"), errors.New("down")
			},
		},
		"none": {reason: "nothing is known", change: func(f []*fake) {
			for _, each := range f {
				each.down = errors.New("down\nReady: True")
			}
		}},
		"two clusters": {
			reason: "either can be the cluster",
			change: func(f []*fake) { f[1].report.ClusterID, f[2].down = 8, errors.New("down") },
		},
		"external": {reason: "its members are not those of machines", change: func([]*fake) {}, external: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			fakes, _ := members()
			tc.change(fakes)
			plane := ports.ControlPlane{Desired: controlplane.Desired{ExternalEtcd: tc.external}}
			got, err := under(fakes).Observe(t.Context(), plane)
			var responds []uint64
			for _, m := range got.List {
				if m.Responds {
					responds = append(responds, m.ID)
				}
			}
			if err != nil || got.Known != tc.known || (got.Problem == "") != tc.known || !slices.Equal(responds, tc.responds) {
				t.Errorf("observed %+v with error %v: %s", got, err, tc.reason)
			}
			if slices.Contains([]byte(got.Problem), '\n') {
				t.Errorf("the problem has several lines: %q", got.Problem)
			}
			if !tc.external {
				checkClosed(t, fakes)
			}
		})
	}
}

// TestConfirmedMembers verifies that a linearizable list proves only that both of two voters respond: three voters have
// a quorum without one of them.
func TestConfirmedMembers(t *testing.T) {
	cases := map[string]struct {
		reason   string
		change   func(f *fake)
		stale    bool
		responds []uint64
	}{
		"pair": {
			reason: "the list needs both", change: func(f *fake) { f.list = f.list[:2] }, responds: []uint64{1, 2},
		},
		"pair and learner": {
			reason: "a learner does not confirm", responds: []uint64{1, 2},
			change: func(f *fake) { f.list[2].Learner = true },
		},
		"three": {reason: "any of the others can have confirmed it", change: func(*fake) {}, responds: []uint64{1}},
		"one": {
			reason: "its learner may not have started", responds: []uint64{1},
			change: func(f *fake) { f.list[1].Learner, f.list = true, f.list[:2] },
		},
		"no leader": {
			reason: "the list is what one member knows", change: func(f *fake) { f.report.Leader, f.list = 0, f.list[:2] },
		},
		"list of one member": {
			reason: "Talos returns what the member knows", change: func(f *fake) { f.list = f.list[:2] }, stale: true,
			responds: []uint64{1},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			fakes, _ := members()
			tc.change(fakes[0])
			fakes[0].report.Leader = min(fakes[0].report.Leader, 1)
			m := under(fakes[:1])
			m.Linearizable = !tc.stale
			got, err := m.Observe(t.Context(), ports.ControlPlane{})
			var responds []uint64
			for _, member := range got.List {
				if member.Responds {
					responds = append(responds, member.ID)
				}
			}
			if err != nil || !got.Known || !slices.Equal(responds, tc.responds) {
				t.Errorf("observed %+v with error %v: %s", got, err, tc.reason)
			}
		})
	}
}
