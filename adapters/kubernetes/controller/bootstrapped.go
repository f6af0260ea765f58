package controller

import (
	"cmp"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/reports"
)

// ConditionBootstrapped is the condition with the bootstrap result of a machine that reports.
const ConditionBootstrapped = "BootstrapSucceeded"

// evaluateReports returns the bootstrap state of a machine that has its data, or nil if reporting is not configured.
func (r *Reconciler) evaluateReports(s *scope, ready bootstrap.Ready) *reports.Result {
	if ready.Name == "" || s.config.Spec.Reporting == nil {
		return nil
	}
	now := r.Clock.Now()
	e := reports.Observation{
		Joined: s.machine.Joined, Pool: s.machine.Pool, Published: cmp.Or(ready.Published, now),
		Deadline: convert.Reporting(s.config.Spec.Reporting).Deadline, Now: now,
	}
	if b := s.config.Status.Bootstrap; b != nil {
		reported := capi.ReportSummary(b)
		e.Report = &reported
	}
	v := reports.Evaluate(e)
	return &v
}

// setBootstrapped writes the verdict into the conditions. A failed bootstrap sets Ready to false, which Cluster API
// shows on the Machine. Published data stays published.
func setBootstrapped(c *v1alpha1.MachineBootstrapConfig, v *reports.Result) {
	if v != nil {
		setCondition(c, ConditionBootstrapped, conditionStatus(v.Succeeded), string(v.Reason), v.Message)
		if v.Succeeded == reports.StatusFalse {
			setCondition(c, ConditionReady, metav1.ConditionFalse, string(v.Reason), v.Message)
			return
		}
	}
	setCondition(c, ConditionReady, metav1.ConditionTrue, reasonReady, "")
}

func conditionStatus(a reports.ConditionStatus) metav1.ConditionStatus {
	switch a {
	case reports.StatusTrue:
		return metav1.ConditionTrue
	case reports.StatusFalse:
		return metav1.ConditionFalse
	case reports.StatusUnknown:
	}
	return metav1.ConditionUnknown
}

// announceBootstrapped emits one event and counts one result for each verdict.
func (r *Reconciler) announceBootstrapped(before, after *v1alpha1.MachineBootstrapConfig) {
	is := meta.FindStatusCondition(after.Status.Conditions, ConditionBootstrapped)
	was := meta.FindStatusCondition(before.Status.Conditions, ConditionBootstrapped)
	if is == nil || is.Status == metav1.ConditionUnknown || was != nil && was.Status == is.Status &&
		was.Reason == is.Reason {
		return
	}
	r.Metrics.bootstrapped(is.Status == metav1.ConditionTrue, is.Reason)
	if is.Status == metav1.ConditionTrue {
		note := "the machine is bootstrapped (" + is.Reason + ")"
		r.emit(after, corev1.EventTypeNormal, ConditionBootstrapped, "Report", note)
		return
	}
	r.emit(after, corev1.EventTypeWarning, "BootstrapFailed", "Report", is.Reason+": "+is.Message)
}

// earliest returns the shorter of two requeue delays; 0 means never.
func earliest(a time.Duration, v *reports.Result) time.Duration {
	if v == nil || v.Next == 0 {
		return a
	}
	if a == 0 {
		return v.Next
	}
	return min(a, v.Next)
}
