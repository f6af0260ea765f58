package capi

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/ports"
)

func getCluster(ctx context.Context, reader client.Reader, key ports.Key) (*clusterv1.Cluster, error) {
	cluster := &clusterv1.Cluster{}
	if err := reader.Get(ctx, client.ObjectKey(key), cluster); err != nil {
		return nil, fmt.Errorf("get cluster %s: %w", key, err)
	}
	return cluster, nil
}

// IsGone reports whether an object does not exist, and otherwise reads it into object. If the cache lacks it, the API
// decides, since a cache may lack objects that were created a moment ago.
func IsGone(ctx context.Context, cached, live client.Reader, key client.ObjectKey, object client.Object) (bool, error) {
	err := cached.Get(ctx, key, object)
	if apierrors.IsNotFound(err) {
		err = live.Get(ctx, key, object)
	}
	return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
}

// clusterReference makes an object belong to the cluster: clusterctl moves it along, and the garbage collector deletes
// it with the cluster.
func clusterReference(c *clusterv1.Cluster) metav1.OwnerReference {
	return metav1.OwnerReference{
		APIVersion: clusterv1.GroupVersion.String(), Kind: clusterv1.ClusterKind, Name: c.Name, UID: c.UID,
	}
}

// isClusterReference reports whether the reference names the cluster. It does not compare the UID, which differs after
// a move.
func isClusterReference(cluster ports.Key, r metav1.OwnerReference) bool {
	return kube.IsOfGroup(r, clusterv1.GroupVersion.Group) && r.Kind == clusterv1.ClusterKind && r.Name == cluster.Name
}
