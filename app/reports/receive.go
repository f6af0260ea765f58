package reports

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// The errors of Admit and Receive that are the sender's fault.
var (
	// ErrRefused means that there is no such machine, that this is not its credential, or that the credential has expired.
	// The caller does not learn which.
	ErrRefused = errors.New("refused")
	// ErrMalformed means that the document is not a report.
	ErrMalformed = errors.New("malformed report")
)

// errKnown means that a report is not news.
var errKnown = errors.New("known")

// clockSkew is by how much a machine's clock may differ before its start time is ignored.
const clockSkew = 5 * time.Minute

// Parts are what the use case works with. All are required.
type Parts struct {
	Reports ports.Reports
	Reader  ports.StatusReader
	Clock   ports.Clock
}

// Service receives reports. It may be used by several goroutines.
type Service struct{ Parts }

// New returns the use case.
func New(p Parts) *Service { return &Service{Parts: p} }

// Admit returns the machine that the credential belongs to, or ErrRefused if there is none that may still report. It
// reads nothing else that the client sent, and of the machine only its credentials unless one of them matches, so that
// other clients cost little.
func (s *Service) Admit(ctx context.Context, data ports.Key, shown []byte) (ports.Reporting, error) {
	machine, err := s.Reports.Find(ctx, data)
	if err != nil && !errors.Is(err, ports.ErrNoMachine) {
		return ports.Reporting{}, fmt.Errorf("find the machine: %w", err)
	}
	// The comparison costs the same for a machine that does not exist.
	grant, matches := machine.Credentials.Match(shown)
	if !matches || err != nil {
		return ports.Reporting{}, ErrRefused
	}
	last, err := s.Reports.Last(ctx, machine.Owner)
	switch {
	case errors.Is(err, ports.ErrNoMachine):
		return ports.Reporting{}, ErrRefused
	case err != nil:
		return ports.Reporting{}, fmt.Errorf("find the last report: %w", err)
	case ended(last) || s.expired(machine, grant, last.Pool):
		return ports.Reporting{}, ErrRefused
	}
	return machine, nil
}

// ended reports whether the machine may not report any more because it reported success: nothing that it does follows.
// Others of a pool may.
func ended(last ports.LastReport) bool {
	return !last.Pool && last.Summary != nil && last.Summary.State == status.StateSucceeded
}

// expired reports whether the credential has expired. One without an end is a pool's newest, or older than ends are.
func (s *Service) expired(machine ports.Reporting, grant credential.Grant, pool bool) bool {
	if grant.Ends.IsZero() && !pool {
		grant.Ends = machine.Published.Add(delivery.DefaultCredential)
	}
	return grant.Expired(s.Clock.Now())
}

// Receive stores a report of a machine that was admitted, if it is news, and returns its summary.
func (s *Service) Receive(ctx context.Context, machine ports.Reporting, document []byte) (reported status.Status,
	news bool, err error,
) {
	read, err := s.Reader.ReadStatus(document)
	if err != nil {
		return reported, false, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	now := s.Clock.Now()
	from, to := machine.Published.Add(-clockSkew), now.Add(clockSkew)
	reported = read.Summarize().Within(from, to)
	err = s.Reports.Save(ctx, machine.Owner, reported, now, func(last ports.LastReport) error {
		switch {
		case ended(last):
			return ErrRefused
		case last.Summary != nil && !reported.Follows(last.Summary.Within(from, to)):
			return errKnown
		default:
			return nil
		}
	})
	switch {
	case errors.Is(err, errKnown):
		return reported, false, nil
	case errors.Is(err, ErrRefused), errors.Is(err, ports.ErrNoMachine):
		return reported, false, ErrRefused
	case err != nil:
		return reported, false, fmt.Errorf("store the report: %w", err)
	default:
		return reported, true, nil
	}
}
