package main

import "context"

// request is a service manager's request to a service.
type request int

// The requests of the service manager: report the state, and stop.
const (
	requestReport request = iota
	requestStop
)

// stage is the progress of a service.
type stage int

// The states that the service reports. The service manager detects the end of the process itself.
const (
	stageRunning stage = iota
	stageStopping
)

// oneShot runs the command as a service that ends when the command has ended, and returns its exit code. A stop ends
// the command's context; the command may still complete the step in progress. report is called for each stage, and
// again when the manager asks.
func oneShot(ctx context.Context, run func(context.Context) int, requests <-chan request, report func(stage)) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan int, 1)
	at := stageRunning
	report(at)
	go func() { done <- run(ctx) }()
	for {
		select {
		case code := <-done:
			report(stageStopping)
			return code
		case r := <-requests:
			if r == requestStop {
				at = stageStopping
				cancel()
			}
			report(at)
		}
	}
}
