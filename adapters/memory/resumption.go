package memory

import (
	"context"
	"slices"
)

// Resumption implements ports.Resumption. Err is the error of Arm.
type Resumption struct {
	Argv []string
	Err  error
}

// Arm stores the command.
func (r *Resumption) Arm(_ context.Context, argv []string) error {
	if r.Err == nil {
		r.Argv = slices.Clone(argv)
	}
	return r.Err
}

// Disarm removes the command.
func (r *Resumption) Disarm(context.Context) error {
	r.Argv = nil
	return nil
}
