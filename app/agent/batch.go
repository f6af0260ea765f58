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
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// mostTogether bounds how many files are written at once.
const mostTogether = 32

// together returns how many steps from step i on are carried out together. That is one, but for files: each has to be
// on the disk before the journal may say that it is, and disks that wait for many at once wait hardly longer than for
// one.
func (a *run) together(i int) int {
	b := batch{files: map[string]bool{}, folders: map[string]bool{}}
	for _, s := range a.prepared.Steps[i:] {
		file, ok := s.Do.(action.WriteFile)
		if !ok || file.Append || s.Skipped || s.Phase != a.prepared.Steps[i].Phase || len(b.files) == mostTogether ||
			!b.takes(file.Path) {
			break
		}
	}
	return max(1, len(b.files))
}

// batch is the names of files that are written together, and those of the folders above them.
type batch struct{ files, folders map[string]bool }

// takes adds a file to the batch and reports whether it may be one of it. Files of the same name could be the same by
// way of a link, so their order is kept, and so is that of a file whose name is a folder of another's: of these one
// fails, which is to be seen before anything is changed.
func (b batch) takes(at string) bool {
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

// work is what a step asks for on this machine.
type work struct {
	Step
	op       action.Operation
	original journal.Original
	// differs says that the machine is not as it should be.
	differs bool
	outcome status.Outcome
	err     error
}

// carryOut brings about n steps from step i on, as far as they are not there already. A step that fails ends the run;
// those before it are done.
func (a *run) carryOut(ctx context.Context, i, n int) error {
	if a.prepared.Steps[i].Skipped {
		return nil
	}
	began := a.Clock.Now()
	works := a.look(ctx, a.prepared.Steps[i:i+n])
	a.change(ctx, works)
	took := max(0, a.Clock.Now().Sub(began)) / time.Duration(len(works))
	var failed *work
	for k := range works {
		w := &works[k]
		if w.err != nil && failed == nil {
			failed = w
		}
		if w.err != nil && told(ctx, w.err) {
			return a.cut(ctx)
		}
		a.tell(i+k, w.outcome, took)
	}
	if failed != nil {
		if failed.outcome == status.OutcomeChanged {
			// It is done, and what failed is to write that down.
			failed.ID = ""
		}
		return a.stop(ctx, failed.Step, failed.err)
	}
	return nil
}

// tell writes down what became of a step.
func (a *run) tell(i int, outcome status.Outcome, took time.Duration) {
	step := &a.status.Steps[i]
	step.Outcome, step.Took = outcome, took
	if a.Progress != nil {
		a.Progress(*step)
	}
}

// look finds out what the steps ask for, up to the first of which that cannot be found out.
func (a *run) look(ctx context.Context, steps []Step) []work {
	var works []work
	for _, s := range steps {
		w := a.lookAt(ctx, s)
		works = append(works, w)
		if w.err != nil {
			break
		}
	}
	return works
}

func (a *run) lookAt(ctx context.Context, s Step) work {
	w := work{Step: s, outcome: status.OutcomeFailed}
	if w.op, w.err = a.settle(ctx, s.Do); w.err != nil {
		return w
	}
	unfinished := a.past.Unfinished()
	if _, begun := unfinished.Original(s.ID); begun {
		// The unit that waits for this change may not have been restarted yet.
		a.changed = append(a.changed, s.Kind)
	}
	last := a.past.Last(s.ID)
	command, isCommand := w.op.(action.RunCommand)
	if isCommand && a.request.Resume && command.When == document.PhaseBoot {
		// This is another boot than the one in which it was done.
		last = ""
	}
	if last == journal.EventDone && (once(w.op) || a.past.Of(a.status.Digest).Last(s.ID) == journal.EventDone ||
		a.usedUp(s)) {
		w.outcome = status.OutcomeUnchanged
		return w
	}
	if isCommand && command.When == document.PhaseJoin && a.past.CutOff(document.PhaseJoin) {
		w.err = errInterrupted
		return w
	}
	a.compare(ctx, &w)
	return w
}

// usedUp reports whether what the step writes was used to join, and is gone.
func (a *run) usedUp(s Step) bool { return usedUp(a.past, a.prepared.Steps, s) }

// compare determines whether the machine differs from what the step wants. The state before the step is captured when
// the step changes it for the first time.
func (a *run) compare(ctx context.Context, w *work) {
	var known bool
	var change ports.Change
	w.original, known = a.past.Original(w.ID)
	if change, w.err = a.Host.Diff(ctx, w.op, w.original); w.err != nil {
		return
	}
	if !change.None() && !known {
		if w.original, w.err = a.Host.Capture(ctx, w.op); w.err != nil {
			return
		}
		w.original = renewed(w.original, w.op)
	}
	w.outcome, w.differs = status.OutcomeUnchanged, !change.None()
}

// renewed returns the original with what a reset is to run at its end.
func renewed(o journal.Original, op action.Operation) journal.Original {
	if c, ok := op.(action.RunCommand); ok && c.Renew != "" {
		o.State = maps.Clone(o.State)
		if o.State == nil {
			o.State = map[string]string{}
		}
		o.State[journal.StateRenew] = c.Renew
	}
	return o
}

// change applies the operations where the machine differs, with a note before and after. What is done is noted with
// what comes next, unless it is a command: anything else can be done again, and is then no different.
func (a *run) change(ctx context.Context, works []work) {
	var changing []*work
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
	if err := a.note(ctx, started...); err != nil {
		// What earlier steps did is noted with this, so that it can fail though none of these changes anything.
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
		a.hold(journal.Entry{Event: journal.EventDone, Step: w.ID})
		_, command := w.op.(action.RunCommand)
		urgent = urgent || command
	}
	if !urgent {
		return
	}
	if err := a.note(ctx); err != nil {
		changing[0].err = err
	}
}

// apply applies the operations, several of them at once.
func (a *run) apply(ctx context.Context, changing []*work) {
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
