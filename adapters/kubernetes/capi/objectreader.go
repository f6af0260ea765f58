package capi

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
)

const (
	// maxCacheBytes limits the cached data, and overhead is the memory of an object besides its data. An object has at
	// most 1 MiB.
	maxCacheBytes  = 64 << 20
	objectOverhead = 4 << 10
	// pendingFor is how long a created object is assumed to exist while the cache does not contain it.
	pendingFor = 30 * time.Second
)

// The supported kinds.
const (
	secretKind    = "Secret"
	configMapKind = "ConfigMap"
)

type cachedObject struct {
	object client.Object
	noted  time.Time
	size   int
}

type objectKey struct {
	kind string
	client.ObjectKey
}

// ObjectReader reads Secrets and ConfigMaps through a cache of their metadata. It reads the data from the API once for
// each version of an object, so a thousand machines that use the same file cost one request. Callers must not change
// the results.
type ObjectReader struct {
	metadata, live client.Reader
	flights        singleflight.Group

	mutex   sync.Mutex
	entries map[objectKey]cachedObject
	// size is that of all entries.
	size int
}

// NewObjectReader returns a reader. The first argument serves metadata from a cache, the second objects from the API.
func NewObjectReader(metadata, live client.Reader) *ObjectReader {
	return &ObjectReader{metadata: metadata, live: live, entries: map[objectKey]cachedObject{}}
}

// Secret returns a Secret; the error is one of the API's, such as "not found".
func (r *ObjectReader) Secret(ctx context.Context, key client.ObjectKey) (*corev1.Secret, error) {
	object, err := r.read(ctx, objectKey{secretKind, key}, func() client.Object { return &corev1.Secret{} })
	if err != nil {
		return nil, err
	}
	return object.(*corev1.Secret), nil
}

// ConfigMap returns a ConfigMap; the error is one of the API's, such as "not found".
func (r *ObjectReader) ConfigMap(ctx context.Context, key client.ObjectKey) (*corev1.ConfigMap, error) {
	object, err := r.read(ctx, objectKey{configMapKind, key}, func() client.Object { return &corev1.ConfigMap{} })
	if err != nil {
		return nil, err
	}
	return object.(*corev1.ConfigMap), nil
}

// Note adds an object that was just created, so that it is found before the cache contains it.
func (r *ObjectReader) Note(object client.Object) {
	kind := configMapKind
	if _, ok := object.(*corev1.Secret); ok {
		kind = secretKind
	}
	r.store(objectKey{kind, client.ObjectKeyFromObject(object)}, cachedObject{object: object, noted: time.Now()})
}

// Forget drops an object that was just deleted.
func (r *ObjectReader) Forget(kind string, key client.ObjectKey) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.drop(objectKey{kind, key})
}

// Follow drops objects when the cache learns that they are deleted, since their data is confidential.
func (r *ObjectReader) Follow(ctx context.Context, informers cache.Informers) error {
	for _, kind := range []string{secretKind, configMapKind} {
		informer, err := informers.GetInformer(ctx, kube.Metadata(kind))
		if err != nil {
			return fmt.Errorf("follow each %s: %w", kind, err)
		}
		if _, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{DeleteFunc: func(o any) {
			r.isDeleted(kind, o)
		}}); err != nil {
			return fmt.Errorf("follow each %s: %w", kind, err)
		}
	}
	return nil
}

// isDeleted drops a deleted object, but not a newer one with the same name.
func (r *ObjectReader) isDeleted(kind string, o any) {
	if last, ok := o.(toolscache.DeletedFinalStateUnknown); ok {
		o = last.Obj
	}
	object, ok := o.(metav1.Object)
	if !ok {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	key := objectKey{kind, client.ObjectKey{Namespace: object.GetNamespace(), Name: object.GetName()}}
	if e, found := r.entries[key]; found && e.object.GetUID() == object.GetUID() {
		r.drop(key)
	}
}

func (r *ObjectReader) read(ctx context.Context, key objectKey, empty func() client.Object) (client.Object, error) {
	kept, found := r.cached(key)
	meta := kube.Metadata(key.kind)
	err := r.metadata.Get(ctx, key.ObjectKey, meta)
	if apierrors.IsNotFound(err) && found && time.Since(kept.noted) < pendingFor {
		return kept.object, nil
	}
	if err != nil {
		return nil, err
	}
	if found && sameVersion(kept.object, meta) {
		return kept.object, nil
	}
	flight := fmt.Sprintf("%s/%s/%s", key.kind, key.ObjectKey, meta.ResourceVersion)
	object, err, _ := r.flights.Do(flight, func() (any, error) {
		fresh := empty()
		if err := r.live.Get(ctx, key.ObjectKey, fresh); err != nil {
			return nil, err
		}
		r.store(key, cachedObject{object: fresh})
		return fresh, nil
	})
	if err != nil {
		return nil, err
	}
	return object.(client.Object), nil
}

func sameVersion(a client.Object, b metav1.Object) bool {
	return a.GetUID() == b.GetUID() && a.GetResourceVersion() == b.GetResourceVersion()
}

func (r *ObjectReader) cached(key objectKey) (cachedObject, bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	e, found := r.entries[key]
	return e, found
}

// store stores an entry. If the cache is too large, it drops any other entries, which cost a request to read again.
func (r *ObjectReader) store(key objectKey, e cachedObject) {
	e.size = sizeOf(e.object)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.drop(key)
	for other := range r.entries {
		if r.size+e.size <= maxCacheBytes {
			break
		}
		r.drop(other)
	}
	r.entries[key] = e
	r.size += e.size
}

// drop drops an entry. The caller holds the mutex.
func (r *ObjectReader) drop(key objectKey) {
	r.size -= r.entries[key].size
	delete(r.entries, key)
}

// sizeOf returns the approximate memory of an object.
func sizeOf(o client.Object) int {
	size := objectOverhead
	switch o := o.(type) {
	case *corev1.Secret:
		for _, value := range o.Data {
			size += len(value)
		}
	case *corev1.ConfigMap:
		for _, value := range o.Data {
			size += len(value)
		}
		for _, value := range o.BinaryData {
			size += len(value)
		}
	}
	return size
}
