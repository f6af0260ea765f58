package budget_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/machineadm/machineadm/domain/budget"
)

// TestPool holds that objects within the free share need no slot, and that expensive ones have one each or none.
func TestPool(t *testing.T) {
	draws := map[string]struct{ free, expensive func(b *budget.Budget) error }{
		"content": {
			func(b *budget.Budget) error { return b.Spend(budget.Content, budget.FreeContent) },
			func(b *budget.Budget) error { return b.Spend(budget.Content, 1) },
		},
		"nodes": {
			func(b *budget.Budget) error { return b.Spend(budget.Nodes, budget.FreeNodes) },
			func(b *budget.Budget) error { return b.Spend(budget.Nodes, 1) },
		},
		"own size": {
			func(b *budget.Budget) error { return b.Weigh(budget.FreeOwn) },
			func(b *budget.Budget) error { return b.Weigh(budget.FreeOwn + 1) },
		},
	}
	for name, d := range draws {
		t.Run(name, func(t *testing.T) {
			pool := budget.NewPool(1)
			first, second := pool.New(budget.Default(), "a"), pool.New(budget.Default(), "a")
			if err := errors.Join(d.free(first), d.free(second), d.expensive(first), d.expensive(first)); err != nil {
				t.Fatal(err)
			}
			if err := d.expensive(second); !errors.Is(err, budget.ErrBusy) || !second.Busy() || first.Busy() {
				t.Errorf("the second: %v", err)
			}
			first.Release()
			if err := d.expensive(second); !errors.Is(err, budget.ErrBusy) {
				t.Errorf("a slot in the middle of an object that was refused one: %v", err)
			}
			second.Release()
			third := pool.New(budget.Default(), "a")
			if err := errors.Join(d.free(third), d.expensive(third)); err != nil {
				t.Errorf("the slot was not returned once: %v", err)
			}
		})
	}
	if err := (*budget.Pool)(nil).New(budget.Default(), "a").Weigh(1 << 30); err != nil {
		t.Errorf("without a pool: %v", err)
	}
}

// TestPoolHoldsWhatFits draws from a hundred budgets at once.
func TestPoolHoldsWhatFits(t *testing.T) {
	const slots = 2
	pool := budget.NewPool(slots)
	var held, admitted atomic.Int64
	var group sync.WaitGroup
	for range 100 {
		group.Go(func() {
			b := pool.New(budget.Default(), "a")
			defer b.Release()
			if b.Spend(budget.Content, 1<<20) != nil {
				return
			}
			admitted.Add(1)
			if held.Add(1) > slots {
				t.Error("more objects are held than there are slots")
			}
			held.Add(-1)
		})
	}
	group.Wait()
	if admitted.Load() < slots {
		t.Errorf("%d of 100 objects were admitted", admitted.Load())
	}
}

// expensive returns a budget of an object that needs a slot, and whether it got one.
func expensive(p *budget.Pool, namespace string) (*budget.Budget, bool) {
	b := p.New(budget.Default(), namespace)
	return b, b.Weigh(budget.FreeOwn+1) == nil
}

// TestNamespacesShareThePool has a tenant with any number of expensive objects, of which each takes a slot as soon as
// another one returns it. An object of another namespace comes again after a while, and must get a slot then.
func TestNamespacesShareThePool(t *testing.T) {
	pool := budget.NewPool(2)
	first, ok := expensive(pool, "flood")
	second, also := expensive(pool, "flood")
	if !ok || !also {
		t.Fatal("a namespace alone gets not all slots")
	}
	if _, got := expensive(pool, "victim"); got {
		t.Fatal("there are more slots than two")
	}
	first.Release()
	for range 100 {
		if _, got := expensive(pool, "flood"); got {
			t.Fatal("the flood takes both slots while another namespace waits")
		}
		second.Release()
		if second, ok = expensive(pool, "flood"); !ok {
			t.Fatal("a slot is not used")
		}
	}
	victim, ok := expensive(pool, "victim")
	if !ok {
		t.Fatal("the object of the other namespace gets no slot")
	}
	victim.Release()
	second.Release()
	if _, got := expensive(pool, "flood"); !got {
		t.Error("the flood gets no slot any more")
	}
	if _, got := expensive(pool, "flood"); !got {
		t.Error("a namespace alone gets only one slot afterwards")
	}
}

// TestDeletedObjectsReserveNothing checks that a namespace gets all slots again if the object of another one does not
// come again.
func TestDeletedObjectsReserveNothing(t *testing.T) {
	pool := budget.NewPool(2)
	first, _ := expensive(pool, "a")
	second, _ := expensive(pool, "a")
	expensive(pool, "deleted")
	second.Release()
	for range 300 {
		first.Release()
		first, _ = expensive(pool, "a")
	}
	if _, got := expensive(pool, "a"); !got {
		t.Error("the second slot stays reserved")
	}
}
