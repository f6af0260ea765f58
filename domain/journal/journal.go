// Package journal defines the agent's record of its changes. With the record, an interrupted run continues where it
// stopped, a complete run is not repeated, and all changes can be reverted.
package journal

import (
	"slices"
	"time"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// Event is the type of an entry.
type Event string

// The events.
const (
	// EventBegun begins a run. Step is empty, and Digest identifies the configuration.
	EventBegun Event = "Begun"
	// EventStarted precedes the first change of a step, and contains the original state.
	EventStarted Event = "Started"
	// EventDone follows a completed step.
	EventDone Event = "Done"
	// EventFailed follows a failed step.
	EventFailed Event = "Failed"
	// EventPrepared ends a run of the preparation mode.
	EventPrepared Event = "Prepared"
	// EventCompleted ends a run of the provisioning mode: the machine has its whole configuration.
	EventCompleted Event = "Completed"
	// EventReset begins a reset, which may have reverted any of the changes.
	EventReset Event = "Reset"
)

// Events returns all events.
func Events() []Event {
	return []Event{
		EventBegun, EventStarted, EventDone, EventFailed, EventPrepared, EventCompleted, EventReset,
	}
}

// Entry is an entry of the journal. Entries are only appended.
type Entry struct {
	Event Event
	At    time.Time
	// Digest is the SHA-256 of the configuration in hexadecimal, for Begun, Prepared and Completed.
	Digest string
	// Partial is set for Begun if the run omits steps: a preparation, or a run of selected phases.
	Partial bool
	// Step identifies a step. The same action of the same document has the same ID in all runs.
	Step    string
	Phase   document.Phase
	Path    report.Path
	Summary string
	// Original is the state before the step, for Started.
	Original Original
	// Failure is the cause of a failed step, without secrets.
	Failure string
}

// ResourceType is the type of the object that a step changes.
type ResourceType string

// The things that a step changes.
const (
	// ResourcePath is the path Name, at which there may be a file, a directory, a link or nothing.
	ResourcePath ResourceType = "Path"
	// ResourceUser and ThingGroup are accounts.
	ResourceUser  ResourceType = "User"
	ResourceGroup ResourceType = "Group"
	// ResourceUnit is the enabled, masked and active state of a unit. Its files are in Parts.
	ResourceUnit ResourceType = "Unit"
	// ResourceMount is a mounted file system or swap space. The files that configure it are in Parts.
	ResourceMount ResourceType = "Mount"
	// ResourcePackages are installed packages.
	ResourcePackages ResourceType = "Packages"
	// ResourceDisk is a partition table or a file system. It is never reverted, because it may contain data.
	ResourceDisk ResourceType = "Disk"
	// ResourceCommand is the effect of a command. State contains the scripts that revert it, if there are any.
	ResourceCommand ResourceType = "Command"
)

// The keys of a command's State.
const (
	// StateUndo is the script that reverts the command.
	StateUndo = "undo"
	// StateRenew is a script that runs after all changes are reverted.
	StateRenew = "renew"
)

// Original is the state before a step, with all data that is needed to restore it.
type Original struct {
	Type ResourceType
	// Name is the path, or the name of the account, unit or device.
	Name string
	// Exists reports whether the object existed. If so, the other fields describe it.
	Exists bool
	// Directory reports whether it is a directory. Link is the target of a symbolic link.
	Directory bool
	Link      string
	// Size is the length of a regular file in bytes. SHA256 is its digest in hexadecimal, which identifies its copy in
	// ports.Originals. It is empty if there is no copy.
	Size     int64
	SHA256   string
	Mode     machine.Mode
	UID, GID int
	// NewDirs are the parent directories that did not exist, outermost first.
	NewDirs []string
	// State contains further properties, such as whether a unit was enabled. The host defines the keys.
	State map[string]string
	// Parts are further objects that the step changes.
	Parts []Original
}

// Captured reports whether o is not the zero value.
func (o Original) Captured() bool { return o.Type != "" || len(o.Parts) > 0 }

// Regular reports whether the original is a regular file.
func (o Original) Regular() bool {
	return o.Type == ResourcePath && o.Exists && !o.Directory && o.Link == ""
}

// undoes reports whether a script reverts the step.
func (o Original) undoes() bool {
	return o.Type == ResourceCommand && o.State[StateUndo] != "" || slices.ContainsFunc(o.Parts, Original.undoes)
}

// Journal contains all entries in the order in which they were appended.
type Journal []Entry

// Digest returns the digest of the last event of the type, such as EventCompleted, or "" if there is none.
func (j Journal) Digest(e Event) string {
	for i := len(j) - 1; i >= 0; i-- {
		if j[i].Event == e {
			return j[i].Digest
		}
	}
	return ""
}

// Failed returns the EventFailed of the last full run. It is false if that run did not fail, for example because it was
// interrupted. Partial runs are ignored.
func (j Journal) Failed() (Entry, bool) {
	var failure Entry
	failed, partial := false, false
	for _, e := range j {
		switch e.Event {
		case EventBegun:
			partial = e.Partial
			failed = failed && partial
		case EventFailed:
			if !partial {
				failure, failed = e, true
			}
		case EventCompleted:
			failed = false
		case EventStarted, EventDone, EventPrepared, EventReset:
		}
	}
	if !failed {
		return Entry{}, false
	}
	return failure, true
}

// Last returns the last event of a step, or "" if there is none.
func (j Journal) Last(step string) Event {
	for i := len(j) - 1; i >= 0; i-- {
		if j[i].Step == step {
			return j[i].Event
		}
	}
	return ""
}

// Unfinished returns the entries after the last successful run: those of runs that were interrupted or failed.
func (j Journal) Unfinished() Journal {
	for i := len(j) - 1; i >= 0; i-- {
		if j[i].Event == EventPrepared || j[i].Event == EventCompleted {
			return j[i+1:]
		}
	}
	return j
}

// Of returns the unfinished entries of the last runs of the configuration with the digest, back to a run of another
// configuration, which may have changed their results.
func (j Journal) Of(digest string) Journal {
	unfinished := j.Unfinished()
	first := len(unfinished)
	for i := len(unfinished) - 1; i >= 0; i-- {
		if unfinished[i].Event != EventBegun {
			continue
		}
		if unfinished[i].Digest != digest {
			break
		}
		first = i
	}
	return unfinished[first:]
}

// CutOff reports whether a command of the phase was started and then neither completed nor failed, with any
// configuration. A command without a script that reverts it does not count, because it can be repeated.
func (j Journal) CutOff(p document.Phase) bool {
	return slices.ContainsFunc(j, func(e Entry) bool {
		return e.Event == EventStarted && e.Phase == p && e.Original.undoes() && j.Last(e.Step) == EventStarted
	})
}

// Resetting reports whether a reset was interrupted. A complete reset removes the journal.
func (j Journal) Resetting() bool {
	return slices.ContainsFunc(j, func(e Entry) bool { return e.Event == EventReset })
}

// Original returns the state before the step was first applied. It is false if the state is not known.
func (j Journal) Original(step string) (Original, bool) {
	e, known := j.Started(step)
	return e.Original, known
}

// Started returns the first EventStarted of a step. It is false if the step was never started.
func (j Journal) Started(step string) (Entry, bool) {
	for _, e := range j {
		if e.Step == step && e.Event == EventStarted {
			return e, true
		}
	}
	return Entry{}, false
}

// Changed returns the first EventStarted of each step, in the order of the steps. These are the changes to revert.
func (j Journal) Changed() []Entry {
	seen := map[string]bool{}
	var first []Entry
	for _, e := range j {
		if e.Event != EventStarted || seen[e.Step] {
			continue
		}
		seen[e.Step] = true
		first = append(first, e)
	}
	return first
}
