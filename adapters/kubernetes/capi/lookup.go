package capi

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/node"
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

// Lookup reads from a cache.
type Lookup struct{ reader client.Reader }

// NewLookup returns a lookup over the cache.
func NewLookup(reader client.Reader) *Lookup { return &Lookup{reader: reader} }

// Owner is the Machine or the MachinePool that a config is for.
type Owner struct {
	Object client.Object
	// ClusterName is the name of its cluster.
	ClusterName string
	// DataSecretName is the name that it has taken over from the config; empty before that.
	DataSecretName string
	Facts          bootstrap.Machine
}

// Owner returns the owner of the config; nil if it has none, or if the owner is not there (yet, or any longer). An
// owner has to name the config in turn: whoever writes configs can write any owner reference into them, but cannot
// write machines.
func (l *Lookup) Owner(ctx context.Context, config *v1alpha1.MachineBootstrapConfig) (*Owner, error) {
	for _, ref := range config.GetOwnerReferences() {
		gv, err := schema.ParseGroupVersion(ref.APIVersion)
		if err != nil || gv.Group != clusterv1.GroupVersion.Group {
			continue
		}
		owner, err := l.named(ctx, config, ref)
		if client.IgnoreNotFound(err) != nil {
			return nil, fmt.Errorf("get the owner: %w", err)
		}
		if owner != nil && err == nil {
			return owner, nil
		}
	}
	return nil, nil
}

// named returns what an owner reference names; nil if that is neither a machine nor a pool, or does not name the
// config. A pool that names another config by now keeps the one whose data its machines boot with until then.
func (l *Lookup) named(ctx context.Context, config *v1alpha1.MachineBootstrapConfig,
	ref metav1.OwnerReference,
) (*Owner, error) {
	key := client.ObjectKey{Namespace: config.Namespace, Name: ref.Name}
	switch ref.Kind {
	case machineKind:
		m := &clusterv1.Machine{}
		if err := l.reader.Get(ctx, key, m); err != nil || !refers(m.Spec.Bootstrap.ConfigRef, config) {
			return nil, err
		}
		return ofMachine(m), nil
	case machinePoolKind:
		p := &clusterv1.MachinePool{}
		err := l.reader.Get(ctx, key, p)
		if err != nil || !config.Status.DataSecretCreated() && !refers(p.Spec.Template.Spec.Bootstrap.ConfigRef, config) {
			return nil, err
		}
		return ofPool(p), nil
	default:
		return nil, nil
	}
}

func refers(ref clusterv1.ContractVersionedObjectReference, config *v1alpha1.MachineBootstrapConfig) bool {
	return ref.APIGroup == v1alpha1.Group && ref.Kind == v1alpha1.ConfigKind && ref.Name == config.Name
}

func ofMachine(m *clusterv1.Machine) *Owner {
	_, controlPlane := m.Labels[clusterv1.MachineControlPlaneLabel]
	o := &Owner{Object: m, ClusterName: m.Spec.ClusterName, Facts: bootstrap.Machine{
		Name: m.Name, ControlPlane: controlPlane, Version: m.Spec.Version, Addresses: addresses(m),
		Joined: m.Status.NodeRef.Name != "", Infrastructure: m.Spec.InfrastructureRef.Kind,
	}}
	if m.Spec.Bootstrap.DataSecretName != nil {
		o.DataSecretName = *m.Spec.Bootstrap.DataSecretName
	}
	return o
}

func ofPool(p *clusterv1.MachinePool) *Owner {
	_, controlPlane := p.Labels[clusterv1.MachineControlPlaneLabel]
	replicas := 1
	if p.Spec.Replicas != nil {
		replicas = int(*p.Spec.Replicas)
	}
	o := &Owner{Object: p, ClusterName: p.Spec.ClusterName, Facts: bootstrap.Machine{
		Name: p.Name, Pool: true, ControlPlane: controlPlane, Version: p.Spec.Template.Spec.Version,
		Joined: len(p.Status.NodeRefs) >= replicas, Infrastructure: p.Spec.Template.Spec.InfrastructureRef.Kind,
	}}
	if name := p.Spec.Template.Spec.Bootstrap.DataSecretName; name != nil {
		o.DataSecretName = *name
	}
	return o
}

// Cluster returns the cluster, nil if it is not there.
func (l *Lookup) Cluster(ctx context.Context, key client.ObjectKey) (*clusterv1.Cluster, error) {
	c := &clusterv1.Cluster{}
	err := l.reader.Get(ctx, key, c)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("get cluster %s: %w", key, err)
	}
	return c, nil
}

// Facts returns what is known of the cluster.
func (l *Lookup) Facts(ctx context.Context, c *clusterv1.Cluster) (bootstrap.Cluster, error) {
	f := bootstrap.Cluster{
		Key: ports.Key{Namespace: c.Namespace, Name: c.Name},
		Network: node.Cluster{
			Name: c.Name, PodSubnets: c.Spec.ClusterNetwork.Pods.CIDRBlocks,
			ServiceSubnets: c.Spec.ClusterNetwork.Services.CIDRBlocks,
			DNSDomain:      c.Spec.ClusterNetwork.ServiceDomain,
		},
		InfrastructureReady: c.Status.Initialization.InfrastructureProvisioned != nil &&
			*c.Status.Initialization.InfrastructureProvisioned,
		Initialized: conditions.IsTrue(c, clusterv1.ClusterControlPlaneInitializedCondition),
		StandAlone:  !c.Spec.ControlPlaneRef.IsDefined(),
	}
	if c.Spec.ControlPlaneEndpoint.IsValid() {
		f.Network.Endpoint = c.Spec.ControlPlaneEndpoint.String()
	}
	machines, err := l.controlPlane(ctx, c)
	if err != nil {
		return f, err
	}
	evidence, err := l.evidence(ctx, c, machines)
	f.ControlPlane, f.Addresses, f.OldestVersion = bootstrap.DetectControlPlane(evidence), addressesOf(machines),
		oldestVersion(machines)
	return f, err
}
