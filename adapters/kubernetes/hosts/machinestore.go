package hosts

import (
	"context"
	"net/netip"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// maxMessage is the limit of status.failureMessage in bytes.
const maxMessage = 10240

// machineStore implements ports.HostMachineWriter.
type machineStore struct {
	store
	recorder events.EventRecorder
}

var _ ports.HostMachineWriter = machineStore{}

// SetFinalizer adds or removes the finalizer.
func (s machineStore) SetFinalizer(ctx context.Context, m ports.HostMachine, present bool) error {
	o := &v1alpha1.HostMachine{}
	return s.change(ctx, m.Key, m.Version, o, func() {
		if present {
			controllerutil.AddFinalizer(o, v1alpha1.MachineFinalizer)
		} else {
			controllerutil.RemoveFinalizer(o, v1alpha1.MachineFinalizer)
		}
	})
}

// SetClaim writes the claim.
func (s machineStore) SetClaim(ctx context.Context, m ports.HostMachine, claim host.Claim, sentAt time.Time) error {
	o := &v1alpha1.HostMachine{}
	return s.change(ctx, m.Key, m.Version, o, func() {
		o.Spec.Claim = nil
		if claim.IsZero() {
			return
		}
		o.Spec.Claim = &v1alpha1.MachineClaim{ID: claim.ID, HostName: claim.Host}
		if !sentAt.IsZero() {
			o.Spec.Claim.SentAt = metav1.NewTime(sentAt)
		}
	})
}

// SetProviderID writes the provider ID.
func (s machineStore) SetProviderID(ctx context.Context, m ports.HostMachine) error {
	o := &v1alpha1.HostMachine{}
	return s.change(ctx, m.Key, m.Version, o, func() { o.Spec.ProviderID = m.ProviderID })
}

// SetStatus writes the status, and emits an event if the reason of the condition Ready has changed.
func (s machineStore) SetStatus(ctx context.Context, m ports.HostMachine, status ports.HostMachineStatus) error {
	if status.Polled && s.reported(ctx, m, status) {
		return nil
	}
	o := &v1alpha1.HostMachine{}
	before, err := s.changeStatus(ctx, m.Key, o, func() { writeMachineStatus(o, m, status) })
	if was, changed := before.(*v1alpha1.HostMachine); changed && err == nil {
		unreachable := meta.IsStatusConditionFalse(o.Status.Conditions, host.ConditionHostReachable)
		announce(s.recorder, o, was.Status.Conditions, o.Status.Conditions, o.Status.FailureReason != nil || unreachable)
	}
	return err
}

// reported returns whether the object of the cache has the status.
func (s machineStore) reported(ctx context.Context, m ports.HostMachine, status ports.HostMachineStatus) bool {
	o := &v1alpha1.HostMachine{}
	if err := s.client.Get(ctx, client.ObjectKey(m.Key), o); err != nil {
		return false
	}
	before := o.DeepCopy()
	writeMachineStatus(o, m, status)
	return equality.Semantic.DeepEqual(before, o)
}

// writeMachineStatus sets the status for readers of both contract versions.
func writeMachineStatus(o *v1alpha1.HostMachine, m ports.HostMachine, status ports.HostMachineStatus) {
	o.Status.ObservedGeneration = o.Generation
	setPaused(&o.Status.Conditions, o.Generation, m.Paused)
	for _, c := range status.Conditions {
		if c.Type == host.ConditionHostReachable {
			separateFaults(o.Status.Conditions, c)
		}
		setCondition(&o.Status.Conditions, o.Generation, metav1.Condition{
			Type: c.Type, Status: metav1.ConditionStatus(c.Status), Reason: string(c.Reason), Message: c.Message,
		})
	}
	if status.Provisioned {
		o.Status.Initialization.Provisioned, o.Status.Ready = ptr.To(true), true
	}
	if status.Failed != "" {
		o.Status.FailureReason = ptr.To(string(status.Failed))
		o.Status.FailureMessage = ptr.To(report.Cut(status.FailureMessage, maxMessage))
	}
	if status.Observation != nil {
		o.Status.Addresses = addresses(*status.Observation)
		o.Status.FailureDomain = status.FailureDomain
	}
}

// separateFaults makes a condition with another reason a transition: its time is that of the first occurrence of a
// fault, and a fault has a deadline of its own.
func separateFaults(conditions []metav1.Condition, c host.Condition) {
	if was := meta.FindStatusCondition(conditions, c.Type); was != nil && was.Reason != string(c.Reason) {
		was.Status = metav1.ConditionUnknown
	}
}

// addresses returns the addresses of a host: first its IP addresses, then its name. A host chooses neither their type
// nor their form.
func addresses(o ports.HostObservation) []clusterv1.MachineAddress {
	var found []clusterv1.MachineAddress
	for _, text := range o.Addresses {
		if a, err := netip.ParseAddr(text); err == nil && a.Zone() == "" {
			found = append(found, clusterv1.MachineAddress{Type: clusterv1.MachineInternalIP, Address: a.String()})
		}
	}
	if o.Hostname != "" {
		found = append(found, clusterv1.MachineAddress{Type: clusterv1.MachineHostName, Address: o.Hostname})
	}
	return found
}
