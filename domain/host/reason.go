package host

// Reason is the reason of a condition: a word that users search for.
type Reason string

// The reasons of machines before the bootstrap.
const (
	ReasonWaitingForOwner          Reason = "WaitingForOwner"
	ReasonWaitingForCluster        Reason = "WaitingForCluster"
	ReasonPaused                   Reason = "Paused"
	ReasonAddingFinalizer          Reason = "AddingFinalizer"
	ReasonWaitingForInfrastructure Reason = "WaitingForClusterInfrastructure"
	ReasonWaitingForData           Reason = "WaitingForBootstrapData"
	ReasonSelectingHost            Reason = "SelectingHost"
	ReasonClaimingHost             Reason = "ClaimingHost"
	ReasonHostTaken                Reason = "HostTaken"
	ReasonHostDeleted              Reason = "HostDeleted"
	ReasonNoMatchingHost           Reason = "NoMatchingHost"
	ReasonNoAvailableHost          Reason = "NoAvailableHost"
	ReasonHostSelected             Reason = "HostSelected"
)

// The reasons of machines that boot, run and leave.
const (
	ReasonObserving            Reason = "ObservingHost"
	ReasonPreparing            Reason = "PreparingHost"
	ReasonBooting              Reason = "Booting"
	ReasonProvisioned          Reason = "Provisioned"
	ReasonProviderIDMismatch   Reason = "ProviderIDMismatch"
	ReasonBootFailed           Reason = "BootstrapFailed"
	ReasonBootInterrupted      Reason = "BootstrapInterrupted"
	ReasonBootDeadlineExceeded Reason = "BootstrapDeadlineExceeded"
	ReasonRunLost              Reason = "RunLost"
	ReasonReleasing            Reason = "Releasing"
	ReasonReleased             Reason = "Released"
	ReasonReleaseDeadline      Reason = "ReleaseDeadlineExceeded"
)

// The reasons of hosts. Faults have reasons, too.
const (
	ReasonNotProbed   Reason = "NotProbed"
	ReasonAvailable   Reason = "Available"
	ReasonClaimed     Reason = "Claimed"
	ReasonDeleting    Reason = "Deleting"
	ReasonMaintenance Reason = "Maintenance"
	// ReasonMachineMissing means that the machine that has the host does not exist, or has another claim. No controller
	// removes its claim, because a restore may create the machine later.
	ReasonMachineMissing Reason = "MachineMissing"
)
