package memory

import "context"

// Membership remembers whether the machine has left. Err is what leaving ends in.
type Membership struct {
	Left bool
	Err  error
}

// Leave leaves, unless there is an error.
func (m *Membership) Leave(context.Context) error {
	if m.Err == nil {
		m.Left = true
	}
	return m.Err
}
