package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// maxCounter bounds the search for a free ID. There are 2^30 of them, so that a few attempts are plenty.
const maxCounter = 16

// render renders the documents. A machine that joins by token gets one: it is made in the cluster only after the
// documents turned out to be sound, and if the owner has one already that one is used.
func (s *Service) render(ctx context.Context, r Request, described Description, f facts) (made, Outcome, error) {
	discovery, draft, err := s.discovery(described.Documents, r, f)
	if err != nil {
		return made{}, nil, err
	}
	m, o, err := s.renderWith(ctx, r, described, f, discovery)
	if o != nil || err != nil || draft == nil {
		return m, o, err
	}
	token, counter, err := s.register(ctx, r, *draft)
	if o, err := unreachable(err, "make a token"); o != nil || err != nil {
		return m, o, err
	}
	if token.ID != draft.ID || string(token.Secret.Reveal()) != string(draft.Secret.Reveal()) {
		discovery.Token = token.Token()
		m, o, err = s.renderWith(ctx, r, described, f, discovery)
	}
	m.token, m.lease = ports.TokenRef{ID: token.ID, Counter: counter}, token.Expires
	return m, o, err
}

func (s *Service) renderWith(ctx context.Context, r Request, described Description, f facts, d *node.Discovery) (made,
	Outcome, error,
) {
	docs, findings := complete(r, described, f, d)
	target := described.Target
	target.KubernetesVersion, target.Infrastructure = r.Machine.Version, r.Machine.Infrastructure
	target.Delivery.Identity = identity(r.Owner)
	rendered, err := s.Render(ctx, docs, target, described.Format)
	if err != nil {
		return made{}, withoutKey(err), fmt.Errorf("render the machine: %w", err)
	}
	findings = described.Fields.In(slices.Concat(described.Findings, findings, rendered.Findings))
	findings = described.Plugins.Silent(findings).Sorted()
	if findings.HasErrors() {
		stalled := invalid(findings)
		if rendered.TooLarge && findings.Count(report.Error) == 1 {
			stalled.Reason = ReasonTooLarge
		}
		return made{}, stalled, nil
	}
	version := target.VersionOf(rendered.Payload.Format)
	m := made{payload: rendered.Payload, version: version, findings: findings, start: f.start, stored: rendered.Stored}
	m.pointing = func(ctx context.Context, l delivery.Location) (made, Outcome, error) {
		described.Target.Delivery.Location = &l
		return s.renderWith(ctx, r, described, f, d)
	}
	return m, nil, nil
}

// discovery says how the machine finds its cluster: as its description says, completed. The draft is the token that is
// to be made for it, if one is.
func (s *Service) discovery(docs []document.Document, r Request, f facts) (*node.Discovery,
	*node.BootstrapToken, error,
) {
	if f.role == node.RoleInit {
		return nil, nil, nil
	}
	var d node.Discovery
	if n, _, _ := document.First[node.NodeConfig](docs); n.Discovery != nil {
		d = *n.Discovery
	}
	if !d.Kubeconfig.IsZero() {
		return &d, nil, nil
	}
	if d.APIServerEndpoint == "" {
		d.APIServerEndpoint = r.Cluster.Network.Endpoint
	}
	if len(d.CACertHashes) == 0 {
		d.CACertHashes = f.pins
	}
	// Talos makes the cluster's one token itself, of its secrets.
	if f.talos != nil {
		d.Token = f.talos.BootstrapToken
	}
	if !d.Token.IsZero() {
		return &d, nil, nil
	}
	half, err := node.NewTokenSecret(s.Entropy)
	if err != nil {
		return nil, nil, fmt.Errorf("make a token: %w", err)
	}
	owner := r.tokenOwner()
	draft := &node.BootstrapToken{
		ID: owner.TokenID(r.counter), Secret: half, Owner: owner.String(), Expires: s.Clock.Now().Add(s.TokenTTL),
	}
	d.Token = draft.Token()
	return &d, draft, nil
}

// register makes the token in the cluster. The owner's token of an earlier attempt is taken up again; an ID that
// belongs to somebody else is passed over.
func (s *Service) register(ctx context.Context, r Request, t node.BootstrapToken) (node.BootstrapToken, int, error) {
	for counter := r.counter; counter < r.counter+maxCounter; counter++ {
		t.ID = r.tokenOwner().TokenID(counter)
		err := s.Tokens.Create(ctx, r.Cluster.Key, t)
		if err == nil {
			return t, counter, nil
		}
		if !errors.Is(err, ports.ErrTokenExists) {
			return t, counter, fmt.Errorf("make a token: %w", err)
		}
		own, found, err := s.own(ctx, r, t)
		if err != nil || found {
			return own, counter, err
		}
	}
	return t, 0, fmt.Errorf("make a token: %d IDs are taken", maxCounter)
}

// own returns the token that has the ID, with a new life, if it is the owner's.
func (s *Service) own(ctx context.Context, r Request, t node.BootstrapToken) (node.BootstrapToken, bool, error) {
	found, err := s.Tokens.Find(ctx, r.Cluster.Key, t.ID)
	if err != nil {
		return found, false, fmt.Errorf("find the token %s: %w", t.ID, err)
	}
	if found.Owner != t.Owner {
		return found, false, nil
	}
	if err := s.Tokens.Extend(ctx, r.Cluster.Key, t.ID, t.Expires); err != nil {
		return found, false, fmt.Errorf("extend the token %s: %w", t.ID, err)
	}
	found.Expires = t.Expires
	return found, true, nil
}

// unreachable returns the outcome of an error that means that the cluster was not reached to do that; nil of any other.
// The error stays where nobody tells when the cluster is back.
func unreachable(err error, to string) (Outcome, error) {
	waiting := Waiting{ReasonUnreachable, "the cluster cannot be reached to " + to}
	switch {
	case errors.Is(err, ports.ErrUnreachable):
		return waiting, nil
	case errors.Is(err, ports.ErrNoAnswer):
		return waiting, err
	default:
		return nil, err
	}
}

// leases remembers until when the tokens live that published data holds, so that they are extended when it is time, not
// at each look. It forgets nothing that matters: an unknown token is looked after at once.
type leases struct {
	mutex   sync.Mutex
	expires map[string]time.Time
}

func (l *leases) set(uid string, expires time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.expires == nil {
		l.expires = map[string]time.Time{}
	}
	l.expires[uid] = expires
}

func (l *leases) get(uid string) (time.Time, bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	t, known := l.expires[uid]
	return t, known
}

func (l *leases) drop(uid string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	delete(l.expires, uid)
}
