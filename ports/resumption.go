package ports

import "context"

// Resumption has a machine go on by itself.
type Resumption interface {
	// Arm has every later boot start the program with its arguments, once the network is up. Armed again it takes the new
	// ones. Once it returns that survives a power cut.
	Arm(ctx context.Context, argv []string) error
	// Disarm takes that back, and keeps the program that started the agent at the first boot from doing so at a later one.
	// On a machine that is not armed it does nothing.
	Disarm(ctx context.Context) error
}
