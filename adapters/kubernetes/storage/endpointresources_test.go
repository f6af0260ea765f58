package storage_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
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
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/secret"
)

// endpointRequest returns a cluster with a request for the endpoint's storage.
func endpointRequest(t *testing.T) (client.Client, *corev1.Secret) {
	t.Helper()
	const value = "a configuration"
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, clusterv1.AddToScheme, v1alpha1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	request := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "request", UID: "1"}}
	sum := sha256.Sum256([]byte(value))
	storagecontract.Request{
		Storage: storagecontract.Storage{Group: v1alpha1.Group, Kind: v1alpha1.EndpointStorageKind, Name: "endpoint"},
		Digest:  hex.EncodeToString(sum[:]),
	}.Write(request, []byte(value))
	request.Labels[clusterv1.WatchLabel] = "ours"
	return fake.NewClientBuilder().WithScheme(scheme).WithObjects(request,
		&v1alpha1.EndpointBootstrapStorage{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "endpoint"}}).
		Build(), request
}

// TestAControllerWithoutAnEndpointRefusesItsOwnAlone verifies that another controller in the cluster, which has an
// endpoint, stores the objects for it.
func TestAControllerWithoutAnEndpointRefusesItsOwnAlone(t *testing.T) {
	for filter, refused := range map[string]bool{"ours": true, "": true, "theirs": false} {
		c, request := endpointRequest(t)
		at := client.ObjectKeyFromObject(request)
		r := storage.NewEndpointReconciler(c, c, nil, &memory.Clock{})
		r.WatchFilter = filter
		_, err := r.Reconcile(t.Context(), ctrl.Request{NamespacedName: at})
		if (err != nil) != refused {
			t.Errorf("%q: %v", filter, err)
		}
		if err := c.Get(t.Context(), at, request); err != nil || (storagecontract.Problem(request) != "") != refused {
			t.Errorf("%q: %q, %v", filter, storagecontract.Problem(request), err)
		}
	}
}

// TestURLsAreSignedAgainByAnotherController restarts the controller with another key, URL or CA. URLs that
// it signed before are refused or cannot be reached.
func TestURLsAreSignedAgainByAnotherController(t *testing.T) {
	type controller struct{ key, url, authorities string }
	c, request := endpointRequest(t)
	clock := memory.NewClock(time.Unix(1_800_000_000, 0))
	start := func(o controller) string {
		signer, _ := credential.NewSigner(secret.FromString(strings.Repeat(o.key, credential.KeySize)))
		stored := storage.NewEndpointStorage(c, signer, clock, func() (string, string, error) {
			return o.url, o.authorities, nil
		})
		at := client.ObjectKeyFromObject(request)
		r := storage.NewEndpointReconciler(c, c, stored, clock)
		if _, err := r.Reconcile(t.Context(), ctrl.Request{NamespacedName: at}); err != nil {
			t.Fatal(err)
		}
		s := &corev1.Secret{}
		if err := c.Get(t.Context(), at, s); err != nil || !storagecontract.Answered(s) {
			t.Fatalf("it is not answered: %v", err)
		}
		return s.ResourceVersion
	}
	before := start(controller{"a", "https://one", "x"})
	for _, o := range []controller{{"b", "https://one", "x"}, {"b", "https://two", "x"}, {"b", "https://two", "y"}} {
		after := start(o)
		if after == before {
			t.Errorf("%v: it is not signed again", o)
		}
		if before = start(o); before != after {
			t.Errorf("%v: it is signed again and again", o)
		}
	}
}

func TestEndpointSigner(t *testing.T) {
	c := fake.NewClientBuilder().Build()
	first, err := storage.EndpointSigner(t.Context(), c, c, "system")
	if err != nil {
		t.Fatal(err)
	}
	second, err := storage.EndpointSigner(t.Context(), c, c, "system")
	if err != nil || first.Fingerprint() != second.Fingerprint() {
		t.Errorf("replicas have different keys: %v", err)
	}
	short := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "system", Name: storage.SigningKeySecret}}
	short.Data = map[string][]byte{"key": []byte("short")}
	c = fake.NewClientBuilder().WithObjects(short).Build()
	if _, err := storage.EndpointSigner(t.Context(), c, c, "system"); err == nil {
		t.Error("a short key is used")
	}
}
