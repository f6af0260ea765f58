// Package conformance tests whether a controller of storage resources follows the storage contract
// (docs/storage-contract.md). Authors of such controllers run it. It creates storage requests as machineadm does, and
// fetches objects as machines do.
package conformance

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
)

// Options configure the test. All fields but Patience are required.
type Options struct {
	// Client is a client of an API server for which the controller runs.
	Client client.Client
	// Namespace is the namespace of the storage resource, which must be usable.
	Namespace string
	Storage   storagecontract.Storage
	// Cluster is the name of a Cluster in the namespace. Pause pauses or unpauses it.
	Cluster string
	Pause   func(ctx context.Context, paused bool) error
	// Patience is how long the controller may take for a step; 0 is one minute.
	Patience time.Duration
}

// clusterLabel is Cluster API's label with the cluster of an object.
const clusterLabel = "cluster.x-k8s.io/cluster-name"

// every is the polling interval.
const every = 200 * time.Millisecond

// still is how long the test waits to verify that nothing happens.
const still = 3 * time.Second

// Test runs the conformance test as subtests of t.
func Test(t *testing.T, o Options) {
	if o.Patience == 0 {
		o.Patience = time.Minute
	}
	t.Run("stored and fetched", func(t *testing.T) {
		d := o.newRequest(t, "stored", all())
		l := d.answered(t)
		d.fetches(t, l, all())
		if len(d.read(t).Finalizers) == 0 {
			t.Error("there is no finalizer: stored objects would not be deleted")
		}
		d.refuses(t, storagecontract.Answer{URL: bare(l.URL), CABundle: l.CABundle}, "without the credential")
		d.delete(t)
		d.gone(t)
		d.refuses(t, l, "after it was deleted")
	})
	t.Run("stored anew", func(t *testing.T) {
		d := o.newRequest(t, "anew", []byte("before"))
		before := d.answered(t)
		d.ask(t, []byte("after"))
		d.fetches(t, d.answered(t), []byte("after"))
		d.fetches(t, before, []byte("before"))
		d.delete(t)
		d.gone(t)
		d.refuses(t, before, "after the storage request was deleted")
	})
	t.Run("answered anew", func(t *testing.T) {
		d := o.newRequest(t, "ended", []byte("ended"))
		before := d.answered(t)
		if before.Expires.IsZero() {
			return
		}
		d.ends(t)
		d.fetches(t, d.renewed(t, before.Expires), []byte("ended"))
		d.delete(t)
		d.gone(t)
	})
	t.Run("another kind's", func(t *testing.T) {
		other := o
		other.Storage.Group = "other." + o.Storage.Group
		d := other.newRequest(t, "other", []byte("other"))
		time.Sleep(still)
		if s := d.read(t); storagecontract.Answered(s) || len(s.Finalizers) > 0 {
			t.Error("a storage request of a kind of another group was touched")
		}
		d.delete(t)
		d.gone(t)
	})
	t.Run("nothing is deleted while paused", func(t *testing.T) { o.paused(t) })
}

func (o Options) paused(t *testing.T) {
	d := o.newRequest(t, "paused", []byte("paused"))
	l := d.answered(t)
	pause := func(paused bool) {
		if err := o.Pause(context.WithoutCancel(t.Context()), paused); err != nil {
			t.Fatalf("pause: %v", err)
		}
	}
	pause(true)
	d.delete(t)
	time.Sleep(still)
	d.fetches(t, l, []byte("paused"))
	pause(false)
	d.gone(t)
	d.refuses(t, l, "after it was deleted")
}

// request is a request Secret of the test.
type request struct {
	Options
	key client.ObjectKey
}

// newRequest creates a storage request, which is deleted at the end of the test.
func (o Options) newRequest(t *testing.T, name string, value []byte) request {
	t.Helper()
	d := request{Options: o, key: client.ObjectKey{Namespace: o.Namespace, Name: "conformance-" + name}}
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Namespace: d.key.Namespace, Name: d.key.Name,
		Labels: map[string]string{clusterLabel: o.Cluster},
	}}
	d.request(value).Write(s, value)
	if err := o.Client.Create(t.Context(), s); err != nil {
		t.Fatalf("make a storage request: %v", err)
	}
	t.Cleanup(func() { _ = o.Client.Delete(context.WithoutCancel(t.Context()), s) })
	return d
}

func (d request) request(value []byte) storagecontract.Request {
	sum := sha256.Sum256(value)
	return storagecontract.Request{Storage: d.Storage, Digest: hex.EncodeToString(sum[:])}
}

// ask changes the value to store.
func (d request) ask(t *testing.T, value []byte) {
	t.Helper()
	s := d.read(t)
	before := s.DeepCopy()
	d.request(value).Write(s, value)
	if err := d.Client.Patch(t.Context(), s, client.MergeFromWithOptions(before,
		client.MergeFromWithOptimisticLock{})); err != nil {
		t.Fatalf("change the storage request: %v", err)
	}
}

func (d request) read(t *testing.T) *corev1.Secret {
	t.Helper()
	s := &corev1.Secret{}
	if err := d.Client.Get(t.Context(), d.key, s); err != nil {
		t.Fatalf("read the storage request: %v", err)
	}
	return s
}

// answered waits for the answer and returns it.
func (d request) answered(t *testing.T) storagecontract.Answer {
	t.Helper()
	var a storagecontract.Answer
	var problem string
	d.eventually(t, func() (answered bool, err error) {
		s := d.read(t)
		problem = storagecontract.Problem(s)
		a, answered, err = storagecontract.AnswerOf(s)
		return answered, err
	}, func() string { return fmt.Sprintf("no answer; the problem: %q", problem) })
	return a
}

// eventually waits until the condition is met.
func (d request) eventually(t *testing.T, met func() (bool, error), failure func() string) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), every, d.Patience, true, func(context.Context) (bool, error) {
		return met()
	})
	if err != nil {
		t.Fatalf("%s: %v", failure(), err)
	}
}

// ends sets an expiry in the past, as in a storage request that was restored from a backup.
func (d request) ends(t *testing.T) {
	t.Helper()
	s := d.read(t)
	before := s.DeepCopy()
	s.Annotations[storagecontract.ExpiresAnnotation] = time.Unix(0, 0).UTC().Format(time.RFC3339)
	if err := d.Client.Patch(t.Context(), s, client.MergeFromWithOptions(before,
		client.MergeFromWithOptimisticLock{})); err != nil {
		t.Fatalf("have the answer end: %v", err)
	}
}

// renewed waits for an answer that expires no earlier than the first one.
func (d request) renewed(t *testing.T, first time.Time) storagecontract.Answer {
	t.Helper()
	var a storagecontract.Answer
	d.eventually(t, func() (bool, error) {
		a = d.answered(t)
		return !a.Expires.Before(first), nil
	}, func() string { return "the answer that ended is not replaced" })
	return a
}

func (d request) delete(t *testing.T) {
	t.Helper()
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: d.key.Namespace, Name: d.key.Name}}
	if err := d.Client.Delete(t.Context(), s); err != nil {
		t.Fatalf("delete the storage request: %v", err)
	}
}

// gone waits until the controller has removed its finalizer.
func (d request) gone(t *testing.T) {
	t.Helper()
	d.eventually(t, func() (bool, error) {
		return apierrors.IsNotFound(d.Client.Get(t.Context(), d.key, &corev1.Secret{})), nil
	}, func() string { return "the storage request still exists" })
}

func (d request) fetches(t *testing.T, a storagecontract.Answer, want []byte) {
	t.Helper()
	got, err := fetch(t.Context(), a)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("fetched %d bytes and not the %d that were to be stored: %v", len(got), len(want), err)
	}
}

func (d request) refuses(t *testing.T, a storagecontract.Answer, when string) {
	t.Helper()
	if got, err := fetch(t.Context(), a); err == nil {
		t.Errorf("%s %d bytes are fetched", when, len(got))
	}
}

// fetch fetches the value as a machine does.
func fetch(ctx context.Context, a storagecontract.Answer) ([]byte, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if len(a.CABundle) > 0 && !pool.AppendCertsFromPEM(a.CABundle) {
		return nil, errors.New("there is no certificate in the bundle")
	}
	c := http.Client{
		Timeout:       time.Minute,
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	defer c.CloseIdleConnections()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL, nil)
	if err != nil {
		return nil, err
	}
	for name, value := range a.Headers {
		r.Header.Set(name, value)
	}
	answer, err := c.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answered with status %d", answer.StatusCode)
	}
	return io.ReadAll(answer.Body)
}

// bare returns the URL without its query.
func bare(url string) string {
	at, _, _ := bytes.Cut([]byte(url), []byte("?"))
	return string(at)
}

// all returns a text that contains each byte value several times.
func all() []byte {
	b := make([]byte, 4096)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}
