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

// The errors of Admit and Receive for invalid requests.
var (
	// ErrRefused means that there is no such machine, that this is not its credential, or that the credential has expired.
	// The caller does not learn which.
	ErrRefused = errors.New("refused")
	// ErrMalformed means that the document is not a report.
	ErrMalformed = errors.New("malformed report")
)

// errNotNewer means that a report is not newer than the last one.
var errNotNewer = errors.New("known")

// clockSkew is the maximum difference of a machine's clock. If it is larger, the times of a report are ignored.
const clockSkew = 5 * time.Minute

// Dependencies are the dependencies of the use case. All are required.
type Dependencies struct {
	Reports ports.Reports
	Reader  ports.StatusReader
	Clock   ports.Clock
}

// Service receives reports. It is safe for concurrent use.
type Service struct{ Dependencies }

// New returns the use case.
func New(p Dependencies) *Service { return &Service{Dependencies: p} }

// Admit returns the machine with the credential, or ErrRefused if there is none that may still report. Before the
// credential matches, it reads only the credentials of the machine, so that requests of other clients are cheap.
func (s *Service) Admit(ctx context.Context, data ports.Key, shown []byte) (ports.ReportingMachine, error) {
	machine, err := s.Reports.Find(ctx, data)
	if err != nil && !errors.Is(err, ports.ErrNoMachine) {
		return ports.ReportingMachine{}, fmt.Errorf("find the machine: %w", err)
	}
	// The comparison costs the same for a machine that does not exist.
	grant, matches := machine.Credentials.Match(shown)
	if !matches || err != nil {
		return ports.ReportingMachine{}, ErrRefused
	}
	last, err := s.Reports.Last(ctx, machine.Owner)
	switch {
	case errors.Is(err, ports.ErrNoMachine):
		return ports.ReportingMachine{}, ErrRefused
	case err != nil:
		return ports.ReportingMachine{}, fmt.Errorf("find the last report: %w", err)
	case ended(last) || s.expired(machine, grant, last.Pool):
		return ports.ReportingMachine{}, ErrRefused
	}
	return machine, nil
}

// ended reports whether the machine has reported success. It must not report again then, unless it is a pool, in which
// other machines may still report.
func ended(last ports.LastReport) bool {
	return !last.Pool && last.Summary != nil && last.Summary.State == status.StateSucceeded
}

// expired reports whether the credential has expired. Without an expiry, it is the newest credential of a pool, or was
// issued by a version without expiries.
func (s *Service) expired(machine ports.ReportingMachine, grant credential.Grant, pool bool) bool {
	if grant.Expires.IsZero() && !pool {
		grant.Expires = machine.Published.Add(delivery.DefaultCredential)
	}
	return grant.Expired(s.Clock.Now())
}

// isNew reports whether a report replaces the last one. The machines of a pool report under one name, and their runs
// have no common order: each result replaces the last one, unless it repeats it. The progress of one machine does not
// replace the result of another, which would be lost.
func isNew(reported, last status.Status, pool bool) bool {
	if pool {
		return !reported.Repeats(last) && (reported.Final() || !last.Final())
	}
	return reported.Follows(last)
}

// Receive stores a report of an admitted machine if it is newer than the last one, and returns its summary.
func (s *Service) Receive(ctx context.Context, machine ports.ReportingMachine, document []byte) (reported status.Status,
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
		case last.Summary != nil && !isNew(reported, last.Summary.Within(from, to), last.Pool):
			return errNotNewer
		default:
			return nil
		}
	})
	switch {
	case errors.Is(err, errNotNewer):
		return reported, false, nil
	case errors.Is(err, ErrRefused), errors.Is(err, ports.ErrNoMachine):
		return reported, false, ErrRefused
	case err != nil:
		return reported, false, fmt.Errorf("store the report: %w", err)
	default:
		return reported, true, nil
	}
}
