package agent

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// Difference is a step and what it would change.
type Difference struct {
	Step
	ports.Change
}

// Diff tells what Apply would change, step by step, and changes nothing. Steps that are skipped or change nothing are
// left out.
func (s *Service) Diff(ctx context.Context, r Request) ([]Difference, Prepared, error) {
	past, err := s.Journal.Load(ctx)
	if err != nil {
		return nil, Prepared{}, fmt.Errorf("read the journal: %w", err)
	}
	p, err := s.Plan(ctx, r)
	if err != nil || p.Findings.HasErrors() {
		return nil, p, err
	}
	var differences []Difference
	for _, step := range p.Steps {
		if usedUp(past, p.Steps, step) {
			continue
		}
		change, err := s.difference(ctx, past, step)
		if err != nil {
			return nil, p, fmt.Errorf("%s: %w", step.Source, err)
		}
		if !change.None() {
			differences = append(differences, Difference{Step: step, Change: change})
		}
	}
	return differences, p, nil
}

// usedUp reports whether the step is a secret of a document whose command has joined the machine: it removes what it
// was given.
func usedUp(past journal.Journal, steps []Step, step Step) bool {
	file, ok := step.Do.(action.WriteFile)
	return ok && file.Secret && slices.ContainsFunc(steps, func(s Step) bool {
		c, is := s.Do.(action.RunCommand)
		return is && c.When == document.PhaseJoin && s.Source == step.Source && past.Last(s.ID) == journal.EventDone
	})
}

func (s *Service) difference(ctx context.Context, past journal.Journal, step Step) (ports.Change, error) {
	if step.Skipped || past.Last(step.ID) == journal.EventDone && once(step.Do) {
		return ports.Change{}, nil
	}
	op, err := s.settle(ctx, step.Do)
	if err != nil {
		return ports.Change{}, err
	}
	original, _ := past.Original(step.ID)
	return s.Host.Diff(ctx, op, original)
}

// Reset puts back all that the journal tells of, the last change first, has the system see that, and forgets it. It
// stops at what cannot be put back, so that it can be called again; until then Apply answers ErrReset. Tell is called
// before each thing is put back. Forget removes what a machine is started with, so that nobody brings the same about
// again unasked; nil leaves it. It comes last: what is put back may be of that, too.
func (s *Service) Reset(ctx context.Context, tell func(journal.Entry), forget func() error) error {
	past, err := s.Journal.Load(ctx)
	if err != nil {
		return fmt.Errorf("read the journal: %w", err)
	}
	// Nobody may take the machine for one of the cluster while it is taken apart.
	if err := s.Publisher.Report(ctx, status.Status{State: status.StateReset}); err != nil {
		return fmt.Errorf("withdraw the status: %w", err)
	}
	if err := s.takeBack(ctx, len(past) > 0); err != nil {
		return err
	}
	changed := past.Changed()
	for _, e := range slices.Backward(changed) {
		tell(e)
		if err := s.putBack(ctx, e); err != nil {
			return fmt.Errorf("put back what was there before %q: %w", e.Summary, err)
		}
	}
	if err := s.renew(ctx, changed); err != nil {
		return err
	}
	if forget != nil {
		if err := forget(); err != nil {
			return fmt.Errorf("remove what the machine was started with: %w", err)
		}
	}
	return s.Journal.Clear(ctx)
}

// putBack puts back what was there before a step. A machine that joined leaves those that count on it while it still
// can.
func (s *Service) putBack(ctx context.Context, e journal.Entry) error {
	if s.Membership != nil && e.Phase == document.PhaseJoin {
		if err := s.Membership.Leave(ctx); err != nil {
			return err
		}
	}
	return s.Host.Revert(ctx, e.Original)
}

// takeBack keeps later boots, and whoever applies a configuration, from bringing about again what is about to be
// undone, or from telling that it is complete.
func (s *Service) takeBack(ctx context.Context, began bool) error {
	if began {
		// A full disk is no reason to keep what fills it.
		_ = s.Journal.Append(ctx, journal.Entry{Event: journal.EventReset, At: s.Clock.Now().Truncate(time.Millisecond)})
	}
	if s.Resumption == nil {
		return nil
	}
	if err := s.Resumption.Disarm(ctx); err != nil {
		return fmt.Errorf("keep later boots from going on: %w", err)
	}
	return nil
}

// renew runs what has the system see that files are those of before: a trust store is built of them, say.
func (s *Service) renew(ctx context.Context, changed []journal.Entry) error {
	for _, e := range changed {
		script := e.Original.State[journal.StateRenew]
		if script == "" {
			continue
		}
		again := journal.Original{
			Thing: journal.ThingCommand, Name: e.Original.Name,
			State: map[string]string{journal.StateUndo: script},
		}
		if err := s.Host.Revert(ctx, again); err != nil {
			return fmt.Errorf("have the system see what was put back after %q: %w", e.Summary, err)
		}
	}
	return nil
}
