package composition

import (
	"fmt"
	"slices"
)

// State is a plugin's progress in one word. It is the reason of a plugin's condition.
type State string

// The states.
const (
	// Ready means that the plugin's documents are used.
	Ready State = "Ready"

	// NoSuchKind means that the API server does not serve the kind, or does not yet.
	NoSuchKind State = "NoSuchKind"
	// NotPermitted means that the controller may not read or make resources of the kind.
	NotPermitted State = "NotPermitted"
	// NotFound means that there is no such resource, or not yet; NoTemplate, that there is no such template.
	NotFound   State = "NotFound"
	NoTemplate State = "TemplateNotFound"
	// Deleting means that the resource is on its way out.
	Deleting State = "Deleting"
	// NotReady means that the resource's own controller has not finished.
	NotReady State = "NotReady"
	// NoSecret means that the Secret that the resource names is not there, or not yet.
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
	// InvalidTemplate means that the API server refuses what is made from the template.
	InvalidTemplate State = "InvalidTemplate"
	// InvalidStatus means that the status is not what the contract asks for.
	InvalidStatus State = "InvalidStatus"
	// InvalidDocuments means that the Secret does not hold documents.
	InvalidDocuments State = "InvalidDocuments"
	// UnknownPlugin means that the plugin comes before or after one that the description does not name.
	UnknownPlugin State = "UnknownPlugin"
	// OrderCycle means that the plugin would come before itself.
	OrderCycle State = "OrderCycle"
	// NeedsAgent means that only the machine's agent can know what to do with one of the documents.
	NeedsAgent State = "NeedsAgent"
)

// Waits reports whether the plugin may become ready without anybody mending the description.
func (s State) Waits() bool {
	switch s {
	case NoSuchKind, NotPermitted, NotFound, NoTemplate, Deleting, NotReady, NoSecret:
		return true
	case Ready, Failed, NotOwned, SecretNotOwned, NotAPlugin, NotNamespaced, InvalidTemplate, InvalidStatus,
		InvalidDocuments,
		UnknownPlugin, OrderCycle, NeedsAgent:
		return false
	default:
		return false
	}
}

// Unwatched reports whether no watch reports changes of the state, so that the caller must poll.
func (s State) Unwatched() bool { return s == NoSuchKind || s == NotPermitted }

// SecretReady reports whether the plugin's Secret is there and holds documents.
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
	// ReadyMessage is the message of the plugin's condition Ready; empty if there is none.
	ReadyMessage string
	// Stale means that the status is about an older spec.
	Stale bool
	// Deleting means that the resource is being deleted.
	Deleting bool
}

// The limits of a status, which are those of our own kinds in the API.
const (
	// MaxNames is how many plugins a status may come before, and how many it may come after.
	MaxNames = 64
	// MaxNameBytes is how long a plugin's name is at most: a kind, a group and a resource's name.
	MaxNameBytes = 570
)

// limit returns what of the status exceeds a limit; empty if nothing does.
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

// Judge returns a plugin's state, which follows from its status alone. If it is Ready, the Secret is examined next.
func (s Status) Judge() Found {
	if problem := s.limit(); problem != "" {
		return Found{State: InvalidStatus, Message: problem}
	}
	f := Found{State: Ready, Before: s.Before, After: s.After}
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
