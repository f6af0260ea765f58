package pluginresources_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/budget"
)

// TestExpensivePluginsWaitForASlot verifies that a large plugin is requeued while another object has the only slot.
func TestExpensivePluginsWaitForASlot(t *testing.T) {
	w := newWorld(t, plugin(func(p *v1alpha1.TimeSyncConfig) {
		p.Spec.Servers = []string{strings.Repeat("a",
			budget.FreeOwn)}
	}))
	w.Pool = budget.NewPool(1)
	other := w.Pool.New(budget.Default(), "default")
	if err := other.Weigh(budget.FreeOwn + 1); err != nil {
		t.Fatal(err)
	}
	key := types.NamespacedName{Namespace: "default", Name: "site"}
	result, err := w.Reconcile(t.Context(), ctrl.Request{NamespacedName: key})
	if p := w.reconcile(); err != nil || result.RequeueAfter == 0 || len(p.Status.Conditions) > 0 {
		t.Errorf("without a slot: %v, %v, %v", result, err, p.Status.Conditions)
	}
	other.Release()
	if p := w.reconcile(); len(p.Status.Conditions) == 0 {
		t.Error("with a slot nothing is reported")
	}
}
