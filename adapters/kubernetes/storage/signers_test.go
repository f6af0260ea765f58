package storage_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/ports"
)

const (
	signerAnnotation = "bootstrap.machineadm.io/signer"
	oneSession       = "a session"
)

// keys changes the Secret of the credentials.
func (w *world) keys(change func(data map[string][]byte)) {
	w.Helper()
	s := &corev1.Secret{}
	if err := w.Get(w.Context(), requestKey("keys"), s); err != nil {
		w.Fatal(err)
	}
	change(s.Data)
	if err := w.Update(w.Context(), s); err != nil {
		w.Fatal(err)
	}
}

// spec changes the storage.
func (w *world) spec(change func(*v1alpha1.S3BootstrapStorageSpec)) {
	w.Helper()
	s := &v1alpha1.S3BootstrapStorage{}
	if err := w.Get(w.Context(), requestKey("bucket"), s); err != nil {
		w.Fatal(err)
	}
	change(&s.Spec)
	if err := w.Update(w.Context(), s); err != nil {
		w.Fatal(err)
	}
}

// TestURLsAreSignedAgainByAnotherSigner verifies that only URLs of a signer that is no longer current are replaced.
func TestURLsAreSignedAgainByAnotherSigner(t *testing.T) {
	cases := map[string]struct {
		reason  string
		session bool
		change  func(w *world)
		anew    bool
	}{
		"access key": {reason: "the old one is revoked", anew: true, change: func(w *world) {
			w.keys(func(data map[string][]byte) {
				data["accessKeyID"], data["secretAccessKey"] = []byte("new"), []byte("new")
			})
		}},
		"secret key": {reason: "others than AWS let it be replaced alone", anew: true, change: func(w *world) {
			w.keys(func(data map[string][]byte) { data["secretAccessKey"] = []byte("new") })
		}},
		"certificates": {reason: "machines trust the server no more", anew: true, change: func(w *world) {
			w.spec(func(s *v1alpha1.S3BootstrapStorageSpec) { s.CertificateAuthority = "another" })
		}},
		"endpoint": {reason: "the server has moved", anew: true, change: func(w *world) {
			w.spec(func(s *v1alpha1.S3BootstrapStorageSpec) { s.Endpoint = "https://another" })
		}},
		"to a session": {reason: "the key may go then", anew: true, change: func(w *world) {
			w.keys(func(data map[string][]byte) { data["sessionToken"] = []byte("another session") })
		}},
		"session": {reason: "those end by themselves, every hour", session: true, change: func(w *world) {
			w.keys(func(data map[string][]byte) {
				data["accessKeyID"], data["secretAccessKey"], data["sessionToken"] = []byte("new"), []byte("new"),
					[]byte("another session")
			})
		}},
		"encryption": {reason: "what is stored is fetched as before", change: func(w *world) {
			w.spec(func(s *v1alpha1.S3BootstrapStorageSpec) { s.Encryption = &v1alpha1.S3Encryption{Algorithm: "AES256"} })
		}},
		"no key": {reason: "no key could sign", change: func(w *world) {
			w.keys(func(data map[string][]byte) { delete(data, "secretAccessKey") })
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.buckets.New = func(context.Context, v1alpha1.S3BootstrapStorageSpec, storage.Keys) (ports.Storage, error) {
				return w.store, nil
			}
			if tc.session {
				w.keys(func(data map[string][]byte) { data["sessionToken"] = []byte(oneSession) })
			}
			w.storage()
			w.request("one")
			before := w.stored()
			w.clock.Advance(time.Hour)
			tc.change(w)
			w.storage()
			after := w.stored()
			if anew := string(after.Data["url"]) != string(before.Data["url"]); anew != tc.anew {
				t.Errorf("%s: signed again: %v", tc.reason, anew)
			}
			if w.stored().ResourceVersion != after.ResourceVersion {
				t.Error("it is signed again and again")
			}
		})
	}
}

// TestMovedURLIsSignedByItsNewController makes another controller find a storage request without a signer or with
// another one. The controller does not change it while the cluster is paused.
func TestMovedURLIsSignedByItsNewController(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	for _, signer := range []string{"", "0123456789abcdef"} {
		before := w.stored()
		before.Annotations[signerAnnotation] = signer
		if err := w.Update(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		w.clock.Advance(time.Hour)
		w.pause(true)
		if s := w.stored(); s.ResourceVersion != before.ResourceVersion {
			t.Errorf("%q: it was signed while the cluster was paused", signer)
		}
		w.pause(false)
		if s := w.stored(); string(s.Data["url"]) == string(before.Data["url"]) {
			t.Errorf("%q: it was not signed again", signer)
		}
	}
}

// TestValidURLOpensNoStorage verifies that a storage request in its desired state costs no request, since there are
// thousands of them.
func TestValidURLOpensNoStorage(t *testing.T) {
	w := newWorld(t)
	w.storage()
	w.request("one")
	w.stored()
	w.requests.Client = nothing{t, w.Client}
	w.requests.Open = func(context.Context, client.ObjectKey) (storage.OpenStorage, error) {
		t.Error("the storage was opened")
		return storage.OpenStorage{}, storage.ErrNoStorage
	}
	w.buckets.Client = nothing{t, w.Client}
	if _, err := w.reconcile(); err != nil {
		t.Error(err)
	}
}

// nothing is a reader that fails for Secrets and Clusters.
type nothing struct {
	t *testing.T
	client.Client
}

func (n nothing) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	switch o.(type) {
	case *corev1.Secret, *clusterv1.Cluster:
		n.t.Errorf("%T %s was read", o, key)
	}
	return n.Client.Get(ctx, key, o, opts...)
}
