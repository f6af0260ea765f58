package controller

import (
	"context"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

func all(*v1alpha1.MachineBootstrapConfig) bool { return true }

func unpublished(c *v1alpha1.MachineBootstrapConfig) bool { return !c.Status.DataSecretCreated() }

// waitingIn returns the requests to trigger when a cluster is connected.
func (r *Reconciler) waitingIn(ctx context.Context, cluster client.Object) []ctrl.Request {
	return r.waiting(ctx, cluster.GetNamespace(), cluster.GetName())
}

// waiting returns the configs of a cluster without data.
func (r *Reconciler) waiting(ctx context.Context, namespace, cluster string) []ctrl.Request {
	return r.inCluster(ctx, namespace, cluster, unpublished)
}

func (r *Reconciler) inCluster(
	ctx context.Context, namespace, cluster string, wanted func(*v1alpha1.MachineBootstrapConfig) bool,
) []ctrl.Request {
	return r.list(ctx, wanted, client.InNamespace(namespace), client.MatchingLabels{clusterv1.ClusterNameLabel: cluster})
}

func (r *Reconciler) referringTo(ctx context.Context, namespace, object string) []ctrl.Request {
	return r.list(ctx, all, client.InNamespace(namespace), client.MatchingFields{referenceIndex: object})
}

// list reads from the cache. It fails only while the cache is not running, when there is nothing to reconcile.
func (r *Reconciler) list(ctx context.Context, wanted func(*v1alpha1.MachineBootstrapConfig) bool,
	o ...client.ListOption,
) []ctrl.Request {
	var configs v1alpha1.MachineBootstrapConfigList
	if err := r.Client.List(ctx, &configs, o...); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "Cannot list configs")
		return nil
	}
	var requests []ctrl.Request
	for i := range configs.Items {
		if c := &configs.Items[i]; wanted(c) {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(c)})
		}
	}
	return requests
}

func add(q queue, requests []ctrl.Request) {
	for _, request := range requests {
		q.Add(request)
	}
}
