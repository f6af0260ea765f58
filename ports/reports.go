package ports

import (
	"context"
	"errors"
	"time"

	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/status"
)

// ErrNoMachine means that there is no machine of the name that may report.
var ErrNoMachine = errors.New("no such machine")

// Reporting is what is known of a machine that may report.
type Reporting struct {
	// Owner is the object that describes the machine.
	Owner Owner
	// Credentials are what the machine may show, expired ones included.
	Credentials credential.Grants
	// Published is when the machine's data was there.
	Published time.Time
}

// LastReport is what a machine reported last.
type LastReport struct {
	// Summary is nil if the machine has not reported.
	Summary *status.Status
	// Pool means that many machines report under the name.
	Pool bool
}

// Reports keeps what machines report where those who run them look.
type Reports interface {
	// Find returns who reports under the name of the machine's data, or ErrNoMachine.
	Find(ctx context.Context, data Key) (Reporting, error)
	// Last returns what the machine reported last. The error is ErrNoMachine if the owner is gone.
	Last(ctx context.Context, owner Owner) (LastReport, error)
	// Save keeps a report, which arrived at the time, in place of the last one, unless follows returns an error for that
	// one, which Save returns. No other report is kept in between. The error is ErrNoMachine if the owner is gone.
	Save(ctx context.Context, owner Owner, s status.Status, at time.Time, follows func(LastReport) error) error
}

// StatusReader reads a status as machines write it.
type StatusReader interface {
	// ReadStatus is strict: an unknown field, a second document or a wrong type is an error, which quotes nothing of the
	// data.
	ReadStatus(data []byte) (status.Status, error)
}
