package storage_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

// liveReader reads Secrets from the API.
type liveReader struct{ client.Client }

func (l liveReader) Secret(ctx context.Context, key client.ObjectKey) (*corev1.Secret, error) {
	s := &corev1.Secret{}
	return s, l.Get(ctx, key, s)
}

func TestRequestsConform(t *testing.T) {
	kind := schema.GroupVersionKind{Group: "bootstrap.machineadm.io", Version: "v1alpha1", Kind: "MachineBootstrapConfig"}
	portstest.StorageRequests(t, func(*testing.T) portstest.StorageRequestStore {
		c := fake.NewClientBuilder().Build()
		return portstest.StorageRequestStore{
			StorageRequests: storage.NewRequests(c, liveReader{c}, kind),
			Process: func(t *testing.T, problem string) {
				t.Helper()
				s := &corev1.Secret{}
				if err := c.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "m1-stored"}, s); err != nil {
					t.Fatal(err)
				}
				if problem != "" {
					storagecontract.SetProblem(s, problem)
				} else if err := writeAnswer(s); err != nil {
					t.Fatal(err)
				}
				if s.Labels[clusterv1.ClusterNameLabel] != "c1" || len(s.OwnerReferences) != 1 ||
					!*s.OwnerReferences[0].Controller {
					t.Errorf("labels %v, owners %v", s.Labels, s.OwnerReferences)
				}
				if err := c.Update(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}

// TestStorageOfAStoredObjectIsImmutable verifies that another storage gets another storage request, so that the first
// storage's controller still deletes its objects.
func TestStorageOfAStoredObjectIsImmutable(t *testing.T) {
	c := fake.NewClientBuilder().Build()
	store := storage.NewRequests(c, liveReader{c}, schema.GroupVersionKind{
		Group: "bootstrap.machineadm.io", Version: "v1alpha1",
		Kind: "MachineBootstrapConfig",
	})
	ask := func(kind, name string) error {
		_, err := store.Ensure(t.Context(), ports.StorageRequest{
			Key: ports.Key{Namespace: "default", Name: "m1-stored"}, Cluster: "c1",
			Owner:   ports.Owner{Key: ports.Key{Namespace: "default", Name: "m1"}, UID: "u1"},
			Storage: delivery.StorageRef{Group: "storage.example", Kind: kind, Name: name}, InputDigest: "1",
			Data: func(context.Context) (secret.Value, error) { return secret.FromString("data"), nil },
		})
		return err
	}
	for _, at := range [][2]string{
		{"Shelf", "top"},
		{"Shelf", "bottom"},
		{"Box", "top"},
		{"Shelf", "top"},
		{"Box", "top"},
	} {
		if err := ask(at[0], at[1]); !errors.Is(err, ports.ErrStoragePending) {
			t.Fatalf("%s: %v", at, err)
		}
	}
	held := &corev1.SecretList{}
	if err := c.List(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for i := range held.Items {
		s := &held.Items[i]
		names[s.Annotations[storagecontract.StorageAnnotation]] = s.Name
		if err := writeAnswer(s); err != nil {
			t.Fatal(err)
		}
		if err := c.Update(t.Context(), s); err != nil || len(s.OwnerReferences) != 1 {
			t.Errorf("%s: %v, %v", s.Name, s.OwnerReferences, err)
		}
	}
	want := map[string]string{
		"Shelf.storage.example/top": "m1-stored", "Shelf.storage.example/bottom": "m1-stored-4dd280e1",
		"Box.storage.example/top": "m1-stored-bc591797",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if err := ask("Box", "top"); err != nil {
		t.Errorf("a storage request beside the first is answered: %v", err)
	}
}

// TestDeletedStoredObjectBlocksItsStorageAlone has a storage that no longer works and never removes its finalizer.
func TestDeletedStoredObjectBlocksItsStorageAlone(t *testing.T) {
	c := fake.NewClientBuilder().Build()
	store := storage.NewRequests(c, liveReader{c}, schema.GroupVersionKind{
		Group: "bootstrap.machineadm.io", Version: "v1alpha1",
		Kind: "MachineBootstrapConfig",
	})
	dead := ports.StorageRequest{
		Key: ports.Key{Namespace: "default", Name: "m1-stored"}, Cluster: "c1",
		Owner:   ports.Owner{Key: ports.Key{Namespace: "default", Name: "m1"}, UID: "u1"},
		Storage: delivery.StorageRef{Group: "storage.example", Kind: "Shelf", Name: "dead"}, InputDigest: "1",
		PrivateData: secret.FromString("kept"),
		Data:        func(context.Context) (secret.Value, error) { return secret.FromString("data"), nil },
	}
	if _, err := store.Ensure(t.Context(), dead); !errors.Is(err, ports.ErrStoragePending) {
		t.Fatal(err)
	}
	s := &corev1.Secret{}
	if err := c.Get(t.Context(), client.ObjectKey(dead.Key), s); err != nil {
		t.Fatal(err)
	}
	s.Finalizers = []string{"storage.example/objects"}
	if err := errors.Join(c.Update(t.Context(), s), c.Delete(t.Context(), s)); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Ensure(t.Context(), dead); !errors.Is(err, ports.ErrDataDeleting) {
		t.Errorf("its own storage: %v", err)
	}
	other := dead
	other.Storage.Name, other.PrivateData = "alive", secret.Value{}
	for range 2 {
		if _, err := store.Ensure(t.Context(), other); !errors.Is(err, ports.ErrStoragePending) {
			t.Errorf("another storage: %v", err)
		}
	}
	for _, request := range []ports.StorageRequest{dead, other} {
		privateData, err := store.PrivateData(t.Context(), request.Key, request.Owner, request.Storage)
		if err != nil || string(privateData.Reveal()) != "kept" {
			t.Errorf("the memo for %s is lost: %v", request.Storage, err)
		}
	}
}

// TestShortLivedURLsAreSignedAgain verifies that an answer that expires too early is not used, and that an error of the
// storage does not affect a valid answer.
func TestShortLivedURLsAreSignedAgain(t *testing.T) {
	ends := time.Unix(1_800_000_000, 0).UTC()
	cases := map[string]struct {
		reason         string
		expires, after time.Time
		problem        string
		want           error
	}{
		"lasts":            {"it ends later", ends, ends.Add(-time.Second), "", nil},
		"ends then":        {"that one is published already", ends, ends, "", ports.ErrStoragePending},
		"no end":           {"it lasts for ever", time.Time{}, ends, "", nil},
		"lasts, a problem": {"the next one has time", ends, ends.Add(-time.Hour), "not now", nil},
		"ends, a problem": {
			"and the reason for no other is reported", ends, ends.Add(time.Hour), "not now",
			&ports.StorageError{Message: "not now"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.NewClientBuilder().Build()
			store := storage.NewRequests(c, liveReader{c}, schema.GroupVersionKind{
				Group: "bootstrap.machineadm.io", Version: "v1alpha1",
				Kind: "MachineBootstrapConfig",
			})
			d := ports.StorageRequest{
				Key: ports.Key{Namespace: "default", Name: "m1-stored"}, Cluster: "c1",
				Owner:   ports.Owner{Key: ports.Key{Namespace: "default", Name: "m1"}, UID: "u1"},
				Storage: delivery.StorageRef{Group: "storage.example", Kind: "Shelf", Name: "top"}, InputDigest: "1",
				MinExpiry: tc.after,
				Data:      func(context.Context) (secret.Value, error) { return secret.FromString("data"), nil },
			}
			if _, err := store.Ensure(t.Context(), d); !errors.Is(err, ports.ErrStoragePending) {
				t.Fatal(err)
			}
			s := &corev1.Secret{}
			if err := c.Get(t.Context(), client.ObjectKey(d.Key), s); err != nil {
				t.Fatal(err)
			}
			if err := (storagecontract.Answer{URL: "https://storage/a", Expires: tc.expires}).Write(s,
				s.Annotations[storagecontract.DigestAnnotation]); err != nil {
				t.Fatal(err)
			}
			if tc.problem != "" {
				storagecontract.SetProblem(s, tc.problem)
			}
			if err := c.Update(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			_, err := store.Ensure(t.Context(), d)
			if got := fmt.Sprint(err); got != fmt.Sprint(tc.want) {
				t.Errorf("%s: %s", tc.reason, got)
			}
		})
	}
}

func writeAnswer(s *corev1.Secret) error {
	request, err := storagecontract.RequestOf(s)
	if err != nil {
		return err
	}
	return storagecontract.Answer{
		URL: "https://storage/" + request.Digest, Headers: map[string]string{"B": "b", "A": "a"},
		Expires: time.Unix(1_900_000_000, 0),
	}.Write(s, request.Digest)
}
