package hosts

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// maxUnavailableMessage is the limit of spec.unavailable.message in bytes.
const maxUnavailableMessage = 1024

// hostStore implements ports.HostWriter.
type hostStore struct {
	store
	clock    ports.Clock
	recorder events.EventRecorder
}

var _ ports.HostWriter = hostStore{}

// SetClaim writes the claim and the finalizer in one patch.
func (s hostStore) SetClaim(ctx context.Context, e ports.HostEntry, claim host.Claim) error {
	o := &v1alpha1.Host{}
	return s.change(ctx, e.Key(), e.Version, o, func() { writeClaim(o, claim) })
}

// MarkUnavailable sets spec.unavailable and removes the claim in one patch.
func (s hostStore) MarkUnavailable(ctx context.Context, e ports.HostEntry, reason host.Reason, message string) error {
	o := &v1alpha1.Host{}
	return s.change(ctx, e.Key(), e.Version, o, func() {
		writeClaim(o, host.Claim{})
		o.Spec.Unavailable = &v1alpha1.HostUnavailable{
			Reason: string(reason), Message: report.Cut(message, maxUnavailableMessage), Since: metav1.NewTime(s.clock.Now()),
		}
	})
}

// SetHostKey writes the first key of the host.
func (s hostStore) SetHostKey(ctx context.Context, e ports.HostEntry, key string) error {
	o := &v1alpha1.Host{}
	return s.change(ctx, e.Key(), e.Version, o, func() { o.Spec.HostKeys = []string{key} })
}

// writeClaim sets or removes the claim, and the finalizer with it.
func writeClaim(o *v1alpha1.Host, claim host.Claim) {
	if claim.IsZero() {
		o.Spec.Claim = nil
		controllerutil.RemoveFinalizer(o, v1alpha1.HostFinalizer)
		return
	}
	o.Spec.Claim = &v1alpha1.HostClaim{ID: claim.ID, MachineName: claim.Machine}
	controllerutil.AddFinalizer(o, v1alpha1.HostFinalizer)
}

// SetStatus writes the status, and emits an event if the reason of the condition Ready has changed. The result of a
// probe belongs to the Host that was probed.
func (s hostStore) SetStatus(ctx context.Context, e ports.HostEntry, status ports.HostStatus) error {
	o, changed := &v1alpha1.Host{}, false
	before, err := s.changeStatus(ctx, e.Key(), o, func() {
		if changed = !status.ProbedAt.IsZero() && o.ResourceVersion != e.Version; !changed {
			writeHostStatus(o, status)
		}
	})
	if changed {
		return ports.ErrConflict
	}
	if was, written := before.(*v1alpha1.Host); written && err == nil {
		warning := o.Status.State == string(host.StateUnavailable) || status.MachineMissing
		announce(s.recorder, o, was.Status.Conditions, o.Status.Conditions, warning)
	}
	return err
}

// writeHostStatus sets the state, the conditions and what the host reports. The spec takes precedence.
func writeHostStatus(o *v1alpha1.Host, status ports.HostStatus) {
	state, reason := status.Host.State()
	ready := metav1.Condition{
		Type: host.ConditionReady, Status: metav1.ConditionFalse, Reason: string(reason), Message: status.Message,
	}
	if state == host.StateAvailable || state == host.StateClaimed {
		ready.Status = metav1.ConditionTrue
	}
	if status.MachineMissing {
		ready.Status, ready.Reason = metav1.ConditionFalse, string(host.ReasonMachineMissing)
	}
	o.Status.State, o.Status.ObservedGeneration = string(state), o.Generation
	setCondition(&o.Status.Conditions, o.Generation, ready)
	if !status.ProbedAt.IsZero() {
		writeProbe(o, status)
	}
	if p := status.Properties; p != nil {
		o.Status.Architecture, o.Status.OSImage, o.Status.Agent = p.Architecture, p.OSImage, p.Agent
		o.Status.Capacity = v1alpha1.NewCapacity(capacity(*p))
	}
	if o.Spec.Architecture != "" {
		o.Status.Architecture = o.Spec.Architecture
	}
	if list := o.Spec.Capacity.ResourceList(); list != nil {
		o.Status.Capacity = v1alpha1.NewCapacity(list)
	}
}

// writeProbe sets the condition Reachable. Its generation is the one of the spec that was probed.
func writeProbe(o *v1alpha1.Host, status ports.HostStatus) {
	c := metav1.Condition{Type: conditionReachable, Status: metav1.ConditionTrue, Reason: string(host.ReasonAvailable)}
	if status.Host.Probe != "" {
		c.Status, c.Reason = metav1.ConditionFalse, string(status.Host.Probe.Reason())
		c.Message = status.Message
	}
	setCondition(&o.Status.Conditions, o.Generation, c)
	o.Status.LastProbeTime = metav1.NewTime(status.ProbedAt)
}

// storageUnit is the unit of the free space in the capacity. The exact number of bytes differs in each probe.
const storageUnit = 1 << 30

// capacity returns what the host reports, in the resources of a Node.
func capacity(p ports.HostProbe) corev1.ResourceList {
	list := corev1.ResourceList{}
	for name, value := range map[corev1.ResourceName]int64{
		corev1.ResourceCPU: int64(p.CPUs), corev1.ResourceMemory: p.MemoryBytes,
		corev1.ResourceEphemeralStorage: p.DiskFreeBytes / storageUnit * storageUnit,
	} {
		if value > 0 {
			list[name] = *resource.NewQuantity(value, resource.BinarySI)
		}
	}
	return list
}
