package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

const (
	// stall is how long a wait may go on without progress. On a busy machine, all waits are slow, but progress.
	stall = 10 * time.Minute
	// reportInterval is how often a wait prints what it waits for.
	reportInterval = 30 * time.Second
)

// await calls missing at an interval until it returns an empty text. The text describes what is missing, and each
// progress changes it. If it does not change for the time of stall, or if the context ends, the error contains it.
func await(ctx context.Context, interval, stall time.Duration, missing func(context.Context) (string, error)) error {
	last, changed, reported := "", time.Now(), time.Now()
	for {
		text, err := missing(ctx)
		if err != nil {
			return err
		}
		now := time.Now()
		switch {
		case text == "":
			return nil
		case text != last:
			last, changed = text, now
		case now.Sub(changed) > stall:
			return fmt.Errorf("no progress for %s: %s", stall, text)
		}
		if now.Sub(reported) > reportInterval {
			fmt.Fprintln(os.Stderr, text)
			reported = now
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %s", context.Cause(ctx), text)
		case <-time.After(interval):
		}
	}
}
