package pluginresources

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/workqueue"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/predicates"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
)

// referenceIndex finds resources by the objects (kind/name) that they refer to.
const referenceIndex = "bootstrap.machineadm.io/plugin-references"

// SetupWithManager registers the watches: resources of the kind, their Secrets, objects that they refer to, and
// clusters that are unpaused.
func (r *Reconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager, o controller.Options) error {
	kind := v1alpha1.PluginKind(r.Kind)
	if err := mgr.GetFieldIndexer().IndexField(ctx, r.object(), referenceIndex, References); err != nil {
		return fmt.Errorf("index the references of a %s: %w", kind, err)
	}
	filter := predicates.ResourceHasFilterLabel(mgr.GetScheme(), ctrl.LoggerFrom(ctx), r.WatchFilter)
	err := ctrl.NewControllerManagedBy(mgr).Named(strings.ToLower(kind)).WithOptions(o).
		For(r.object(), builder.WithPredicates(filter)).
		WatchesMetadata(&corev1.Secret{}, r.onSecret()).
		WatchesMetadata(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.onConfigMap)).
		Watches(&clusterv1.Cluster{}, handler.EnqueueRequestsFromMapFunc(r.onCluster),
			builder.WithPredicates(predicates.ClusterUnpaused(mgr.GetScheme(), ctrl.LoggerFrom(ctx)))).
		Complete(r)
	if err != nil {
		return fmt.Errorf("set up the controller of %s: %w", kind, err)
	}
	return nil
}

func (r *Reconciler) object() client.Object {
	o, _ := r.Kind.DeepCopyObject().(client.Object)
	return o
}

// onSecret triggers the resource that controls the Secret, and those that refer to it. It removes a deleted Secret from
// the cache.
func (r *Reconciler) onSecret() handler.EventHandler {
	wake := handler.EnqueueRequestsFromMapFunc(r.ofSecret)
	return handler.Funcs{
		CreateFunc: wake.Create, UpdateFunc: wake.Update,
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q workqueue.TypedRateLimitingInterface[ctrl.Request]) {
			r.Secrets.Forget("Secret", client.ObjectKeyFromObject(e.Object))
			wake.Delete(ctx, e, q)
		},
	}
}

func (r *Reconciler) ofSecret(ctx context.Context, o client.Object) []ctrl.Request {
	requests := r.list(ctx, client.InNamespace(o.GetNamespace()),
		client.MatchingFields{referenceIndex: "Secret/" + o.GetName()})
	if owner := kube.ControllerOf(o, v1alpha1.Group, v1alpha1.PluginKind(r.Kind)); owner != nil {
		key := client.ObjectKey{Namespace: o.GetNamespace(), Name: owner.Name}
		requests = append(requests, ctrl.Request{NamespacedName: key})
	}
	return requests
}

func (r *Reconciler) onConfigMap(ctx context.Context, o client.Object) []ctrl.Request {
	return r.list(ctx, client.InNamespace(o.GetNamespace()),
		client.MatchingFields{referenceIndex: "ConfigMap/" + o.GetName()})
}

// onCluster triggers the resources of the cluster.
func (r *Reconciler) onCluster(ctx context.Context, o client.Object) []ctrl.Request {
	return r.list(ctx, client.InNamespace(o.GetNamespace()),
		client.MatchingLabels{clusterv1.ClusterNameLabel: o.GetName()})
}

// list returns the requests for resources of the kind.
func (r *Reconciler) list(ctx context.Context, o ...client.ListOption) []ctrl.Request {
	created, err := r.Client.Scheme().New(v1alpha1.GroupVersion().WithKind(v1alpha1.PluginKind(r.Kind) + "List"))
	list, ok := created.(client.ObjectList)
	if err != nil || !ok {
		ctrl.LoggerFrom(ctx).Error(err, "Cannot list plugins")
		return nil
	}
	return kube.Requests(ctx, r.Client, list, kube.All, o...)
}

// References is the index function of referenceIndex.
func References(o client.Object) []string {
	p, ok := o.(v1alpha1.Plugin)
	if !ok {
		return nil
	}
	return convert.References(p)
}
