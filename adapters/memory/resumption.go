package memory

import (
	"context"
	"slices"
)

// Resumption remembers what later boots start. Err is what arming ends in.
type Resumption struct {
	Argv []string
	Err  error
}

// Arm remembers the command.
func (r *Resumption) Arm(_ context.Context, argv []string) error {
	if r.Err == nil {
		r.Argv = slices.Clone(argv)
	}
	return r.Err
}

// Disarm forgets it.
func (r *Resumption) Disarm(context.Context) error {
	r.Argv = nil
	return nil
}
