package agent

import (
	"context"
	"fmt"
	"slices"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
)

// settle returns the operation with the facts of this machine filled in.
func (s *Service) settle(ctx context.Context, op action.Operation) (action.Operation, error) {
	values := map[document.Fact]string{}
	for _, f := range action.Facts(op) {
		value, err := s.Facts.Lookup(ctx, f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		if !facts.IsValue(value) {
			return nil, fmt.Errorf("%s: the value %.100q is empty, too long, or contains special characters", f, value)
		}
		values[f] = value
	}
	fill := func(c document.Content) document.Content {
		return document.Literal(c.Resolve(func(f document.Fact) string { return values[f] }))
	}
	switch op := op.(type) {
	case action.WriteFile:
		op.Content = fill(op.Content)
		return op, nil
	case action.EnsureUnit:
		op.Content, op.DropIns = fill(op.Content), slices.Clone(op.DropIns)
		for i := range op.DropIns {
			op.DropIns[i].Content = fill(op.DropIns[i].Content)
		}
		return op, nil
	default:
		return op, nil
	}
}
