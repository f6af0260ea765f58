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
	// restored are the paths of completed steps that this run restores.
	restored []string
	// pending are entries that are written to the journal with the next ones.
	pending []journal.Entry
	// started reports whether the journal contains the begin of this run, and armed whether later boots continue it.
	started, resumptionEnabled bool
}

// Apply applies the configuration. On a machine that already has it, Apply publishes success again and changes nothing.
// If a step fails, the error is ErrStep, and the status names the step and the cause. Mistakes in the configuration are
// ErrFindings, and the returned plan has the findings. If the context ends, the run has not failed: the error is
// ErrStopped, the state stays StateRunning, and no failure is published.
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
		return a.republishSuccess(ctx, done)
	}
	if failed, did := a.past.Failed(); did && r.Resume {
		return a.republishFailure(ctx, failed)
	}
	if err := a.plan(ctx); err != nil {
		return a.refuse(ctx, err)
	}
	err = a.publishEnd(ctx, a.applyAll(ctx))
	return a.status, a.prepared, err
}

// plan determines the steps of the request. That can take long, because configuration is fetched and keys are derived.
// So a full run begins before it, and later boots continue it if the machine shuts down meanwhile. Without a
// configuration there is no run to begin.
func (a *run) plan(ctx context.Context) error {
	if a.isFull() && len(a.request.Data) > 0 {
		if err := a.begin(ctx); err != nil {
			return err
		}
	}
	var err error
	a.prepared, err = a.Plan(ctx, a.request)
	if a.OnRedactor != nil {
		a.OnRedactor(a.prepared.redactor)
	}
	if err == nil && a.prepared.Findings.HasErrors() {
		err = fmt.Errorf("%w: %s", ErrFindings, a.prepared.Findings.Sorted()[0])
	}
	return err
}

// begin records the begin of the run, and makes later boots continue it.
func (a *run) begin(ctx context.Context) error {
	if a.started {
		return nil
	}
	if err := a.record(ctx, journal.Entry{
		Event: journal.EventBegun, Digest: a.status.Digest,
		Partial: !a.isFull(),
	}); err != nil {
		return err
	}
	a.started = true
	return a.enableResumption(ctx)
}

// republishSuccess publishes the success of a complete machine again, since a reboot removes the sentinel.
func (a *run) republishSuccess(ctx context.Context, done string) (status.Status, Prepared, error) {
	if len(a.request.Data) > 0 && done != a.status.Digest {
		a.status.Again = true
		return a.refuse(ctx, ErrOtherConfiguration)
	}
	a.status.Digest = done
	a.status.State, a.status.Again, a.status.Ended = status.StateSucceeded, true, a.Clock.Now()
	err := a.publishEnd(ctx, a.succeed(ctx))
	return a.status, a.prepared, err
}

// republishFailure publishes the failure of an earlier boot again, since a reboot removes its record.
func (a *run) republishFailure(ctx context.Context, e journal.Entry) (status.Status, Prepared, error) {
	failure := status.Failure{Cause: e.Failure}
	if began, known := a.past.Started(e.Step); known {
		failure.Phase, failure.Document, failure.Action = began.Phase, string(began.Path), began.Summary
	}
	a.fail(failure)
	a.status.Again = true
	return a.status, a.prepared, errors.Join(ErrEarlierFailure, a.publish(ctx))
}

// enableResumption makes later boots continue this run, unless it is partial.
func (a *run) enableResumption(ctx context.Context) error {
	if a.Resumption == nil || len(a.request.ResumeCommand) == 0 || !a.isFull() {
		return nil
	}
	if err := a.Resumption.Enable(ctx, a.request.ResumeCommand); err != nil {
		return fmt.Errorf("install the unit that continues the run: %w", err)
	}
	a.resumptionEnabled = true
	return nil
}

// succeed removes the configuration and publishes success, in this order.
func (a *run) succeed(ctx context.Context) error {
	if a.request.RemoveConfiguration != nil {
		if err := a.request.RemoveConfiguration(); err != nil {
			return fmt.Errorf("remove the configuration: %w", err)
		}
	}
	return a.publish(ctx)
}

func (a *run) applyAll(ctx context.Context) error {
	a.initStepStatus()
	err := a.begin(ctx)
	if err == nil {
		err = a.publish(ctx)
	}
	if err != nil {
		return err
	}
	for i := 0; i < len(a.prepared.Steps); {
		if ctx.Err() != nil {
			return a.interrupt(ctx)
		}
		if err := a.endPhase(ctx, i); err != nil {
			return err
		}
		n := a.batchSize(i)
		if err := a.applySteps(ctx, i, n); err != nil {
			return err
		}
		i += n
	}
	if err := a.endPhase(ctx, len(a.prepared.Steps)); err != nil {
		return err
	}
	return a.finish(ctx)
}

// initStepStatus lists the steps in the status before the first one starts.
func (a *run) initStepStatus() {
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

// isOneShot reports whether a completed operation is not compared again. The effect of a command cannot be observed;
// other programs may have written after an append; and a wiped disk contains new data.
func isOneShot(op action.Operation) bool {
	switch o := op.(type) {
	case action.WriteFile:
		return o.Append
	case action.PartitionDisk:
		return o.Wipe
	case action.MakeFilesystem:
		return o.Wipe
	case action.RunCommand:
		return true
	default:
		return false
	}
}

// observable returns the part of a completed operation that can be compared: newer versions and lists of packages are
// always possible. If a package is missing again, a refresh that the user requests precedes its installation.
func observable(op action.Operation) action.Operation {
	p, ok := op.(action.InstallPackages)
	if !ok {
		return op
	}
	p.Refresh = p.Refresh || p.Update
	p.Update, p.Upgrade, p.SkipUnknown = false, false, true
	return p
}

// endPhase ends a phase if step i is the first of the next one: it publishes the status, and after the phase of units
// restarts those whose configuration changed.
func (a *run) endPhase(ctx context.Context, i int) error {
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
		if err != nil && a.isStopped(ctx, err) {
			return a.interrupt(ctx)
		}
		if err != nil {
			return a.failStep(ctx, s, err)
		}
	}
	return nil
}

// restarts reports whether a unit is restarted at the end of the phase: if a document of its RestartOn changed
// something, or if this run enabled it.
func (a *run) restarts(u action.EnsureUnit, outcome status.Outcome) bool {
	if len(u.RestartOn) == 0 || u.Masked || u.Enabled != nil && !*u.Enabled {
		return false
	}
	return outcome == status.OutcomeChanged || slices.ContainsFunc(u.RestartOn, a.hasChanged)
}

func (a *run) hasChanged(k document.Kind) bool { return slices.Contains(a.changed, k) }

// isFull reports whether the run is a bootstrap: in mode Provision without named phases, or, once the steps are known,
// if the phases leave none out.
func (a *run) isFull() bool {
	r := a.request
	if r.Mode != Provision {
		return false
	}
	return len(r.Only)+len(r.Skip) == 0 || len(a.prepared.Steps) > 0 && !a.isPartial()
}

// isPartial reports whether steps were left out, so that the end of the run is not the end of a bootstrap.
func (a *run) isPartial() bool {
	return slices.ContainsFunc(a.prepared.Steps, func(s Step) bool { return s.Skipped })
}

// finish records and publishes success. A run of named phases ends as prepared.
func (a *run) finish(ctx context.Context) error {
	a.status.Ended = a.Clock.Now()
	event := journal.EventCompleted
	switch {
	case a.request.Mode == Prepare:
		a.status.State, event = status.StatePrepared, journal.EventPrepared
	case a.isPartial():
		a.status.State = status.StatePrepared
		return errors.Join(a.record(ctx), a.publish(ctx))
	default:
		a.status.State = status.StateSucceeded
	}
	if err := a.record(ctx, journal.Entry{Event: event, Digest: a.prepared.Digest}); err != nil {
		return err
	}
	if event == journal.EventCompleted {
		return a.succeed(ctx)
	}
	return a.publish(ctx)
}

// record writes the entries and the pending ones to the journal, where they survive a power cut.
func (a *run) record(ctx context.Context, entries ...journal.Entry) error {
	before := len(a.pending)
	a.recordLater(entries...)
	if len(a.pending) == 0 {
		return nil
	}
	if err := a.Journal.Append(ctx, a.pending...); err != nil {
		// The caller does not apply what could not be recorded.
		a.pending = a.pending[:before]
		return fmt.Errorf("write the journal: %w", err)
	}
	a.pending = nil
	return nil
}

// recordLater keeps entries until the next call of record.
func (a *run) recordLater(entries ...journal.Entry) {
	now := a.Clock.Now().Truncate(time.Millisecond)
	for _, e := range entries {
		e.At = now
		a.pending = append(a.pending, e)
	}
}

// publish publishes the status on the machine first, so that no reporter delays the sentinel. The errors of reporters
// are ignored.
func (a *run) publish(ctx context.Context) error {
	if a.keepsEarlierStatus() {
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

// keepsEarlierStatus reports whether this run must not publish its status: the status of a failed bootstrap stays until
// a full run.
func (a *run) keepsEarlierStatus() bool {
	if a.isFull() || a.status.Again {
		return false
	}
	_, failed := a.past.Failed()
	return failed || a.past.CutOff(document.PhaseJoin)
}
