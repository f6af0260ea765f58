package controller

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	capisecret "sigs.k8s.io/cluster-api/util/secret"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/ports"
)

type queue = workqueue.TypedRateLimitingInterface[ctrl.Request]

// onMachine triggers a machine's own config when a relevant field changes. It also triggers the waiting configs of a
// cluster when a control plane machine is created or deleted, or changes its version.
func (r *Reconciler) onMachine() handler.EventHandler {
	wake := func(ctx context.Context, o client.Object, q queue) {
		m, ok := o.(*clusterv1.Machine)
		if !ok {
			return
		}
		add(q, configOf(m.Namespace, m.Spec.Bootstrap.ConfigRef))
		if _, controlPlane := m.Labels[clusterv1.MachineControlPlaneLabel]; controlPlane {
			add(q, r.waiting(ctx, m.Namespace, m.Spec.ClusterName))
		}
	}
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q queue) { wake(ctx, e.Object, q) },
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q queue) { wake(ctx, e.Object, q) },
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q queue) {
			if machineChanged(e.ObjectOld, e.ObjectNew) {
				wake(ctx, e.ObjectNew, q)
			}
		},
	}
}

func machineChanged(before, after client.Object) bool {
	a, okBefore := before.(*clusterv1.Machine)
	b, okAfter := after.(*clusterv1.Machine)
	if !okBefore || !okAfter {
		return true
	}
	_, was := a.Labels[clusterv1.MachineControlPlaneLabel]
	_, is := b.Labels[clusterv1.MachineControlPlaneLabel]
	return a.Spec.Version != b.Spec.Version || a.Status.NodeRef != b.Status.NodeRef || was != is ||
		a.Spec.Bootstrap.ConfigRef != b.Spec.Bootstrap.ConfigRef ||
		a.DeletionTimestamp.IsZero() != b.DeletionTimestamp.IsZero() ||
		(is && !slices.Equal(a.Status.Addresses, b.Status.Addresses))
}

func poolToConfig(_ context.Context, o client.Object) []ctrl.Request {
	p, ok := o.(*clusterv1.MachinePool)
	if !ok {
		return nil
	}
	return configOf(p.Namespace, p.Spec.Template.Spec.Bootstrap.ConfigRef)
}

func configOf(namespace string, ref clusterv1.ContractVersionedObjectReference) []ctrl.Request {
	if ref.APIGroup != v1alpha1.Group || ref.Kind != v1alpha1.ConfigKind {
		return nil
	}
	return []ctrl.Request{{NamespacedName: client.ObjectKey{Namespace: namespace, Name: ref.Name}}}
}

// onCluster triggers all configs of a cluster that is paused or unpaused, and the waiting ones when the cluster makes
// progress.
func (r *Reconciler) onCluster() handler.EventHandler {
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q queue) {
			add(q, r.inCluster(ctx, e.Object.GetNamespace(), e.Object.GetName(), all))
		},
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q queue) {
			before, okBefore := e.ObjectOld.(*clusterv1.Cluster)
			after, okAfter := e.ObjectNew.(*clusterv1.Cluster)
			switch {
			case !okBefore || !okAfter || ptr.Deref(before.Spec.Paused, false) != ptr.Deref(after.Spec.Paused, false) ||
				initialized(before) != initialized(after):
				add(q, r.inCluster(ctx, e.ObjectNew.GetNamespace(), e.ObjectNew.GetName(), all))
			case hasProgressed(before, after):
				add(q, r.waiting(ctx, after.Namespace, after.Name))
			}
		},
	}
}

func hasProgressed(before, after *clusterv1.Cluster) bool {
	return kube.IsProvisioned(before) != kube.IsProvisioned(after) ||
		before.Spec.ControlPlaneEndpoint != after.Spec.ControlPlaneEndpoint ||
		before.Spec.ControlPlaneRef != after.Spec.ControlPlaneRef ||
		!equality.Semantic.DeepEqual(before.Spec.ClusterNetwork, after.Spec.ClusterNetwork) ||
		before.Annotations[ports.ControlPlaneTypeAnnotation] != after.Annotations[ports.ControlPlaneTypeAnnotation]
}

func initialized(c *clusterv1.Cluster) bool {
	return conditions.IsTrue(c, clusterv1.ClusterControlPlaneInitializedCondition)
}

// onSecret triggers the config whose data is deleted, and configs that wait for a certificate. It also triggers configs
// that refer to the Secret or to the plugin that controls it. New data triggers nothing.
func (r *Reconciler) onSecret() handler.EventHandler {
	wake := func(ctx context.Context, o client.Object, q queue) {
		add(q, r.referringTo(ctx, o.GetNamespace(), "Secret/"+o.GetName()))
		if cluster, ok := certificateOf(o.GetName()); ok {
			add(q, r.waiting(ctx, o.GetNamespace(), cluster))
		}
		if plugin, ok := controllerOf(o); ok {
			add(q, r.referringTo(ctx, o.GetNamespace(), plugin))
		}
	}
	return r.onObject(wake, func(o client.Object) (ctrl.Request, bool) {
		owner := kube.ControllerOf(o, v1alpha1.Group, v1alpha1.ConfigKind)
		if owner == nil {
			return ctrl.Request{}, false
		}
		return ctrl.Request{NamespacedName: client.ObjectKey{Namespace: o.GetNamespace(), Name: owner.Name}}, true
	})
}

// onConfigMap triggers the configs that refer to the ConfigMap. It triggers the configs that need a lock when the lock
// is released, or when a ConfigMap with the lock's name is deleted.
func (r *Reconciler) onConfigMap() handler.EventHandler {
	wake := func(ctx context.Context, o client.Object, q queue) {
		add(q, r.referringTo(ctx, o.GetNamespace(), "ConfigMap/"+o.GetName()))
	}
	funcs := r.onObject(wake, func(client.Object) (ctrl.Request, bool) { return ctrl.Request{}, false })
	funcs.DeleteFunc = func(ctx context.Context, e event.DeleteEvent, q queue) {
		wake(ctx, e.Object, q)
		if cluster, ok := capi.ClusterOfLock(e.Object.GetName()); ok {
			add(q, r.inCluster(ctx, e.Object.GetNamespace(), cluster, needsLock))
		}
	}
	return funcs
}

// needsLock reports whether a config has no data because its machine did not get the init lock, or for a reason that
// its status does not contain yet. The release of the lock triggers no other configs: each attempt of a stalled machine
// acquires and releases the lock, and must not cause the next attempt.
func needsLock(c *v1alpha1.MachineBootstrapConfig) bool {
	reasons := []bootstrap.Reason{"", bootstrap.ReasonInitLock, bootstrap.ReasonLockNotOwned}
	return slices.Contains(reasons, bootstrap.Reason(conditions.GetReason(c, ConditionReady)))
}

// onObject triggers the requests that the function returns, or only the owner if a config controls the object.
func (r *Reconciler) onObject(wake func(context.Context, client.Object, queue), own func(client.Object) (ctrl.Request,
	bool),
) handler.Funcs {
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q queue) {
			if _, ours := own(e.Object); !ours {
				wake(ctx, e.Object, q)
			}
		},
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q queue) {
			if config, ours := own(e.ObjectOld); ours {
				q.Add(config)
				return
			}
			wake(ctx, e.ObjectNew, q)
		},
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q queue) {
			if config, ours := own(e.Object); ours {
				q.Add(config)
			}
			wake(ctx, e.Object, q)
		},
	}
}

// certificateOf returns the cluster of a Secret with a certificate or Talos secrets, by its name.
func certificateOf(name string) (string, bool) {
	if cluster, ok := capi.ClusterOfTalosSecret(name); ok {
		return cluster, true
	}
	if !capisecret.HasPurposeSuffix(name) {
		return "", false
	}
	cluster, _, err := capisecret.ParseSecretName(name)
	return cluster, err == nil
}
