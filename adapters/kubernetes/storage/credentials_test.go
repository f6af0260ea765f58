package storage_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// free reconciles credentials, and reports whether they still have the finalizer.
func (w *world) free(name string) (held bool) {
	w.Helper()
	if _, err := w.buckets.Free(w.Context(), ctrl.Request{NamespacedName: requestKey(name)}); err != nil {
		w.Fatal(err)
	}
	s := &corev1.Secret{}
	if err := w.Get(w.Context(), requestKey(name), s); client.IgnoreNotFound(err) != nil {
		w.Fatal(err)
	}
	return len(s.Finalizers) > 0
}

func (w *world) reconcileStorage(name string) {
	w.Helper()
	if _, err := w.buckets.Reconcile(w.Context(), ctrl.Request{NamespacedName: requestKey(name)}); err != nil {
		w.Fatal(err)
	}
}

// TestCredentialsAreFreedWhenNoStorageNamesThem verifies that replaced credentials can be deleted.
func TestCredentialsAreFreedWhenNoStorageNamesThem(t *testing.T) {
	w := newWorld(t)
	s := w.storage()
	if !w.free("keys") {
		t.Fatal("what a storage names is not held")
	}
	if err := w.Create(t.Context(), &corev1.Secret{ObjectMeta: labelled("keys-2"), Data: map[string][]byte{
		"accessKeyID": []byte("id"), "secretAccessKey": []byte("canary7q9zk2xw5v"),
	}}); err != nil {
		t.Fatal(err)
	}
	s.Spec.Credentials.SecretName = "keys-2"
	if err := w.Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	w.storage()
	if w.free("keys") || !w.free("keys-2") {
		t.Error("the old ones are held, or the new ones are not")
	}
	w.request("one")
	request := w.stored()
	if !w.free(request.Name) {
		t.Error("a storage request was taken for credentials")
	}
}

// TestSharedCredentialsGoWithTheLastStorage verifies that shared credentials are released after all their storages are
// deleted.
func TestSharedCredentialsGoWithTheLastStorage(t *testing.T) {
	w := newWorld(t)
	first := w.storage()
	second := &v1alpha1.S3BootstrapStorage{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "second"},
		Spec:       first.Spec,
	}
	if err := w.Create(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	w.reconcileStorage("second")
	for _, s := range []*v1alpha1.S3BootstrapStorage{first, second} {
		if err := w.Delete(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if !w.free("keys") {
			t.Errorf("the credentials of %s go before it", s.Name)
		}
	}
	w.reconcileStorage("bucket")
	if !w.free("keys") {
		t.Error("the other storage needs them still")
	}
	w.reconcileStorage("second")
	if w.free("keys") {
		t.Error("no storage needs them any more")
	}
}

// TestOnlyLabelledSecretsAreCredentials has a storage that names an unrelated Secret of the namespace. The Secret is
// not used, gets no finalizer and is reported as missing. A Secret that loses its label is released.
func TestOnlyLabelledSecretsAreCredentials(t *testing.T) {
	w := newWorld(t)
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "session"}, Data: map[string][]byte{
		"accessKeyID": []byte("id"), "secretAccessKey": []byte("stolen"), "sessionToken": []byte("stolen"),
	}}
	if err := w.Create(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	message := map[string]string{}
	for _, name := range []string{"session", "missing"} {
		s := w.storage()
		s.Spec.Credentials.SecretName = name
		if err := w.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		ready := meta.FindStatusCondition(w.storage().Status.Conditions, "Ready")
		if ready == nil || ready.Status != metav1.ConditionFalse || !strings.HasPrefix(ready.Message,
			"spec.credentials.secretName: ") ||
			!strings.Contains(ready.Message, v1alpha1.StorageCredentialsLabel) {
			t.Fatalf("%s: %v", name, ready)
		}
		message[strings.ReplaceAll(ready.Message, name, "")] = name
	}
	if len(message) != 1 {
		t.Errorf("one sees which Secrets there are: %v", message)
	}
	if w.free("session") {
		t.Error("it has a finalizer")
	}

	s := w.storage()
	s.Spec.Credentials.SecretName = "keys"
	if err := w.Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	w.storage()
	keys := &corev1.Secret{}
	if err := w.Get(t.Context(), requestKey("keys"), keys); err != nil || len(keys.Finalizers) != 1 {
		t.Fatalf("%v, %v", keys.Finalizers, err)
	}
	keys.Labels = nil
	if err := w.Update(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
	if w.free("keys") || w.storage().Status.Ready || w.free("keys") {
		t.Error("a Secret that lost its label is held, or used")
	}
}
