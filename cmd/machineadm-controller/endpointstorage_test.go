//go:build !unit

package main

import (
	"context"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/endpoint"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/reports"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/controlplane"
)

// ofDeposit stores under the name of a storage request, as machineadm does, whatever the name.
type ofDeposit struct{ ports.Storage }

func objectKey(name string) string { return "default/request/" + hex.EncodeToString([]byte(name)) }

func (s ofDeposit) Put(ctx context.Context, name string, data secret.Value) error {
	return s.Storage.Put(ctx, objectKey(name), data)
}

func (s ofDeposit) Locate(ctx context.Context, name string, lifetime time.Duration) (delivery.Location, error) {
	return s.Storage.Locate(ctx, objectKey(name), lifetime)
}

func (s ofDeposit) Delete(ctx context.Context, name string) error {
	return s.Storage.Delete(ctx, objectKey(name))
}

// served is a storage, the endpoint that serves it, and a client that trusts it.
func served(t *testing.T, objects ...client.Object) (*storage.EndpointStorage, *http.Client, *memory.Clock,
	client.Client,
) {
	t.Helper()
	dir := t.TempDir()
	at, err := controlplane.NewMachineEndpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(dir+"/tls.crt", dir+"/tls.key")
	if err != nil {
		t.Fatal(err)
	}
	signer, _ := credential.NewSigner(secret.FromString(strings.Repeat("k", credential.KeySize)))
	c := fake.NewClientBuilder().WithObjects(append(objects,
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "request", UID: "1"}})...).Build()
	clock := memory.NewClock(time.Unix(1_800_000_000, 0))
	stored := storage.NewEndpointStorage(c, signer, clock, func() (string, string, error) { return at.URL, "", nil })
	server, err := endpoint.New(endpoint.Options{
		Address: strings.TrimPrefix(at.URL, "https://"), Clock: clock, Objects: stored, Log: slog.New(slog.DiscardHandler),
		Certificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &pair, nil },
		Reports:     reports.New(reports.Dependencies{Reports: &memory.Reports{}, Clock: clock}),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- server.Start(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return stored, at.Client, clock, c
}

func fetch(ctx context.Context, c *http.Client, l delivery.Location) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, string(l.URL.Reveal()), nil)
	if err != nil {
		return nil, err
	}
	answer, err := c.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the answer is %d", answer.StatusCode)
	}
	return io.ReadAll(answer.Body)
}

func TestEndpointIsAStorage(t *testing.T) {
	portstest.Storage(t, func(t *testing.T) portstest.StorageServer {
		stored, c, clock, _ := served(t)
		return portstest.StorageServer{
			Storage: ofDeposit{stored}, Later: clock.Advance,
			Fetch: func(ctx context.Context, l delivery.Location) ([]byte, error) { return fetch(ctx, c, l) },
		}
	})
}

func TestStoredObjectsRequireTheSignedURL(t *testing.T) {
	stored, c, _, _ := served(t)
	const one, two = "default/request/1", "default/request/2"
	for _, name := range []string{one, two} {
		if err := stored.Put(t.Context(), name, secret.FromString(name)); err != nil {
			t.Fatal(err)
		}
	}
	l, err := stored.Locate(t.Context(), one, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	right := string(l.URL.Reveal())
	for reason, wrong := range map[string]string{
		"another object": strings.Replace(right, one, two, 1), "a later end": strings.Replace(right, "expires=18",
			"expires=19", 1),
		"no end": strings.Replace(right, "expires=", "e=", 1), "one that is not there": strings.Replace(right, one,
			"default/none/1", 1),
	} {
		l.URL = secret.FromString(wrong)
		if _, err := fetch(t.Context(), c, l); err == nil || err.Error() != "the answer is 403" {
			t.Errorf("%s: %v", reason, err)
		}
	}
	// The machines of a pool have one address, and boot together.
	l.URL = secret.FromString(right)
	for machine := range 100 {
		if data, err := fetch(t.Context(), c, l); err != nil || string(data) != one {
			t.Fatalf("machine %d: %q, %v", machine, data, err)
		}
	}
}

// TestAPoolsSecretsAreReused holds that a pool whose token is replaced again and again leaves no Secret behind each
// time.
func TestAPoolsSecretsAreReused(t *testing.T) {
	stored, machine, _, c := served(t)
	named := func(n int) string { return fmt.Sprintf("default/request/%d", n) }
	var before, oldest delivery.Location
	for n := range 20 {
		if err := stored.Put(t.Context(), named(n), secret.FromString(named(n))); err != nil {
			t.Fatal(err)
		}
		now, err := stored.Locate(t.Context(), named(n), time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		if n >= 2 {
			if err := stored.Delete(t.Context(), named(n-2)); err != nil {
				t.Fatal(err)
			}
			if _, err := fetch(t.Context(), machine, oldest); err == nil || err.Error() != "the answer is 404" {
				t.Errorf("what is gone: %v", err)
			}
			if data, err := fetch(t.Context(), machine, before); err != nil || string(data) != named(n-1) {
				t.Errorf("what is before: %q, %v", data, err)
			}
		}
		if data, err := fetch(t.Context(), machine, now); err != nil || string(data) != named(n) {
			t.Errorf("what is now: %q, %v", data, err)
		}
		oldest, before = before, now
	}
	all := &corev1.SecretList{}
	if err := c.List(t.Context(), all); err != nil || len(all.Items) != 1+3 {
		t.Errorf("%d Secrets and %v; a storage request, two objects and a place for the next are wanted", len(all.Items), err)
	}
}

func TestUsersSecretIsNotAStoredObject(t *testing.T) {
	const name = "default/request/1"
	stored, _, _, c := served(t)
	if err := stored.Put(t.Context(), name, secret.FromString("x")); err != nil {
		t.Fatal(err)
	}
	var all corev1.SecretList
	if err := c.List(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	for i := range all.Items {
		s := &all.Items[i]
		if s.Type != storage.ObjectSecretType {
			continue
		}
		if owner := s.OwnerReferences; len(owner) != 1 || owner[0].UID != "1" {
			t.Errorf("it does not go with its storage request: %v", owner)
		}
		theirs := &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Name},
			Data:       map[string][]byte{"value": []byte("theirs")},
		}
		other, machine, _, c := served(t, theirs)
		if err := other.Put(t.Context(), name, secret.FromString("x")); err != nil {
			t.Errorf("put: %v", err)
		}
		l, err := other.Locate(t.Context(), name, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := fetch(t.Context(), machine, l); err != nil || string(data) != "x" {
			t.Errorf("ours: %q, %v", data, err)
		}
		if err := other.Delete(t.Context(), name); err != nil {
			t.Errorf("delete: %v", err)
		}
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(theirs), theirs); err != nil ||
			string(theirs.Data["value"]) != "theirs" {
			t.Errorf("it was changed: %v", err)
		}
		return
	}
	t.Error("there is no object")
}

// TestStoredObjectsAreDeletedWithoutAnEndpoint holds that a controller which lost its endpoint, or a namespace which
// lost its storage, does not keep storage requests from going.
func TestStoredObjectsAreDeletedWithoutAnEndpoint(t *testing.T) {
	stored, _, _, c := served(t)
	name := "default/request/" + strings.Repeat("1", 64)
	if err := stored.Put(t.Context(), name, secret.FromString("x")); err != nil {
		t.Fatal(err)
	}
	scheme, err := newScheme()
	if err != nil {
		t.Fatal(err)
	}
	objects := &corev1.SecretList{}
	if err := c.List(t.Context(), objects); err != nil {
		t.Fatal(err)
	}
	at := client.ObjectKey{Namespace: "default", Name: "request"}
	builder := fake.NewClientBuilder().WithScheme(scheme)
	for i := range objects.Items {
		s := &objects.Items[i]
		if s.ResourceVersion = ""; s.Name == at.Name {
			s.Labels = map[string]string{storagecontract.KindLabel: v1alpha1.EndpointStorageKind}
			s.Annotations = map[string]string{
				storagecontract.StorageAnnotation: v1alpha1.EndpointStorageKind + "." + v1alpha1.Group + "/endpoint",
				storagecontract.DigestAnnotation:  strings.Repeat("1", 64), "bootstrap.machineadm.io/stored-objects": name,
			}
			s.Finalizers, s.DeletionTimestamp = []string{storage.Finalizer}, &metav1.Time{Time: time.Unix(1, 0)}
		}
		builder = builder.WithObjects(s)
	}
	c = builder.Build()
	if _, err := storage.NewEndpointReconciler(c, c, nil, clock{}).Reconcile(t.Context(),
		ctrl.Request{NamespacedName: at}); err != nil {
		t.Error(err)
	}
	if err := c.Get(t.Context(), at, &corev1.Secret{}); !apierrors.IsNotFound(err) {
		t.Errorf("the storage request does not go: %v", err)
	}
	if err := c.List(t.Context(), objects); err != nil || len(objects.Items) != 1 || len(objects.Items[0].Data) != 0 {
		t.Errorf("%v: what it has stored is left", err)
	}
}
