package storage_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
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

// locked is a storage that denies to delete some objects.
type locked struct {
	ports.Storage
	denies func(name string) bool
}

func (l locked) Delete(ctx context.Context, name string) error {
	if l.denies(name) {
		return ports.ErrStorageDenied
	}
	return l.Storage.Delete(ctx, name)
}

// lock makes the storage deny to delete the objects.
func (w *world) lock(denies func(name string) bool) {
	reopen := w.buckets.Reopen
	w.requests.Reopen = func(ctx context.Context, key client.ObjectKey, place string) (storage.OpenStorage, error) {
		opened, err := reopen(ctx, key, place)
		opened.Storage = locked{Storage: opened.Storage, denies: denies}
		return opened, err
	}
}

func listed(s *corev1.Secret) []string {
	return strings.Fields(s.Annotations["bootstrap.machineadm.io/stored-objects"])
}

// TestUndeletableObject verifies that one object that cannot be deleted, for example because of Object Lock, is
// reported and does not keep the others of a pool in the list.
func TestUndeletableObject(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("0")
	first := w.stored()
	held := w.store.Names()[0]
	w.lock(func(name string) bool { return name == held })
	for i := range 5 {
		w.request(strconv.Itoa(i + 1))
		s, err := w.reconcile()
		if i > 0 && (!errors.Is(err, ports.ErrStorageDenied) ||
			storagecontract.Problem(s) != "delete stored objects (1 remain): the storage denies access") {
			t.Errorf("%d: problem %q, error %v", i, storagecontract.Problem(s), err)
		}
		if !storagecontract.Answered(s) || len(listed(s)) > 3 || len(w.store.Names()) != len(listed(s)) {
			t.Errorf("%d: list %v, objects %v", i, listed(s), w.store.Names())
		}
	}
	w.lock(func(string) bool { return false })
	if s := w.stored(); storagecontract.Problem(s) != "" || len(listed(s)) != 2 || len(w.store.Names()) != 2 {
		t.Errorf("problem %q, list %v, objects %v", storagecontract.Problem(s), listed(s), w.store.Names())
	}
	newest := listed(w.stored())[0]
	_, name, _ := strings.Cut(newest, ":")
	w.lock(func(n string) bool { return n == name })
	if err := w.Delete(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if s, err := w.reconcile(); err == nil || s == nil || len(listed(s)) != 1 || len(w.store.Names()) != 1 {
		t.Errorf("a deleted request lists %v with %v: %v", listed(s), w.store.Names(), err)
	}
}

// TestListOfObjectsIsBounded verifies that the annotation of a pool does not outgrow the limit of the API server if no
// object can be deleted, and that the reason is reported.
func TestListOfObjectsIsBounded(t *testing.T) {
	const most = 500
	w := newWorld(t)
	w.storage()
	w.request("0")
	s := w.stored()
	attempts := 0
	w.lock(func(string) bool { attempts++; return true })
	var names []string
	for i := range most {
		names = append(names, fmt.Sprintf("default/m1-stored/%064x", i))
	}
	s.Annotations["bootstrap.machineadm.io/stored-objects"] = strings.Join(names, " ")
	if err := w.Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	w.request("1")
	s, err := w.reconcile()
	var problem *ports.StorageError
	if want := "nothing is stored while 500 earlier objects exist: delete stored objects (498 remain): the storage " +
		"denies access"; !errors.As(err, &problem) || storagecontract.Problem(s) != want {
		t.Errorf("problem %q, error %v", storagecontract.Problem(s), err)
	}
	if storagecontract.Answered(s) || len(listed(s)) != most || attempts != 10 {
		t.Errorf("answered %t, %d listed, %d attempts", storagecontract.Answered(s), len(listed(s)), attempts)
	}
	w.lock(func(string) bool { return false })
	if s := w.stored(); storagecontract.Problem(s) != "" || len(listed(s)) != 2 {
		t.Errorf("problem %q, list %v", storagecontract.Problem(s), listed(s))
	}
}

// TestPlacesFailSeparately verifies that objects that cannot be deleted at an earlier place of the storage do not keep
// those of the current one.
func TestPlacesFailSeparately(t *testing.T) {
	const each = 20
	w := newWorld(t)
	w.storage()
	w.request("0")
	s := w.stored()
	names := listed(s)
	place, _, _ := strings.Cut(names[0], ":")
	for _, at := range []string{place, "earlier"} {
		for i := range each {
			names = append(names, fmt.Sprintf("%s:default/m1-stored/%.1s%063x", at, at, i))
		}
	}
	w.lock(func(name string) bool { return strings.Contains(name, "/e0") })
	s.Annotations["bootstrap.machineadm.io/stored-objects"] = strings.Join(names, " ")
	if err := w.Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	w.request("1")
	s, err := w.reconcile()
	if err == nil || !storagecontract.Answered(s) || len(listed(s)) != 2+each {
		t.Errorf("error %v, %d listed: %v", err, len(listed(s)), listed(s))
	}
}
