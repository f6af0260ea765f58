package agent

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// maxBatch limits how many files are written at once.
const maxBatch = 32

// batchSize returns how many steps from step i on are applied at once: one, or several files. Each file must be flushed
// before the journal records it, and flushing many files takes about as long as flushing one.
func (a *run) batchSize(i int) int {
	b := batch{files: map[string]bool{}, folders: map[string]bool{}}
	for _, s := range a.prepared.Steps[i:] {
		file, ok := s.Do.(action.WriteFile)
		if !ok || file.Append || s.Skipped || s.Phase != a.prepared.Steps[i].Phase || len(b.files) == maxBatch ||
			!b.add(file.Path) {
			break
		}
	}
	return max(1, len(b.files))
}

// batch is the names of files that are written together, and those of the folders above them.
type batch struct{ files, folders map[string]bool }

// add adds a file to the batch and reports whether it may be part of it. Two files of the same name, or with links
// that lead to the same file, are written in order. If a file's name is a folder of another file, one of them fails,
// which must be detected before anything is changed.
func (b batch) add(at string) bool {
	if machine.IsWindowsPath(at) {
		at = strings.ToLower(strings.ReplaceAll(at, `\`, "/"))
	}
	name, above := path.Base(at), strings.Split(path.Dir(at), "/")
	if b.files[name] || b.folders[name] || slices.ContainsFunc(above, func(folder string) bool {
		return b.files[folder]
	}) {
		return false
	}
	b.files[name] = true
	for _, folder := range above {
		b.folders[folder] = true
	}
	return true
}

// stepWork is a step on this machine, and its result.
type stepWork struct {
	Step
	op       action.Operation
	original journal.Original
	// differs reports whether the machine differs from the desired state of the step.
	differs bool
	outcome status.Outcome
	err     error
}

// applySteps applies n steps from step i on, unless the machine already has their result. If a step fails, the run ends
// after the preceding steps.
func (a *run) applySteps(ctx context.Context, i, n int) error {
	if a.prepared.Steps[i].Skipped {
		return nil
	}
	began := a.Clock.Now()
	works := a.compareSteps(ctx, a.prepared.Steps[i:i+n])
	a.change(ctx, works)
	took := max(0, a.Clock.Now().Sub(began)) / time.Duration(len(works))
	var failed *stepWork
	for k := range works {
		w := &works[k]
		if w.err != nil && failed == nil {
			failed = w
		}
		if w.err != nil && a.isStopped(ctx, w.err) {
			return a.interrupt(ctx)
		}
		a.setOutcome(i+k, w.outcome, took)
	}
	if failed != nil {
		if failed.outcome == status.OutcomeChanged {
			// The step is complete; only its record failed.
			failed.ID = ""
		}
		return a.failStep(ctx, failed.Step, failed.err)
	}
	return nil
}

// setOutcome sets the outcome of a step in the status.
func (a *run) setOutcome(i int, outcome status.Outcome, took time.Duration) {
	step := &a.status.Steps[i]
	step.Outcome, step.Took = outcome, took
	if a.Progress != nil {
		a.Progress(*step)
	}
}

// compareSteps compares the steps with the machine, up to the first that fails.
func (a *run) compareSteps(ctx context.Context, steps []Step) []stepWork {
	var works []stepWork
	for _, s := range steps {
		w := a.compareStep(ctx, s)
		works = append(works, w)
		if w.err != nil {
			break
		}
	}
	return works
}

func (a *run) compareStep(ctx context.Context, s Step) stepWork {
	w := stepWork{Step: s, outcome: status.OutcomeFailed}
	if w.op, w.err = a.settle(ctx, s.Do); w.err != nil {
		return w
	}
	unfinished := a.past.Unfinished()
	if _, begun := unfinished.Original(s.ID); begun {
		// A unit may still have to be restarted after this change.
		a.changed = append(a.changed, s.Kind)
	}
	done := a.past.Last(s.ID) == journal.EventDone
	command, isCommand := w.op.(action.RunCommand)
	if isCommand && a.request.Resume && command.When == document.PhaseBoot {
		// The step ran in an earlier boot.
		done = false
	}
	if done {
		w.op = observable(w.op)
		done, w.err = a.isLeftAlone(ctx, s, w.op)
	}
	switch {
	case w.err != nil:
	case done:
		w.outcome = status.OutcomeUnchanged
	case isCommand && command.When == document.PhaseJoin && a.past.CutOff(document.PhaseJoin):
		w.err = errInterrupted
	default:
		a.compare(ctx, &w)
	}
	return w
}

// isLeftAlone reports whether a completed step is not compared with the machine again.
func (a *run) isLeftAlone(ctx context.Context, s Step, op action.Operation) (bool, error) {
	if a.consumedByJoin(s) {
		return true, nil
	}
	if lost, err := a.isLost(ctx, op); lost || err != nil {
		return false, err
	}
	return isOneShot(op) || a.past.Of(a.status.Digest).Last(s.ID) == journal.EventDone, nil
}

// isLost reports whether a reboot removed the result of a completed step. A path that exists is left alone, because a
// completed command may have changed it. If this run restores a path, it also repeats the later steps of this path,
// such as appends. A path that a completed command removed looks the same, and is restored, too.
func (a *run) isLost(ctx context.Context, op action.Operation) (bool, error) {
	at := pathOf(op)
	if !machine.IsVolatile(at) {
		return false, nil
	}
	if slices.Contains(a.restored, at) {
		return true, nil
	}
	exists, err := a.Host.Exists(ctx, at)
	if err != nil || exists {
		return false, err
	}
	a.restored = append(a.restored, at)
	return true, nil
}

// pathOf returns the path that the operation creates, or an empty string for other operations.
func pathOf(op action.Operation) string {
	switch o := op.(type) {
	case action.WriteFile:
		return o.Path
	case action.MakeDirectory:
		return o.Path
	case action.Link:
		return o.Path
	case action.FetchFile:
		return o.Path
	default:
		return ""
	}
}

// consumedByJoin reports whether the join has consumed and removed the file that the step writes.
func (a *run) consumedByJoin(s Step) bool { return consumedByJoin(a.past, a.prepared.Steps, s) }

// compare determines whether the machine differs from the desired state of the step. It captures the original state
// when the step changes it for the first time.
func (a *run) compare(ctx context.Context, w *stepWork) {
	var known bool
	var change ports.Change
	w.original, known = a.past.Original(w.ID)
	a.Host.AwaitDevice(ctx, w.op)
	if change, w.err = a.Host.Diff(ctx, w.op, w.original); w.err != nil {
		return
	}
	if !change.IsEmpty() && !known {
		if w.original, w.err = a.Host.Capture(ctx, w.op); w.err != nil {
			return
		}
		w.original = withRenewal(w.original, w.op)
	}
	w.outcome, w.differs = status.OutcomeUnchanged, !change.IsEmpty()
}

// withRenewal returns the original state with the command that a reset runs at its end.
func withRenewal(o journal.Original, op action.Operation) journal.Original {
	if c, ok := op.(action.RunCommand); ok && c.Renew != "" {
		o.State = maps.Clone(o.State)
		if o.State == nil {
			o.State = map[string]string{}
		}
		o.State[journal.StateRenew] = c.Renew
	}
	return o
}

// change applies the operations where the machine differs, with an entry in the journal before and after. The second
// entry is written with the next one, unless the operation is a command: all others can be repeated without effect.
func (a *run) change(ctx context.Context, works []stepWork) {
	var changing []*stepWork
	var started []journal.Entry
	for k := range works {
		if w := &works[k]; w.differs {
			changing = append(changing, w)
			started = append(started, journal.Entry{
				Event: journal.EventStarted, Step: w.ID, Phase: w.Phase, Path: w.Source.Path, Summary: w.op.Summary(),
				Original: w.original,
			})
		}
	}
	if err := a.record(ctx, started...); err != nil {
		// This also writes the entries of earlier steps, so it can fail although no step here changes anything.
		w := &works[0]
		if len(changing) > 0 {
			w = changing[0]
		}
		w.outcome, w.err = status.OutcomeFailed, errors.Join(w.err, err)
		return
	}
	a.apply(ctx, changing)
	urgent := false
	for _, w := range changing {
		if w.err != nil {
			w.outcome = status.OutcomeFailed
			continue
		}
		w.outcome = status.OutcomeChanged
		a.changed = append(a.changed, w.Kind)
		a.recordLater(journal.Entry{Event: journal.EventDone, Step: w.ID})
		_, command := w.op.(action.RunCommand)
		urgent = urgent || command
	}
	if !urgent {
		return
	}
	if err := a.record(ctx); err != nil {
		changing[0].err = err
	}
}

// apply applies the operations, several at once.
func (a *run) apply(ctx context.Context, changing []*stepWork) {
	var group sync.WaitGroup
	for _, w := range changing {
		one := func() { w.err = a.Host.Apply(ctx, w.op, w.original) }
		if len(changing) == 1 {
			one()
			return
		}
		group.Go(one)
	}
	group.Wait()
}
