package ports

import (
	"context"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
)

// HostFormat is a format of bootstrap data, as a driver distinguishes it. It is not the format of the data Secret: the
// key of this Secret has only two values.
type HostFormat string

// The formats.
const (
	// HostFormatShell is a POSIX shell script that runs once, as the format shell renders it.
	HostFormatShell HostFormat = "shell"
	// HostFormatAgent is machine configuration for the agent.
	HostFormatAgent HostFormat = "machineadm"
	// HostFormatCloudConfig is data for cloud-init.
	HostFormatCloudConfig HostFormat = "cloud-config"
	// HostFormatIgnition is an Ignition configuration.
	HostFormatIgnition HostFormat = "ignition"
)

// HostTarget is the host of a call.
type HostTarget struct {
	// Namespace and Name are those of the Host, or of the machine if the driver creates machines.
	Namespace, Name string
	// Connection is how to reach the host, or nil if the driver creates machines.
	Connection *HostConnection
	// Machine is what the driver creates, or nil if it claims hosts.
	Machine *HostMachineSettings
}

// HostConnection is how to reach a host.
type HostConnection struct {
	// Address is a DNS name or an IP address without brackets.
	Address string
	Port    int
	User    string
	// Key is the private key in PEM or in OpenSSH's format, without passphrase.
	Key secret.Value
	// HostKeys are the accepted keys, in the form of authorized_keys. If it is empty, Probe accepts any key and returns
	// it, and all other calls return FaultHostKeyUnknown.
	HostKeys []string
}

// HostMachineSettings is a machine that a driver creates.
type HostMachineSettings struct {
	// Root is the path of the root file system for namespaces, and Image that of the image for a virtual machine. Both
	// are below the driver's directory.
	Root, Image string
	// ImageSHA256 is the digest of the image in lower-case hexadecimal.
	ImageSHA256 string
	// Seed is NoCloud, FirmwareConfig or ConfigDrive; empty selects it by the format.
	Seed string
	// KVM uses hardware virtualisation.
	KVM bool
	// CPUs, MemoryMiB and DiskGiB are 0 for the defaults of the driver.
	CPUs, MemoryMiB, DiskGiB int
}

// HostBoot is what a host boots.
type HostBoot struct {
	Format HostFormat
	// Data is the bootstrap data. Drivers pass it only over pipes and in files that are private from creation.
	Data secret.Value
	// Hostname and ProviderID identify the machine. Drivers that create machines set the host name and put both into the
	// instance metadata. Other drivers do not change the host name.
	Hostname, ProviderID string
}

// HostObservation is the state of a claim on a host.
type HostObservation struct {
	// Phase is the phase of the claim. It is never PhaseUnknown.
	Phase host.Phase
	// Failure describes a failed bootstrap on one line of at most host.MaxFailure bytes, for PhaseFailed.
	Failure string
	// Hostname and Addresses are what the host reports. Addresses are IP addresses without loopback, link-local and
	// container networks, sorted, at most host.MaxAddresses.
	Hostname  string
	Addresses []string
	// ProviderID is the one that kubelet runs with, or an empty string if kubelet does not run or has none.
	ProviderID string
}

// HostProbe is what a driver finds out about a host that no machine uses.
type HostProbe struct {
	// HostKey is the key that the host presents, in the form of authorized_keys.
	HostKey string
	// Architecture is amd64 or arm64, or the kernel's name of another one.
	Architecture string
	// Agent reports whether the host has an agent that the driver accepts for machine configuration.
	Agent bool
	// OSImage is PRETTY_NAME of os-release(5), on one line of at most 256 bytes.
	OSImage string
	// CPUs, MemoryBytes and DiskFreeBytes are 0 if they are not known. The disk is that of /var.
	CPUs                       int
	MemoryBytes, DiskFreeBytes int64
}

// HostError is a fault of a call. The text contains no secret and nothing that the host sent, except with
// FaultHostKeyChanged, whose text contains the fingerprints of both keys.
type HostError struct {
	Fault host.Fault
	// Operation is the call, such as "send the bootstrap data".
	Operation string
	// Err is the cause; it may be nil.
	Err error
}

// Error returns the operation, the fault and the cause.
func (e *HostError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("%s: %s", e.Operation, e.Fault)
	}
	return fmt.Sprintf("%s: %s: %v", e.Operation, e.Fault, e.Err)
}

// Detail returns the text for a condition whose reason is the fault: the operation, and the cause or the description
// of the fault.
func (e *HostError) Detail() string {
	text := e.Fault.Problem()
	if e.Err != nil {
		text = e.Err.Error()
	}
	if e.Operation == "" {
		return text
	}
	return e.Operation + ": " + text
}

// Unwrap returns the cause.
func (e *HostError) Unwrap() error { return e.Err }

// HostDriver boots machines on hosts, or creates them.
//
// A call returns within the deadline of its context. It may be repeated after any error, and after the controller was
// killed at any point; the claim's ID makes repetitions harmless. Calls for different hosts may run at the same time.
// Calls for one host may run at the same time, too, from several management clusters: the host itself serialises them.
//
// Errors are *HostError, except those of the context. After FaultUnreachable, the effect of the call is unknown, and
// Observe shows it.
type HostDriver interface {
	// Probe examines a host that no machine uses. It changes nothing. The fault is FaultNotClean if the host has the state
	// of a machine, and FaultForeignClaim if it has a claim under which something was started.
	Probe(ctx context.Context, target HostTarget) (HostProbe, error)
	// Claim writes the claim to the host. It replaces a claim under which nothing was started. The fault is
	// FaultForeignClaim if something was started under another claim. The same claim is not an error.
	Claim(ctx context.Context, target HostTarget, claimID string) error
	// Boot stores the data and starts the bootstrap, and does not wait for its end. It starts at most one run for each
	// claim, in all calls. The fault is FaultForeignClaim if the host does not have the claim, and FaultFormat if the
	// driver does not accept the format; then nothing is sent.
	Boot(ctx context.Context, target HostTarget, claimID string, boot HostBoot) error
	// Observe returns the state of the claim. The phase is PhaseReleased if the host has no claim. The fault is
	// FaultForeignClaim if it has another one.
	Observe(ctx context.Context, target HostTarget, claimID string) (HostObservation, error)
	// Release ends the run, resets the host and removes the claim last. It returns once the reset is started; Observe
	// returns PhaseReleasing, and PhaseReleased after the host was verified. A failed reset is the fault FaultReset of
	// Observe, and a host that is not clean afterwards FaultNotClean. Without a claim, or with another one, it does
	// nothing.
	Release(ctx context.Context, target HostTarget, claimID string) error
}

// HostFormats returns the formats that a driver accepts.
type HostFormats interface {
	// Formats returns the formats in order of preference, for the message about another one.
	Formats() []HostFormat
}

// HostDriverLimits limits the work of a driver. Calls wait for a slot until their context ends; then the fault is
// FaultBusy.
type HostDriverLimits struct {
	// Connections is the number of connections at the same time, and Sessions the number for each connection.
	Connections, Sessions int
	// Handshakes is the number of connections that log in at the same time.
	Handshakes int
	// Idle is how long an unused connection stays open.
	Idle time.Duration
}

// DefaultHostDriverLimits returns the limits without configuration.
func DefaultHostDriverLimits() HostDriverLimits {
	return HostDriverLimits{Connections: 64, Sessions: 4, Handshakes: 16, Idle: 2 * time.Minute}
}
