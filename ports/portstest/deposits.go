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

// DepositStore is an implementation, and the storage behind it.
type DepositStore struct {
	ports.Deposits
	// Take makes the storage take the stored objects, or report its problem.
	Take func(t *testing.T, problem string)
}

// Deposits checks an implementation; fresh returns an empty one.
func Deposits(t *testing.T, fresh func(t *testing.T) DepositStore) {
	t.Run("it is pending until the storage has it", func(t *testing.T) {
		s := fresh(t)
		s.pending(t, depositOf("one"))
		s.pending(t, depositOf("one"))
		s.Take(t, "")
		s.kept(t, depositOf("one"), "one")
		s.kept(t, depositOf("one"), "one")
	})
	t.Run("the same is not made twice", func(t *testing.T) {
		s := fresh(t)
		s.pending(t, depositOf("one"))
		again := depositOf("one")
		again.Data = func(context.Context) (secret.Value, error) { return secret.Value{}, errors.New("asked again") }
		s.pending(t, again)
		s.Take(t, "")
		s.kept(t, again, "one")
	})
	t.Run("another takes its place", func(t *testing.T) {
		s := fresh(t)
		s.pending(t, depositOf("one"))
		s.Take(t, "")
		s.pending(t, depositOf("two"))
		s.Take(t, "")
		s.kept(t, depositOf("two"), "two")
	})
	t.Run("its location is returned once it is stored", func(t *testing.T) {
		s := fresh(t)
		s.located(t, depositOf("one"), delivery.Location{})
		s.pending(t, depositOf("one"))
		s.located(t, depositOf("one"), delivery.Location{})
		s.Take(t, "")
		l, err := s.Keep(t.Context(), depositOf("one"))
		want(t, "keep what is stored", err, nil)
		s.located(t, depositOf("one"), l)
		s.pending(t, depositOf("two"))
		s.located(t, depositOf("two"), delivery.Location{})
	})
	t.Run("the storage's message is passed on, until it takes it", func(t *testing.T) {
		s := fresh(t)
		s.pending(t, depositOf("one"))
		s.Take(t, "no such bucket")
		_, err := s.Keep(t.Context(), depositOf("one"))
		var problem *ports.StorageError
		if !errors.As(err, &problem) || problem.Message != "no such bucket" {
			t.Fatalf("keep: %v", err)
		}
		s.Take(t, "")
		s.kept(t, depositOf("one"), "one")
	})
	depositsOfOthers(t, fresh)
	memos(t, fresh)
}

// memos checks what is remembered when a machine changes.
func memos(t *testing.T, fresh func(t *testing.T) DepositStore) {
	first, other := depositOf("first"), depositOf("other")
	first.Memo, other.Memo = secret.FromString("first"), secret.FromString("other")
	other.Storage.Name = "bottom"
	plain, bare := depositOf("plain"), depositOf("bare")
	bare.Storage = other.Storage
	cases := map[string]struct {
		reason     string
		asked      []ports.Deposit
		top, below string
	}{
		"nothing": {reason: "There is none."},
		"one": {
			"The machine is the same, wherever its data goes.",
			[]ports.Deposit{first},
			"first", "first",
		},
		"later":     {"It is kept as soon as there is one.", []ports.Deposit{plain, first}, "first", "first"},
		"no longer": {"It may be asked for again.", []ports.Deposit{first, plain}, "first", "first"},
		"with another storage": {
			"Data that changes at each look is never stored.",
			[]ports.Deposit{plain, other},
			"", "other",
		},
		"one for each storage": {
			"The stored data contains it.",
			[]ports.Deposit{first, other},
			"first", "other",
		},
		"and back":             {"Nothing takes the other's away.", []ports.Deposit{plain, other, first}, "first", "other"},
		"none with the second": {"The first has it.", []ports.Deposit{first, bare}, "first", "first"},
	}
	for name, tc := range cases {
		t.Run("memo: "+name, func(t *testing.T) {
			s := fresh(t)
			for _, d := range tc.asked {
				s.pending(t, d)
			}
			for d, want := range map[*ports.Deposit]string{&first: tc.top, &other: tc.below} {
				memo, err := s.Memo(t.Context(), d.Key, d.Owner, d.Storage)
				if err != nil || string(memo.Reveal()) != want {
					t.Errorf("%s\nfor %s it is %q, want %q; error %v", tc.reason, d.Storage.Name, memo.Reveal(), want, err)
				}
			}
		})
	}
}

// depositsOfOthers checks who gets what.
func depositsOfOthers(t *testing.T, fresh func(t *testing.T) DepositStore) {
	t.Run("another owner's object is not taken over", func(t *testing.T) {
		s, ours := fresh(t), depositOf("one")
		ours.Memo = secret.FromString("ours")
		s.pending(t, ours)
		theirs := depositOf("one")
		theirs.Owner.UID = "other"
		_, err := s.Keep(t.Context(), theirs)
		want(t, "keep another's", err, ports.ErrForeign)
		memo, err := s.Memo(t.Context(), theirs.Key, theirs.Owner, theirs.Storage)
		if err != nil || !memo.IsZero() {
			t.Errorf("another's memo: %v %v", memo, err)
		}
	})
	t.Run("failures are reported", func(t *testing.T) {
		s, broken := fresh(t), errors.New("broken")
		d := depositOf("one")
		d.Data = func(context.Context) (secret.Value, error) { return secret.Value{}, broken }
		_, err := s.Keep(t.Context(), d)
		want(t, "keep", err, broken)
	})
}

func depositOf(data string) ports.Deposit {
	key := ports.Key{Namespace: "default", Name: "m1-stored"}
	return ports.Deposit{
		Key: key, Cluster: "c1", Owner: ports.Owner{Key: ports.Key{Namespace: "default", Name: "m1"}, UID: "u1"},
		Storage: delivery.StorageRef{Group: "storage.example", Kind: "Shelf", Name: "top"}, Sum: data,
		Data: func(context.Context) (secret.Value, error) { return secret.FromString(data), nil },
	}
}

func (s DepositStore) pending(t *testing.T, d ports.Deposit) {
	t.Helper()
	_, err := s.Keep(t.Context(), d)
	want(t, "keep what is not stored yet", err, ports.ErrStoragePending)
}

func (s DepositStore) located(t *testing.T, d ports.Deposit, want delivery.Location) {
	t.Helper()
	got, err := s.Located(t.Context(), d.Key, d.Owner, d.Storage)
	if err != nil || got.Fingerprint() != want.Fingerprint() || !got.Expires.Equal(want.Expires) {
		t.Errorf("it is %q until %v, want %q until %v; error %v", got.Fingerprint(), got.Expires, want.Fingerprint(),
			want.Expires, err)
	}
}

func (s DepositStore) kept(t *testing.T, d ports.Deposit, data string) {
	t.Helper()
	l, err := s.Keep(t.Context(), d)
	want(t, "keep what is stored", err, nil)
	sum := sha256.Sum256([]byte(data))
	if found := l.Check("location"); len(found) > 0 || l.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("the location of %q: %v", data, found)
	}
}
