package pluginresources

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/ports"
)

// cacheSyncTimeout limits the first list of a kind.
const cacheSyncTimeout = 20 * time.Second

// SecretReader reads Secrets.
type SecretReader interface {
	Secret(ctx context.Context, key client.ObjectKey) (*corev1.Secret, error)
}

// LookupOptions are the dependencies of a lookup. All but Namespace and WatchFilter are required.
type LookupOptions struct {
	// Client writes resources.
	Client client.Client
	// Discover reads the kinds of the API server (DiscoverKinds).
	Discover func() (meta.RESTMapper, error)
	// Cache serves resources of watched kinds.
	Cache   client.Reader
	Secrets SecretReader
	// Watch makes the cache watch the object's kind until done is called; it does nothing if the kind is already
	// watched.
	Watch func(o client.Object) (done func(), err error)
	// Owner is the kind of the configs that own created plugins.
	Owner schema.GroupVersionKind
	// Namespace is the only namespace that the controller reads, or empty for all.
	Namespace string
	// WatchFilter is the value of the label cluster.x-k8s.io/watch-filter on created plugins, or empty for none.
	WatchFilter string
	Clock       ports.Clock
}

// Lookup implements ports.PluginResources.
type Lookup struct {
	LookupOptions
	kinds kinds

	mutex       sync.Mutex
	permissions map[schema.GroupVersionResource]permission
}

var _ ports.PluginResources = (*Lookup)(nil)

// NewLookup returns a lookup.
func NewLookup(o LookupOptions) *Lookup {
	return &Lookup{
		LookupOptions: o, kinds: kinds{discover: o.Discover, clock: o.Clock},
		permissions: map[schema.GroupVersionResource]permission{},
	}
}

// Find returns the state of a plugin.
func (l *Lookup) Find(ctx context.Context, namespace string, id composition.ID) (composition.Observed, error) {
	o, found, err := l.read(ctx, namespace, id)
	if o == nil || err != nil {
		return found, err
	}
	return l.evaluate(ctx, o)
}

// read returns the resource, or the state that explains why it cannot be read.
func (l *Lookup) read(ctx context.Context, namespace string, id composition.ID) (*unstructured.Unstructured,
	composition.Observed, error,
) {
	kind, found, err := l.kind(ctx, id, answerAge)
	if kind.Empty() || err != nil {
		return nil, found, err
	}
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	done, err := l.Watch(o)
	if err != nil {
		return nil, found, err
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, cacheSyncTimeout)
	defer cancel()
	err = l.Cache.Get(ctx, client.ObjectKey{Namespace: namespace, Name: id.Name}, o)
	if apierrors.IsNotFound(err) {
		return nil, composition.Missing(), nil
	}
	if err != nil {
		return nil, found, fmt.Errorf("get %s: %w", id, err)
	}
	return o, found, nil
}

// kind returns the kind in the API server's preferred version, or the state that explains why it cannot be read. An
// answer of the API server that the kind does not exist or may not be read is at most as old as maxAge.
func (l *Lookup) kind(ctx context.Context, id composition.ID, maxAge time.Duration) (schema.GroupVersionKind,
	composition.Observed, error,
) {
	var none schema.GroupVersionKind
	if problem := convert.CheckPlugin(id); problem != "" {
		return none, composition.Observed{State: composition.NotAPlugin, Message: problem}, nil
	}
	mapping, err := l.kinds.mapping(schema.GroupKind{Group: id.Group, Kind: id.Kind}, maxAge)
	switch {
	case meta.IsNoMatchError(err):
		return none, composition.Observed{State: composition.NoSuchKind, Message: "the API server does not serve " + id.Kind +
			"." + id.Group}, nil
	case err != nil:
		return none, composition.Observed{}, fmt.Errorf("find the kind %s: %w", id.Kind, err)
	case mapping.Scope.Name() != meta.RESTScopeNameNamespace:
		return none, composition.Observed{
			State:   composition.NotNamespaced,
			Message: "resources of this kind are not namespaced",
		}, nil
	}
	missing, err := l.missing(ctx, mapping.Resource, maxAge)
	if err != nil {
		return none, composition.Observed{}, err
	}
	if missing != "" {
		return none, notPermitted(missing, mapping.Resource), nil
	}
	return mapping.GroupVersionKind, composition.Observed{}, nil
}

// IsPlugin reports whether resources of the kind are plugins. The controller must be allowed to read them, and kinds of
// Kubernetes and Cluster API are not plugins. It asks the API server, unless the kind is known to be one.
func (l *Lookup) IsPlugin(ctx context.Context, kind schema.GroupKind) (bool, error) {
	found, _, err := l.kind(ctx, composition.ID{Group: kind.Group, Kind: kind.Kind}, 0)
	return !found.Empty(), err
}

// evaluate returns the state of a plugin, with its documents if it is ready.
func (l *Lookup) evaluate(ctx context.Context, o *unstructured.Unstructured) (composition.Observed, error) {
	text, err := json.Marshal(map[string]any{"metadata": o.Object["metadata"], "status": o.Object["status"]})
	if err != nil {
		return composition.Observed{}, fmt.Errorf("read %s %s: %w", o.GetKind(), o.GetName(), err)
	}
	status, err := convert.PluginStatus(text)
	if err != nil {
		// The JSON library's error contains only the field's name and type.
		message := "its status does not follow the contract: " + err.Error()
		found := composition.Observed{State: composition.InvalidStatus, Message: message}
		return found, nil //nolint:nilerr // the error is in the message
	}
	found := status.Evaluate()
	if found.State != composition.Ready {
		return found, nil
	}
	return l.documents(ctx, o, status.SecretName, found)
}

// documents reads the plugin's Secret. The plugin must control it: otherwise a user who may only write a status could
// make the controller read any Secret.
func (l *Lookup) documents(ctx context.Context, o *unstructured.Unstructured, name string, found composition.Observed,
) (composition.Observed, error) {
	if why := convert.CheckName(name); why != "" {
		found.State, found.Message = composition.InvalidStatus,
			"its status.secretName is not the name of a Secret"
		return found, nil
	}
	secret, err := l.Secrets.Secret(ctx, client.ObjectKey{Namespace: o.GetNamespace(), Name: name})
	switch {
	case apierrors.IsNotFound(err):
		found.State, found.Message = composition.NoSecret, fmt.Sprintf("its Secret %s does not exist", name)
		return found, nil
	case err != nil:
		return composition.Observed{}, fmt.Errorf("get Secret %s: %w", name, err)
	case !secret.DeletionTimestamp.IsZero():
		found.State, found.Message = composition.NoSecret, fmt.Sprintf("its Secret %s is being deleted", name)
		return found, nil
	}
	return convert.PluginDocuments(found, o.GetKind(), name, metav1.IsControlledBy(secret, o), secret.Data), nil
}
