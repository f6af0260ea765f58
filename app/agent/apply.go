package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/status"
)

// run is one application of a configuration.
type run struct {
	*Service
	request  Request
	prepared Prepared
	past     journal.Journal
	status   status.Status
	// changed are the kinds of the documents that changed something since the last complete run.
	changed []document.Kind
	// held are entries that the journal gets with the next ones.
	held []journal.Entry
	// begun says that the journal has the begin of this run, and armed that later boots go on with it.
	begun, armed bool
}

// Apply brings about the configuration. A machine that has it already is told so again, and nothing is changed. A step
// that fails ends the run; the status says which and why, and the error is ErrStep. With mistakes in the configuration
// the error is ErrFindings, and the findings are those of the returned plan. A run whose context ends is cut off and
// has not failed: the error is ErrStopped, the state stays StateRunning, and nobody is told of a failure.
func (s *Service) Apply(ctx context.Context, r Request) (status.Status, Prepared, error) {
	a := &run{Service: s, request: r}
	a.status = status.Status{
		State: status.StateRunning, Version: s.Version, Started: s.Clock.Now(),
		Digest: digest(r.Data),
	}
	var err error
	if a.past, err = s.Journal.Load(ctx); err != nil {
		return a.refuse(ctx, fmt.Errorf("read the journal: %w", err))
	}
	if a.past.Resetting() {
		return a.refuse(ctx, ErrReset)
	}
	if done := a.past.Digest(journal.EventCompleted); done != "" {
		return a.again(ctx, done)
	}
	if failed, did := a.past.Failed(); did && r.Resume {
		return a.earlier(ctx, failed)
	}
	if err := a.plan(ctx); err != nil {
		return a.refuse(ctx, err)
	}
	err = a.ended(ctx, a.all(ctx))
	return a.status, a.prepared, err
}

// plan finds out the steps of the request, with which the run may take its time: what is fetched may be late, and keys
// be derived. So a whole run begins before that, and goes on should the machine shut down meanwhile. Without a
// configuration there is none to begin.
func (a *run) plan(ctx context.Context) error {
	if a.whole() && len(a.request.Data) > 0 {
		if err := a.begin(ctx); err != nil {
			return err
		}
	}
	var err error
	a.prepared, err = a.Plan(ctx, a.request)
	if a.Learn != nil {
		a.Learn(a.prepared.redactor)
	}
	if err == nil && a.prepared.Findings.HasErrors() {
		err = fmt.Errorf("%w: %s", ErrFindings, a.prepared.Findings.Sorted()[0])
	}
	return err
}

// begin notes that the run begins, and has later boots go on with it.
func (a *run) begin(ctx context.Context) error {
	if a.begun {
		return nil
	}
	if err := a.note(ctx, journal.Entry{
		Event: journal.EventBegun, Digest: a.status.Digest,
		Partial: !a.whole(),
	}); err != nil {
		return err
	}
	a.begun = true
	return a.arm(ctx)
}

// again tells of a machine that is complete. The sentinel of success lies where a reboot removes it.
func (a *run) again(ctx context.Context, done string) (status.Status, Prepared, error) {
	if len(a.request.Data) > 0 && done != a.status.Digest {
		a.status.Again = true
		return a.refuse(ctx, ErrOther)
	}
	a.status.Digest = done
	a.status.State, a.status.Again, a.status.Ended = status.StateSucceeded, true, a.Clock.Now()
	err := a.ended(ctx, a.succeed(ctx))
	return a.status, a.prepared, err
}

// earlier tells again of a run that failed at an earlier boot: what told of it lies where a reboot removes it.
func (a *run) earlier(ctx context.Context, e journal.Entry) (status.Status, Prepared, error) {
	failure := status.Failure{Cause: e.Failure}
	if began, known := a.past.Started(e.Step); known {
		failure.Phase, failure.Document, failure.Action = began.Phase, string(began.Path), began.Summary
	}
	a.fail(failure)
	a.status.Again = true
	return a.status, a.prepared, errors.Join(ErrEarlier, a.publish(ctx))
}

// arm has later boots go on with this run, if all of it is to be carried out.
func (a *run) arm(ctx context.Context) error {
	if a.Resumption == nil || len(a.request.Later) == 0 || !a.whole() {
		return nil
	}
	if err := a.Resumption.Arm(ctx, a.request.Later); err != nil {
		return fmt.Errorf("have later boots go on: %w", err)
	}
	a.armed = true
	return nil
}

// succeed removes the configuration and publishes success, in this order.
func (a *run) succeed(ctx context.Context) error {
	if a.request.Forget != nil {
		if err := a.request.Forget(); err != nil {
			return fmt.Errorf("remove the configuration: %w", err)
		}
	}
	return a.publish(ctx)
}

func (a *run) all(ctx context.Context) error {
	a.pending()
	err := a.begin(ctx)
	if err == nil {
		err = a.publish(ctx)
	}
	if err != nil {
		return err
	}
	for i := 0; i < len(a.prepared.Steps); {
		if ctx.Err() != nil {
			return a.cut(ctx)
		}
		if err := a.phaseEnds(ctx, i); err != nil {
			return err
		}
		n := a.together(i)
		if err := a.carryOut(ctx, i, n); err != nil {
			return err
		}
		i += n
	}
	if err := a.phaseEnds(ctx, len(a.prepared.Steps)); err != nil {
		return err
	}
	return a.finish(ctx)
}

// pending lists the steps in the status before the first is carried out.
func (a *run) pending() {
	for _, s := range a.prepared.Steps {
		outcome := status.OutcomePending
		if s.Skipped {
			outcome = status.OutcomeSkipped
		}
		a.status.Steps = append(a.status.Steps, status.Step{
			Phase: s.Phase, Document: s.Source.String(), Action: s.Do.Summary(), Outcome: outcome,
		})
	}
}

// once reports whether an operation that is done is not looked at again: what a command did cannot be seen, after an
// append others may have written to the file, there is data by now on a disk that was wiped, and there is always
// something newer.
func once(op action.Operation) bool {
	switch o := op.(type) {
	case action.WriteFile:
		return o.Append
	case action.PartitionDisk:
		return o.Wipe
	case action.MakeFilesystem:
		return o.Wipe
	case action.InstallPackages:
		return o.Upgrade
	case action.RunCommand:
		return true
	default:
		return false
	}
}

// phaseEnds does what the end of a phase asks for, if step i is the first of the next: after the units those are
// restarted whose configuration changed, and the status is published.
func (a *run) phaseEnds(ctx context.Context, i int) error {
	steps := a.prepared.Steps
	if i == 0 || i < len(steps) && steps[i].Phase == steps[i-1].Phase {
		return nil
	}
	next := document.PhasePost + 1
	if i < len(steps) {
		next = steps[i].Phase
	}
	if steps[i-1].Phase <= document.PhaseUnit && next > document.PhaseUnit {
		if err := a.restart(ctx); err != nil {
			return err
		}
	}
	return a.publish(ctx)
}

func (a *run) restart(ctx context.Context) error {
	var done []string
	for i, s := range a.prepared.Steps {
		unit, ok := s.Do.(action.EnsureUnit)
		if !ok || s.Skipped || slices.Contains(done, unit.Name) || !a.restarts(unit, a.status.Steps[i].Outcome) {
			continue
		}
		done = append(done, unit.Name)
		err := a.Host.Restart(ctx, unit.Name)
		if err != nil && told(ctx, err) {
			return a.cut(ctx)
		}
		if err != nil {
			return a.stop(ctx, s, err)
		}
	}
	return nil
}

// restarts reports whether a unit is restarted at the end of the phase: if a document that it waits for changed
// something, or if it was enabled just now and waited for that end to be started.
func (a *run) restarts(u action.EnsureUnit, outcome status.Outcome) bool {
	if len(u.RestartOn) == 0 || u.Masked || u.Enabled != nil && !*u.Enabled {
		return false
	}
	return outcome == status.OutcomeChanged || slices.ContainsFunc(u.RestartOn, a.touched)
}

func (a *run) touched(k document.Kind) bool { return slices.Contains(a.changed, k) }

// whole reports whether the end of the run is that of a bootstrap. What was asked for tells so, and of a run of named
// phases its steps, once they are known.
func (a *run) whole() bool {
	r := a.request
	if r.Mode != Provision {
		return false
	}
	return len(r.Only)+len(r.Skip) == 0 || len(a.prepared.Steps) > 0 && !a.partial()
}

// partial reports whether steps were left out, so that the end of the run is not the end of a bootstrap.
func (a *run) partial() bool {
	return slices.ContainsFunc(a.prepared.Steps, func(s Step) bool { return s.Skipped })
}

// finish tells that all went well. A run of named phases leaves the rest to another.
func (a *run) finish(ctx context.Context) error {
	a.status.Ended = a.Clock.Now()
	event := journal.EventCompleted
	switch {
	case a.request.Mode == Prepare:
		a.status.State, event = status.StatePrepared, journal.EventPrepared
	case a.partial():
		a.status.State = status.StatePrepared
		return errors.Join(a.note(ctx), a.publish(ctx))
	default:
		a.status.State = status.StateSucceeded
	}
	if err := a.note(ctx, journal.Entry{Event: event, Digest: a.prepared.Digest}); err != nil {
		return err
	}
	if event == journal.EventCompleted {
		return a.succeed(ctx)
	}
	return a.publish(ctx)
}

// note writes to the journal what survives a power cut from then on.
func (a *run) note(ctx context.Context, entries ...journal.Entry) error {
	kept := len(a.held)
	a.hold(entries...)
	if len(a.held) == 0 {
		return nil
	}
	if err := a.Journal.Append(ctx, a.held...); err != nil {
		// What could not be announced does not happen.
		a.held = a.held[:kept]
		return fmt.Errorf("write the journal: %w", err)
	}
	a.held = nil
	return nil
}

// hold keeps entries until the next note.
func (a *run) hold(entries ...journal.Entry) {
	now := a.Clock.Now().Truncate(time.Millisecond)
	for _, e := range entries {
		e.At = now
		a.held = append(a.held, e)
	}
}

// publish tells of the status, on the machine first: nobody else holds up the record or the sentinel. Only the
// machine's own publisher has to succeed.
func (a *run) publish(ctx context.Context) error {
	if a.unheard() {
		return nil
	}
	err := a.Publisher.Report(ctx, a.status)
	for _, r := range a.Reporters {
		_ = r.Report(ctx, a.status)
	}
	if err != nil {
		return fmt.Errorf("publish the status: %w", err)
	}
	return nil
}

// unheard reports whether who asks for the run is alone to hear of it: what is told of a bootstrap that failed stays
// until all of it is tried again.
func (a *run) unheard() bool {
	if a.whole() || a.status.Again {
		return false
	}
	_, failed := a.past.Failed()
	return failed || a.past.CutOff(document.PhaseJoin)
}
