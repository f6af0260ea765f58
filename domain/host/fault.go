package host

import (
	"cmp"
	"time"
)

// Fault is a problem that a driver reports instead of an observation. Drivers return it with an error; see ports.
type Fault string

// The faults.
const (
	// FaultUnreachable means that the host does not answer, or that the connection broke.
	FaultUnreachable Fault = "Unreachable"
	// FaultBusy means that a limit of connections or of concurrent operations is reached.
	FaultBusy Fault = "Busy"
	// FaultDisabled means that the controller does not have the driver that creates the machine.
	FaultDisabled Fault = "DriverDisabled"
	// FaultHostKeyChanged means that the host presents another key than the known one.
	FaultHostKeyChanged Fault = "HostKeyChanged"
	// FaultHostKeyUnknown means that the Host names no key, and does not allow trust on first use.
	FaultHostKeyUnknown Fault = "HostKeyUnknown"
	// FaultAuthentication means that the host refuses the user or the key.
	FaultAuthentication Fault = "AuthenticationFailed"
	// FaultCredentials means that the Secret with the key is missing or invalid.
	FaultCredentials Fault = "CredentialsInvalid"
	// FaultPrivileges means that the user cannot become root without a password.
	FaultPrivileges Fault = "NotPrivileged"
	// FaultDiskFull means that the host has no space for the data.
	FaultDiskFull Fault = "DiskFull"
	// FaultUnsupported means that the host lacks something that the driver needs, such as flock(1).
	FaultUnsupported Fault = "HostUnsupported"
	// FaultResponse means that the response of the host is too long or malformed.
	FaultResponse Fault = "ResponseInvalid"
	// FaultForeignClaim means that the host has the claim of another machine, such as one of another management cluster.
	FaultForeignClaim Fault = "ClaimedByOther"
	// FaultNotClean means that the host has the state of an earlier machine.
	FaultNotClean Fault = "NotClean"
	// FaultReset means that the reset failed.
	FaultReset Fault = "ResetFailed"
	// FaultFormat means that the driver does not accept the format of the bootstrap data.
	FaultFormat Fault = "FormatUnsupported"
	// FaultData means that the bootstrap data is too long, or that its digest is wrong.
	FaultData Fault = "BootstrapDataInvalid"
	// FaultImage means that the image of a virtual machine is missing or has another digest.
	FaultImage Fault = "ImageInvalid"
)

// Scope is what a fault affects, and therefore who can end it.
type Scope int

// The scopes.
const (
	// ScopeTemporary means that the fault may end without a change: the operation is tried again.
	ScopeTemporary Scope = iota + 1
	// ScopeHost means that a user must repair the host or its entry. Another host may serve the machine.
	ScopeHost
	// ScopeAccess means the same of the access to the host, such as a key Secret that is being replaced. What is on the
	// host is not affected, so a machine that uses it tries again until its deadline.
	ScopeAccess
	// ScopeMachine means that the machine fails on every host.
	ScopeMachine
)

// faultRule is what a fault affects, and what a user can do.
type faultRule struct {
	scope  Scope
	remedy string
	// created is the remedy for machines that a driver creates, if it is another one.
	created string
}

// faultRules is the table of faults.
func faultRules() map[Fault]faultRule {
	return map[Fault]faultRule{
		FaultUnreachable: {
			scope: ScopeTemporary, remedy: "check spec.address, spec.port, the network and sshd",
			created: "mount the directory of --namespace-machines or --virtual-machines",
		},
		FaultBusy: {scope: ScopeTemporary, remedy: "wait, or raise the limits of the controller"},
		FaultDisabled: {
			scope: ScopeTemporary, remedy: "start the controller with --namespace-machines or --virtual-machines",
		},
		FaultHostKeyChanged: {
			scope:  ScopeHost,
			remedy: "verify the host; if its key was replaced on purpose, set spec.hostKeys to the new one",
		},
		FaultHostKeyUnknown: {
			scope:  ScopeHost,
			remedy: "set spec.hostKeys to the keys of /etc/ssh/ssh_host_*_key.pub on the host, without comments",
		},
		FaultAuthentication: {scope: ScopeAccess, remedy: "add the public key to authorized_keys of spec.user"},
		FaultCredentials: {
			scope: ScopeAccess,
			remedy: "name a Secret in spec.sshKeyRef that has the label infrastructure.machineadm.io/ssh-key=true and a " +
				"private key without passphrase",
		},
		FaultPrivileges: {scope: ScopeAccess, remedy: "use root, or allow spec.user to run sudo without a password"},
		FaultDiskFull: {
			scope: ScopeHost, remedy: "free space in /var on the host",
			created: "free space in the directory of --namespace-machines or --virtual-machines",
		},
		FaultUnsupported: {
			scope: ScopeHost, remedy: "correct the host; it needs a POSIX shell, flock, sha256sum and a writable /var/lib",
			created: "correct the host of the controller; docs/namespace-machines.md and docs/virtual-machines.md list " +
				"what it needs",
		},
		FaultResponse: {scope: ScopeAccess, remedy: "remove programs that print text in the login shell of spec.user"},
		FaultForeignClaim: {
			scope: ScopeHost,
			remedy: "delete the other Host with this address, here or in another management cluster; if there is none, reset " +
				"the host and remove /var/lib/machineadm-hosts",
			created: "delete the other machine of this name, or use another name",
		},
		FaultNotClean: {scope: ScopeHost, remedy: "run machineadm reset on the host, or install it again"},
		FaultReset: {
			scope:   ScopeHost,
			remedy:  "read the log on the host, and install it again if the reset cannot be repeated",
			created: "delete the directory of the machine on the host of the controller",
		},
		FaultFormat: {
			scope: ScopeMachine, remedy: "set spec.format of the MachineBootstrapConfig to a format of the driver",
		},
		FaultData: {scope: ScopeMachine, remedy: "make the bootstrap data smaller, or replace the Machine"},
		FaultImage: {
			scope:  ScopeMachine,
			remedy: "correct spec.namespaceMachine.root or spec.virtualMachine.image of the HostMachineTemplate",
		},
	}
}

// Faults returns all faults.
func Faults() []Fault {
	return []Fault{
		FaultUnreachable, FaultBusy, FaultDisabled, FaultHostKeyChanged, FaultHostKeyUnknown, FaultAuthentication,
		FaultCredentials, FaultPrivileges, FaultDiskFull, FaultUnsupported, FaultResponse, FaultForeignClaim,
		FaultNotClean, FaultReset,
		FaultFormat, FaultData, FaultImage,
	}
}

// Scope returns what the fault affects. An unknown fault affects the host: it is neither repeated forever nor ignored.
func (f Fault) Scope() Scope {
	if rule, known := faultRules()[f]; known {
		return rule.scope
	}
	return ScopeHost
}

// patience returns how long a machine keeps a host with a temporary fault before data is sent. A host whose lock hangs
// is busy forever, but a controller at its limits is not the fault of the host, so the time is longer than for a host
// that does not answer.
func (f Fault) patience(t Timeouts) time.Duration {
	if f == FaultUnreachable {
		return t.Claim
	}
	return t.Boot
}

// Remedy returns what a user can do about a fault of a Host, or an empty string for an unknown fault.
func (f Fault) Remedy() string { return faultRules()[f].remedy }

// problems describes the faults that drivers report without a cause.
func problems() map[Fault]string {
	return map[Fault]string{
		FaultUnreachable:    "the host does not answer",
		FaultBusy:           "the limit of connections or operations is reached",
		FaultDisabled:       "the controller does not have the driver",
		FaultHostKeyChanged: "the host presents another key",
		FaultHostKeyUnknown: "spec.hostKeys is empty",
		FaultAuthentication: "the host refuses the user or the key",
		FaultCredentials:    "the Secret with the private key is invalid",
		FaultPrivileges:     "the user cannot become root",
		FaultDiskFull:       "the host has no space for the data",
		FaultUnsupported:    "the host lacks something that the driver needs",
		FaultResponse:       "the response of the host is malformed",
		FaultForeignClaim:   "the host has the claim of another machine",
		FaultNotClean:       "the host has the state of an earlier machine",
		FaultReset:          "the reset failed",
		FaultFormat:         "the driver does not accept the format of the bootstrap data",
		FaultData:           "the bootstrap data is too long or damaged",
		FaultImage:          "the image is missing or has another digest",
	}
}

// Problem returns the description of a fault without a cause, or the name of an unknown fault.
func (f Fault) Problem() string { return cmp.Or(problems()[f], string(f)) }

// Reason returns the reason of conditions.
func (f Fault) Reason() Reason { return Reason(f) }
