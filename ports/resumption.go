package ports

import "context"

// Resumption continues an interrupted run of the agent at the next boot.
type Resumption interface {
	// Enable makes every later boot start argv once the network is up. A second call replaces argv. The setting survives a
	// power cut once Enable returns.
	Enable(ctx context.Context, argv []string) error
	// Disable undoes Enable, and keeps the bootstrap program of the first boot from starting the agent at a later boot. On
	// a machine that is not armed it does nothing.
	Disable(ctx context.Context) error
}
