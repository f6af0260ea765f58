package main

import "context"

// wish is what a service manager asks a service for.
type wish int

// The wishes: to say where it stands, and to stop.
const (
	wishTell wish = iota
	wishStop
)

// stage is where a service stands.
type stage int

// The stages. Once it has ended the service manager sees that by itself.
const (
	stageRunning stage = iota
	stageStopping
)

// oneShot runs the command as a service that ends when the command has ended, and returns its exit code. To stop ends
// the command's context; what the command has begun it may still bring to an end. Tell is told of each stage, and again
// when the manager asks.
func oneShot(ctx context.Context, run func(context.Context) int, wishes <-chan wish, tell func(stage)) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan int, 1)
	at := stageRunning
	tell(at)
	go func() { done <- run(ctx) }()
	for {
		select {
		case code := <-done:
			tell(stageStopping)
			return code
		case w := <-wishes:
			if w == wishStop {
				at = stageStopping
				cancel()
			}
			tell(at)
		}
	}
}
