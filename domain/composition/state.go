package composition

import (
	"fmt"
	"slices"
)

// State is the state of a plugin. It becomes the reason of the plugin's condition.
type State string

// The states.
const (
	// Ready means that the plugin's documents are used.
	Ready State = "Ready"

	// NoSuchKind means that the API server does not serve the kind. It may do so later.
	NoSuchKind State = "NoSuchKind"
	// NotPermitted means that RBAC does not allow the controller to read or create resources of the kind.
	NotPermitted State = "NotPermitted"
	// NotFound means that the resource does not exist, NoTemplate that the template does not exist. Both may be created
	// later.
	NotFound   State = "NotFound"
	NoTemplate State = "TemplateNotFound"
	// Deleting means that the resource is being deleted.
	Deleting State = "Deleting"
	// NotReady means that the resource's own controller has not finished.
	NotReady State = "NotReady"
	// NoSecret means that the Secret that the resource names does not exist. It may be created later.
	NoSecret State = "SecretNotFound"

	// Failed means that the resource's own controller reports a permanent failure.
	Failed State = "Failed"
	// NotOwned means that a resource with the name of one to be created from a template exists and belongs to another
	// owner.
	NotOwned State = "NotOwned"
	// SecretNotOwned means that the resource does not control the Secret that it names.
	SecretNotOwned State = "SecretNotOwned"
	// NotAPlugin means that resources of the kind are not plugins.
	NotAPlugin State = "NotAPlugin"
	// NotNamespaced means that resources of the kind are cluster-scoped.
	NotNamespaced State = "NotNamespaced"
	// InvalidTemplate means that the API server refuses the resource that is created from the template.
	InvalidTemplate State = "InvalidTemplate"
	// InvalidStatus means that the status does not comply with the plugin contract.
	InvalidStatus State = "InvalidStatus"
	// InvalidDocuments means that the Secret does not contain valid documents.
	InvalidDocuments State = "InvalidDocuments"
	// UnknownPlugin means that Before or After of the plugin names a plugin that the machine does not have.
	UnknownPlugin State = "UnknownPlugin"
	// OrderCycle means that the plugin would come before itself.
	OrderCycle State = "OrderCycle"
	// NeedsAgent means that one of the documents has a kind that only the machine's agent may know, and the delivery
	// mode is not Agent.
	NeedsAgent State = "NeedsAgent"
)

// IsTemporary reports whether the plugin may become ready without a change of the description.
func (s State) IsTemporary() bool {
	switch s {
	case NoSuchKind, NotPermitted, NotFound, NoTemplate, Deleting, NotReady, NoSecret:
		return true
	case Ready, Failed, NotOwned, SecretNotOwned, NotAPlugin, NotNamespaced, InvalidTemplate, InvalidStatus,
		InvalidDocuments, UnknownPlugin, OrderCycle, NeedsAgent:
	}
	return false
}

// Unwatched reports whether no watch reports changes of the state, so that the caller must poll.
func (s State) Unwatched() bool { return s == NoSuchKind || s == NotPermitted }

// SecretReady reports whether the plugin's Secret exists and contains documents.
func (s State) SecretReady() bool {
	return s == Ready || s == UnknownPlugin || s == OrderCycle || s == NeedsAgent
}

// Status is the part of a resource's status that the contract specifies, and the other facts on which its state
// depends.
type Status struct {
	Ready                         bool
	SecretName                    string
	FailureReason, FailureMessage string
	Before, After                 []string
	// ReadyMessage is the message of the plugin's Ready condition, or empty if there is none.
	ReadyMessage string
	// Stale means that the status describes an earlier generation of the spec.
	Stale bool
	// Deleting means that the resource is being deleted.
	Deleting bool
}

// The limits of a status. The CRDs of machineadm's own plugins have the same limits.
const (
	// MaxNames is the maximum number of names in Before, and in After.
	MaxNames = 64
	// MaxNameBytes is the maximum length of a plugin's name, which consists of a kind, a group and a resource name.
	MaxNameBytes = 570
)

// limit returns a message if the status exceeds a limit; otherwise it is empty.
func (s Status) limit() string {
	exceeds := func(names []string) bool {
		return len(names) > MaxNames || slices.ContainsFunc(names, func(name string) bool { return len(name) > MaxNameBytes })
	}
	var field string
	switch {
	case exceeds(s.Before):
		field = "beforePlugins"
	case exceeds(s.After):
		field = "afterPlugins"
	default:
		return ""
	}
	return fmt.Sprintf("status.%s has more than %d names or one of more than %d bytes", field, MaxNames, MaxNameBytes)
}

// Evaluate returns the state of a plugin as its status shows it. If the state is Ready, the caller examines the Secret
// next.
func (s Status) Evaluate() Observed {
	if problem := s.limit(); problem != "" {
		return Observed{State: InvalidStatus, Message: problem}
	}
	f := Observed{State: Ready, Before: s.Before, After: s.After}
	switch {
	case s.Deleting:
		f.State, f.Message = Deleting, "it is being deleted"
	case s.FailureReason != "" || s.FailureMessage != "":
		f.State, f.Message = Failed, joined(s.FailureReason, s.FailureMessage)
	case s.Stale:
		f.State, f.Message = NotReady, "its status is about an older spec"
	case !s.Ready:
		f.State, f.Message = NotReady, "it is not ready"
		if s.ReadyMessage != "" {
			f.Message = "it is not ready: " + s.ReadyMessage
		}
	case s.SecretName == "":
		f.State, f.Message = InvalidStatus, "it is ready and names no Secret"
	}
	return f
}

func joined(reason, message string) string {
	if reason == "" || message == "" {
		return reason + message
	}
	return reason + ": " + message
}
