package storage_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/secret"
)

// TestNothingIsLeaked verifies that interrupted uploads are deleted, and that the storage and its credentials are not
// deleted earlier.
func TestNothingIsLeaked(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	s := w.stored()
	for _, o := range []client.Object{w.storage(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default",
		Name:      "keys",
	}}, s} {
		if err := w.Delete(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	if s := w.storage(); s.Name == "" {
		t.Fatal("the storage went before its objects")
	}
	w.store.Fail = errors.New("not now")
	if s, _ := w.reconcile(); s == nil {
		t.Fatal("the storage request went before its object")
	}
	w.store.Fail = nil
	if s, err := w.reconcile(); s != nil || err != nil || len(w.store.Names()) != 0 {
		t.Errorf("%v %v", err, w.store.Names())
	}
	w.storage()
	w.free("keys")
	left := &corev1.SecretList{}
	if err := w.List(t.Context(), left); err != nil || len(left.Items) != 0 {
		t.Errorf("%v %d Secrets are left", err, len(left.Items))
	}
	if s := w.storage(); s.Name != "" {
		t.Error("the storage is left")
	}
}

// TestMovedStoredObjectGetsItsFinalizer verifies that a storage request from another management cluster is deleted with
// its objects.
func TestMovedStoredObjectGetsItsFinalizer(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	s := w.stored()
	s.Finalizers = nil
	if err := w.Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if s := w.stored(); len(s.Finalizers) != 1 || len(w.store.Names()) != 1 {
		t.Errorf("finalizers %v, objects %v", s.Finalizers, w.store.Names())
	}
	if err := w.Delete(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if s, err := w.reconcile(); s != nil || err != nil || len(w.store.Names()) != 0 {
		t.Errorf("%v; objects %v", err, w.store.Names())
	}
}

// TestOnlyOwnObjectsAreDeleted verifies that a user who can write a storage request cannot delete objects of others
// with it.
func TestOnlyOwnObjectsAreDeleted(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	s := w.stored()
	digest := strings.Repeat("a", 64)
	others := []string{
		"other/m1-stored/" + digest, "default/m2-stored/" + digest, "default/m1-stored/x",
		"default/m1-stored/../m2-stored/" + digest,
		"default/m1-stored/" + digest + "/" + digest,
	}
	for _, name := range others {
		if err := w.store.Put(t.Context(), name, secret.FromString("theirs")); err != nil {
			t.Fatal(err)
		}
	}
	s.Annotations["bootstrap.machineadm.io/stored-objects"] += " " + strings.Join(others, " ") + " :" + others[0] + " a:" +
		others[1] + "?"
	if err := w.Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{"two", "three"} {
		w.request(data)
		s = w.stored()
	}
	if err := w.Delete(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if s, err := w.reconcile(); s != nil || err != nil {
		t.Errorf("%v %v", s, err)
	}
	left := w.store.Names()
	slices.Sort(left)
	slices.Sort(others)
	if diff := cmp.Diff(others, left); diff != "" {
		t.Error(diff)
	}
}
