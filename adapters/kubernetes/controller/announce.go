package controller

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/report"
)

// maxNote bounds an event's note (events.k8s.io/v1 allows 1 kB).
const maxNote = 1000

// announce makes an event if something has happened. Waiting is no event.
func (r *Reconciler) announce(before, after *v1alpha1.MachineBootstrapConfig, o bootstrap.Outcome) {
	switch o := o.(type) {
	case bootstrap.Ready:
		r.announceStart(before, after)
		switch {
		case o.Created:
			r.Recorder.Eventf(after, nil, corev1.EventTypeNormal, "BootstrapDataCreated", "Publish",
				"Secret %s holds %d bytes of %s", o.Name, o.Payload.Data.Len(), o.Payload.Format)
		case o.Rotated:
			r.Recorder.Eventf(after, nil, corev1.EventTypeNormal, "BootstrapTokenRotated", "Rotate",
				"Secret %s holds a new token", o.Name)
		case o.Renewed:
			r.Recorder.Eventf(after, nil, corev1.EventTypeNormal, "BootstrapAddressRenewed", "Renew",
				"Secret %s holds a new address", o.Name)
		}
	case bootstrap.Stalled:
		if changed(before, after, ConditionData) {
			r.Recorder.Eventf(after, nil, corev1.EventTypeWarning, string(o.Reason), "Produce", "%s",
				report.Cut(o.Message, maxNote))
		}
	case bootstrap.Waiting:
	}
	r.announceMaintained(before, after, o)
}

// announceMaintained tells why data that is published cannot be looked after.
func (r *Reconciler) announceMaintained(before, after *v1alpha1.MachineBootstrapConfig, o bootstrap.Outcome) {
	if ready, ok := o.(bootstrap.Ready); ok {
		if _, waits := ready.Held.(bootstrap.Waiting); waits {
			return
		}
	}
	is := meta.FindStatusCondition(after.Status.Conditions, ConditionMaintained)
	if is != nil && is.Status == metav1.ConditionFalse && changed(before, after, ConditionMaintained) {
		r.Recorder.Eventf(after, nil, corev1.EventTypeWarning, is.Reason, "Maintain", "%s", report.Cut(is.Message, maxNote))
	}
}

// announceStart tells that somebody has to start the cluster, and that it is up.
func (r *Reconciler) announceStart(before, after *v1alpha1.MachineBootstrapConfig) {
	is := meta.FindStatusCondition(after.Status.Conditions, ConditionStarted)
	was := meta.FindStatusCondition(before.Status.Conditions, ConditionStarted)
	switch {
	case is == nil || (was != nil && was.Reason == is.Reason && was.Message == is.Message):
	case is.Status != metav1.ConditionTrue:
		r.Recorder.Eventf(after, nil, corev1.EventTypeNormal, is.Reason, "Start", "%s", report.Cut(is.Message, maxNote))
	case was != nil:
		r.Recorder.Eventf(after, nil, corev1.EventTypeNormal, "ControlPlaneStarted", "Start", "the control plane is up")
	}
}

// changed reports whether the condition says something new.
func changed(before, after *v1alpha1.MachineBootstrapConfig, condition string) bool {
	was := meta.FindStatusCondition(before.Status.Conditions, condition)
	is := meta.FindStatusCondition(after.Status.Conditions, condition)
	return was == nil || is == nil || was.Reason != is.Reason || was.Message != is.Message
}
