package controller

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/app/bootstrap"
)

// emit emits an event.
func (r *Reconciler) emit(c *v1alpha1.MachineBootstrapConfig, kind, reason, action, note string) {
	r.Recorder.Eventf(c, nil, kind, reason, action, "%s", kube.Note(note))
}

// announce emits the events of a reconciliation. Waiting is not an event.
func (r *Reconciler) announce(before, after *v1alpha1.MachineBootstrapConfig, ready bootstrap.Ready, err error) {
	var stalled bootstrap.StalledError
	if ready.Name != "" {
		r.announceReady(before, after, ready)
	} else if errors.As(err, &stalled) && changed(before, after, ConditionData) {
		r.emit(after, corev1.EventTypeWarning, string(stalled.Reason), "Produce", stalled.Message)
	}
	if ready.Name == "" || !errors.As(err, &bootstrap.WaitingError{}) {
		r.announceMaintained(before, after)
	}
}

// announceReady emits the events of published data. The publication itself is no event: the status has the condition
// DataSecretAvailable, the name of the Secret and the size of the data, and an event would cost each machine a request.
func (r *Reconciler) announceReady(before, after *v1alpha1.MachineBootstrapConfig, ready bootstrap.Ready) {
	r.announceStart(before, after)
	switch {
	case ready.Rotated:
		note := "Secret " + ready.Name + " contains a new token"
		r.emit(after, corev1.EventTypeNormal, "BootstrapTokenRotated", "Rotate", note)
	case ready.Renewed:
		note := "Secret " + ready.Name + " was replaced, and contains the same token"
		r.emit(after, corev1.EventTypeNormal, "BootstrapAddressRenewed", "Renew", note)
	}
}

// announceMaintained emits an event if published data cannot be maintained.
func (r *Reconciler) announceMaintained(before, after *v1alpha1.MachineBootstrapConfig) {
	is := meta.FindStatusCondition(after.Status.Conditions, ConditionMaintained)
	if is != nil && is.Status == metav1.ConditionFalse && changed(before, after, ConditionMaintained) {
		r.emit(after, corev1.EventTypeWarning, is.Reason, "Maintain", is.Message)
	}
}

// announceStart emits an event when an administrator has to start the cluster, and another one when it has started.
func (r *Reconciler) announceStart(before, after *v1alpha1.MachineBootstrapConfig) {
	is := meta.FindStatusCondition(after.Status.Conditions, ConditionStarted)
	switch {
	case is == nil || !changed(before, after, ConditionStarted):
	case is.Status != metav1.ConditionTrue:
		r.emit(after, corev1.EventTypeNormal, is.Reason, "Start", is.Message)
	case meta.FindStatusCondition(before.Status.Conditions, ConditionStarted) != nil:
		r.emit(after, corev1.EventTypeNormal, "ControlPlaneStarted", "Start", "the control plane is up")
	}
}

// changed reports whether the reason or message of the condition has changed.
func changed(before, after *v1alpha1.MachineBootstrapConfig, condition string) bool {
	was := meta.FindStatusCondition(before.Status.Conditions, condition)
	is := meta.FindStatusCondition(after.Status.Conditions, condition)
	return was == nil || is == nil || was.Reason != is.Reason || was.Message != is.Message
}
