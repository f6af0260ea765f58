package ports

import (
	"context"
	"errors"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
)

// The errors of the objects of machines and hosts.
var (
	// ErrNoHost means that there is no such host.
	ErrNoHost = errors.New("no such host")
	// ErrNoBootstrapData means that the Secret with the bootstrap data does not exist or has no data.
	ErrNoBootstrapData = errors.New("the bootstrap data is missing")
	// ErrConflict means that the object changed since it was read. The decision must be repeated.
	ErrConflict = errors.New("the object has changed")
)

// HostMachine is a machine and everything that its object specifies.
type HostMachine struct {
	Key
	// Machine is the part that decides the next operation.
	host.Machine
	// Version identifies the state that was read.
	Version  string
	Request  host.Request
	Timeouts host.Timeouts
	// Settings describe a machine that a driver creates, or nil if the machine claims a host.
	Settings *HostMachineSettings
	// ProviderID is the provider ID that kubelet must have.
	ProviderID string
	// DataSecretName is the name of the Secret with the bootstrap data, or an empty string if it is not known.
	DataSecretName string
	// Fault is the fault of the last call of the driver, and FaultSince the time of its first occurrence.
	Fault      host.Fault
	FaultSince time.Time
	// PauseReported reports whether the status reports the machine as paused, and ResumedAt since when it does not.
	PauseReported bool
	ResumedAt     time.Time
}

// HostEntry is an entry of the inventory.
type HostEntry struct {
	host.Host
	Namespace string
	// Version identifies the state that was read.
	Version string
	// Connection is how to reach the host, without the private key.
	Connection HostConnection
	// SecretName and SecretKey name the private key.
	SecretName, SecretKey string
	// TrustsFirstKey reports whether the first key of the host is accepted if Connection has none.
	TrustsFirstKey bool
	// Paused reports whether the entry is paused, and Finalizer whether it has the finalizer.
	Paused, Finalizer bool
	// ProbedAt is the time of the last probe of this specification, or the zero time if there was none. Message explains
	// its result.
	ProbedAt time.Time
	Message  string
}

// Key returns the name of the object.
func (e HostEntry) Key() Key { return Key{Namespace: e.Namespace, Name: e.Name} }

// HostReader reads the objects of machines and hosts.
type HostReader interface {
	// Machine returns the machine, or ErrNoMachine.
	Machine(ctx context.Context, key Key) (HostMachine, error)
	// Host returns the host, or ErrNoHost.
	Host(ctx context.Context, key Key) (HostEntry, error)
	// Hosts returns the hosts of a namespace.
	Hosts(ctx context.Context, namespace string) ([]host.Host, error)
}

// HostMachineStatus is the status of a machine after an operation.
type HostMachineStatus struct {
	// Conditions are nil if the machine is paused or failed before: then only the condition Paused is written.
	Conditions []host.Condition
	// Provisioned reports whether the machine is provisioned.
	Provisioned bool
	// Failed is the reason of a terminal failure, and FailureMessage explains it.
	Failed         host.Reason
	FailureMessage string
	// Observation is the last observation; nil leaves addresses and failure domain as they are.
	Observation *HostObservation
	// FailureDomain is the failure domain of the host.
	FailureDomain string
	// Polled reports whether the next status follows after a delay, whether or not an object changes. Then it suffices to
	// compare this one with an object that may be stale.
	Polled bool
}

// HostMachineWriter changes machines. All methods but SetStatus return ErrConflict if the machine was changed since it
// was read.
type HostMachineWriter interface {
	// SetFinalizer adds or removes the finalizer.
	SetFinalizer(ctx context.Context, m HostMachine, present bool) error
	// SetClaim writes the claim and the time of sending; the zero Claim removes both.
	SetClaim(ctx context.Context, m HostMachine, claim host.Claim, sentAt time.Time) error
	// SetProviderID writes the provider ID.
	SetProviderID(ctx context.Context, m HostMachine) error
	// SetStatus writes the status, if it differs. A status that is polled is compared with the cache first.
	SetStatus(ctx context.Context, m HostMachine, status HostMachineStatus) error
}

// HostStatus is the result of a probe, or the reason why there was none.
type HostStatus struct {
	// Host is the host with the result of the probe.
	Host host.Host
	// Message explains the reason of its state.
	Message string
	// Properties are those that the host reports; nil leaves them as they are.
	Properties *HostProbe
	// ProbedAt is the time of the probe, or the zero time if there was none.
	ProbedAt time.Time
	// MachineMissing reports whether the machine that has the host does not exist.
	MachineMissing bool
}

// HostWriter changes hosts. All methods return ErrConflict if the host was changed since it was read, SetStatus only
// for the result of a probe.
type HostWriter interface {
	// SetClaim writes the claim; the zero Claim removes it. A host with a claim cannot be removed, and no machine selects
	// a host without a claim before its next probe.
	SetClaim(ctx context.Context, e HostEntry, claim host.Claim) error
	// MarkUnavailable makes the host unavailable for the reason and removes the claim.
	MarkUnavailable(ctx context.Context, e HostEntry, reason host.Reason, message string) error
	// SetHostKey writes the first key of the host.
	SetHostKey(ctx context.Context, e HostEntry, key string) error
	// SetStatus writes the status, if it differs.
	SetStatus(ctx context.Context, e HostEntry, status HostStatus) error
}

// HostSecrets reads the Secrets of machines and hosts, each time when it is needed.
type HostSecrets interface {
	// PrivateKey returns the private key for the host. A *HostError has FaultCredentials if the Secret is missing or
	// invalid.
	PrivateKey(ctx context.Context, e HostEntry) (secret.Value, error)
	// Data returns the bootstrap data of the machine and its format, or the name of a format that no driver accepts. It
	// returns ErrNoBootstrapData if there is none.
	Data(ctx context.Context, m HostMachine) (HostFormat, secret.Value, error)
}
