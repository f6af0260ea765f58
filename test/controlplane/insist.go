package controlplane

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// insistence is how long a request is repeated.
const insistence = 10 * time.Minute

// Insist repeats a request until it succeeds, at growing intervals, because the API server is busy or is restarted
// meanwhile. It returns the last error after ten minutes, when the context ends, and if the request itself is wrong.
func Insist(ctx context.Context, request func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, insistence)
	defer cancel()
	intervals := wait.Backoff{Duration: 100 * time.Millisecond, Factor: 2, Jitter: 0.5, Steps: 10, Cap: 5 * time.Second}
	for {
		err := request(ctx)
		if err == nil || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w, at last: %w", ctx.Err(), err)
		case <-time.After(intervals.Step()):
		}
	}
}

// Ensure creates an object, or reads the one that an earlier try has created: its answer was lost.
func (c *ControlPlane) Ensure(ctx context.Context, object client.Object) error {
	return Insist(ctx, func(ctx context.Context) error {
		err := c.Client.Create(ctx, object)
		if apierrors.IsAlreadyExists(err) {
			return c.Client.Get(ctx, client.ObjectKeyFromObject(object), object)
		}
		return err
	})
}
