package memory

import (
	"context"
	"slices"
)

// Resumption implements ports.Resumption. Err is the error of Enable.
type Resumption struct {
	Argv []string
	Err  error
}

// Enable stores the command.
func (r *Resumption) Enable(_ context.Context, argv []string) error {
	if r.Err == nil {
		r.Argv = slices.Clone(argv)
	}
	return r.Err
}

// Disable removes the command.
func (r *Resumption) Disable(context.Context) error {
	r.Argv = nil
	return nil
}
