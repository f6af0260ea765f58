package storage_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// world is a cluster with a storage in memory.
type world struct {
	*testing.T
	client.Client
	clock *memory.Clock
	store *memory.Storage
	// stores contains the storages by bucket; store is the one of bucket abc.
	stores   map[string]*memory.Storage
	requests *storage.Reconciler
	buckets  *storage.BucketReconciler
}

func requestKey(name string) client.ObjectKey {
	return client.ObjectKey{Namespace: "default", Name: name}
}

// labelled returns the metadata of a Secret that a storage may use.
func labelled(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: "default", Name: name,
		Labels: map[string]string{v1alpha1.StorageCredentialsLabel: "true"},
	}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, clusterv1.AddToScheme,
		v1alpha1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	w := &world{T: t, clock: &memory.Clock{}}
	w.store = &memory.Storage{Base: "https://s3", Clock: w.clock}
	w.Client = fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(&v1alpha1.S3BootstrapStorage{}).
		WithObjects(
			&clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "c1"}},
			&v1alpha1.S3BootstrapStorage{
				ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "bucket"},
				Spec: v1alpha1.S3BootstrapStorageSpec{
					Bucket:      "abc",
					Credentials: &v1alpha1.S3Credentials{SecretName: "keys"},
				},
			},
			&corev1.Secret{ObjectMeta: labelled("keys"), Data: map[string][]byte{
				"accessKeyID": []byte("id"), "secretAccessKey": []byte("canary7q9zk2xw5v"),
			}},
		).Build()
	w.buckets = &storage.BucketReconciler{
		Client: w, Metadata: w,
		New: func(_ context.Context, spec v1alpha1.S3BootstrapStorageSpec,
			k storage.Keys,
		) (ports.Storage, error) {
			if string(k.SecretAccessKey.Reveal()) != "canary7q9zk2xw5v" {
				t.Error("the key is not passed on")
			}
			return w.stores[spec.Bucket], nil
		},
	}
	w.stores = map[string]*memory.Storage{"abc": w.store}
	w.requests = &storage.Reconciler{
		Client: w, Metadata: w, Group: v1alpha1.Group, Kind: v1alpha1.S3StorageKind, Open: w.buckets.Open,
		Reopen: w.buckets.Reopen,
		Signer: w.buckets.Signer,
		Clock:  w.clock, Storage: &v1alpha1.S3BootstrapStorage{},
	}
	return w
}

// storage request requests that the data is stored.
func (w *world) request(data string) {
	w.Helper()
	s := &corev1.Secret{}
	err := w.Get(w.Context(), requestKey("m1-stored"), s)
	sum := sha256.Sum256([]byte(data))
	storagecontract.Request{
		Storage: storagecontract.Storage{Group: v1alpha1.Group, Kind: v1alpha1.S3StorageKind, Name: "bucket"},
		Digest:  hex.EncodeToString(sum[:]),
	}.Write(s, []byte(data))
	if apierrors.IsNotFound(err) {
		s.Namespace, s.Name, s.Labels[clusterv1.ClusterNameLabel] = "default", "m1-stored", "c1"
		err = w.Create(w.Context(), s)
	} else if err == nil {
		err = w.Update(w.Context(), s)
	}
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) storage() *v1alpha1.S3BootstrapStorage {
	w.Helper()
	if _, err := w.buckets.Reconcile(w.Context(), ctrl.Request{NamespacedName: requestKey("bucket")}); err != nil {
		w.Fatal(err)
	}
	s := &v1alpha1.S3BootstrapStorage{}
	if err := w.Get(w.Context(), requestKey("bucket"), s); client.IgnoreNotFound(err) != nil {
		w.Fatal(err)
	}
	return s
}

func (w *world) reconcile() (*corev1.Secret, error) {
	w.Helper()
	_, err := w.requests.Reconcile(w.Context(), ctrl.Request{NamespacedName: requestKey("m1-stored")})
	s := &corev1.Secret{}
	if err := w.Get(w.Context(), requestKey("m1-stored"), s); apierrors.IsNotFound(err) {
		return nil, nil
	}
	return s, err
}

// point makes the storage name another bucket.
func (w *world) point(bucket string) *memory.Storage {
	w.Helper()
	if w.stores[bucket] == nil {
		w.stores[bucket] = &memory.Storage{Base: "https://" + bucket, Clock: w.clock}
	}
	s := w.storage()
	s.Spec.Bucket = bucket
	if err := w.Update(w.Context(), s); err != nil {
		w.Fatal(err)
	}
	w.storage()
	w.store = w.stores[bucket]
	return w.store
}

// stored reconciles, and verifies that the data is stored and answered.
func (w *world) stored() *corev1.Secret {
	w.Helper()
	s, err := w.reconcile()
	if err != nil || s == nil {
		w.Fatal(s, err)
	}
	answer, answered, err := storagecontract.AnswerOf(s)
	if !answered || err != nil || !slices.ContainsFunc(w.store.Names(), func(n string) bool {
		return strings.Contains(answer.URL, n)
	}) {
		w.Fatalf("%v %v %v", answered, err, w.store.Names())
	}
	return s
}

func TestObjectIsStoredAndDeleted(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	s := w.stored()
	if want := time.Unix(0, 0).Add(24 * time.Hour).UTC().
		Format(time.RFC3339); s.Annotations[storagecontract.ExpiresAnnotation] != want {
		t.Errorf("until %s, want %s", s.Annotations[storagecontract.ExpiresAnnotation], want)
	}
	version := s.ResourceVersion
	if w.stored().ResourceVersion != version {
		t.Error("it is written again")
	}
	for _, data := range []string{"two", "three"} {
		w.request(data)
		w.stored()
		w.stored()
	}
	if names := w.store.Names(); len(names) != 2 {
		t.Errorf("objects %v; the last and the one before are wanted", names)
	}
	if err := w.Delete(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if s, err := w.reconcile(); s != nil || err != nil || len(w.store.Names()) > 0 {
		t.Errorf("%v %v; objects %v", s, err, w.store.Names())
	}
}

// pause pauses or unpauses the cluster.
func (w *world) pause(paused bool) {
	w.Helper()
	c := &clusterv1.Cluster{}
	if err := w.Get(w.Context(), requestKey("c1"), c); err != nil {
		w.Fatal(err)
	}
	c.Spec.Paused = &paused
	if err := w.Update(w.Context(), c); err != nil {
		w.Fatal(err)
	}
}

func TestPausedDeletesNothing(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	s := w.stored()
	w.pause(true)
	if err := w.Delete(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if s, err := w.reconcile(); s == nil || err != nil || len(w.store.Names()) != 1 {
		t.Errorf("while paused: %v %v", err, w.store.Names())
	}
	w.pause(false)
	if s, err := w.reconcile(); s != nil || err != nil || len(w.store.Names()) != 0 {
		t.Errorf("after it: %v %v", err, w.store.Names())
	}
}

func TestProblemsAreReported(t *testing.T) {
	cases := map[string]struct {
		reason string
		spoil  func(w *world) error
		want   string
	}{
		"denied": {"the credentials are wrong", func(w *world) error {
			w.store.Fail = ports.ErrStorageDenied
			return nil
		}, "the storage denies access"},
		"no Secret": {"the credentials are not there", func(w *world) error {
			return w.DeleteAllOf(w.Context(), &corev1.Secret{}, client.InNamespace("default"))
		}, "there is no Secret keys with the label"},
		"no storage": {"the storage is not there", func(w *world) error {
			return w.DeleteAllOf(w.Context(), &v1alpha1.S3BootstrapStorage{}, client.InNamespace("default"))
		}, "there is no such storage"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if name == "denied" {
				w.storage()
			}
			if err := tc.spoil(w); err != nil {
				t.Fatal(err)
			}
			if name == "no Secret" {
				if s := w.storage(); s.Status.Ready || !strings.Contains(s.Status.Conditions[0].Message, tc.want) {
					t.Errorf("the storage has %+v", s.Status)
				}
			}
			w.request("one")
			s, err := w.reconcile()
			if err == nil || s == nil || storagecontract.Answered(s) || !strings.Contains(storagecontract.Problem(s), tc.want) {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if name == "denied" {
				w.store.Fail = nil
				if s := w.stored(); storagecontract.Problem(s) != "" {
					t.Error("the problem stays")
				}
			}
		})
	}
}

// TestURLsAreSignedAgain verifies that data published at any time has a URL with at least half of its lifetime left.
func TestURLsAreSignedAgain(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	before := w.stored()
	again := func() time.Duration {
		t.Helper()
		result, err := w.requests.Reconcile(t.Context(), ctrl.Request{NamespacedName: requestKey("m1-stored")})
		if err != nil {
			t.Fatal(err)
		}
		return result.RequeueAfter
	}
	if next := again(); next != 12*time.Hour || w.stored().ResourceVersion != before.ResourceVersion {
		t.Errorf("it is looked at again after %s", next)
	}
	w.clock.Advance(12*time.Hour - time.Second)
	if next := again(); next != time.Second || w.stored().ResourceVersion != before.ResourceVersion {
		t.Errorf("it is looked at again after %s", next)
	}
	w.clock.Advance(time.Second)
	w.store.Fail = errors.New("not now")
	if s, err := w.reconcile(); err == nil || !storagecontract.Answered(s) ||
		string(s.Data["url"]) != string(before.Data["url"]) {
		t.Errorf("the answer before counts for hours still: %v", err)
	}
	w.store.Fail = nil
	if next := again(); next != 12*time.Hour {
		t.Errorf("it is looked at again after %s", next)
	}
	after := w.stored()
	if want := w.clock.Now().Add(24 * time.Hour).UTC().
		Format(time.RFC3339); after.Annotations[storagecontract.ExpiresAnnotation] != want {
		t.Errorf("until %s, want %s", after.Annotations[storagecontract.ExpiresAnnotation], want)
	}
	if string(after.Data["url"]) == string(before.Data["url"]) || storagecontract.Problem(after) != "" ||
		len(w.store.Names()) != 1 {
		t.Errorf("%v; objects %v", after.Annotations, w.store.Names())
	}
}

// TestExpiredURLIsReplaced has an answer that was moved or restored and expires before its renewal time.
func TestExpiredURLIsReplaced(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	s := w.stored()
	w.clock.Advance(time.Hour)
	s.Annotations[storagecontract.ExpiresAnnotation] = w.clock.Now().UTC().Format(time.RFC3339)
	if err := w.Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	after := w.stored()
	if want := w.clock.Now().Add(24 * time.Hour).UTC().
		Format(time.RFC3339); after.Annotations[storagecontract.ExpiresAnnotation] != want {
		t.Errorf("until %s, want %s", after.Annotations[storagecontract.ExpiresAnnotation], want)
	}
}

// TestExpiredLocationIsNotReturned signs with credentials that expire before a machine could use the URL.
func TestExpiredLocationIsNotReturned(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	open := w.requests.Open
	w.requests.Open = func(ctx context.Context, key client.ObjectKey) (storage.OpenStorage, error) {
		opened, err := open(ctx, key)
		opened.Lifetime = 59 * time.Second
		return opened, err
	}
	if s, err := w.reconcile(); err == nil || storagecontract.Answered(s) || !strings.Contains(storagecontract.Problem(s),
		"expire within a minute") {
		t.Errorf("the problem is %q, error %v", storagecontract.Problem(s), err)
	}
}

func TestOwnIdentityIsAllowedByNamespace(t *testing.T) {
	w := newWorld(t)
	s := w.storage()
	s.Spec.Credentials = nil
	if err := w.Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if s := w.storage(); s.Status.Ready || !strings.Contains(s.Status.Conditions[0].Message,
		"--storage-identity-namespaces") {
		t.Errorf("status %+v", s.Status)
	}
	w.buckets.Identity = func(namespace string) bool { return namespace == "default" }
	w.buckets.New = func(_ context.Context, _ v1alpha1.S3BootstrapStorageSpec, k storage.Keys) (ports.Storage, error) {
		if diff := cmp.Diff(storage.Keys{}, k, cmp.Comparer(func(a, b secret.Value) bool {
			return string(a.Reveal()) == string(b.Reveal())
		})); diff != "" {
			t.Error(diff)
		}
		return w.store, nil
	}
	if s := w.storage(); !s.Status.Ready {
		t.Errorf("status %+v", s.Status)
	}
}
