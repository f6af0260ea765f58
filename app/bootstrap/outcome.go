package bootstrap

import (
	"time"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/report"
)

// Reason says in one word why there is no data yet.
type Reason string

// The reasons to wait.
const (
	ReasonInfrastructure Reason = "WaitingForInfrastructure"
	ReasonControlPlane   Reason = "WaitingForControlPlane"
	ReasonInitLock       Reason = "WaitingForFirstMachine"
	ReasonCertificates   Reason = "WaitingForCertificates"
	ReasonEndpoint       Reason = "WaitingForEndpoint"
	ReasonReference      Reason = "WaitingForReference"
	ReasonRemoval        Reason = "WaitingForRemoval"
	ReasonUnreachable    Reason = "ClusterUnreachable"
	ReasonTalosSecrets   Reason = "WaitingForTalosSecrets"
	ReasonStorage        Reason = "WaitingForStorage"
	ReasonPlugin         Reason = "WaitingForPlugin"
	ReasonKeys           Reason = "KeysUnavailable"
)

// The reasons to be stalled.
const (
	ReasonInvalid         Reason = "InvalidSpec"
	ReasonVersionSkew     Reason = "VersionSkew"
	ReasonForeignSecret   Reason = "SecretNotOwned"
	ReasonForeignLock     Reason = "InitLockNotOwned"
	ReasonBadCertificate  Reason = "BadCertificate"
	ReasonFlavor          Reason = "InvalidControlPlaneFlavor"
	ReasonBadTalosSecrets Reason = "BadTalosSecrets"
	ReasonTooLarge        Reason = "PayloadTooLarge"
	ReasonStorageRefused  Reason = "StorageRefused"
	ReasonKeyRefused      Reason = "KeyRefused"
	ReasonPluginFailed    Reason = "PluginFailed"
	ReasonPluginForeign   Reason = "PluginNotOwned"
	ReasonPluginOrder     Reason = "InvalidPluginOrder"
	ReasonPluginInvalid   Reason = "InvalidPlugin"
	ReasonPluginAgent     Reason = "PluginNeedsAgent"
)

// Outcome is Ready, Waiting or Stalled, and nothing else.
//
//sumtype:decl
type Outcome interface{ outcome() }

// Ready means that the data is published.
type Ready struct {
	// Name is the name of the data.
	Name string
	// Created says that it was published just now; Payload and Findings are then known.
	Created bool
	// Rotated says that it was replaced just now, for a new token.
	Rotated bool
	// Renewed says that it was replaced just now, with the same token, for a new address.
	Renewed bool
	Payload delivery.Payload
	// FormatVersion is the version of the payload's format; empty if it has none.
	FormatVersion string
	Findings      report.Report
	// TokenID is the public half of the token in the data; empty if there is none.
	TokenID string
	// TokenLost says that the token is gone although the machine has not joined.
	TokenLost bool
	// Held is why what is published cannot be looked after just now, Waiting or Stalled; nil if it can. An error beside
	// Ready means that too. The data stays published, and it is tried again.
	Held Outcome
	// Early says that what holds is a storage which was just asked for what comes next: it is too early to tell of that.
	Early bool
	// Published is when the data was first there; zero if that is not known.
	Published time.Time
	// Start is set for control plane machines of clusters that somebody has to start by hand.
	Start *Start
	// Next is when the data has to be looked after again; 0 means never.
	Next time.Duration
}

// Waiting means that something else has to happen first, which wakes the machine's description again.
type Waiting struct {
	Reason  Reason
	Message string
}

// Stalled means that somebody has to mend something.
type Stalled struct {
	Reason  Reason
	Message string
	// Findings are the mistakes of a description.
	Findings report.Report
}

func (Ready) outcome()   {}
func (Waiting) outcome() {}
func (Stalled) outcome() {}
