package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// errInterrupted means that kubeadm was cut off; what it left behind is unknown.
var errInterrupted = errors.New("an earlier run was interrupted here; reset the machine, or replace it")

// refuse tells of a configuration that cannot be planned.
func (a *run) refuse(ctx context.Context, err error) (status.Status, Prepared, error) {
	err = a.give(ctx, err)
	return a.status, a.prepared, err
}

// give gives up for a reason that is no step's. A run that is told to stop has not failed.
func (a *run) give(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return a.cut(ctx)
	}
	failure := status.Failure{Cause: oneLine(a.prepared.redactor.Clean(err.Error()))}
	var noted error
	if a.begun && a.status.State == status.StateRunning {
		// Later boots tell of it. Where all is done and could not be told, they make up for that.
		noted = a.note(ctx, journal.Entry{Event: journal.EventFailed, Failure: failure.Cause})
	}
	a.fail(failure)
	return errors.Join(err, noted, a.publish(ctx))
}

// ended tells of an end that is no step's failure and no stop, of which was told: what was done could not be written
// down, or success not be told.
func (a *run) ended(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, ErrStep) || errors.Is(err, ErrStopped) {
		return err
	}
	return a.give(ctx, err)
}

// stop ends the run at a step that failed.
func (a *run) stop(ctx context.Context, s Step, cause error) error {
	failure := status.Failure{
		Phase: s.Phase, Document: s.Source.String(), Action: s.Do.Summary(),
		Cause: oneLine(a.prepared.redactor.Clean(cause.Error())),
	}
	var command *ports.CommandError
	if errors.As(cause, &command) {
		// What is cut could be the half of a secret, so the whole is cleaned first.
		output := a.prepared.redactor.Clean(string(command.Output))
		failure.ExitCode, failure.Log = command.ExitCode, tail(output)
		failure.Cause = oneLine(failure.Cause + "\n" + reason(output))
	}
	a.fail(failure)
	var entries []journal.Entry
	if !errors.Is(cause, errInterrupted) {
		entries = append(entries, journal.Entry{Event: journal.EventFailed, Step: s.ID, Failure: failure.Cause})
	}
	noted := a.note(ctx, entries...)
	return errors.Join(fmt.Errorf("%w: %s: %s: %s", ErrStep, s.Phase, failure.Action, failure.Cause), noted,
		a.publish(ctx))
}

// cut ends a run that was told to stop as a power cut would: the step that was begun stays begun, and what was
// published stays as it is. What is done is noted, so that it is not done again.
func (a *run) cut(ctx context.Context) error {
	stopped := ErrStopped
	if a.armed {
		stopped = fmt.Errorf("%w, and the next boot starts one", ErrStopped)
	}
	return errors.Join(stopped, a.note(ctx))
}

// shutdown is how much later than its programs the agent may learn that it is to stop.
const shutdown = time.Second

// told reports whether a step ended since the run was told to stop. A machine that shuts down ends the agent and its
// programs at the same time, so that of a program that a signal ended one has to wait to see.
func told(ctx context.Context, cause error) bool {
	var command *ports.CommandError
	if !errors.As(cause, &command) || command.ExitCode >= 0 {
		return ctx.Err() != nil
	}
	select {
	case <-ctx.Done():
		return true
	case <-time.After(shutdown):
		return false
	}
}

func (a *run) fail(f status.Failure) {
	a.status.State, a.status.Ended, a.status.Failure = status.StateFailed, a.Clock.Now(), &f
}
