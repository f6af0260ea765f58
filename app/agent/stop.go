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

// errInterrupted means that kubeadm was interrupted; what it left behind is unknown.
var errInterrupted = errors.New("an earlier run was interrupted here; reset the machine, or replace it")

// refuse ends a run that cannot be planned.
func (a *run) refuse(ctx context.Context, err error) (status.Status, Prepared, error) {
	err = a.failRun(ctx, err)
	return a.status, a.prepared, err
}

// failRun ends the run with a failure that is not that of a step. A run that was stopped has not failed.
func (a *run) failRun(ctx context.Context, err error) error {
	if ctx.Err() != nil || a.Host.IsStopping(ctx) {
		return a.interrupt(ctx)
	}
	failure := status.Failure{Cause: oneLine(a.prepared.redactor.Clean(err.Error()))}
	var recorded error
	if a.started && a.status.State == status.StateRunning {
		// Later boots publish the failure again. If all steps are complete, they publish success instead.
		recorded = a.record(ctx, journal.Entry{Event: journal.EventFailed, Failure: failure.Cause})
	}
	a.fail(failure)
	return errors.Join(err, recorded, a.publish(ctx))
}

// publishEnd publishes an end of the run that was not published yet: an error of the journal or of the publisher.
func (a *run) publishEnd(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, ErrStep) || errors.Is(err, ErrStopped) {
		return err
	}
	return a.failRun(ctx, err)
}

// failStep ends the run at a step that failed.
func (a *run) failStep(ctx context.Context, s Step, cause error) error {
	failure := status.Failure{
		Phase: s.Phase, Document: s.Source.String(), Action: s.Do.Summary(),
		Cause: oneLine(a.prepared.redactor.Clean(cause.Error())),
	}
	var command *ports.CommandError
	if errors.As(cause, &command) {
		// Truncation could split a secret, so the whole output is redacted first.
		output := a.prepared.redactor.Clean(string(command.Output))
		failure.ExitCode, failure.Log = command.ExitCode, tail(output)
		failure.Cause = oneLine(failure.Cause + "\n" + status.FailureLine(output))
	}
	a.fail(failure)
	var entries []journal.Entry
	if !errors.Is(cause, errInterrupted) {
		entries = append(entries, journal.Entry{Event: journal.EventFailed, Step: s.ID, Failure: failure.Cause})
	}
	recorded := a.record(ctx, entries...)
	return errors.Join(fmt.Errorf("%w: %s: %s: %s", ErrStep, s.Phase, failure.Action, failure.Cause), recorded,
		a.publish(ctx))
}

// interrupt ends a stopped run like a power cut: the current step stays begun, and the published status does not
// change. Completed steps are recorded, so that the next run does not repeat them.
func (a *run) interrupt(ctx context.Context) error {
	err := ErrStopped
	if a.resumptionEnabled {
		err = fmt.Errorf("%w, and the next boot starts one", ErrStopped)
	}
	return errors.Join(err, a.record(ctx))
}

// shutdown is the maximum delay between the signal to the agent's programs and the signal to the agent.
const shutdown = time.Second

// isStopped reports whether a step failed because the run was stopped, or because the machine shuts down and signals
// the agent later. A machine that shuts down may also signal the agent and its programs at the same time. So the agent
// may see the end of a program before its own signal.
func (a *run) isStopped(ctx context.Context, cause error) bool {
	if ctx.Err() != nil || a.Host.IsStopping(ctx) {
		return true
	}
	var command *ports.CommandError
	if !errors.As(cause, &command) || command.ExitCode >= 0 {
		return false
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
