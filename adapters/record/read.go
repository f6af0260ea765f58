package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/status"
)

// errNoStatus means that something else than a status was read. The decoder's own errors quote what they read, so that
// none of them goes further than this package.
var errNoStatus = errors.New("it is no " + Kind + " of " + APIVersion)

// Codec writes statuses and reads them back. It implements ports.StatusReader.
type Codec struct{}

// WriteStatus returns the status in the format of the status file, on one line.
func (Codec) WriteStatus(s status.Status) ([]byte, error) { return json.Marshal(written(s)) }

// ReadStatus parses the result of WriteStatus. A second document and unknown fields are errors.
func (Codec) ReadStatus(data []byte) (status.Status, error) {
	var w Status
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		return status.Status{}, refusal(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return status.Status{}, fmt.Errorf("%w: more follows", errNoStatus)
	}
	if w.APIVersion != APIVersion || w.Kind != Kind {
		return status.Status{}, errNoStatus
	}
	return w.status()
}

// refusal returns the place of the mistake in a document without quoting it.
func refusal(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%w: it is no JSON, at byte %d", errNoStatus, syntax.Offset)
	case errors.As(err, &kind):
		return fmt.Errorf("%w: a value of another type, at byte %d", errNoStatus, kind.Offset)
	default:
		return errNoStatus
	}
}

func (w Status) status() (status.Status, error) {
	s := status.Status{State: status.State(w.State), Version: w.Version, Digest: w.Configuration, Started: w.Started}
	// StateReset is never written.
	written := []status.State{status.StateRunning, status.StatePrepared, status.StateSucceeded, status.StateFailed}
	if !slices.Contains(written, s.State) {
		return s, fmt.Errorf("%w: no such state", errNoStatus)
	}
	if w.Ended != nil {
		s.Ended = *w.Ended
	}
	for i, step := range w.Steps {
		read, err := step.step()
		if err != nil {
			return s, fmt.Errorf("%w: steps[%d]: %w", errNoStatus, i, err)
		}
		s.Steps = append(s.Steps, read)
	}
	return s, w.Failure.failure(&s)
}

func (w Step) step() (status.Step, error) {
	phase, known := phaseNamed(w.Phase)
	if !known || phase == 0 {
		return status.Step{}, errors.New("no such phase")
	}
	outcome := status.Outcome(w.Outcome)
	switch outcome {
	case status.OutcomePending, status.OutcomeChanged, status.OutcomeUnchanged, status.OutcomeSkipped,
		status.OutcomeFailed:
	default:
		return status.Step{}, errors.New("no such outcome")
	}
	return status.Step{
		Phase: phase, Document: w.Document, Action: w.Action, Outcome: outcome,
		Took: time.Duration(w.Milliseconds) * time.Millisecond,
	}, nil
}

// failure adds the failure to the status, if there is one.
func (w *Failure) failure(s *status.Status) error {
	if (w != nil) != (s.State == status.StateFailed) {
		return fmt.Errorf("%w: a failure goes with the state Failed", errNoStatus)
	}
	if w == nil {
		return nil
	}
	phase, known := phaseNamed(w.Phase)
	if !known {
		return fmt.Errorf("%w: failure: no such phase", errNoStatus)
	}
	s.Failure = &status.Failure{
		Phase: phase, Document: w.Step, Action: w.Action, ExitCode: w.ExitCode,
		Cause: w.Cause, Log: w.Log,
	}
	return nil
}

// phaseNamed returns the phase with the name; 0 before the first phase.
func phaseNamed(name string) (document.Phase, bool) {
	if name == status.PhaseStart {
		return 0, true
	}
	return document.PhaseNamed(name)
}
