package controlplane

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/events"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/labels/format"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// The field managers. SpecManager owns what the controller specifies, and metadataManager the labels and annotations
// that users specify for infrastructure machines and bootstrap configs.
const (
	SpecManager     = client.FieldOwner("machineadm-control-plane")
	metadataManager = client.FieldOwner("machineadm-control-plane-metadata")
)

// cacheTimeout is how long a method waits until the cache contains its change, and cachePeriod how often it looks.
const (
	cacheTimeout = 10 * time.Second
	cachePeriod  = 20 * time.Millisecond
)

// Store implements ports.ControlPlaneObjects and ports.ControlPlaneMachines.
type Store struct {
	// Client reads from the cache and writes. Live reads from the API server.
	Client client.Client
	Live   client.Reader
	Clock  ports.Clock
	// Resolver returns the contents of Secrets and ConfigMaps of a namespace.
	Resolver func(namespace string) convert.Resolver
	// Profiles are profiles of operating systems beside those of machineadm.
	Profiles []osprofile.Profile
	// Events announces operations and changes of conditions. Without it, there are no events.
	Events events.EventRecorder
	// Metrics counts operations, or is nil.
	Metrics *Metrics

	kinds kinds
}

var (
	_ ports.ControlPlaneObjects  = (*Store)(nil)
	_ ports.ControlPlaneMachines = (*Store)(nil)
)

// get reads the control plane from the cache.
func (s *Store) get(ctx context.Context, key ports.Key) (*v1alpha1.MachineadmControlPlane, error) {
	o := &v1alpha1.MachineadmControlPlane{}
	err := s.Client.Get(ctx, client.ObjectKey(key), o)
	if apierrors.IsNotFound(err) {
		return nil, ports.ErrNoControlPlane
	}
	if err != nil {
		return nil, fmt.Errorf("get %s %s: %w", v1alpha1.Kind, key, err)
	}
	return o, nil
}

// machine reads a Machine of the control plane from the cache; nil if it does not exist or is not one of its Machines.
// One without a controller is one of them if it is being deleted: it is not adopted any more.
func (s *Store) machine(ctx context.Context, o *v1alpha1.MachineadmControlPlane, name string) (*clusterv1.Machine,
	error,
) {
	m := &clusterv1.Machine{}
	err := s.Client.Get(ctx, client.ObjectKey{Namespace: o.Namespace, Name: name}, m)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("get Machine %s: %w", name, err)
	}
	owner := metav1.GetControllerOf(m)
	if owner == nil && m.DeletionTimestamp.IsZero() || owner != nil && owner.UID != o.UID {
		return nil, nil
	}
	return m, nil
}

// seen waits until the cache contains a change.
func (s *Store) seen(ctx context.Context, contains func(ctx context.Context) (bool, error)) error {
	err := wait.PollUntilContextTimeout(ctx, cachePeriod, cacheTimeout, true, contains)
	if err != nil {
		return fmt.Errorf("wait until the cache contains the change: %w", err)
	}
	return nil
}

// patch changes an object that was read from the cache, if it has not changed since.
func (s *Store) patch(ctx context.Context, o client.Object, change func()) error {
	return conflict(kube.Patch(ctx, s.Client, o, change))
}

// apply applies an object for a field manager.
func (s *Store) apply(ctx context.Context, o *unstructured.Unstructured, owner client.FieldOwner) error {
	return s.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(o), owner, client.ForceOwnership)
}

// conflict translates the errors of objects that changed or that do not exist any more.
func conflict(err error) error {
	if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
		return fmt.Errorf("%w: %w", ports.ErrConflict, err)
	}
	return err
}

// ignoreConflict returns nil for a conflict.
func ignoreConflict(err error) error {
	if errors.Is(err, ports.ErrConflict) {
		return nil
	}
	return err
}

// labels returns the labels of each object of a machine.
func labels(o *v1alpha1.MachineadmControlPlane, cluster string) map[string]string {
	return map[string]string{
		clusterv1.ClusterNameLabel:             cluster,
		clusterv1.MachineControlPlaneLabel:     "",
		clusterv1.MachineControlPlaneNameLabel: format.MustFormatValue(o.Name),
	}
}

// ownerReference returns the owner reference of what belongs to the control plane. The Machine is controlled by it; the
// Machine controller replaces the reference of the other objects by one to the Machine.
func ownerReference(o *v1alpha1.MachineadmControlPlane, controls bool) metav1.OwnerReference {
	ref := metav1.OwnerReference{
		APIVersion: v1alpha1.GroupVersion().String(), Kind: v1alpha1.Kind, Name: o.Name, UID: o.UID,
	}
	if controls {
		yes := true
		ref.Controller, ref.BlockOwnerDeletion = &yes, &yes
	}
	return ref
}

// owns reports whether the object has an owner reference to the control plane.
func owns(o *v1alpha1.MachineadmControlPlane, of client.Object) bool {
	for _, ref := range of.GetOwnerReferences() {
		if ref.UID == o.UID {
			return true
		}
	}
	return false
}
