package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// maxAttempts limits the search for a free token ID. There are 2^30 IDs, so that a collision is unlikely.
const maxAttempts = 16

// renderWithToken renders the documents. If the machine joins with a token, the first rendering uses a draft: the token
// is created in the cluster only after the documents turned out to be valid. If the owner has a token already, that is
// used, and the documents are rendered again.
func (p *production) renderWithToken(ctx context.Context) error {
	draft, err := p.discover()
	if err != nil {
		return err
	}
	if err := p.render(ctx); err != nil || draft == nil {
		return err
	}
	token, counter, err := p.register(ctx, *draft)
	if err != nil {
		return tokenError(err, "create a token")
	}
	p.data.Token, p.tokenExpires = ports.TokenRef{ID: token.ID, Counter: counter}, token.Expires
	if token.ID == draft.ID && string(token.Secret.Reveal()) == string(draft.Secret.Reveal()) {
		return nil
	}
	p.discovery.Token = token.Token()
	return p.render(ctx)
}

// discover completes the settings with which the machine finds its cluster. It returns the draft of a token, or nil if
// the machine needs no new one.
func (p *production) discover() (*node.BootstrapToken, error) {
	if p.role == node.RoleInit {
		return nil, nil
	}
	var d node.Discovery
	if n, _, _ := document.First[node.NodeConfig](p.description.Documents); n.Discovery != nil {
		d = *n.Discovery
	}
	p.discovery = &d
	if d.HasKubeconfig() {
		return nil, nil
	}
	if d.APIServerEndpoint == "" {
		d.APIServerEndpoint = p.request.Cluster.Network.Endpoint
	}
	if len(d.CACertHashes) == 0 && !d.UnsafeSkipCAVerification {
		d.CACertHashes = p.pins
	}
	if p.talos != nil {
		// Talos creates the cluster's only token itself, from its secrets.
		d.Token = p.talos.BootstrapToken
	}
	if !d.Token.IsZero() {
		return nil, nil
	}
	half, err := node.NewTokenSecret(p.Entropy)
	if err != nil {
		return nil, fmt.Errorf("generate a token: %w", err)
	}
	owner := p.request.tokenOwner()
	draft := &node.BootstrapToken{
		ID: owner.TokenID(p.request.counter), Secret: half, Owner: owner.String(),
		Expires: p.Clock.Now().Add(p.TokenTTL),
	}
	d.Token = draft.Token()
	return draft, nil
}

// register creates the token in the cluster. It uses the owner's token of an earlier attempt if there is one, and skips
// IDs of other owners.
func (p *production) register(ctx context.Context, t node.BootstrapToken) (node.BootstrapToken, int, error) {
	first := p.request.counter
	for counter := first; counter < first+maxAttempts; counter++ {
		t.ID = p.request.tokenOwner().TokenID(counter)
		err := p.Tokens.Create(ctx, p.request.Cluster.Key, t)
		if err == nil {
			return t, counter, nil
		}
		if !errors.Is(err, ports.ErrTokenExists) {
			return t, counter, fmt.Errorf("create a token: %w", err)
		}
		existing, found, err := p.extendExisting(ctx, t)
		if err != nil || found {
			return existing, counter, err
		}
	}
	return t, 0, fmt.Errorf("create a token: %d IDs are taken", maxAttempts)
}

// extendExisting extends and returns the token with the ID of t if it has the same owner.
func (p *production) extendExisting(ctx context.Context, t node.BootstrapToken) (node.BootstrapToken, bool, error) {
	cluster := p.request.Cluster.Key
	found, err := p.Tokens.Find(ctx, cluster, t.ID)
	if err != nil {
		return found, false, fmt.Errorf("find the token %s: %w", t.ID, err)
	}
	if found.Owner != t.Owner {
		return found, false, nil
	}
	if err := p.Tokens.Extend(ctx, cluster, t.ID, t.Expires); err != nil {
		return found, false, fmt.Errorf("extend the token %s: %w", t.ID, err)
	}
	found.Expires = t.Expires
	return found, true, nil
}

// leases contains the tokens in published data, and what the data was rendered from, by the owner's UID. Tokens are
// therefore not looked up at each attempt. It may be empty: an unknown token is extended at once.
type leases struct {
	mutex  sync.Mutex
	leases map[string]lease
}

// lease is the expiry of a token. For a pool, it contains what this process last rendered its data from.
type lease struct {
	expires time.Time
	inputs  inputs
}

// inputs identify what data was rendered from, as in ports.DataSummary.
type inputs struct{ source, version, agent string }

func inputsOf(s ports.DataSummary) inputs {
	return inputs{source: s.Source, version: s.Version, agent: s.Agent}
}

func (l *leases) set(uid string, expires time.Time) {
	l.change(uid, func(known *lease) { known.expires = expires })
}

func (l *leases) publish(uid string, i inputs) {
	l.change(uid, func(known *lease) { known.inputs = i })
}

func (l *leases) change(uid string, change func(*lease)) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.leases == nil {
		l.leases = map[string]lease{}
	}
	known := l.leases[uid]
	change(&known)
	l.leases[uid] = known
}

func (l *leases) get(uid string) (lease, bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	found, known := l.leases[uid]
	return found, known
}

func (l *leases) drop(uid string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	delete(l.leases, uid)
}
