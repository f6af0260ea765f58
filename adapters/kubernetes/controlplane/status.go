package controlplane

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apilabels "k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// SetStatus writes the conditions of the Machines and the status of the control plane. The status never loses the
// initialization.
func (s *Store) SetStatus(ctx context.Context, c ports.ControlPlane, status ports.ControlPlaneStatus) error {
	o, err := s.get(ctx, c.Key)
	if err != nil {
		return err
	}
	s.Metrics.count(status)
	s.announceOperation(o, status)
	if status.Interim && !outdated(o) {
		return nil
	}
	machines, err := s.setMachines(ctx, c, status)
	if err != nil {
		return err
	}
	before := o.DeepCopy()
	writeStatus(o, state{ControlPlane: c, ControlPlaneStatus: status, machines: machines}, s.Clock.Now())
	if written, err := s.patchStatus(ctx, before, o); !written || err != nil {
		return err
	}
	s.announceConditions(before, o)
	return s.seenVersion(ctx, o, o.ResourceVersion)
}

// patchStatus writes the status if it has changed, and reports whether it did.
func (s *Store) patchStatus(ctx context.Context, before, o *v1alpha1.MachineadmControlPlane) (written bool, err error) {
	if equality.Semantic.DeepEqual(before.Status, o.Status) {
		return false, nil
	}
	err = s.Client.Status().Patch(ctx, o, client.MergeFrom(before))
	if apierrors.IsNotFound(err) {
		return false, ports.ErrNoControlPlane
	}
	if err != nil {
		return false, fmt.Errorf("patch the status of the control plane: %w", err)
	}
	return true, nil
}

// outdated reports whether the status claims that nothing is to be done, or is that of an earlier specification. Who
// changes something and waits for UpToDate must not find the status before the change.
func outdated(o *v1alpha1.MachineadmControlPlane) bool {
	next := o.Status.NextOperation
	return next == nil || next.Reason == string(controlplane.CodeUpToDate) || o.Status.ObservedGeneration != o.Generation
}

// state is what a status is written from.
type state struct {
	ports.ControlPlane
	ports.ControlPlaneStatus
	// machines are the Machines, with the conditions that the controller sets.
	machines []*clusterv1.Machine
}

// observed returns the observation with what the workload cluster reports.
func (s state) observed() controlplane.Observed { return s.ControlPlaneStatus.Observed }

// writeStatus sets the status.
func writeStatus(o *v1alpha1.MachineadmControlPlane, r state, now time.Time) {
	s := &o.Status
	s.ObservedGeneration = o.Generation
	setPaused(o, r.Desired.Paused)
	if r.Desired.Paused {
		return
	}
	if r.ClusterName != "" {
		s.Selector = selector(r.ClusterName)
	}
	if r.observed().Initialized {
		s.Initialization.ControlPlaneInitialized = ptr.To(true)
	}
	s.NextOperation = &v1alpha1.NextOperationStatus{
		Operation: string(r.Operation.Kind), Machine: r.Operation.Machine, Reason: string(r.Reason.Code),
		Message: message(r.ControlPlaneStatus),
	}
	writeCounters(s, r.machines)
	s.Versions = versions(r.machines)
	s.Version = ""
	if len(s.Versions) > 0 {
		s.Version = s.Versions[0].Version
	}
	if retry := lastRemediation(r.observed()); retry != nil {
		s.LastRemediation = &v1alpha1.LastRemediationStatus{
			Machine: retry.Machine, RetryCount: ptr.To(int32(retry.Count)), //nolint:gosec // a small number
		}
		s.LastRemediation.Time.Time = retry.At
	}
	writeConditions(o, r, now)
}

// message returns the message of the reason, and why the operation failed.
func message(r ports.ControlPlaneStatus) string {
	if r.Failure == "" {
		return r.Reason.Message
	}
	return strings.TrimPrefix(r.Reason.Message+"; the operation failed: "+r.Failure, "; ")
}

// selector returns the label selector of the Machines.
func selector(cluster string) string {
	return apilabels.SelectorFromSet(apilabels.Set{
		clusterv1.ClusterNameLabel: cluster, clusterv1.MachineControlPlaneLabel: "",
	}).String()
}

// writeCounters counts the Machines by their conditions.
func writeCounters(s *v1alpha1.MachineadmControlPlaneStatus, machines []*clusterv1.Machine) {
	count := func(condition string) *int32 {
		n := int32(0)
		for _, m := range machines {
			if conditions.IsTrue(m, condition) {
				n++
			}
		}
		return &n
	}
	s.Replicas = ptr.To(int32(len(machines))) //nolint:gosec // a small number
	s.ReadyReplicas = count(clusterv1.MachineReadyCondition)
	s.AvailableReplicas = count(clusterv1.MachineAvailableCondition)
	s.UpToDateReplicas = count(clusterv1.MachineUpToDateCondition)
}

// versions returns the versions of the Machines from old to new, as Cluster API requires. The version of kubelet takes
// precedence: it is older until an upgrade in place is complete.
func versions(machines []*clusterv1.Machine) []clusterv1.StatusVersion {
	count := map[string]int32{}
	for _, m := range machines {
		v := m.Spec.Version
		if info := m.Status.NodeInfo; info != nil && info.KubeletVersion != "" {
			v = info.KubeletVersion
		}
		if v != "" {
			count[v]++
		}
	}
	var found []clusterv1.StatusVersion
	for v, n := range count {
		found = append(found, clusterv1.StatusVersion{Version: v, Replicas: n})
	}
	slices.SortFunc(found, func(a, b clusterv1.StatusVersion) int { return compareVersions(a.Version, b.Version) })
	return found
}

// compareVersions compares by precedence, and versions of equal precedence by their text.
func compareVersions(a, b string) int {
	one, errOne := version.ParseSemantic(a)
	other, errOther := version.ParseSemantic(b)
	switch {
	case errOne != nil || errOther != nil:
		return strings.Compare(a, b)
	case one.LessThan(other):
		return -1
	case other.LessThan(one):
		return 1
	default:
		return strings.Compare(a, b)
	}
}

// lastRemediation returns the newest remediation, or nil if there was none: the control plane records it until the
// replacement is created, which has the record from then on.
func lastRemediation(o controlplane.Observed) *controlplane.Retry {
	last := o.Remediated
	for _, m := range o.Machines {
		if m.Replaces != nil && (last == nil || m.Replaces.At.After(last.At)) {
			last = m.Replaces
		}
	}
	return last
}
