package memory

import (
	"context"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

type tokenKey struct {
	cluster ports.Key
	id      string
}

// Tokens implements ports.Tokens. The zero value is ready to use.
type Tokens struct {
	// Fail is the error of all calls, or nil if they succeed.
	Fail error

	mutex  sync.Mutex
	tokens map[tokenKey]node.BootstrapToken
}

// Create creates the token.
func (t *Tokens) Create(_ context.Context, cluster ports.Key, token node.BootstrapToken) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	key := tokenKey{cluster, token.ID}
	if t.Fail != nil {
		return t.Fail
	}
	if _, taken := t.tokens[key]; taken {
		return ports.ErrTokenExists
	}
	if t.tokens == nil {
		t.tokens = map[tokenKey]node.BootstrapToken{}
	}
	t.tokens[key] = token
	return nil
}

// Find returns the token with the ID.
func (t *Tokens) Find(_ context.Context, cluster ports.Key, id string) (node.BootstrapToken, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.Fail != nil {
		return node.BootstrapToken{}, t.Fail
	}
	token, found := t.tokens[tokenKey{cluster, id}]
	if !found {
		return token, ports.ErrTokenNotFound
	}
	return token, nil
}

// Extend sets the expiry of the token.
func (t *Tokens) Extend(ctx context.Context, cluster ports.Key, id string, expires time.Time) error {
	token, err := t.Find(ctx, cluster, id)
	if err != nil {
		return err
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	token.Expires = expires
	t.tokens[tokenKey{cluster, id}] = token
	return nil
}

// Revoke removes the owner's token with the ID.
func (t *Tokens) Revoke(_ context.Context, cluster ports.Key, id string, owner node.TokenOwner) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.Fail != nil {
		return t.Fail
	}
	if key := (tokenKey{cluster, id}); t.tokens[key].Owner == owner.String() {
		delete(t.tokens, key)
	}
	return nil
}
