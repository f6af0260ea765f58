package controller

import (
	"context"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
)

func all(*v1alpha1.MachineBootstrapConfig) bool { return true }

// unpublished reports whether a config has no data: it was never published, or its Secret was deleted and something
// prevents its replacement. Status.Initialization does not change any more after the first publication.
func unpublished(c *v1alpha1.MachineBootstrapConfig) bool {
	return !c.Status.DataSecretCreated() || conditions.IsFalse(c, ConditionData)
}

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

func (r *Reconciler) list(ctx context.Context, wanted func(*v1alpha1.MachineBootstrapConfig) bool,
	o ...client.ListOption,
) []ctrl.Request {
	return kube.Requests(ctx, r.Client, &v1alpha1.MachineBootstrapConfigList{}, wanted, o...)
}

func add(q queue, requests []ctrl.Request) {
	for _, request := range requests {
		q.Add(request)
	}
}
