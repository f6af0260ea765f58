package portstest

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// racers is how many ask for a cluster's secrets at once.
const racers = 8

// TalosClientConfig is a client configuration as its users read it.
type TalosClientConfig struct {
	Endpoints []string
	CA        []byte
	Client    node.KeyPair
}

// TalosSecretsStore is an empty store under test. Its cluster exists.
type TalosSecretsStore struct {
	// Open returns another implementation over the same store, as another process has it, with random bytes of its own.
	Open func() ports.TalosSecrets
	// Client reads a client configuration.
	Client func(ports.TalosClient) TalosClientConfig
	// Advance moves the clock on.
	Advance func(time.Duration)
	// Steal makes another owner control the object of the secrets' name; it is created if it does not exist.
	Steal func()
	// Spoil puts something else in the place of the secrets.
	Spoil func()
	// StealClient is Steal for the client configuration.
	StealClient func()
}

// TalosSecrets checks an implementation.
func TalosSecrets(t *testing.T, fresh func(t *testing.T) TalosSecretsStore) {
	t.Run("missing secrets are reported", func(t *testing.T) {
		secrets := fresh(t).Open()
		_, err := secrets.Find(t.Context(), cluster())
		want(t, "find", err, ports.ErrNoTalosSecrets)
		_, err = secrets.EnsureClient(t.Context(), cluster(), nil)
		want(t, "ensure client", err, ports.ErrNoTalosSecrets)
	})
	t.Run("they are made once and stay", func(t *testing.T) { talosStay(t, fresh(t)) })
	t.Run("of many at once all get the same", func(t *testing.T) { talosRace(t, fresh(t)) })
	t.Run("clusters have secrets of their own", func(t *testing.T) {
		secrets := fresh(t).Open()
		first := ensured(t, secrets, cluster())
		other := ensured(t, secrets, ports.Key{Namespace: "default", Name: "c2"})
		if first.TrustdToken.Equal(other.TrustdToken) || first.OSCA.Key.Equal(other.OSCA.Key) {
			t.Error("two clusters share secrets")
		}
	})
	t.Run("another owner's are never changed", func(t *testing.T) {
		store := fresh(t)
		store.Steal()
		_, err := store.Open().Find(t.Context(), cluster())
		want(t, "find", err, ports.ErrNotOwned)
		_, err = store.Open().Ensure(t.Context(), cluster())
		want(t, "ensure", err, ports.ErrNotOwned)
	})
	t.Run("invalid secrets are reported and stay", func(t *testing.T) {
		store := fresh(t)
		ensured(t, store.Open(), cluster())
		store.Spoil()
		for range 2 {
			_, err := store.Open().Ensure(t.Context(), cluster())
			want(t, "ensure", err, ports.ErrInvalidTalosSecrets)
		}
	})
	t.Run("a client follows addresses and time", func(t *testing.T) { talosClient(t, fresh(t)) })
	t.Run("another owner's client is never changed", func(t *testing.T) {
		store := fresh(t)
		ensured(t, store.Open(), cluster())
		store.StealClient()
		_, err := store.Open().EnsureClient(t.Context(), cluster(), nil)
		want(t, "ensure client", err, ports.ErrNotOwned)
	})
}

func ensured(t *testing.T, secrets ports.TalosSecrets, key ports.Key) node.TalosSecrets {
	t.Helper()
	s, err := secrets.Ensure(t.Context(), key)
	want(t, "ensure", err, nil)
	if findings := s.Check("talos"); findings.HasErrors() || s.OSCA.Key.IsZero() {
		t.Fatalf("the secrets are not complete:\n%s", findings)
	}
	return s
}

func sameSecrets() cmp.Option { return cmp.Comparer(secret.Value.Equal) }

func talosStay(t *testing.T, store TalosSecretsStore) {
	first := ensured(t, store.Open(), cluster())
	store.Advance(time.Hour)
	if diff := cmp.Diff(first, ensured(t, store.Open(), cluster()), sameSecrets()); diff != "" {
		t.Errorf("they were replaced (-want +got):\n%s", diff)
	}
	found, err := store.Open().Find(t.Context(), cluster())
	want(t, "find", err, nil)
	if diff := cmp.Diff(first, found, sameSecrets()); diff != "" {
		t.Errorf("found others (-want +got):\n%s", diff)
	}
}

func talosRace(t *testing.T, store TalosSecretsStore) {
	got, failures := make([]node.TalosSecrets, racers), make([]error, racers)
	var all sync.WaitGroup
	for i := range racers {
		secrets := store.Open()
		all.Go(func() { got[i], failures[i] = secrets.Ensure(t.Context(), cluster()) })
	}
	all.Wait()
	want(t, "ensure", errors.Join(failures...), nil)
	for _, other := range got[1:] {
		if diff := cmp.Diff(got[0], other, sameSecrets()); diff != "" {
			t.Fatalf("two got different secrets (-one +other):\n%s", diff)
		}
	}
}

// talosClient lives through the life of a client configuration.
func talosClient(t *testing.T, store TalosSecretsStore) {
	secrets := ensured(t, store.Open(), cluster())
	read := func(addresses ...string) TalosClientConfig {
		named, err := store.Open().EnsureClient(t.Context(), cluster(), addresses)
		want(t, "ensure client", err, nil)
		c := store.Client(named)
		if _, ok := node.TalosClientExpires(c.Client, secrets.OSCA); !ok || string(c.CA) != string(secrets.OSCA.Certificate) {
			t.Fatal("the client is not one of the cluster's CA")
		}
		if diff := cmp.Diff(addresses, c.Endpoints); diff != "" {
			t.Errorf("endpoints (-want +got):\n%s", diff)
		}
		return c
	}
	first := read()
	again := read("192.0.2.1", "2001:db8::1")
	if diff := cmp.Diff(first.Client, again.Client, sameSecrets()); diff != "" {
		t.Errorf("new addresses replaced the certificate (-want +got):\n%s", diff)
	}
	store.Advance(node.TalosClientValidity/2 - time.Hour)
	if early := read("192.0.2.1"); !early.Client.Key.Equal(first.Client.Key) {
		t.Error("it was renewed in the first half of its life")
	}
	store.Advance(2 * time.Hour)
	if late := read("192.0.2.1"); late.Client.Key.Equal(first.Client.Key) {
		t.Error("it was not renewed in the second half of its life")
	}
}
