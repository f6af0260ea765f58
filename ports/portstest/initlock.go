package portstest

import (
	"testing"

	"github.com/machineadm/machineadm/ports"
)

// InitLock checks an implementation; fresh returns a free one whose cluster has the machines m1 and m2, and a function
// that removes a machine.
func InitLock(t *testing.T, fresh func(t *testing.T) (lock ports.InitLock, remove func(machine string))) {
	t.Run("one machine holds it, again and again", func(t *testing.T) {
		lock, _ := fresh(t)
		acquire(t, lock, "m1", "m1", nil)
		acquire(t, lock, "m1", "m1", nil)
		acquire(t, lock, "m2", "m1", ports.ErrLocked)
	})
	t.Run("only its holder releases it", func(t *testing.T) {
		lock, _ := fresh(t)
		acquire(t, lock, "m1", "m1", nil)
		want(t, "release", lock.Release(t.Context(), cluster(), "m2"), nil)
		acquire(t, lock, "m2", "m1", ports.ErrLocked)
		want(t, "release", lock.Release(t.Context(), cluster(), "m1"), nil)
		acquire(t, lock, "m2", "m2", nil)
	})
	t.Run("a release without a machine frees it for any holder", func(t *testing.T) {
		lock, _ := fresh(t)
		want(t, "release a free one", lock.Release(t.Context(), cluster(), ""), nil)
		acquire(t, lock, "m1", "m1", nil)
		want(t, "release", lock.Release(t.Context(), cluster(), ""), nil)
		acquire(t, lock, "m2", "m2", nil)
	})
	t.Run("it is free when its machine is gone", func(t *testing.T) {
		lock, remove := fresh(t)
		acquire(t, lock, "m1", "m1", nil)
		remove("m1")
		acquire(t, lock, "m2", "m2", nil)
	})
}

func acquire(t *testing.T, lock ports.InitLock, machine, holder string, wanted error) {
	t.Helper()
	got, err := lock.Acquire(t.Context(), cluster(), machine)
	want(t, "acquire for "+machine, err, wanted)
	if got != holder {
		t.Fatalf("%s asked; %q holds the lock, want %q", machine, got, holder)
	}
}
