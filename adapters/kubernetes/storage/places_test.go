package storage_test

import (
	"errors"
	"slices"
	"testing"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/ports"
)

// TestObjectsAreDeletedWhereTheyWerePut verifies that no object is left in a bucket that the storage no longer names.
func TestObjectsAreDeletedWhereTheyWerePut(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	w.stored()
	first := w.store
	second := w.point("def")
	w.request("two")
	w.stored()
	if len(first.Names()) != 1 || len(second.Names()) != 1 {
		t.Fatalf("machines may boot with either: %v %v", first.Names(), second.Names())
	}
	w.point("ghi")
	w.request("three")
	s := w.stored()
	if len(first.Names()) != 0 || len(second.Names()) != 1 {
		t.Errorf("the last and the one before are wanted: %v %v", first.Names(), second.Names())
	}
	if err := w.Delete(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	second.Fail = ports.ErrStorageDenied
	if s, err := w.reconcile(); s == nil || err == nil ||
		storagecontract.Problem(s) != "delete stored objects (1 remain): the storage denies access" {
		t.Errorf("existing objects are waited for, and reported: %v %v", s, err)
	}
	second.Fail = nil
	if s, err := w.reconcile(); s != nil || err != nil || len(second.Names())+len(w.store.Names()) != 0 {
		t.Errorf("%v %v: %v %v", s, err, second.Names(), w.store.Names())
	}
}

// TestRepairedStorageDoesNotBlock verifies that a failed attempt at an invalid place does not block the deletion of a
// storage request.
func TestRepairedStorageDoesNotBlock(t *testing.T) {
	w := newWorld(t)
	wrong := w.point("wrong")
	wrong.Fail = errors.New("there is no such bucket")
	w.request("one")
	if _, err := w.reconcile(); err == nil {
		t.Fatal("it is stored nowhere")
	}
	right := w.point("abc")
	s := w.stored()
	w.request("two")
	w.stored()
	if err := w.Delete(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if s, err := w.reconcile(); s != nil || err != nil || len(right.Names()) != 0 {
		t.Errorf("%v %v: %v", s, err, right.Names())
	}
}

// TestFailedUploadReplacesNothing verifies that machines can boot with the previous userdata, however often the
// next one failed.
func TestFailedUploadReplacesNothing(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	w.stored()
	before := w.store.Names()
	for _, data := range []string{"two", "three", "four"} {
		w.request(data)
		w.store.Fail = errors.New("not now")
		if _, err := w.reconcile(); err == nil {
			t.Fatal("it was stored")
		}
	}
	w.store.Fail = nil
	w.stored()
	if left := w.store.Names(); len(left) != 2 || !slices.Contains(left, before[0]) {
		t.Errorf("%v, of which %v is wanted", left, before)
	}
}

// TestErrorsAreRetriedByTheQueue verifies that an error comes without a result, which controller-runtime would ignore,
// also if the request has an answer with an end.
func TestErrorsAreRetriedByTheQueue(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	w.stored()
	w.store.Fail = errors.New("not now")
	w.point("other")
	w.request("two")
	w.stored()
	w.request("three")
	result, err := w.requests.Reconcile(t.Context(), ctrl.Request{NamespacedName: requestKey("m1-stored")})
	if err == nil || result != (ctrl.Result{}) {
		t.Errorf("got %v and %v", result, err)
	}
}

// TestTwoStoragesOfOneBucket verifies that an object is not deleted if two places are the same bucket.
func TestTwoStoragesOfOneBucket(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	w.stored()
	w.stores["alias"] = w.store
	w.point("alias")
	w.request("two")
	w.stored()
	w.request("one")
	w.stored()
	w.request("three")
	s := w.stored()
	if left := w.store.Names(); len(left) != 2 {
		t.Errorf("the last and the one before are wanted: %v", left)
	}
	if err := w.Delete(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if s, err := w.reconcile(); s != nil || err != nil || len(w.store.Names()) != 0 {
		t.Errorf("%v %v: %v", s, err, w.store.Names())
	}
}
