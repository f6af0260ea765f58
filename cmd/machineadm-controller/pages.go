package main

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/cache"
)

// dropStartPages drops the pages of the program when the caches are filled.
type dropStartPages struct{ cache cache.Cache }

// Start returns when the pages are dropped. They are only a saving, so an error does not end the manager.
func (d dropStartPages) Start(ctx context.Context) error {
	if d.cache.WaitForCacheSync(ctx) {
		_ = dropProgramPages()
	}
	return nil
}

// NeedLeaderElection returns false, because a manager that waits to become the leader has filled its caches, too.
func (dropStartPages) NeedLeaderElection() bool { return false }
