package controlplane

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apilabels "k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/client-go/util/workqueue"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/host"
)

// bootstrapEnds accepts the updates of configs after which a bootstrap has ended, or the spec is another one.
func bootstrapEnds() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		was, found := e.ObjectOld.(*bootstrapv1.MachineBootstrapConfig)
		now, foundNow := e.ObjectNew.(*bootstrapv1.MachineBootstrapConfig)
		return found && foundNow && (was.Generation != now.Generation || !equality.Semantic.DeepEqual(
			meta.FindStatusCondition(was.Status.Conditions, host.ConditionBootSucceeded),
			meta.FindStatusCondition(now.Status.Conditions, host.ConditionBootSucceeded)))
	}}
}

// clusterChanges accepts the updates of Clusters on which decisions depend. Core copies much of the status of the
// control plane to that of the Cluster.
func clusterChanges() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		was, found := e.ObjectOld.(*clusterv1.Cluster)
		now, foundNow := e.ObjectNew.(*clusterv1.Cluster)
		return found && foundNow && (was.Generation != now.Generation ||
			!maps.Equal(was.Annotations, now.Annotations) ||
			!equality.Semantic.DeepEqual(was.Status.Initialization, now.Status.Initialization) ||
			!equality.Semantic.DeepEqual(was.Status.FailureDomains, now.Status.FailureDomains))
	}}
}

// machineChanges ignores the updates of Machines that change only the conditions that this controller sets.
func machineChanges() predicate.Predicate {
	others := func(m *clusterv1.Machine) clusterv1.MachineStatus {
		status := m.Status
		status.Conditions = slices.DeleteFunc(slices.Clone(status.Conditions), func(c metav1.Condition) bool {
			return slices.Contains(ownConditions(), c.Type)
		})
		return status
	}
	return predicate.Or(kube.ExceptStatus(), predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		was, found := e.ObjectOld.(*clusterv1.Machine)
		now, foundNow := e.ObjectNew.(*clusterv1.Machine)
		return found && foundNow && !equality.Semantic.DeepEqual(others(was), others(now))
	}})
}

// settle is the delay after an event. Core changes a Machine several times in a row, which are one decision.
const settle = 100 * time.Millisecond

// requests returns a handler of events that requests a reconciliation as soon as they have settled.
func requests(of handler.MapFunc) handler.EventHandler {
	type queue = workqueue.TypedRateLimitingInterface[ctrl.Request]
	add := func(ctx context.Context, o client.Object, q queue) {
		for _, request := range of(ctx, o) {
			q.AddAfter(request, settle)
		}
	}
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q queue) { add(ctx, e.Object, q) },
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q queue) { add(ctx, e.ObjectNew, q) },
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q queue) { add(ctx, e.Object, q) },
	}
}

// watchWorkload watches the control plane nodes and their static Pods. A workload cluster without a connection is
// watched as soon as there is one: the connection is an event.
func (r *Reconciler) watchWorkload(ctx context.Context, cluster client.ObjectKey) error {
	if r.Clusters == nil {
		return nil
	}
	onObject := requests(func(ctx context.Context, _ client.Object) []ctrl.Request {
		found := &clusterv1.Cluster{}
		if r.Client.Get(ctx, cluster, found) != nil {
			return nil
		}
		return onCluster(ctx, found)
	})
	watchers := []clustercache.Watcher{
		clustercache.NewWatcher(clustercache.WatcherOptions{
			Name: controllerName + "-nodes", Watcher: r.built, Kind: &corev1.Node{}, EventHandler: onObject,
			Predicates: []predicate.Predicate{nodeChanges()},
		}),
		clustercache.NewWatcher(clustercache.WatcherOptions{
			Name: controllerName + "-pods", Watcher: r.built, Kind: &corev1.Pod{}, EventHandler: onObject,
			Predicates: []predicate.Predicate{podChanges()},
		}),
	}
	for _, w := range watchers {
		err := r.Clusters.Watch(ctx, cluster, w)
		if errors.Is(err, clustercache.ErrClusterNotConnected) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("watch %s: %w", w.Name(), err)
		}
	}
	return nil
}

// nodeChanges accepts the updates of control plane nodes that change whether they are ready, their version, and the
// marks of kubeadm. kubelet updates the rest of the status every few seconds.
func nodeChanges() predicate.Predicate {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { return isControlPlane(e.Object) },
		DeleteFunc: func(e event.DeleteEvent) bool { return isControlPlane(e.Object) },
		UpdateFunc: func(e event.UpdateEvent) bool {
			was, found := e.ObjectOld.(*corev1.Node)
			now, foundNow := e.ObjectNew.(*corev1.Node)
			return found && foundNow && isControlPlane(now) && (nodeReady(was) != nodeReady(now) ||
				was.Status.NodeInfo.KubeletVersion != now.Status.NodeInfo.KubeletVersion ||
				was.Spec.ProviderID != now.Spec.ProviderID || !maps.Equal(was.Labels, now.Labels) || tainted(was) != tainted(now))
		},
	}
}

func isControlPlane(o client.Object) bool {
	_, found := o.GetLabels()[controlplane.ControlPlaneRole]
	return found
}

func tainted(n *corev1.Node) bool {
	return slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool {
		return controlplane.IsDefaultTaint(t.Key, string(t.Effect))
	})
}

func nodeReady(n *corev1.Node) corev1.ConditionStatus {
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status
		}
	}
	return corev1.ConditionUnknown
}

// podChanges accepts the updates of static Pods of the control plane that change whether they are ready.
func podChanges() predicate.Predicate {
	own := func(o client.Object) bool {
		return o.GetNamespace() == metav1.NamespaceSystem && o.GetLabels()["tier"] == "control-plane"
	}
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { return own(e.Object) },
		DeleteFunc: func(e event.DeleteEvent) bool { return own(e.Object) },
		UpdateFunc: func(e event.UpdateEvent) bool {
			was, found := e.ObjectOld.(*corev1.Pod)
			now, foundNow := e.ObjectNew.(*corev1.Pod)
			return found && foundNow && own(now) && (was.Status.Phase != now.Status.Phase || podReady(was) != podReady(now))
		},
	}
}

func podReady(p *corev1.Pod) corev1.ConditionStatus {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status
		}
	}
	return corev1.ConditionUnknown
}

// WorkloadCache limits what is cached of workload clusters to what the controller watches: control plane nodes, and
// their static Pods without specification.
func WorkloadCache() map[client.Object]cache.ByObject {
	nodes, _ := apilabels.NewRequirement(controlplane.ControlPlaneRole, selection.Exists, nil)
	return map[client.Object]cache.ByObject{
		&corev1.Node{}: {Label: apilabels.NewSelector().Add(*nodes), Transform: stripNode},
		&corev1.Pod{}: {
			Namespaces: map[string]cache.Config{metav1.NamespaceSystem: {}},
			Label:      apilabels.SelectorFromSet(apilabels.Set{"tier": "control-plane"}), Transform: stripPod,
		},
	}
}

// stripNode removes what no predicate reads.
func stripNode(o any) (any, error) {
	if n, ok := o.(*corev1.Node); ok {
		n.ManagedFields, n.Annotations, n.Status.Images = nil, nil, nil
	}
	return o, nil
}

// stripPod removes what no predicate reads.
func stripPod(o any) (any, error) {
	if p, ok := o.(*corev1.Pod); ok {
		p.ManagedFields, p.Annotations, p.Spec = nil, nil, corev1.PodSpec{}
	}
	return o, nil
}
