package capi

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/ports"
)

// ControlPlaneIndex is the field by which the cache finds the control plane machines of a cluster.
const ControlPlaneIndex = "bootstrap.machineadm.io/control-plane-of"

const (
	machineKind     = "Machine"
	machinePoolKind = "MachinePool"
)

// ControlPlaneOf is the index function of ControlPlaneIndex: the cluster of a control plane machine.
func ControlPlaneOf(o client.Object) []string {
	m, ok := o.(*clusterv1.Machine)
	if _, isControlPlane := o.GetLabels()[clusterv1.MachineControlPlaneLabel]; !ok || !isControlPlane {
		return nil
	}
	return []string{m.Spec.ClusterName}
}

// Lookup implements ports.ClusterLookup. It reads from a cache with the index ControlPlaneIndex.
type Lookup struct{ reader client.Reader }

var _ ports.ClusterLookup = (*Lookup)(nil)

// NewLookup returns a lookup that reads from the cache.
func NewLookup(reader client.Reader) *Lookup { return &Lookup{reader: reader} }

// Machine returns the owner of the configuration.
func (l *Lookup) Machine(ctx context.Context, owner ports.Owner) (ports.Machine, error) {
	config, err := getConfig(ctx, l.reader, owner)
	if errors.Is(err, ports.ErrNoMachine) {
		return ports.Machine{}, ports.ErrNoOwner
	}
	if err != nil {
		return ports.Machine{}, err
	}
	for _, ref := range config.OwnerReferences {
		if !kube.IsOfGroup(ref, clusterv1.GroupVersion.Group) {
			continue
		}
		machine, err := l.ownerOf(ctx, config, ref)
		if apierrors.IsNotFound(err) || errors.Is(err, ports.ErrNoOwner) {
			continue
		}
		if err != nil {
			return ports.Machine{}, fmt.Errorf("get the owner: %w", err)
		}
		return machine, nil
	}
	return ports.Machine{}, ports.ErrNoOwner
}

// ownerOf returns the Machine or MachinePool of an owner reference; ErrNoOwner if it does not use the config.
func (l *Lookup) ownerOf(ctx context.Context, config *v1alpha1.MachineBootstrapConfig, ref metav1.OwnerReference) (
	ports.Machine, error,
) {
	key := client.ObjectKey{Namespace: config.Namespace, Name: ref.Name}
	switch ref.Kind {
	case machineKind:
		m := &clusterv1.Machine{}
		if err := l.reader.Get(ctx, key, m); err != nil {
			return ports.Machine{}, err
		}
		if refersTo(m.Spec.Bootstrap.ConfigRef, config) {
			return readMachine(m), nil
		}
	case machinePoolKind:
		p := &clusterv1.MachinePool{}
		if err := l.reader.Get(ctx, key, p); err != nil {
			return ports.Machine{}, err
		}
		if config.Status.DataSecretCreated() || refersTo(p.Spec.Template.Spec.Bootstrap.ConfigRef, config) {
			return readPool(p, config.Status.DataSecretName), nil
		}
	}
	return ports.Machine{}, ports.ErrNoOwner
}

func refersTo(ref clusterv1.ContractVersionedObjectReference, config *v1alpha1.MachineBootstrapConfig) bool {
	return ref.APIGroup == v1alpha1.Group && ref.Kind == v1alpha1.ConfigKind && ref.Name == config.Name
}

func readMachine(m *clusterv1.Machine) ports.Machine {
	_, controlPlane := m.Labels[clusterv1.MachineControlPlaneLabel]
	return ports.Machine{
		Name: m.Name, ClusterName: m.Spec.ClusterName, DataSecretName: ptr.Deref(m.Spec.Bootstrap.DataSecretName, ""),
		ControlPlane: controlPlane, Version: m.Spec.Version, Addresses: addresses(m),
		Joined: m.Status.NodeRef.Name != "", Infrastructure: infrastructureKind(m.Spec.InfrastructureRef),
		InfrastructureName: m.Spec.InfrastructureRef.Name,
	}
}

// infrastructureKind returns the name of the kind that the reference names.
func infrastructureKind(ref clusterv1.ContractVersionedObjectReference) string {
	return infrastructure.NameOf(ref.APIGroup, ref.Kind)
}

// readPool returns the pool with the name of the config's data. The pool itself names the data of its previous config
// until that of the next one exists.
func readPool(p *clusterv1.MachinePool, data string) ports.Machine {
	_, controlPlane := p.Labels[clusterv1.MachineControlPlaneLabel]
	template := p.Spec.Template.Spec
	return ports.Machine{
		Name: p.Name, ClusterName: p.Spec.ClusterName, DataSecretName: data, Pool: true, ControlPlane: controlPlane,
		Version:        template.Version,
		Joined:         isComplete(p),
		Infrastructure: infrastructureKind(template.InfrastructureRef),
	}
}

// isComplete reports whether all machines of a pool are nodes. During an update a pool can have more machines than
// replicas.
func isComplete(p *clusterv1.MachinePool) bool {
	return len(p.Status.NodeRefs) >= max(int(ptr.Deref(p.Spec.Replicas, 1)), len(p.Spec.ProviderIDList))
}

// Cluster returns the cluster and the facts about its control plane machines.
func (l *Lookup) Cluster(ctx context.Context, key ports.Key) (ports.Cluster, error) {
	c := &clusterv1.Cluster{}
	err := l.reader.Get(ctx, client.ObjectKey(key), c)
	if apierrors.IsNotFound(err) {
		return ports.Cluster{}, ports.ErrNoCluster
	}
	if err != nil {
		return ports.Cluster{}, fmt.Errorf("get cluster %s: %w", key, err)
	}
	found := readCluster(c)
	machines, err := l.controlPlane(ctx, c)
	if err != nil {
		return found, err
	}
	found.Addresses, found.OldestVersion = addressesOf(machines), oldestVersion(machines)
	found.ControlPlane, err = l.evidence(ctx, c, machines)
	return found, err
}

func readCluster(c *clusterv1.Cluster) ports.Cluster {
	return ports.Cluster{
		Key:     ports.Key{Namespace: c.Namespace, Name: c.Name},
		Network: kube.Network(c),
		Paused:  ptr.Deref(c.Spec.Paused, false), Deleting: !c.DeletionTimestamp.IsZero(),
		InfrastructureReady: kube.IsProvisioned(c),
		Initialized:         conditions.IsTrue(c, clusterv1.ClusterControlPlaneInitializedCondition),
		StandAlone:          !c.Spec.ControlPlaneRef.IsDefined(),
	}
}
