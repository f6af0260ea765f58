package objects_test

import (
	"context"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/objects"
)

// counting counts what is asked.
type counting struct {
	client.Reader
	asked atomic.Int32
}

func (c *counting) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	c.asked.Add(1)
	return c.Reader.Get(ctx, key, o, opts...)
}

func secret(text string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"}, Data: map[string][]byte{"text": []byte(text)}}
}

func TestEachVersionIsReadOnce(t *testing.T) {
	c := fake.NewClientBuilder().WithObjects(secret("one")).Build()
	live := &counting{Reader: c}
	reader := objects.NewReader(c, live)
	key := client.ObjectKey{Namespace: "default", Name: "a"}
	read := func() string {
		s, err := reader.Secret(t.Context(), key)
		if err != nil {
			t.Fatalf("read: %v", err)
		}
		return string(s.Data["text"])
	}
	for range 3 {
		if got := read(); got != "one" {
			t.Errorf("read %q", got)
		}
	}
	if n := live.asked.Load(); n != 1 {
		t.Errorf("%d requests for one version", n)
	}
	changed := secret("two")
	if err := c.Update(t.Context(), changed); err != nil {
		t.Fatalf("update: %v", err)
	}
	if got := read(); got != "two" || live.asked.Load() != 2 {
		t.Errorf("read %q after %d requests", got, live.asked.Load())
	}
}

func TestNothingIsAskedForWhatTheCacheDoesNotKnow(t *testing.T) {
	c := fake.NewClientBuilder().Build()
	live := &counting{Reader: c}
	_, err := objects.NewReader(c, live).ConfigMap(t.Context(), client.ObjectKey{Namespace: "default", Name: "a"})
	if !apierrors.IsNotFound(err) || live.asked.Load() != 0 {
		t.Errorf("error %v after %d requests", err, live.asked.Load())
	}
}

func TestNotedObjectIsThereBeforeTheCacheKnows(t *testing.T) {
	c := fake.NewClientBuilder().Build()
	reader := objects.NewReader(c, c)
	reader.Note(secret("one"))
	key := client.ObjectKey{Namespace: "default", Name: "a"}
	if s, err := reader.Secret(t.Context(), key); err != nil || string(s.Data["text"]) != "one" {
		t.Errorf("read %v, error %v", s, err)
	}
	reader.Forget("Secret", key)
	if _, err := reader.Secret(t.Context(), key); !apierrors.IsNotFound(err) {
		t.Errorf("read a forgotten object: %v", err)
	}
}
