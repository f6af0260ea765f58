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
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// Difference is a step and what it would change.
type Difference struct {
	Step
	ports.Change
}

// Diff returns what Apply would change, step by step, and changes nothing. It leaves out steps that are skipped or that
// would change nothing.
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
		if consumedByJoin(past, p.Steps, step) {
			continue
		}
		change, err := s.difference(ctx, past, step)
		if err != nil {
			return nil, p, fmt.Errorf("%s: %w", step.Source, err)
		}
		if !change.IsEmpty() {
			differences = append(differences, Difference{Step: step, Change: change})
		}
	}
	return differences, p, nil
}

// consumedByJoin reports whether the step writes a secret for a command that has joined the machine, and that removes
// the secret.
func consumedByJoin(past journal.Journal, steps []Step, step Step) bool {
	file, ok := step.Do.(action.WriteFile)
	return ok && file.Secret && slices.ContainsFunc(steps, func(s Step) bool {
		c, is := s.Do.(action.RunCommand)
		return is && c.When == document.PhaseJoin && s.Source == step.Source && past.Last(s.ID) == journal.EventDone
	})
}

func (s *Service) difference(ctx context.Context, past journal.Journal, step Step) (ports.Change, error) {
	done := past.Last(step.ID) == journal.EventDone
	if step.Skipped || done && isOneShot(step.Do) {
		return ports.Change{}, nil
	}
	op, err := s.settle(ctx, step.Do)
	if err != nil {
		return ports.Change{}, err
	}
	if done {
		op = observable(op)
	}
	original, _ := past.Original(step.ID)
	return s.Host.Diff(ctx, op, original)
}

// Changes returns the changes in the journal that Reset reverts, the first one first.
func (s *Service) Changes(ctx context.Context) ([]journal.Entry, error) {
	past, err := s.Journal.Load(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	return past.Changed(), nil
}

// Reset reverts all changes in the journal, the last one first, and then clears the journal. It stops at a change that
// cannot be reverted, and can be called again; until it is complete, Apply returns ErrReset. Reset calls progress
// before it reverts a change. Finally it calls forget, which removes the configuration that the machine was started
// with, so that no later boot applies it again; nil keeps that. It calls forget last, since a reverted change may
// restore the file.
func (s *Service) Reset(ctx context.Context, progress func(journal.Entry), forget func() error) error {
	past, err := s.Journal.Load(ctx)
	if err != nil {
		return fmt.Errorf("read the journal: %w", err)
	}
	// Clients must not regard the machine as a cluster member while it is being reset.
	if err := s.Publisher.Report(ctx, status.Status{State: status.StateReset}); err != nil {
		return fmt.Errorf("withdraw the status: %w", err)
	}
	if err := s.beginReset(ctx, len(past) > 0); err != nil {
		return err
	}
	changed := past.Changed()
	for _, e := range slices.Backward(changed) {
		progress(e)
		if err := s.revert(ctx, e); err != nil {
			return fmt.Errorf("revert %q: %w", e.Summary, withReason(err))
		}
	}
	if err := s.renew(ctx, changed); err != nil {
		return err
	}
	if forget != nil {
		if err := forget(); err != nil {
			return fmt.Errorf("remove the configuration that the machine was started with: %w", err)
		}
	}
	return s.Journal.Clear(ctx)
}

// withReason adds the line of a command's output that contains the reason, such as that a file system is busy.
func withReason(err error) error {
	var command *ports.CommandError
	if !errors.As(err, &command) || len(command.Output) == 0 {
		return err
	}
	return fmt.Errorf("%w: %s", err, oneLine(status.FailureLine(secret.Redactor{}.Clean(string(command.Output)))))
}

// revert reverts a step. A machine that has joined leaves etcd first, while its member still runs.
func (s *Service) revert(ctx context.Context, e journal.Entry) error {
	if s.Membership != nil && e.Phase == document.PhaseJoin {
		if err := s.Membership.Leave(ctx); err != nil {
			return err
		}
	}
	return s.Host.Revert(ctx, e.Original)
}

// beginReset records the reset, and stops later boots from applying the configuration again.
func (s *Service) beginReset(ctx context.Context, began bool) error {
	if began {
		// The append may fail on a full disk; the reset itself frees space.
		_ = s.Journal.Append(ctx, journal.Entry{Event: journal.EventReset, At: s.Clock.Now().Truncate(time.Millisecond)})
	}
	if s.Resumption == nil {
		return nil
	}
	if err := s.Resumption.Disable(ctx); err != nil {
		return fmt.Errorf("stop later boots from continuing: %w", err)
	}
	return nil
}

// renew runs the commands that rebuild what the system derives from restored files, such as a trust store or the state
// of a service. It runs equal commands once.
func (s *Service) renew(ctx context.Context, changed []journal.Entry) error {
	var done []string
	for _, e := range changed {
		script := e.Original.State[journal.StateRenew]
		if script == "" || slices.Contains(done, script) {
			continue
		}
		done = append(done, script)
		again := journal.Original{
			Type: journal.ResourceCommand, Name: e.Original.Name,
			State: map[string]string{journal.StateUndo: script},
		}
		if err := s.Host.Revert(ctx, again); err != nil {
			return fmt.Errorf("renew after the revert of %q: %w", e.Summary, withReason(err))
		}
	}
	return nil
}
