package hosts

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/host"
)

// announce emits an event for a new reason of the condition Ready.
func announce(r events.EventRecorder, o client.Object, before, after []metav1.Condition, warning bool) {
	was := meta.FindStatusCondition(before, host.ConditionReady)
	now := meta.FindStatusCondition(after, host.ConditionReady)
	if now == nil || (was != nil && was.Reason == now.Reason) {
		return
	}
	kind := corev1.EventTypeNormal
	if warning {
		kind = corev1.EventTypeWarning
	}
	note := now.Message
	if note == "" {
		note = "the condition Ready is now " + string(now.Status)
	}
	r.Eventf(o, nil, kind, now.Reason, "Reconcile", "%s", kube.Note(note))
}
