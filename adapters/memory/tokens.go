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

// Tokens keeps bootstrap tokens. The zero value is ready to use.
type Tokens struct {
	// Fail, if set, is what every call returns.
	Fail error

	mutex  sync.Mutex
	tokens map[tokenKey]node.BootstrapToken
}

// Create makes the token.
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

// Find returns the token of that ID.
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

// Extend lets the token live until then.
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

// Revoke removes the owner's token of that ID.
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
