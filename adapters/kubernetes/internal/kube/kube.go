// Package kube contains the rules of all packages with a Kubernetes client: which objects a controller handles, which
// events trigger it, how it changes objects, and which errors of an API server are temporary.
package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/annotations"
	"sigs.k8s.io/cluster-api/util/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// The keys of a Secret with bootstrap data, by the bootstrap contract of Cluster API.
const (
	DataKey       = "value"
	DataFormatKey = "format"
)

// Note returns the text as the note of an event, which has at most 1 kB (events.k8s.io/v1).
func Note(text string) string { return report.Cut(text, 1000) }

// HasWatchFilter reports whether a controller with the watch filter handles the object. An empty filter accepts all
// objects.
func HasWatchFilter(o metav1.Object, filter string) bool {
	return filter == "" || labels.HasWatchLabel(o, filter)
}

// IsPaused reports whether the object is paused, or the Cluster that its label names.
func IsPaused(ctx context.Context, reader client.Reader, o metav1.Object) (bool, error) {
	name := o.GetLabels()[clusterv1.ClusterNameLabel]
	if annotations.HasPaused(o) || name == "" {
		return annotations.HasPaused(o), nil
	}
	cluster := &clusterv1.Cluster{}
	err := reader.Get(ctx, client.ObjectKey{Namespace: o.GetNamespace(), Name: name}, cluster)
	if client.IgnoreNotFound(err) != nil {
		return false, fmt.Errorf("get cluster %s: %w", name, err)
	}
	return ptr.Deref(cluster.Spec.Paused, false), nil
}

// Patch changes an object, if it has not changed since it was read.
func Patch(ctx context.Context, c client.Client, o client.Object, change func()) error {
	before, _ := o.DeepCopyObject().(client.Object)
	change()
	return c.Patch(ctx, o, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
}

// IsOfGroup reports whether the reference is to an object of the API group, in any version.
func IsOfGroup(r metav1.OwnerReference, group string) bool {
	gv, err := schema.ParseGroupVersion(r.APIVersion)
	return err == nil && gv.Group == group
}

// ControllerOf returns the reference to the controller of an object, or nil if it has none of the group and kind.
func ControllerOf(o metav1.Object, group, kind string) *metav1.OwnerReference {
	if owner := metav1.GetControllerOf(o); owner != nil && owner.Kind == kind && IsOfGroup(*owner, group) {
		return owner
	}
	return nil
}

// ControllerReference returns the reference of an object that the owner, which has the kind, controls.
func ControllerReference(owner ports.Owner, kind schema.GroupVersionKind) metav1.OwnerReference {
	version, name := kind.ToAPIVersionAndKind()
	return metav1.OwnerReference{
		APIVersion: version, Kind: name, Name: owner.Name, UID: types.UID(owner.UID), Controller: ptr.To(true),
		BlockOwnerDeletion: ptr.To(true),
	}
}

// Metadata returns an empty object that makes a reader return the metadata of a Secret or ConfigMap.
func Metadata(kind string) *metav1.PartialObjectMetadata {
	meta := &metav1.PartialObjectMetadata{}
	meta.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind(kind))
	return meta
}

// SecretMetadata returns an empty list that makes a reader return the metadata of Secrets.
func SecretMetadata() *metav1.PartialObjectMetadataList {
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("SecretList"))
	return list
}

// Network returns the settings of a Cluster's network.
func Network(c *clusterv1.Cluster) node.Cluster {
	network := node.Cluster{
		Name: c.Name, PodSubnets: c.Spec.ClusterNetwork.Pods.CIDRBlocks,
		ServiceSubnets: c.Spec.ClusterNetwork.Services.CIDRBlocks, DNSDomain: c.Spec.ClusterNetwork.ServiceDomain,
	}
	if c.Spec.ControlPlaneEndpoint.IsValid() {
		network.Endpoint = c.Spec.ControlPlaneEndpoint.String()
	}
	return network
}

// IsProvisioned reports whether the infrastructure of a Cluster is ready.
func IsProvisioned(c *clusterv1.Cluster) bool {
	return ptr.Deref(c.Status.Initialization.InfrastructureProvisioned, false)
}

// OldestFirst compares Machines by their age, and those of the same age by their names.
func OldestFirst(a, b *clusterv1.Machine) int {
	return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
}

// IsNoAnswer reports whether the API server was not reached, did not answer in time, or returned a server error. The
// ClusterCache may regard the connection as healthy for another minute.
func IsNoAnswer(err error) bool {
	var transport *url.Error
	var status apierrors.APIStatus
	switch {
	case errors.Is(err, context.Canceled):
		return false // The controller is shutting down; the cluster is not at fault.
	case errors.As(err, &transport), errors.Is(err, context.DeadlineExceeded):
		return true
	case errors.As(err, &status):
		code := status.Status().Code
		return code == http.StatusTooManyRequests || code >= http.StatusInternalServerError
	default:
		return false
	}
}
