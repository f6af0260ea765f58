package capi_test

import (
	"context"
	"strconv"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache/informertest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllertest"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
)

// countingReader counts requests.
type countingReader struct {
	client.Reader
	requested atomic.Int32
}

func (c *countingReader) Get(ctx context.Context, key client.ObjectKey, o client.Object,
	opts ...client.GetOption,
) error {
	c.requested.Add(1)
	return c.Reader.Get(ctx, key, o, opts...)
}

func smallSecret(text string) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"},
		Data:       map[string][]byte{"text": []byte(text)},
	}
}

func TestEachVersionIsReadOnce(t *testing.T) {
	c := fake.NewClientBuilder().WithObjects(smallSecret("one")).Build()
	live := &countingReader{Reader: c}
	reader := capi.NewObjectReader(c, live)
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
	if n := live.requested.Load(); n != 1 {
		t.Errorf("%d requests for one version", n)
	}
	changed := smallSecret("two")
	if err := c.Update(t.Context(), changed); err != nil {
		t.Fatalf("update: %v", err)
	}
	if got := read(); got != "two" || live.requested.Load() != 2 {
		t.Errorf("read %q after %d requests", got, live.requested.Load())
	}
}

func TestMissingObjectsCauseNoRequest(t *testing.T) {
	c := fake.NewClientBuilder().Build()
	live := &countingReader{Reader: c}
	_, err := capi.NewObjectReader(c, live).ConfigMap(t.Context(), client.ObjectKey{Namespace: "default", Name: "a"})
	if !apierrors.IsNotFound(err) || live.requested.Load() != 0 {
		t.Errorf("error %v after %d requests", err, live.requested.Load())
	}
}

func TestNotedObjectIsReadBeforeTheCacheShowsIt(t *testing.T) {
	c := fake.NewClientBuilder().Build()
	reader := capi.NewObjectReader(c, c)
	reader.Note(smallSecret("one"))
	key := client.ObjectKey{Namespace: "default", Name: "a"}
	if s, err := reader.Secret(t.Context(), key); err != nil || string(s.Data["text"]) != "one" {
		t.Errorf("read %v, error %v", s, err)
	}
	reader.Forget("Secret", key)
	if _, err := reader.Secret(t.Context(), key); !apierrors.IsNotFound(err) {
		t.Errorf("read a forgotten object: %v", err)
	}
}

// allVerbs is an API in which every Secret exists, all with the same data.
type allVerbs struct{ data []byte }

func (e allVerbs) Get(_ context.Context, key client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	o.SetNamespace(key.Namespace)
	o.SetName(key.Name)
	if s, ok := o.(*corev1.Secret); ok {
		s.Data = map[string][]byte{"text": e.data}
	}
	return nil
}

func (allVerbs) List(context.Context, client.ObjectList, ...client.ListOption) error { return nil }

// TestMemoryIsBounded verifies that thousands of large objects are not cached together, while small ones are.
func TestMemoryIsBounded(t *testing.T) {
	cases := map[string]struct {
		reason     string
		size       int
		least, top int32
	}{
		"large": {"100 MiB are too much: some are asked for again", 1 << 20, 101, 200},
		"small": {"there is room for them", 1 << 10, 100, 100},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			api := allVerbs{make([]byte, tc.size)}
			live := &countingReader{Reader: api}
			reader := capi.NewObjectReader(api, live)
			for n := range 200 {
				if _, err := reader.Secret(t.Context(), client.ObjectKey{Name: strconv.Itoa(n % 100)}); err != nil {
					t.Fatal(err)
				}
			}
			if n := live.requested.Load(); n < tc.least || n > tc.top {
				t.Errorf("%s: %d requests", tc.reason, n)
			}
		})
	}
}

// informers has one informer for all kinds, and records its handler.
type informers struct {
	informertest.FakeInformers
	*controllertest.FakeInformer
	handler toolscache.ResourceEventHandler
}

func (i *informers) GetInformer(context.Context, client.Object, ...cache.InformerGetOption) (cache.Informer, error) {
	return i, nil
}

func (i *informers) AddEventHandler(h toolscache.ResourceEventHandler) (toolscache.ResourceEventHandlerRegistration,
	error,
) {
	if i.handler == nil {
		i.handler = h
	}
	return nil, nil
}

// TestDeletedObjectsAreEvicted notifies the cache of a deletion. The next read goes to the API, which shows that the
// object was dropped.
func TestDeletedObjectsAreEvicted(t *testing.T) {
	cases := map[string]struct {
		reason    string
		reported  func(*corev1.Secret) any
		requested int32
	}{
		"gone": {"it holds secrets", func(s *corev1.Secret) any { return s }, 2},
		"missed": {"so it does if the deletion itself was missed", func(s *corev1.Secret) any {
			return toolscache.DeletedFinalStateUnknown{Obj: s}
		}, 2},
		"another": {"it was made since", func(s *corev1.Secret) any { s.UID = "before"; return s }, 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := smallSecret("one")
			s.UID = types.UID("now")
			c := fake.NewClientBuilder().WithObjects(s).Build()
			live := &countingReader{Reader: c}
			reader := capi.NewObjectReader(c, live)
			secrets := &informers{}
			if err := reader.Follow(t.Context(), secrets); err != nil {
				t.Fatal(err)
			}
			read := func() {
				if _, err := reader.Secret(t.Context(), client.ObjectKeyFromObject(s)); err != nil {
					t.Fatal(err)
				}
			}
			read()
			secrets.handler.OnDelete(tc.reported(s.DeepCopy()))
			read()
			if n := live.requested.Load(); n != tc.requested {
				t.Errorf("%s: %d requests", tc.reason, n)
			}
		})
	}
}
