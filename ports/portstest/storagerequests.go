package portstest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// StorageRequestStore is an implementation, and the storage behind it.
type StorageRequestStore struct {
	ports.StorageRequests
	// Process makes the storage take the stored objects, or report its problem.
	Process func(t *testing.T, problem string)
}

// StorageRequests checks an implementation; fresh returns an empty one.
func StorageRequests(t *testing.T, fresh func(t *testing.T) StorageRequestStore) {
	t.Run("it is pending until the storage has it", func(t *testing.T) {
		s := fresh(t)
		s.checkPending(t, storageRequest("one"))
		s.checkPending(t, storageRequest("one"))
		s.Process(t, "")
		s.checkObject(t, storageRequest("one"), "one")
		s.checkObject(t, storageRequest("one"), "one")
	})
	t.Run("the same is not made twice", func(t *testing.T) {
		s := fresh(t)
		s.checkPending(t, storageRequest("one"))
		again := storageRequest("one")
		again.Data = func(context.Context) (secret.Value, error) { return secret.Value{}, errors.New("asked again") }
		s.checkPending(t, again)
		s.Process(t, "")
		s.checkObject(t, again, "one")
	})
	t.Run("another takes its place", func(t *testing.T) {
		s := fresh(t)
		s.checkPending(t, storageRequest("one"))
		s.Process(t, "")
		s.checkPending(t, storageRequest("two"))
		s.Process(t, "")
		s.checkObject(t, storageRequest("two"), "two")
	})
	t.Run("its location is returned once it is stored", func(t *testing.T) {
		s := fresh(t)
		s.checkLocation(t, storageRequest("one"), delivery.Location{})
		s.checkPending(t, storageRequest("one"))
		s.checkLocation(t, storageRequest("one"), delivery.Location{})
		s.Process(t, "")
		l, err := s.Ensure(t.Context(), storageRequest("one"))
		want(t, "keep what is stored", err, nil)
		s.checkLocation(t, storageRequest("one"), l)
		s.checkPending(t, storageRequest("two"))
		s.checkLocation(t, storageRequest("two"), delivery.Location{})
	})
	t.Run("the storage's message is passed on, until it takes it", func(t *testing.T) {
		s := fresh(t)
		s.checkPending(t, storageRequest("one"))
		s.Process(t, "no such bucket")
		_, err := s.Ensure(t.Context(), storageRequest("one"))
		var problem *ports.StorageError
		if !errors.As(err, &problem) || problem.Message != "no such bucket" {
			t.Fatalf("keep: %v", err)
		}
		s.Process(t, "")
		s.checkObject(t, storageRequest("one"), "one")
	})
	requestsOfOthers(t, fresh)
	privateData(t, fresh)
}

// privateData checks what is remembered when a machine changes.
func privateData(t *testing.T, fresh func(t *testing.T) StorageRequestStore) {
	first, other := storageRequest("first"), storageRequest("other")
	first.PrivateData, other.PrivateData = secret.FromString("first"), secret.FromString("other")
	other.Storage.Name = "bottom"
	plain, bare := storageRequest("plain"), storageRequest("bare")
	bare.Storage = other.Storage
	cases := map[string]struct {
		reason     string
		requested  []ports.StorageRequest
		top, below string
	}{
		"nothing": {reason: "There is none."},
		"one": {
			"The machine is the same, wherever its data goes.",
			[]ports.StorageRequest{first},
			"first", "first",
		},
		"later":     {"It is kept as soon as there is one.", []ports.StorageRequest{plain, first}, "first", "first"},
		"no longer": {"It may be asked for again.", []ports.StorageRequest{first, plain}, "first", "first"},
		"with another storage": {
			"Data that changes at each look is never stored.",
			[]ports.StorageRequest{plain, other},
			"", "other",
		},
		"one for each storage": {
			"The stored data contains it.",
			[]ports.StorageRequest{first, other},
			"first", "other",
		},
		"and back": {
			"Nothing takes the other's away.",
			[]ports.StorageRequest{plain, other, first},
			"first", "other",
		},
		"none with the second": {"The first has it.", []ports.StorageRequest{first, bare}, "first", "first"},
	}
	for name, tc := range cases {
		t.Run("private data: "+name, func(t *testing.T) {
			s := fresh(t)
			for _, d := range tc.requested {
				s.checkPending(t, d)
			}
			for d, want := range map[*ports.StorageRequest]string{&first: tc.top, &other: tc.below} {
				got, err := s.PrivateData(t.Context(), d.Key, d.Owner, d.Storage)
				if err != nil || string(got.Reveal()) != want {
					t.Errorf("%s\nfor %s it is %q, want %q; error %v", tc.reason, d.Storage.Name, got.Reveal(), want, err)
				}
			}
		})
	}
}

// requestsOfOthers checks who gets what.
func requestsOfOthers(t *testing.T, fresh func(t *testing.T) StorageRequestStore) {
	t.Run("another owner's object is not taken over", func(t *testing.T) {
		s, ours := fresh(t), storageRequest("one")
		ours.PrivateData = secret.FromString("ours")
		s.checkPending(t, ours)
		theirs := storageRequest("one")
		theirs.Owner.UID = "other"
		_, err := s.Ensure(t.Context(), theirs)
		want(t, "keep another's", err, ports.ErrNotOwned)
		got, err := s.PrivateData(t.Context(), theirs.Key, theirs.Owner, theirs.Storage)
		if err != nil || !got.IsZero() {
			t.Errorf("private data of another owner: %v %v", got, err)
		}
	})
	t.Run("failures are reported", func(t *testing.T) {
		s, broken := fresh(t), errors.New("broken")
		d := storageRequest("one")
		d.Data = func(context.Context) (secret.Value, error) { return secret.Value{}, broken }
		_, err := s.Ensure(t.Context(), d)
		want(t, "keep", err, broken)
	})
}

func storageRequest(data string) ports.StorageRequest {
	key := ports.Key{Namespace: "default", Name: "m1-stored"}
	return ports.StorageRequest{
		Key: key, Cluster: "c1", Owner: ports.Owner{Key: ports.Key{Namespace: "default", Name: "m1"}, UID: "u1"},
		Storage: delivery.StorageRef{Group: "storage.example", Kind: "Shelf", Name: "top"}, InputDigest: data,
		Data: func(context.Context) (secret.Value, error) { return secret.FromString(data), nil },
	}
}

func (s StorageRequestStore) checkPending(t *testing.T, d ports.StorageRequest) {
	t.Helper()
	_, err := s.Ensure(t.Context(), d)
	want(t, "keep what is not stored yet", err, ports.ErrStoragePending)
}

func (s StorageRequestStore) checkLocation(t *testing.T, d ports.StorageRequest, want delivery.Location) {
	t.Helper()
	got, err := s.Location(t.Context(), d.Key, d.Owner, d.Storage)
	if err != nil || got.Fingerprint() != want.Fingerprint() || !got.Expires.Equal(want.Expires) {
		t.Errorf("it is %q until %v, want %q until %v; error %v", got.Fingerprint(), got.Expires, want.Fingerprint(),
			want.Expires, err)
	}
}

func (s StorageRequestStore) checkObject(t *testing.T, d ports.StorageRequest, data string) {
	t.Helper()
	l, err := s.Ensure(t.Context(), d)
	want(t, "keep what is stored", err, nil)
	sum := sha256.Sum256([]byte(data))
	if found := l.Check("location"); len(found) > 0 || l.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("the location of %q: %v", data, found)
	}
}
