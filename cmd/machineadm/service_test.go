package main

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// managed runs a command as a service, whose manager sends the requests once the command runs, and returns the reported
// stages.
func managed(t *testing.T, command func(ctx context.Context, requested <-chan struct{}) int,
	requests ...request,
) (stages []stage, code int) {
	t.Helper()
	sent, asked, running := make(chan request), make(chan struct{}), make(chan struct{})
	go func() {
		<-running
		for _, w := range requests {
			sent <- w
		}
		close(asked)
	}()
	code = oneShot(t.Context(), func(ctx context.Context) int {
		close(running)
		return command(ctx, asked)
	}, sent, func(at stage) { stages = append(stages, at) })
	return stages, code
}

// TestOneShot is the service of Windows without its service manager.
func TestOneShot(t *testing.T) {
	after := func(code int) func(context.Context, <-chan struct{}) int {
		return func(_ context.Context, requested <-chan struct{}) int { <-requested; return code }
	}
	stopped := func(ctx context.Context, _ <-chan struct{}) int { <-ctx.Done(); return 1 }
	cases := map[string]struct {
		reason   string
		command  func(context.Context, <-chan struct{}) int
		requests []request
		want     []stage
		code     int
	}{
		"it ends":  {"a bootstrap is over at some time", after(0), nil, []stage{stageRunning, stageStopping}, 0},
		"it fails": {"the manager sees the exit code", after(1), nil, []stage{stageRunning, stageStopping}, 1},
		"it is asked": {
			"it reports that it still runs", after(0),
			[]request{requestReport, requestReport},
			[]stage{stageRunning, stageRunning, stageRunning, stageStopping},
			0,
		},
		"it is stopped": {
			"the command is stopped, and waited for", stopped, []request{requestStop}, []stage{
				stageRunning, stageStopping,
				stageStopping,
			}, 1,
		},
		"it is asked while it stops": {
			"what it began goes on", after(3), []request{requestStop, requestReport}, []stage{
				stageRunning, stageStopping, stageStopping,
				stageStopping,
			}, 3,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			stages, code := managed(t, c.command, c.requests...)
			if diff := cmp.Diff(c.want, stages); diff != "" || code != c.code {
				t.Errorf("%s: exit code %d, stages (-want +got):\n%s", c.reason, code, diff)
			}
		})
	}
}

// TestShutdownOfTheMachine ends the program's own context.
func TestShutdownOfTheMachine(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code := oneShot(ctx, func(ctx context.Context) int { <-ctx.Done(); return 7 }, nil, func(stage) {}); code != 7 {
		t.Errorf("exit code %d", code)
	}
}
