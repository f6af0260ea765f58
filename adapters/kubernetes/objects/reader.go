// Package objects reads Secrets and ConfigMaps at the price of watching their metadata.
//
// The management cluster's cache holds the metadata of all of them, so that a change is noticed at once and their data is
// kept out of memory. Data is read from the API when it is asked for, once for each version of an object: a thousand
// machines that use the same file cost one request.
package objects

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// maxEntries bounds how many objects are kept in memory.
	maxEntries = 4096
	// noteFor is how long an object that was made here is believed to exist although the cache does not show it yet.
	noteFor = 30 * time.Second
)

type entry struct {
	object client.Object
	noted  time.Time
}

type objectKey struct {
	kind string
	client.ObjectKey
}

// Reader reads Secrets and ConfigMaps. What it returns is shared and must not be changed.
type Reader struct {
	metadata, live client.Reader
	flights        singleflight.Group

	mutex   sync.Mutex
	entries map[objectKey]entry
}

// NewReader returns a reader. The first argument serves metadata from a cache, the second objects from the API.
func NewReader(metadata, live client.Reader) *Reader {
	return &Reader{metadata: metadata, live: live, entries: map[objectKey]entry{}}
}

// Secret returns a Secret; the error is one of the API's, such as "not found".
func (r *Reader) Secret(ctx context.Context, key client.ObjectKey) (*corev1.Secret, error) {
	object, err := r.read(ctx, objectKey{"Secret", key}, func() client.Object { return &corev1.Secret{} })
	if err != nil {
		return nil, err
	}
	return object.(*corev1.Secret), nil
}

// ConfigMap returns a ConfigMap; the error is one of the API's, such as "not found".
func (r *Reader) ConfigMap(ctx context.Context, key client.ObjectKey) (*corev1.ConfigMap, error) {
	object, err := r.read(ctx, objectKey{"ConfigMap", key}, func() client.Object { return &corev1.ConfigMap{} })
	if err != nil {
		return nil, err
	}
	return object.(*corev1.ConfigMap), nil
}

// Note tells the reader of an object that was just made, so that it is found before the cache has heard of it.
func (r *Reader) Note(object client.Object) {
	kind := "ConfigMap"
	if _, ok := object.(*corev1.Secret); ok {
		kind = "Secret"
	}
	r.keep(objectKey{kind, client.ObjectKeyFromObject(object)}, entry{object, time.Now()})
}

// Forget drops an object that was just removed.
func (r *Reader) Forget(kind string, key client.ObjectKey) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	delete(r.entries, objectKey{kind, key})
}

func (r *Reader) read(ctx context.Context, key objectKey, empty func() client.Object) (client.Object, error) {
	kept, found := r.kept(key)
	meta := &metav1.PartialObjectMetadata{}
	meta.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind(key.kind))
	err := r.metadata.Get(ctx, key.ObjectKey, meta)
	if apierrors.IsNotFound(err) && found && time.Since(kept.noted) < noteFor {
		return kept.object, nil
	}
	if err != nil {
		return nil, err
	}
	if found && same(kept.object, meta) {
		return kept.object, nil
	}
	flight := fmt.Sprintf("%s/%s/%s", key.kind, key.ObjectKey, meta.ResourceVersion)
	object, err, _ := r.flights.Do(flight, func() (any, error) {
		fresh := empty()
		if err := r.live.Get(ctx, key.ObjectKey, fresh); err != nil {
			return nil, err
		}
		r.keep(key, entry{object: fresh})
		return fresh, nil
	})
	if err != nil {
		return nil, err
	}
	return object.(client.Object), nil
}

func same(a client.Object, b metav1.Object) bool {
	return a.GetUID() == b.GetUID() && a.GetResourceVersion() == b.GetResourceVersion()
}

func (r *Reader) kept(key objectKey) (entry, bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	e, found := r.entries[key]
	return e, found
}

// keep remembers an entry. When there are too many, any other one goes: it costs a request to have it again.
func (r *Reader) keep(key objectKey, e entry) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for other := range r.entries {
		if len(r.entries) < maxEntries {
			break
		}
		delete(r.entries, other)
	}
	r.entries[key] = e
}
