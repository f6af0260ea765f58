package portstest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// DataSecretStore is an implementation under test, and what a test does behind its back.
type DataSecretStore struct {
	ports.DataSecrets
	// Orphan takes the owner of the data away.
	Orphan func(ports.Key)
}

// DataSecrets checks an implementation; fresh returns an empty one.
func DataSecrets(t *testing.T, fresh func(t *testing.T) DataSecretStore) {
	key := ports.Key{Namespace: "default", Name: "m1"}
	owner, other := ports.Owner{Key: key, UID: "u1"}, ports.Owner{Key: key, UID: "u2"}
	data := ports.DataSecret{
		Key: key, Cluster: "c1", Machine: "machine-1", Owner: owner, Token: ports.TokenRef{ID: "abcdef", Counter: 2},
		Location: ports.LocationRef{
			RenewAfter: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC), Expires: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC),
			Fingerprint: "0123456789abcdef",
		},
		Payload: delivery.Payload{SecretFormat: delivery.SecretFormatIgnition, Data: secret.FromString("{}")},
		Summary: ports.DataSummary{
			Format: "ignition", FormatVersion: "3.4.0", Envelope: "gzip", Bytes: 3, Source: "os", Version: "v1", Agent: "a:b",
		},
	}
	data.Credential.Digest = credential.DigestOf([]byte("shown"))
	t.Run("what was created is found without its payload", func(t *testing.T) {
		store := fresh(t)
		_, err := store.Find(t.Context(), key, owner)
		want(t, "find nothing", err, ports.ErrNoData)
		want(t, "create", store.Create(t.Context(), data), nil)
		got, err := store.Find(t.Context(), key, owner)
		want(t, "find", err, nil)
		known := data
		known.Payload, known.Credential = delivery.Payload{}, credential.Grant{}
		if diff := cmp.Diff(known, got, cmp.AllowUnexported(secret.Value{})); diff != "" {
			t.Errorf("found (-want +got):\n%s", diff)
		}
	})
	t.Run("nothing is published twice, and nothing stolen", func(t *testing.T) {
		store := fresh(t)
		stolen := data
		stolen.Owner = other
		want(t, "create", store.Create(t.Context(), data), nil)
		want(t, "create again", store.Create(t.Context(), data), ports.ErrDataExists)
		want(t, "create another's", store.Create(t.Context(), stolen), ports.ErrNotOwned)
		want(t, "replace another's", store.Replace(t.Context(), stolen), ports.ErrNotOwned)
		want(t, "repair another's", store.Repair(t.Context(), key, other), ports.ErrNotOwned)
		want(t, "expire another's", store.Expire(t.Context(), key, other), ports.ErrNotOwned)
		_, err := store.Find(t.Context(), key, other)
		want(t, "find another's", err, ports.ErrNotOwned)
	})
	t.Run("credentials expire once", func(t *testing.T) {
		store := fresh(t)
		want(t, "expire nothing", store.Expire(t.Context(), key, owner), ports.ErrNoData)
		want(t, "create", store.Create(t.Context(), data), nil)
		want(t, "expire", store.Expire(t.Context(), key, owner), nil)
		want(t, "expire again", store.Expire(t.Context(), key, owner), nil)
	})
	t.Run("a lost owner is repaired", func(t *testing.T) {
		store := fresh(t)
		want(t, "repair nothing", store.Repair(t.Context(), key, owner), ports.ErrNoData)
		want(t, "create", store.Create(t.Context(), data), nil)
		store.Orphan(key)
		want(t, "repair", store.Repair(t.Context(), key, owner), nil)
		want(t, "repair again", store.Repair(t.Context(), key, owner), nil)
		_, err := store.Find(t.Context(), key, other)
		want(t, "find another's", err, ports.ErrNotOwned)
	})
	replacedDataSecrets(t, fresh, data)
}

// replacedDataSecrets checks what becomes of data that is replaced.
func replacedDataSecrets(t *testing.T, fresh func(t *testing.T) DataSecretStore, data ports.DataSecret) {
	key, owner := data.Key, data.Owner
	t.Run("the owner replaces its data", func(t *testing.T) {
		store := fresh(t)
		rotated := data
		rotated.Token, rotated.Summary.Source = ports.TokenRef{ID: "ghijkl", Counter: 3}, "os:2"
		want(t, "replace nothing", store.Replace(t.Context(), rotated), ports.ErrNoData)
		want(t, "create", store.Create(t.Context(), data), nil)
		want(t, "replace", store.Replace(t.Context(), rotated), nil)
		got, err := store.Find(t.Context(), key, owner)
		want(t, "find", err, nil)
		if diff := cmp.Diff(rotated.Token, got.Token); diff != "" {
			t.Errorf("token (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(rotated.Summary, got.Summary); diff != "" {
			t.Errorf("summary (-want +got):\n%s", diff)
		}
	})
	t.Run("nothing is left of what was replaced", func(t *testing.T) {
		store := fresh(t)
		given := data
		given.Token, given.Location, given.Summary = ports.TokenRef{}, ports.LocationRef{}, ports.DataSummary{}
		want(t, "create", store.Create(t.Context(), data), nil)
		want(t, "replace", store.Replace(t.Context(), given), nil)
		got, err := store.Find(t.Context(), key, owner)
		want(t, "find", err, nil)
		if got.Token != given.Token || got.Location != given.Location || got.Summary != given.Summary {
			t.Errorf("found %+v, which stood in the data before", got)
		}
	})
}
