package budget_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/machineadm/machineadm/domain/budget"
)

func TestSpend(t *testing.T) {
	b := budget.New(budget.Limits{Content: 10, Nodes: 3, Output: 5})
	if err := b.Spend(budget.Content, 10); err != nil {
		t.Errorf("the whole limit is refused: %v", err)
	}
	var exceeded *budget.ExceededError
	if err := b.Spend(budget.Content, 1); !errors.As(err, &exceeded) || exceeded.Resource != budget.Content ||
		exceeded.Limit != 10 {
		t.Errorf("one byte too many: %v", err)
	}
	if err := b.Spend(budget.Content, 0); err == nil {
		t.Error("an exceeded budget serves again")
	}
	if err := b.Spend(budget.Nodes, 3); err != nil || b.Left(budget.Nodes) != 0 {
		t.Errorf("the resources share a counter: %v, %d left", err, b.Left(budget.Nodes))
	}
	if err := b.Spend(budget.Output, -7); err != nil || b.Left(budget.Output) != 5 {
		t.Errorf("a negative amount changes the budget: %v, %d left", err, b.Left(budget.Output))
	}
	for range 3 {
		if err := b.Spend(budget.Output, math.MaxInt); err == nil {
			t.Error("the counter overflows")
		}
	}
}

func TestFromContext(t *testing.T) {
	b := budget.New(budget.Limits{Content: 1})
	if got := budget.FromContext(budget.NewContext(t.Context(), b)); got != b {
		t.Error("the context carries another budget")
	}
	if got := budget.FromContext(context.Background()); got.Left(budget.Content) != budget.Default().Content {
		t.Errorf("a context without a budget has %d bytes left", got.Left(budget.Content))
	}
}
