package reports

import (
	"context"
	"errors"
	"fmt"

	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// The errors of Receive that are the sender's fault.
var (
	// ErrRefused means that there is no such machine, or that this is not its credential. Which of them is told to nobody.
	ErrRefused = errors.New("refused")
	// ErrMalformed means that the document is none.
	ErrMalformed = errors.New("malformed report")
)

// Parts are what the use case works with. All are required.
type Parts struct {
	Reports ports.Reports
	Reader  ports.StatusReader
	Clock   ports.Clock
}

// Service takes reports. It may be used by several goroutines.
type Service struct{ Parts }

// New returns the use case.
func New(p Parts) *Service { return &Service{Parts: p} }

// Admit finds out who the machine is that shows the credential, or returns ErrRefused. It reads nothing that the machine sent
// besides, so that strangers cost little.
func (s *Service) Admit(ctx context.Context, data ports.Key, shown []byte) (ports.Owner, error) {
	found, err := s.Reports.Find(ctx, data)
	if err != nil && !errors.Is(err, ports.ErrNoMachine) {
		return ports.Owner{}, fmt.Errorf("find the machine: %w", err)
	}
	// Of a machine that is not there no digest is known, and the comparison takes the same time.
	if !found.Credentials.Matches(shown) || err != nil {
		return ports.Owner{}, ErrRefused
	}
	return found.Owner, nil
}

// Receive keeps a report of a machine that was admitted, if it is news, and returns what it says.
func (s *Service) Receive(ctx context.Context, owner ports.Owner, document []byte) (told status.Summary, news bool, err error) {
	read, err := s.Reader.ReadStatus(document)
	if err != nil {
		return told, false, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	told = read.Summarize()
	last, known, err := s.Reports.Last(ctx, owner)
	if err == nil && known && !told.Follows(last) {
		return told, false, nil
	}
	if err == nil {
		err = s.Reports.Save(ctx, owner, told, s.Clock.Now())
	}
	if errors.Is(err, ports.ErrNoMachine) {
		return told, false, ErrRefused
	}
	if err != nil {
		return told, false, fmt.Errorf("keep the report: %w", err)
	}
	return told, true, nil
}
