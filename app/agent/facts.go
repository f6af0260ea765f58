package agent

import (
	"context"
	"fmt"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
)

// settle returns the operation with the facts of this machine filled in.
func (s *Service) settle(ctx context.Context, op action.Operation) (action.Operation, error) {
	w, ok := op.(action.WriteFile)
	if !ok {
		return op, nil
	}
	values := map[document.Fact]string{}
	for _, f := range w.Content.Facts() {
		value, err := s.Facts.Lookup(ctx, f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		if !facts.IsValue(value) {
			return nil, fmt.Errorf("%s: the value %.100q is empty, too long, or contains special characters", f, value)
		}
		values[f] = value
	}
	w.Content = document.Literal(w.Content.Resolve(func(f document.Fact) string { return values[f] }))
	return w, nil
}
