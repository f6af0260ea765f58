package controlplane

import (
	"context"
	"errors"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util"
	"sigs.k8s.io/cluster-api/util/annotations"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Read returns the control plane. It reads from the cache.
func (s *Store) Read(ctx context.Context, key ports.Key) (ports.ControlPlane, error) {
	o, err := s.get(ctx, key)
	if err != nil {
		return ports.ControlPlane{}, err
	}
	c := ports.ControlPlane{Key: key, Revision: o.ResourceVersion}
	cluster, err := util.GetOwnerCluster(ctx, s.Client, o.ObjectMeta)
	if client.IgnoreNotFound(err) != nil {
		return c, fmt.Errorf("get the Cluster of %s: %w", key, err)
	}
	if cluster == nil || !refersTo(cluster, o) {
		// Cluster API adds the owner reference as soon as a Cluster refers to the control plane.
		c.Desired.Unclaimed = true
		c.Desired.Deleting, c.Desired.Paused = !o.DeletionTimestamp.IsZero(), annotations.HasPaused(o)
		if cluster != nil {
			c.Findings = append(c.Findings, report.Errorf("metadata.ownerReferences",
				"the Cluster %s does not refer to this control plane", cluster.Name).
				To("set spec.controlPlaneRef of the Cluster, or remove the owner reference"))
		}
		return c, nil
	}
	all, err := s.machinesOf(ctx, cluster)
	if err != nil {
		return c, err
	}
	own, findings := sortOut(o, all.controlPlane)
	if err := s.convert(ctx, o, &c, own); err != nil {
		return c, err
	}
	c.Findings = append(c.Findings, findings...)
	readCluster(o, cluster, &c)
	if len(own) > 0 {
		c.Desired.Held = held(cluster, c.Desired.Template.Version)
	}
	c.Observed.Workers = all.workers
	c.Observed.ForeignMachines = len(own) < len(all.controlPlane)
	return c, s.readMachines(ctx, o, &c, own)
}

// refersTo reports whether the Cluster names the control plane. An owner reference alone proves nothing: users who
// write control planes can set any, and a control plane creates machines that receive the keys of its cluster.
func refersTo(cluster *clusterv1.Cluster, o *v1alpha1.MachineadmControlPlane) bool {
	ref := cluster.Spec.ControlPlaneRef
	return ref.APIGroup == v1alpha1.Group && ref.Kind == v1alpha1.Kind && ref.Name == o.Name
}

// clusterMachines are the Machines of a cluster, and the number of those and of pools that are workers.
type clusterMachines struct {
	controlPlane []*clusterv1.Machine
	workers      int
}

func (s *Store) machinesOf(ctx context.Context, cluster *clusterv1.Cluster) (clusterMachines, error) {
	selected := []client.ListOption{
		client.InNamespace(cluster.Namespace), client.MatchingLabels{clusterv1.ClusterNameLabel: cluster.Name},
	}
	var machines clusterv1.MachineList
	if err := s.Client.List(ctx, &machines, selected...); err != nil {
		return clusterMachines{}, fmt.Errorf("list the Machines of Cluster %s: %w", cluster.Name, err)
	}
	var pools clusterv1.MachinePoolList
	if err := s.Client.List(ctx, &pools, selected...); err != nil {
		return clusterMachines{}, fmt.Errorf("list the MachinePools of Cluster %s: %w", cluster.Name, err)
	}
	found := clusterMachines{workers: len(pools.Items)}
	for i := range machines.Items {
		if m := &machines.Items[i]; util.IsControlPlaneMachine(m) {
			found.controlPlane = append(found.controlPlane, m)
		} else {
			found.workers++
		}
	}
	return found, nil
}

// sortOut returns the Machines of the control plane. A Machine without a controller is adopted. One of another
// controller is a mistake: two controllers would start two clusters.
func sortOut(o *v1alpha1.MachineadmControlPlane, machines []*clusterv1.Machine) ([]*clusterv1.Machine, report.Report) {
	var own []*clusterv1.Machine
	var found report.Report
	for _, m := range machines {
		switch owner := metav1.GetControllerOf(m); {
		case owner == nil && adoptable(m), owner != nil && owner.UID == o.UID:
			own = append(own, m)
		case owner == nil:
			found = append(found, report.Errorf("spec", "the control plane Machine %s has a %s and cannot be adopted", m.Name,
				m.Spec.Bootstrap.ConfigRef.Kind).To("delete the Machine, or remove its label %s",
				clusterv1.MachineControlPlaneLabel))
		case owner.Kind == kubeadmControlPlane:
			found = append(found, report.Errorf("spec", "the control plane Machine %s belongs to %s %s", m.Name, owner.Kind,
				owner.Name).To("delete that with --cascade=orphan, as docs/guides/adopt.md describes, or use it alone"))
		default:
			found = append(found, report.Errorf("spec", "the control plane Machine %s belongs to %s %s", m.Name, owner.Kind,
				owner.Name).To("use one control plane per Cluster"))
		}
	}
	slices.SortFunc(own, kube.OldestFirst)
	return own, found
}

// convert converts the object.
func (s *Store) convert(ctx context.Context, o *v1alpha1.MachineadmControlPlane, c *ports.ControlPlane,
	machines []*clusterv1.Machine,
) error {
	var versions []string
	for _, m := range machines {
		if !m.DeletionTimestamp.IsZero() {
			continue
		}
		version := m.Spec.Version
		if !hasJoined(m) {
			version = ""
		}
		versions = append(versions, version)
	}
	converted, err := convert.ConvertControlPlane(ctx, o, versions, s.Resolver(o.Namespace), s.Profiles...)
	if err != nil {
		return err
	}
	c.Desired, c.Config, c.Addons = converted.Desired, converted.Config, converted.Addons
	c.Findings, c.Snapshots = converted.Findings, converted.Snapshots
	c.Observed.Remediated = readRetry(o.Annotations[v1alpha1.RemediationInProgressAnnotation])
	return nil
}

// readCluster adds what the Cluster determines.
func readCluster(o *v1alpha1.MachineadmControlPlane, cluster *clusterv1.Cluster, c *ports.ControlPlane) {
	c.ClusterName = cluster.Name
	c.Network = kube.Network(cluster)
	c.Observed.EndpointKnown = c.Network.Endpoint != ""
	c.Observed.InfrastructureReady = kube.IsProvisioned(cluster)
	// The status of the Cluster survives if that of the control plane is lost, and the other way round. A Cluster without
	// a control plane object has only the condition.
	c.Observed.Initialized = o.Status.Initialized() ||
		ptr.Deref(cluster.Status.Initialization.ControlPlaneInitialized, false) ||
		conditions.IsTrue(cluster, clusterv1.ClusterControlPlaneInitializedCondition)
	c.Desired.Paused = annotations.IsPaused(cluster, o)
	for _, d := range cluster.Status.FailureDomains {
		if ptr.Deref(d.ControlPlane, false) {
			c.Desired.FailureDomains = append(c.Desired.FailureDomains, d.Name)
		}
	}
	slices.Sort(c.Desired.FailureDomains)
}

// held returns why machines must not be created or replaced: the topology controller is about to change the version,
// and a machine of the old version would be replaced at once. The topology controller itself waits for the first
// machine, so nothing is held before that one exists.
func held(cluster *clusterv1.Cluster, version string) string {
	if !cluster.Spec.Topology.IsDefined() || cluster.Spec.Topology.Version == version {
		return ""
	}
	next := cluster.Spec.Topology.Version
	if step := cluster.Annotations[clusterv1.ClusterTopologyUpgradeStepAnnotation]; step != "" {
		next = step
	}
	if next == version {
		return ""
	}
	return "the topology of the Cluster is about to change the version to " + next
}

// readMachines adds the machines. A kind of infrastructure machines that is not listed, or whose definition cannot be
// used, is a finding: the etcd members of these machines count nevertheless, and the status must show the reason.
func (s *Store) readMachines(ctx context.Context, o *v1alpha1.MachineadmControlPlane, c *ports.ControlPlane,
	machines []*clusterv1.Machine,
) error {
	content, err := s.content(ctx, o)
	if err != nil {
		return err
	}
	c.Desired.Template.Content = content.desired()
	for _, m := range machines {
		read, err := s.readMachine(ctx, m, content)
		if err != nil {
			return err
		}
		read.Template.Infrastructure, err = s.clonedFrom(ctx, m)
		switch {
		case errors.Is(err, errNotListed), errors.Is(err, errUnusableKind):
			c.Findings = append(c.Findings, report.Errorf("spec.machineTemplate.spec.infrastructureRef", "%v", err))
		case err != nil:
			return err
		}
		c.Observed.Machines = append(c.Observed.Machines, read)
	}
	return nil
}

// names returns the names of machines.
func names(machines []controlplane.Machine) []string {
	found := make([]string, 0, len(machines))
	for _, m := range machines {
		found = append(found, m.Name)
	}
	slices.Sort(found)
	return found
}
