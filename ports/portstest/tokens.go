package portstest

import (
	"errors"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

func cluster() ports.Key { return ports.Key{Namespace: "default", Name: "c1"} }

// Tokens checks an implementation; fresh returns an empty one.
func Tokens(t *testing.T, fresh func(t *testing.T) ports.Tokens) {
	owner := node.TokenOwner{Namespace: "default", Cluster: "c1", Config: "m1"}
	token := node.BootstrapToken{
		ID: "abcdef", Secret: secret.FromString("0123456789abcdef"), Owner: owner.String(),
		Expires: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	t.Run("a token that was made is found as it was", func(t *testing.T) {
		tokens := fresh(t)
		want(t, "create", tokens.Create(t.Context(), cluster(), token), nil)
		got, err := tokens.Find(t.Context(), cluster(), token.ID)
		want(t, "find", err, nil)
		if got.ID != token.ID || got.Owner != token.Owner || !got.Expires.Equal(token.Expires) ||
			string(got.Secret.Reveal()) != string(token.Secret.Reveal()) {
			t.Errorf("found %v, want %v", got, token)
		}
	})
	t.Run("an ID is given once", func(t *testing.T) {
		tokens := fresh(t)
		want(t, "create", tokens.Create(t.Context(), cluster(), token), nil)
		want(t, "create again", tokens.Create(t.Context(), cluster(), token), ports.ErrTokenExists)
	})
	t.Run("an extended token lives longer", func(t *testing.T) {
		tokens, later := fresh(t), token.Expires.Add(time.Hour)
		want(t, "extend a missing one", tokens.Extend(t.Context(), cluster(), token.ID, later), ports.ErrTokenNotFound)
		want(t, "create", tokens.Create(t.Context(), cluster(), token), nil)
		want(t, "extend", tokens.Extend(t.Context(), cluster(), token.ID, later), nil)
		got, err := tokens.Find(t.Context(), cluster(), token.ID)
		want(t, "find", err, nil)
		if !got.Expires.Equal(later) {
			t.Errorf("expires %s, want %s", got.Expires, later)
		}
	})
	t.Run("only the owner's token is revoked", func(t *testing.T) {
		tokens := fresh(t)
		other := node.TokenOwner{Namespace: "default", Cluster: "c1", Config: "m2"}
		want(t, "create", tokens.Create(t.Context(), cluster(), token), nil)
		want(t, "revoke another's", tokens.Revoke(t.Context(), cluster(), token.ID, other), nil)
		_, err := tokens.Find(t.Context(), cluster(), token.ID)
		want(t, "find", err, nil)
		want(t, "revoke", tokens.Revoke(t.Context(), cluster(), token.ID, owner), nil)
		_, err = tokens.Find(t.Context(), cluster(), token.ID)
		want(t, "find the revoked one", err, ports.ErrTokenNotFound)
		want(t, "revoke again", tokens.Revoke(t.Context(), cluster(), token.ID, owner), nil)
	})
}

func want(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Fatalf("%s: error %v, want %v", what, got, want)
	}
}
