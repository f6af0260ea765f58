package etcdmembers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

const (
	// DefaultTimeout is the deadline of an observation and of an operation.
	DefaultTimeout = 12 * time.Second
	// An election takes about a second with kubeadm's timeouts. Members without a leader are asked several times.
	electionPause = time.Second
	elections     = 2
	// askedToRemove is the number of members that are asked to remove another one.
	askedToRemove = 2
	// maxProblem limits the explanation of an observation, in bytes.
	maxProblem = 512
)

// Session is a connection to the member of a machine. Errors wrap ports.ErrUnreachable or ports.ErrRefused.
type Session interface {
	// Report asks the member about itself. It answers without a quorum.
	Report(ctx context.Context) (Report, error)
	// List returns the members. If a quorum is required, it is the list that a quorum agrees on, with alarms.
	List(ctx context.Context, quorum bool) ([]Entry, error)
	// Remove makes the member remove another one. It is not an error if there is no such member.
	Remove(ctx context.Context, id uint64) error
	// MoveLeader makes the member, which leads, transfer the leadership.
	MoveLeader(ctx context.Context, to uint64) error
	Close() error
}

// Members implements ports.EtcdMembers. No session outlives a call.
type Members struct {
	// Connect returns a session for each machine that can have a member. It does not wait for connections.
	Connect func(ctx context.Context, c ports.ControlPlane) ([]Session, error)
	Clock   ports.Clock
	// Linearizable means that the list on which a quorum agrees is linearizable: a quorum has confirmed it just now.
	Linearizable bool
	// Timeout is the deadline of an observation and of an operation. A member has a third of it to report about itself,
	// and to remove another one.
	Timeout time.Duration
}

var _ ports.EtcdMembers = (*Members)(nil)

// Observe asks all members about themselves, and one for the list. Without a quorum, the list is what one member knows,
// and no member responds. Of two voters, both respond if the list is linearizable.
func (m *Members) Observe(ctx context.Context, c ports.ControlPlane) (controlplane.Members, error) {
	result := controlplane.Members{Since: m.Clock.Now()}
	if c.Desired.ExternalEtcd {
		result.Problem = "etcd does not run on the machines of the control plane"
		return result, nil
	}
	ctx, cancel := context.WithTimeout(ctx, m.Timeout)
	defer cancel()
	list, err := m.observe(ctx, c)
	if err != nil {
		result.Problem = host.Line(secret.CleanShapes(err.Error()), maxProblem)
		return result, nil
	}
	result.Known, result.List = true, list
	return result, nil
}

func (m *Members) observe(ctx context.Context, c ports.ControlPlane) ([]controlplane.Member, error) {
	r, err := m.ask(ctx, c)
	if err != nil {
		return nil, err
	}
	defer r.close()
	list, err := r.list(ctx)
	if err != nil {
		return nil, err
	}
	members, err := view(list, r.reports)
	if m.Linearizable && len(ledBy(r.reports)) > 0 {
		confirmPair(members)
	}
	return members, err
}

// MoveLeader asks the leader to transfer the leadership. It does nothing if another member leads already.
func (m *Members) MoveLeader(ctx context.Context, c ports.ControlPlane, from, to uint64) error {
	ctx, cancel := context.WithTimeout(ctx, m.Timeout)
	defer cancel()
	r, err := m.ask(ctx, c)
	if err != nil {
		return err
	}
	defer r.close()
	for _, report := range ledBy(r.reports) {
		switch {
		case report.Leader != from:
			return nil
		case report.MemberID == from:
			return r.sessions[report.MemberID].MoveLeader(ctx, to)
		}
	}
	return fmt.Errorf("move the leader: member %x: %w", from, ports.ErrUnreachable)
}

// Remove asks the leader, or another member, to remove the member. One that does not answer may have removed it, so the
// next one is asked.
func (m *Members) Remove(ctx context.Context, c ports.ControlPlane, member uint64) error {
	ctx, cancel := context.WithTimeout(ctx, m.Timeout)
	defer cancel()
	r, err := m.ask(ctx, c)
	if err != nil {
		return err
	}
	defer r.close()
	others := slices.DeleteFunc(ledBy(r.reports), func(o Report) bool { return o.MemberID == member })
	if len(others) == 0 {
		return r.explainLast(ctx, member)
	}
	for _, o := range others[:min(len(others), askedToRemove)] {
		err = m.removeBy(ctx, r.sessions[o.MemberID], member)
		if err == nil || errors.Is(err, ports.ErrRefused) {
			return err
		}
	}
	return err
}

// removeBy asks one member. Until the members notice that their leader is lost, they do not answer.
func (m *Members) removeBy(ctx context.Context, s Session, member uint64) error {
	ctx, cancel := context.WithTimeout(ctx, m.Timeout/3)
	defer cancel()
	return s.Remove(ctx, member)
}

// round is one round of questions to all members.
type round struct {
	all []Session
	// reports are those of the members that answered and belong to one cluster, and sessions the sessions with them.
	reports  []Report
	sessions map[uint64]Session
}

func (r *round) close() {
	for _, s := range r.all {
		_ = s.Close()
	}
}

// ask asks the members of all machines about themselves, at the same time. It is an error if none answers. The caller
// closes the round.
func (m *Members) ask(ctx context.Context, c ports.ControlPlane) (*round, error) {
	sessions, err := m.Connect(ctx, c)
	if err != nil {
		return nil, err
	}
	r := &round{all: sessions}
	if err := r.askAll(ctx, m.Timeout/3); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// askAll asks again if the members are electing a leader.
func (r *round) askAll(ctx context.Context, timeout time.Duration) error {
	for i := range elections {
		if i > 0 && !pause(ctx, electionPause) {
			break
		}
		reports, err := r.askOnce(ctx, timeout)
		if err != nil {
			return err
		}
		if r.reports, err = oneCluster(reports); err != nil {
			return err
		}
		if len(ledBy(r.reports)) > 0 {
			break
		}
	}
	return nil
}

// askOnce returns the reports of the members that answer, in the order of the machines, and an error if none does.
func (r *round) askOnce(ctx context.Context, timeout time.Duration) ([]Report, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answers, failures := make([]Report, len(r.all)), make([]error, len(r.all))
	var group sync.WaitGroup
	for i, s := range r.all {
		group.Go(func() { answers[i], failures[i] = s.Report(ctx) })
	}
	group.Wait()
	r.sessions = map[uint64]Session{}
	var reports []Report
	for i, answer := range answers {
		if failures[i] == nil {
			reports = append(reports, answer)
			r.sessions[answer.MemberID] = r.all[i]
		}
	}
	if len(reports) > 0 {
		return reports, nil
	}
	if len(failures) == 0 {
		return nil, fmt.Errorf("no machine can have a member yet: %w", ports.ErrUnreachable)
	}
	if errors.Is(failures[0], ports.ErrUnreachable) {
		return nil, failures[0]
	}
	return nil, fmt.Errorf("%w: %w", ports.ErrUnreachable, failures[0])
}

// list returns the members that a quorum agrees on, by one that answers. If no member knows of a leader, it is the list
// of one of them, which is enough to report who is lost.
func (r *round) list(ctx context.Context) ([]Entry, error) {
	led := ledBy(r.reports)
	if len(led) == 0 {
		return r.sessions[r.reports[0].MemberID].List(ctx, false)
	}
	var list []Entry
	var err error
	for _, report := range led[:min(len(led), askedToRemove)] {
		if list, err = r.sessions[report.MemberID].List(ctx, true); err == nil {
			return list, nil
		}
	}
	return nil, err
}

// explainLast returns why a member is not removed although no other one can be asked.
func (r *round) explainLast(ctx context.Context, member uint64) error {
	list, err := r.list(ctx)
	switch {
	case err != nil:
		return err
	case len(list) == 1 && list[0].ID == member:
		return fmt.Errorf("the removal of the last member %w", ports.ErrRefused)
	default:
		return fmt.Errorf("remove member %x: the other members: %w", member, ports.ErrUnreachable)
	}
}

// pause waits, and reports whether the context has not ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
