package hosts

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/annotations"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// Reader implements ports.HostReader.
type Reader struct {
	// Objects reads the objects of this provider: from the cache, or from the API server.
	Objects client.Reader
	// Cluster reads Machines and Clusters.
	Cluster client.Reader
	// WatchFilter is the required value of the label cluster.x-k8s.io/watch-filter of hosts that machines select; empty
	// accepts all hosts.
	WatchFilter string
}

var _ ports.HostReader = Reader{}

// Machine returns the HostMachine with the facts about its Machine and Cluster.
func (r Reader) Machine(ctx context.Context, key ports.Key) (ports.HostMachine, error) {
	o := &v1alpha1.HostMachine{}
	err := r.Objects.Get(ctx, client.ObjectKey(key), o)
	if apierrors.IsNotFound(err) {
		return ports.HostMachine{}, ports.ErrNoMachine
	}
	if err != nil {
		return ports.HostMachine{}, fmt.Errorf("get HostMachine %s: %w", key, err)
	}
	owner, err := r.owner(ctx, o)
	if err != nil {
		return ports.HostMachine{}, err
	}
	cluster, err := r.cluster(ctx, o, owner)
	if err != nil {
		return ports.HostMachine{}, err
	}
	return readMachine(o, owner, cluster), nil
}

// owner returns the Machine that owns the HostMachine and refers to it, or nil if there is none.
func (r Reader) owner(ctx context.Context, o *v1alpha1.HostMachine) (*clusterv1.Machine, error) {
	for _, ref := range o.OwnerReferences {
		if !kube.IsOfGroup(ref, clusterv1.GroupVersion.Group) || ref.Kind != "Machine" {
			continue
		}
		m := &clusterv1.Machine{}
		err := r.Cluster.Get(ctx, client.ObjectKey{Namespace: o.Namespace, Name: ref.Name}, m)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("get the Machine of HostMachine %s/%s: %w", o.Namespace, o.Name, err)
		}
		used := m.Spec.InfrastructureRef
		if used.APIGroup == v1alpha1.Group && used.Kind == v1alpha1.MachineKind && used.Name == o.Name {
			return m, nil
		}
	}
	return nil, nil
}

// cluster returns the Cluster of the Machine, or of the label while the Machine is missing, or nil if there is none.
func (r Reader) cluster(ctx context.Context, o *v1alpha1.HostMachine, owner *clusterv1.Machine) (*clusterv1.Cluster,
	error,
) {
	name := o.Labels[clusterv1.ClusterNameLabel]
	if owner != nil {
		name = owner.Spec.ClusterName
	}
	if name == "" {
		return nil, nil
	}
	c := &clusterv1.Cluster{}
	err := r.Cluster.Get(ctx, client.ObjectKey{Namespace: o.Namespace, Name: name}, c)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("get the Cluster of HostMachine %s/%s: %w", o.Namespace, o.Name, err)
	}
	return c, nil
}

// isPaused reports whether the object or its Cluster, which may be nil, is paused.
func isPaused(cluster *clusterv1.Cluster, o client.Object) bool {
	if cluster == nil {
		return annotations.HasPaused(o)
	}
	return annotations.IsPaused(cluster, o)
}

// Host returns the Host.
func (r Reader) Host(ctx context.Context, key ports.Key) (ports.HostEntry, error) {
	o := &v1alpha1.Host{}
	err := r.Objects.Get(ctx, client.ObjectKey(key), o)
	if apierrors.IsNotFound(err) {
		return ports.HostEntry{}, ports.ErrNoHost
	}
	if err != nil {
		return ports.HostEntry{}, fmt.Errorf("get Host %s: %w", key, err)
	}
	return readHost(o), nil
}

// Hosts returns the Hosts of a namespace that this controller handles.
func (r Reader) Hosts(ctx context.Context, namespace string) ([]host.Host, error) {
	// Each machine that waits for a host lists all of them. They are only read.
	options := []client.ListOption{client.InNamespace(namespace), client.UnsafeDisableDeepCopy}
	if r.WatchFilter != "" {
		options = append(options, client.MatchingLabels{clusterv1.WatchLabel: r.WatchFilter})
	}
	var list v1alpha1.HostList
	if err := r.Objects.List(ctx, &list, options...); err != nil {
		return nil, fmt.Errorf("list the Hosts of namespace %s: %w", namespace, err)
	}
	found := make([]host.Host, 0, len(list.Items))
	for i := range list.Items {
		found = append(found, readHost(&list.Items[i]).Host)
	}
	return found, nil
}
