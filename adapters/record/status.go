package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/machineadm/machineadm/domain/status"
)

// The version and kind of the status file. New fields may be added within a version, but the meaning of a field does
// not change.
const (
	APIVersion = "machineadm.io/v1alpha1"
	Kind       = "BootstrapStatus"
)

// Status is the status file. Times are RFC 3339 in UTC, durations are milliseconds.
type Status struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// State is Running, Prepared, Succeeded or Failed.
	State   string `json:"state"`
	Version string `json:"version,omitempty"`
	// Configuration is the SHA-256 of the configuration in hexadecimal.
	Configuration string     `json:"configuration,omitempty"`
	Started       time.Time  `json:"started"`
	Ended         *time.Time `json:"ended,omitempty"`
	Changes       int        `json:"changes"`
	Steps         []Step     `json:"steps,omitempty"`
	Failure       *Failure   `json:"failure,omitempty"`
}

// Step is one step of the status file.
type Step struct {
	Phase    string `json:"phase"`
	Document string `json:"document"`
	Action   string `json:"action"`
	// Outcome is Pending, Changed, Unchanged, Skipped or Failed.
	Outcome      string `json:"outcome"`
	Milliseconds int64  `json:"milliseconds,omitempty"`
}

// Failure is the failure record. The bootstrap program without an agent writes only phase, step, exitCode and log.
type Failure struct {
	// Phase is the name of the phase, or "start" before the first phase.
	Phase string `json:"phase"`
	// Step is the path of the document.
	Step     string `json:"step"`
	Action   string `json:"action,omitempty"`
	ExitCode int    `json:"exitCode"`
	Cause    string `json:"cause"`
	Log      string `json:"log"`
}

// Publisher writes the files. It implements ports.Reporter.
type Publisher struct{ Directories }

// Report writes the status to both places, the record of a failure, and the sentinel of success last. If the machine
// was complete before, the existing status is more detailed and stays; and once the sentinel exists, the failure of a
// later run is not a failure of the bootstrap. Nothing is written for a machine that was reset.
//
// It writes as much as it can: on a full disk the directories that a reboot clears still contain the failure.
func (p Publisher) Report(_ context.Context, s status.Status) error {
	if s.State == status.StateReset {
		return p.forget()
	}
	if s.State == status.StateFailed && p.succeeded(s) {
		return nil
	}
	document := written(s)
	if s.Again {
		document = p.before(document)
	}
	if err := p.write(document); err != nil || s.State != status.StateSucceeded {
		return err
	}
	if err := replaceFile(filepath.Join(p.State, DoneFile), nil, public); err != nil {
		return err
	}
	return replaceFile(filepath.Join(p.Sentinel, SentinelFile), []byte("success\n"), public)
}

// succeeded reports whether the bootstrap was complete before a run that did nothing, or that failed without a step. A
// reboot removes the sentinel, but not DoneFile. DoneFile does not suffice for another configuration, because it may be
// that of an image.
func (p Publisher) succeeded(failed status.Status) bool {
	complete := exists(filepath.Join(p.Sentinel, SentinelFile))
	if failed.Again {
		return complete
	}
	return len(failed.Steps) == 0 && (complete || exists(filepath.Join(p.State, DoneFile)))
}

func exists(at string) bool {
	_, err := os.Stat(at)
	return err == nil
}

// before returns the status of the run that completed the machine, or failed. After a power failure at that moment, or
// on a full disk, the existing status may still be that of a running bootstrap.
func (p Publisher) before(now Status) Status {
	earlier, err := Read(p.Directories)
	if err != nil {
		return now
	}
	if earlier.State != now.State {
		earlier.State, earlier.Ended, earlier.Failure = now.State, now.Ended, now.Failure
	}
	return earlier
}

func (p Publisher) write(document Status) error {
	all := []error{restrict(p.State)}
	for _, dir := range []string{p.Run, p.State} {
		all = append(all, writeJSON(filepath.Join(dir, StatusFile), document))
	}
	for _, at := range []string{filepath.Join(p.Sentinel, PublicFailureFile), filepath.Join(p.State, FailureFile)} {
		all = append(all, failed(at, document.Failure))
	}
	return errors.Join(all...)
}

// failed writes the record of a failure, or removes that of an earlier run.
func failed(at string, f *Failure) error {
	if f != nil {
		return writeJSON(at, f)
	}
	return remove(at)
}

func remove(at string) error {
	if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// forget removes all files of a bootstrap's progress, the sentinel first.
func (p Publisher) forget() error {
	for _, at := range []string{
		filepath.Join(p.Sentinel, SentinelFile), filepath.Join(p.Sentinel, PublicFailureFile),
		filepath.Join(p.State, DoneFile),
		filepath.Join(p.State, FailureFile), filepath.Join(p.Run, StatusFile), filepath.Join(p.State, StatusFile),
		filepath.Join(p.State, ReportedFile),
	} {
		if err := remove(at); err != nil {
			return err
		}
	}
	return nil
}

// Read returns the status of the last run, or fs.ErrNotExist.
func Read(d Directories) (Status, error) {
	data, err := ReadText(d)
	if err != nil {
		return Status{}, err
	}
	var s Status
	if err := json.Unmarshal(data, &s); err != nil {
		return Status{}, fmt.Errorf("read the status: %w", err)
	}
	return s, nil
}

// ReadText returns the content of the status file. Without permission to read State, it returns the copy in Run.
func ReadText(d Directories) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(d.State, StatusFile))
	if errors.Is(err, fs.ErrPermission) {
		return os.ReadFile(filepath.Join(d.Run, StatusFile))
	}
	return data, err
}

func written(s status.Status) Status {
	w := Status{
		APIVersion: APIVersion, Kind: Kind, State: string(s.State), Version: s.Version, Configuration: s.Digest,
		Started: s.Started.UTC(), Changes: s.Changes(), Failure: failure(s.Failure),
	}
	if !s.Ended.IsZero() {
		ended := s.Ended.UTC()
		w.Ended = &ended
	}
	for _, step := range s.Steps {
		w.Steps = append(w.Steps, Step{
			Phase: step.Phase.String(), Document: step.Document, Action: step.Action, Outcome: string(step.Outcome),
			Milliseconds: step.Took.Milliseconds(),
		})
	}
	return w
}

func failure(f *status.Failure) *Failure {
	if f == nil {
		return nil
	}
	return &Failure{
		Phase: f.PhaseName(), Step: f.Document, Action: f.Action, ExitCode: f.ExitCode,
		Cause: f.Cause, Log: f.Log,
	}
}

func writeJSON(at string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(at, append(data, '\n'), public)
}
