package controller_test

import (
	"context"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/budget"
)

type resolve func(context.Context) ([]byte, error)

func (r resolve) Resolve(ctx context.Context, _ convert.Reference) ([]byte, error) { return r(ctx) }

// TestOneBudgetPerReconcile has two references draw from one budget, and those of the next attempt from another one.
func TestOneBudgetPerReconcile(t *testing.T) {
	w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
		from := &v1alpha1.ContentSource{Secret: &v1alpha1.KeyReference{Name: "s", Key: "k"}}
		c.Spec.Machine = &v1alpha1.MachineSpec{Files: []v1alpha1.FileSpec{{Path: "/a", ContentFrom: from}, {Path: "/b", ContentFrom: from}}}
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
