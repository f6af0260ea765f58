package controller_test

import (
	"context"
	"strings"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/budget"
)

type resolve func(context.Context) ([]byte, error)

func (r resolve) Resolve(ctx context.Context, _ convert.Reference) ([]byte, error) { return r(ctx) }

// TestOneBudgetPerReconcile verifies that two references draw from one budget, and that the next attempt has a new one.
func TestOneBudgetPerReconcile(t *testing.T) {
	w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
		from := &v1alpha1.ContentSource{Secret: &v1alpha1.KeyReference{Name: "s", Key: "k"}}
		c.Spec.Machine = &v1alpha1.MachineSpec{Files: []v1alpha1.FileSpec{
			{Path: "/a", ContentFrom: from},
			{Path: "/b", ContentFrom: from},
		}}
	})
	var seen []*budget.Budget
	w.Resolver = func(string) convert.Resolver {
		return resolve(func(ctx context.Context) ([]byte, error) {
			seen = append(seen, budget.FromContext(ctx))
			return nil, convert.ErrNotFound
		})
	}
	w.reconcile()
	w.reconcile()
	if len(seen) != 4 || seen[0] != seen[1] || seen[2] != seen[3] || seen[0] == seen[2] {
		t.Errorf("budgets %p", seen)
	}
}

// TestExpensiveConfigsWaitForASlot verifies that an expensive config is requeued without a condition while another
// object has the only slot. A config is expensive if it is large or draws more than the free share.
func TestExpensiveConfigsWaitForASlot(t *testing.T) {
	from := &v1alpha1.ContentSource{Secret: &v1alpha1.KeyReference{Name: "s", Key: "k"}}
	for name, file := range map[string]v1alpha1.FileSpec{
		"reference": {Path: "/a", ContentFrom: from},
		"own size":  {Path: "/a", Content: strings.Repeat("x", budget.FreeOwn)},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
				c.Spec.Machine = &v1alpha1.MachineSpec{Files: []v1alpha1.FileSpec{file}}
			})
			w.Resolver = func(string) convert.Resolver {
				return resolve(func(context.Context) ([]byte, error) { return make([]byte, budget.FreeContent+1), nil })
			}
			w.Pool = budget.NewPool(1)
			other := w.Pool.New(budget.Default(), "default")
			if err := other.Spend(budget.Content, budget.FreeContent+1); err != nil {
				t.Fatal(err)
			}
			key := client.ObjectKey{Namespace: "default", Name: "m1"}
			result, err := w.Reconcile(t.Context(), ctrl.Request{NamespacedName: key})
			if err != nil || result.RequeueAfter == 0 {
				t.Errorf("without a slot: %v, %v", result, err)
			}
			if c := w.reconcile(); len(c.Status.Conditions) > 0 {
				t.Errorf("without a slot: %v", c.Status.Conditions)
			}
			other.Release()
			if c := w.reconcile(); !c.Status.DataSecretCreated() {
				t.Errorf("with a slot: %v", c.Status.Conditions)
			}
			if err := w.Pool.New(budget.Default(), "default").Weigh(budget.FreeOwn + 1); err != nil {
				t.Errorf("the slot is not returned: %v", err)
			}
		})
	}
}
