package etcd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

// Manifest is where kubeadm lays down the static pod of a stacked member.
const Manifest = "/etc/kubernetes/manifests/etcd.yaml"

const (
	// patience is more than a member on a busy machine needs to start again.
	patience = 5 * time.Minute
	// answer is how long a member may take to answer one request, and pause is what lies between two attempts.
	answer = 10 * time.Second
	pause  = time.Second
)

// errAgree is why a machine does not leave, and what to do.
var errAgree = errors.New("the members of etcd did not agree to go on without this machine; mend etcd and reset the machine again, or, " +
	"if the cluster is given up, run kubeadm reset --force before")

// Member is the machine's member of a stacked etcd.
type Member struct {
	// Manifest is the file of its static pod. A machine without one has no member.
	Manifest string
	// Log is told of each attempt that failed, in a line.
	Log io.Writer
	// Patience is how long the members may take to agree; none is five minutes.
	Patience time.Duration
}

// Leave takes the member out of etcd, and returns once the others agree without it. A member that leads hands that over before. The machine's
// own data stay. There is nothing to leave where etcd never ran, and where no other member has a vote.
func (m Member) Leave(ctx context.Context) error {
	manifest, err := os.ReadFile(m.Manifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	own, err := read(manifest)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Manifest, err)
	}
	if !own.ran() {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, cmp.Or(m.Patience, patience), errAgree)
	defer cancel()
	for {
		err := own.leave(ctx)
		if err == nil {
			return nil
		}
		fmt.Fprintln(m.Log, "leave etcd:", err)
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		case <-time.After(pause):
		}
	}
}

// leave is one attempt. It asks all members of whom it may know one, and has those that stay decide.
func (s server) leave(ctx context.Context) error {
	members, err := s.list(ctx, s.known())
	if err != nil {
		return fmt.Errorf("list the members: %w", err)
	}
	self, others := s.split(members)
	if self == nil || len(others) == 0 {
		return nil
	}
	if s.leads(ctx, self) {
		if err := s.handOver(ctx, others); err != nil {
			return err
		}
	}
	return s.remove(ctx, self, others)
}

// remove has those that stay remove the member, and agree on who is left.
func (s server) remove(ctx context.Context, self *etcdserverpb.Member, others []*etcdserverpb.Member) error {
	var stay []string
	for _, other := range others {
		stay = append(stay, other.ClientURLs...)
	}
	err := s.ask(ctx, stay, func(ctx context.Context, c *clientv3.Client) error {
		_, err := c.MemberRemove(ctx, self.ID)
		return err
	})
	if err != nil {
		return fmt.Errorf("remove the member %x: %w", self.ID, err)
	}
	if _, err := s.list(ctx, stay); err != nil {
		return fmt.Errorf("list the members that stay: %w", err)
	}
	return nil
}

// list returns the members that a majority of them agrees on.
func (s server) list(ctx context.Context, urls []string) ([]*etcdserverpb.Member, error) {
	var members []*etcdserverpb.Member
	err := s.ask(ctx, urls, func(ctx context.Context, c *clientv3.Client) error {
		listed, err := c.MemberList(ctx)
		if err == nil {
			members = listed.Members
		}
		return err
	})
	return members, err
}

// split returns the machine's own member, nil if it is none, and the others that vote.
func (s server) split(members []*etcdserverpb.Member) (self *etcdserverpb.Member, others []*etcdserverpb.Member) {
	for _, m := range members {
		switch {
		case slices.ContainsFunc(m.PeerURLs, func(url string) bool { return slices.Contains(s.peers, url) }):
			self = m
		case !m.IsLearner && len(m.ClientURLs) > 0:
			others = append(others, m)
		}
	}
	return self, others
}

// leads reports whether the machine's own member leads. One that does not answer leads nobody.
func (s server) leads(ctx context.Context, self *etcdserverpb.Member) bool {
	var leader uint64
	err := s.ask(ctx, s.clients, func(ctx context.Context, c *clientv3.Client) error {
		told, err := c.Status(ctx, s.clients[0])
		if err == nil {
			leader = told.Leader
		}
		return err
	})
	return err == nil && leader == self.ID
}

// handOver has another member lead: of two, the one that is left may never learn that the other is gone, if that one leads and goes
// (go.etcd.io/raft, package documentation).
func (s server) handOver(ctx context.Context, others []*etcdserverpb.Member) error {
	var err error
	for _, other := range others {
		if err = s.ask(ctx, s.clients, func(ctx context.Context, c *clientv3.Client) error {
			_, err := c.MoveLeader(ctx, other.ID)
			return err
		}); err == nil {
			return nil
		}
	}
	return fmt.Errorf("have another member lead: %w", err)
}

// ask makes one request of whichever of the members at these addresses answers.
func (s server) ask(ctx context.Context, urls []string, request func(context.Context, *clientv3.Client) error) error {
	c, err := clientv3.New(clientv3.Config{Endpoints: urls, TLS: s.credentials, Logger: zap.NewNop()})
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	return request(ctx, c)
}
