package controller

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/cluster-api/util/predicates"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/composition"
)

// sweepEvery is the interval at which unused watches are stopped.
const sweepEvery = 5 * time.Minute

// PluginWatches watches the kinds of plugins that configs name, and no others. Set its fields before use.
type PluginWatches struct {
	// Start watches the kind of an object. Stop stops the watch and frees its memory.
	Start func(o client.Object) error
	Stop  func(ctx context.Context, o client.Object) error

	mutex sync.Mutex
	kinds map[schema.GroupVersionKind]*pluginWatch
	// versions contains the version in which each kind was read last.
	versions map[schema.GroupKind]string
}

// pluginWatch is the watch of one kind. Readers of the kind hold the mutex, so that the watch is not stopped while they
// read: the cache would then start an informer without handlers.
type pluginWatch struct {
	mutex   sync.RWMutex
	object  client.Object
	watched bool
}

// Use watches the kind of the object. It stays watched until done is called.
func (w *PluginWatches) Use(o client.Object) (done func(), err error) {
	k := w.kind(o)
	for {
		k.mutex.RLock()
		if k.watched {
			return k.mutex.RUnlock, nil
		}
		k.mutex.RUnlock()
		if err := w.start(k); err != nil {
			return nil, err
		}
	}
}

func (w *PluginWatches) kind(o client.Object) *pluginWatch {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	gvk := o.GetObjectKind().GroupVersionKind()
	if w.kinds[gvk] == nil {
		if w.kinds == nil {
			w.kinds, w.versions = map[schema.GroupVersionKind]*pluginWatch{}, map[schema.GroupKind]string{}
		}
		w.kinds[gvk] = &pluginWatch{object: o}
	}
	w.versions[gvk.GroupKind()] = gvk.Version
	return w.kinds[gvk]
}

func (w *PluginWatches) start(k *pluginWatch) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.watched {
		return nil
	}
	if err := w.Start(k.object); err != nil {
		return fmt.Errorf("watch %s: %w", k.object.GetObjectKind().GroupVersionKind().GroupKind(), err)
	}
	k.watched = true
	return nil
}

// current reports whether this version of the kind was read last: the API server's preferred version may have changed.
func (w *PluginWatches) current(gvk schema.GroupVersionKind) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.versions[gvk.GroupKind()] == gvk.Version
}

// Sweep stops watching kinds that are not used, and versions of a kind that are no longer read. A kind that is being
// read is used.
func (w *PluginWatches) Sweep(ctx context.Context, used func(ctx context.Context, kind schema.GroupKind) (bool, error),
) error {
	w.mutex.Lock()
	all := make([]*pluginWatch, 0, len(w.kinds))
	for _, k := range w.kinds {
		all = append(all, k)
	}
	w.mutex.Unlock()
	for _, k := range all {
		if err := w.sweep(ctx, k, used); err != nil {
			return err
		}
	}
	return nil
}

// sweep stops the watch of a kind that is not used. It holds the mutex, so that no reader can start between the check
// and the stop.
func (w *PluginWatches) sweep(ctx context.Context, k *pluginWatch, used func(context.Context, schema.GroupKind) (bool,
	error),
) error {
	if !k.mutex.TryLock() {
		return nil
	}
	defer k.mutex.Unlock()
	if !k.watched {
		return nil
	}
	gvk := k.object.GetObjectKind().GroupVersionKind()
	needed, err := used(ctx, gvk.GroupKind())
	if needed && w.current(gvk) || err != nil {
		return err
	}
	if err := w.Stop(ctx, k.object); err != nil {
		return fmt.Errorf("stop watching %s: %w", gvk.GroupKind(), err)
	}
	k.watched = false
	return nil
}

// setupPluginWatches sets up the watches of plugin kinds and the sweeper that stops unused ones.
func (r *Reconciler) setupPluginWatches(ctx context.Context, mgr ctrl.Manager, built controller.Controller) error {
	unpaused := predicates.ResourceNotPaused(mgr.GetScheme(), ctrl.LoggerFrom(ctx))
	r.plugins.Start = func(o client.Object) error {
		copied, _ := o.DeepCopyObject().(client.Object)
		return built.Watch(source.Kind(mgr.GetCache(), copied, handler.EnqueueRequestsFromMapFunc(r.onPlugin), unpaused))
	}
	r.plugins.Stop = func(ctx context.Context, o client.Object) error { return mgr.GetCache().RemoveInformer(ctx, o) }
	return mgr.Add(sweeper{r})
}

// sweeper periodically stops unused watches.
type sweeper struct{ *Reconciler }

// Start sweeps until the context ends.
func (s sweeper) Start(ctx context.Context) error {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := s.plugins.Sweep(ctx, s.PluginKindUsed); err != nil {
				ctrl.Log.WithName(controllerName).Error(err, "Cannot stop watching plugins")
			}
		}
	}
}

// PluginKindUsed reports whether a config names a plugin of the kind, or a template that plugins of the kind are
// created from. It reads from the cache.
func (r *Reconciler) PluginKindUsed(ctx context.Context, kind schema.GroupKind) (bool, error) {
	var configs v1alpha1.MachineBootstrapConfigList
	if err := r.Client.List(ctx, &configs, client.UnsafeDisableDeepCopy); err != nil {
		return false, fmt.Errorf("list configs: %w", err)
	}
	for i := range configs.Items {
		for _, ref := range convert.Plugins(&configs.Items[i].Spec, "spec") {
			if ref.Group == kind.Group && (ref.Kind == kind.Kind || ref.Template && strings.TrimSuffix(ref.Kind,
				composition.TemplateSuffix) == kind.Kind) {
				return true, nil
			}
		}
	}
	return false, nil
}
