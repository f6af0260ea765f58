package ports

import (
	"context"
	"errors"
	"time"

	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/status"
)

// ErrNoMachine means that no machine with the name may report.
var ErrNoMachine = errors.New("no such machine")

// ReportingMachine contains what the endpoint needs to authenticate the reports of a machine.
type ReportingMachine struct {
	// Owner is the MachineBootstrapConfig of the machine.
	Owner Owner
	// Credentials are those that were issued to the machine, including expired ones.
	Credentials credential.Grants
	// Published is when the machine's data was published.
	Published time.Time
}

// LastReport is the last report of a machine or a pool.
type LastReport struct {
	// Summary is the reported status, or nil if the machine has not reported.
	Summary *status.Status
	// Pool means that all machines of a pool report under the name.
	Pool bool
}

// Reports stores the reports of machines in the status of their configurations.
type Reports interface {
	// Find returns the owner and the credentials of the machine whose data Secret has the name, or ErrNoMachine.
	Find(ctx context.Context, data Key) (ReportingMachine, error)
	// Last returns the last report of the machine. The error is ErrNoMachine if the owner no longer exists.
	Last(ctx context.Context, owner Owner) (LastReport, error)
	// Save replaces the last report by s, which arrived at the time. It first calls follows with the last report, and
	// returns an error of follows without storing s. The check and the replacement are atomic. The error is
	// ErrNoMachine if the owner no longer exists.
	Save(ctx context.Context, owner Owner, s status.Status, at time.Time, follows func(LastReport) error) error
}

// StatusReader parses the status that machines report.
type StatusReader interface {
	// ReadStatus is strict: an unknown field, a second document or a wrong type is an error. Errors do not quote the
	// data.
	ReadStatus(data []byte) (status.Status, error)
}
