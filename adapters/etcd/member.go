package etcd

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// Manifest is the path of the static Pod of a stacked etcd member, which kubeadm writes.
const Manifest = "/etc/kubernetes/manifests/etcd.yaml"

const (
	// patience is more than a member on a busy machine needs to start again.
	patience = 5 * time.Minute
	// answer is how long a member may take to answer one request, and pause is what lies between two attempts.
	answer = 10 * time.Second
	pause  = time.Second
)

var (
	// errQuorum is why a machine does not leave.
	errQuorum = errors.New("the members of etcd did not agree to go on without this machine, or did not answer")
	// errRemedy is what to do.
	errRemedy = errors.New("mend that and reset the machine again, or, if the cluster is given up, run " +
		"kubeadm reset --force before")
)

// Member is the machine's member of a stacked etcd.
type Member struct {
	// Manifest is the path of its static Pod. A machine without this file has no member.
	Manifest string
	// Log receives the errors of each failed attempt.
	Log io.Writer
	// Timeout is the timeout of Leave; 0 means five minutes.
	Timeout time.Duration
}

// Leave removes the member from etcd, and returns once the remaining members agree. A leader transfers the leadership
// first. The data of the machine is not deleted. Leave does nothing if etcd never ran on the machine, or if no other
// member can vote.
func (m Member) Leave(ctx context.Context) error {
	manifest, err := os.ReadFile(m.Manifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := m.leave(ctx, manifest); err != nil {
		// host.sh of the ssh driver looks for the first words.
		return fmt.Errorf("leave etcd (%s): %w; %w", m.Manifest, err, errRemedy)
	}
	return nil
}

func (m Member) leave(ctx context.Context, manifest []byte) error {
	own, err := read(manifest)
	if err != nil {
		return err
	}
	if ran, err := own.ran(); err != nil || !ran {
		return err
	}
	config, err := own.tls.ClientConfig()
	if err != nil {
		return fmt.Errorf("the member's certificates: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, cmp.Or(m.Timeout, patience), errQuorum)
	defer cancel()
	a := attempt{server: own, credentials: config, log: logger(m.Log)}
	var last error
	_, err = backoff.Retry(ctx, func() (struct{}, error) {
		if last = a.leave(ctx); last != nil {
			fmt.Fprintln(m.Log, "leave etcd:", last)
		}
		return struct{}{}, last
	}, backoff.WithBackOff(backoff.NewConstantBackOff(pause)), backoff.WithMaxElapsedTime(0))
	if err != nil {
		return fmt.Errorf("%w: %w", err, last)
	}
	return nil
}

// logger makes etcd's client log what its errors leave out: a refused connection, or an expired certificate.
func logger(w io.Writer) *zap.Logger {
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(w),
		zap.WarnLevel))
}

// attempt is what an attempt to leave takes.
type attempt struct {
	server
	credentials *tls.Config
	log         *zap.Logger
}

// leave is one attempt. It asks all members of whom it may know one, and has those that stay decide.
func (a attempt) leave(ctx context.Context) error {
	// The data is locked while the member runs; then the member itself answers.
	recorded, _ := a.recorded()
	members, err := a.list(ctx, distinct(append(a.known(), recorded...)))
	if err != nil {
		return err
	}
	self, others := a.split(members)
	if self == nil || len(others) == 0 {
		return nil
	}
	var stay []string
	for _, other := range others {
		stay = append(stay, other.ClientURLs...)
	}
	if err := a.moveLeader(ctx, self, others, stay); err != nil {
		return err
	}
	return a.remove(ctx, self, stay)
}

// distinct removes repeated URLs.
func distinct(urls []string) []string {
	slices.Sort(urls)
	return slices.Compact(urls)
}

// list returns the members that a majority of them agrees on.
func (a attempt) list(ctx context.Context, urls []string) ([]*etcdserverpb.Member, error) {
	var members []*etcdserverpb.Member
	err := a.call(ctx, "list the members", urls, func(ctx context.Context, c *clientv3.Client) error {
		listed, err := c.MemberList(ctx)
		if err == nil {
			members = listed.Members
		}
		return err
	})
	return members, err
}

// split returns the machine's own member, nil if it is none, and the others that vote.
func (a attempt) split(members []*etcdserverpb.Member) (self *etcdserverpb.Member, others []*etcdserverpb.Member) {
	own := func(url string) bool { return slices.Contains(a.peers, url) || slices.Contains(a.clients, url) }
	for _, m := range members {
		switch {
		case slices.ContainsFunc(slices.Concat(m.PeerURLs, m.ClientURLs), own):
			self = m
		case !m.IsLearner && len(m.ClientURLs) > 0:
			others = append(others, m)
		}
	}
	return self, others
}

// moveLeader moves the leadership to another member if the remaining members report this one as leader. Of two members,
// the remaining one may never learn of the removal if the leader leaves (go.etcd.io/raft, package documentation).
func (a attempt) moveLeader(ctx context.Context, self *etcdserverpb.Member, others []*etcdserverpb.Member,
	stay []string,
) error {
	leader, err := a.leader(ctx, stay)
	if err != nil || leader != self.ID {
		return err
	}
	for _, other := range others {
		if err = a.call(ctx, "have another member lead", a.clients, func(ctx context.Context, c *clientv3.Client) error {
			_, err := c.MoveLeader(ctx, other.ID)
			return err
		}); err == nil {
			return nil
		}
	}
	return err
}

// leader returns the ID of the leader, from the first of the members at these addresses that answers.
func (a attempt) leader(ctx context.Context, urls []string) (id uint64, err error) {
	for _, url := range urls {
		if err = a.call(ctx, "ask for the leader", []string{url}, func(ctx context.Context, c *clientv3.Client) error {
			status, err := c.Status(ctx, url)
			if err == nil {
				id = status.Leader
			}
			return err
		}); err == nil {
			return id, nil
		}
	}
	return 0, err
}

// remove has those that stay remove the member, and agree on who is left.
func (a attempt) remove(ctx context.Context, self *etcdserverpb.Member, stay []string) error {
	if err := os.WriteFile(a.note(), []byte(strings.Join(stay, "\n")+"\n"), 0o600); err != nil {
		return fmt.Errorf("note who stays: %w", err)
	}
	err := a.call(ctx, fmt.Sprintf("remove the member %x", self.ID), stay,
		func(ctx context.Context, c *clientv3.Client) error {
			_, err := c.MemberRemove(ctx, self.ID)
			return err
		})
	if err != nil {
		return err
	}
	_, err = a.list(ctx, stay)
	return err
}

// call makes one request of whichever of the members at these addresses answers; what names it in errors.
func (a attempt) call(ctx context.Context, what string, urls []string,
	request func(context.Context, *clientv3.Client) error,
) error {
	c, err := clientv3.New(clientv3.Config{Endpoints: urls, TLS: a.credentials, Logger: a.log})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	defer func() { _ = c.Close() }()
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	if err := request(ctx, c); err != nil {
		return fmt.Errorf("%s (of %s): %w", what, strings.Join(urls, ", "), err)
	}
	return nil
}
