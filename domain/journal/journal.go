// Package journal contains the agent's record of its changes. With it an interrupted run continues where it stopped, a
// complete run is not repeated, and all changes can be reverted.
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
	// EventBegun opens a run; Step is empty, Digest names the configuration.
	EventBegun Event = "Begun"
	// EventStarted precedes the first change of a step, and contains the original state.
	EventStarted Event = "Started"
	// EventDone follows a step that is complete.
	EventDone Event = "Done"
	// EventFailed follows a step that has failed.
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

// Entry is one entry of the journal. Entries are only ever added.
type Entry struct {
	Event Event
	At    time.Time
	// Digest is the SHA-256 of the configuration in hexadecimal, for Begun, Prepared and Completed.
	Digest string
	// Partial reports, for Begun, whether the run leaves steps out: a preparation, or a run of named phases.
	Partial bool
	// Step identifies a step across runs: the same action of the same document has the same one.
	Step    string
	Phase   document.Phase
	Path    report.Path
	Summary string
	// Original is the state before the step, for Started.
	Original Original
	// Failure is the cause of a failed step, without secrets.
	Failure string
}

// Thing is the type of an original.
type Thing string

// The things that a step changes.
const (
	// ThingPath is a file, directory or link, or nothing, at Name.
	ThingPath Thing = "Path"
	// ThingUser and ThingGroup are accounts.
	ThingUser  Thing = "User"
	ThingGroup Thing = "Group"
	// ThingUnit is a unit's enablement, mask and activity; its files are Parts.
	ThingUnit Thing = "Unit"
	// ThingMount is a mounted file system or swap space; its lines in files are Parts.
	ThingMount Thing = "Mount"
	// ThingPackages are installed packages.
	ThingPackages Thing = "Packages"
	// ThingDisk is a partition table or a file system, which is never reverted: there may be data on it.
	ThingDisk Thing = "Disk"
	// ThingCommand is the effect of a command; its State has the scripts that revert it, if there are any.
	ThingCommand Thing = "Command"
)

// The keys of a command's State.
const (
	// StateUndo is the script that reverts the command.
	StateUndo = "undo"
	// StateRenew is a script that runs after all changes are reverted.
	StateRenew = "renew"
)

// Original is the state that a step changes, complete enough to restore it.
type Original struct {
	Thing Thing
	// Name is the path, or the name of the account, unit or device.
	Name string
	// Exists reports whether there was anything; the other fields describe it.
	Exists bool
	// Directory reports whether it is a directory. Link is the target of a symbolic link.
	Directory bool
	Link      string
	// Size is the length of a regular file in bytes. SHA256 is its digest in hexadecimal, by which its stored copy is
	// found; it is empty as long as there is no copy.
	Size     int64
	SHA256   string
	Mode     machine.Mode
	UID, GID int
	// NewDirs are the directories above it that did not exist, outermost first.
	NewDirs []string
	// State has further properties, by keys of the host, such as whether a unit was enabled.
	State map[string]string
	// Parts are further things that the step changes.
	Parts []Original
}

// Captured reports whether the original was captured, and is not the zero value.
func (o Original) Captured() bool { return o.Thing != "" || len(o.Parts) > 0 }

// Regular reports whether it is a regular file.
func (o Original) Regular() bool {
	return o.Thing == ThingPath && o.Exists && !o.Directory && o.Link == ""
}

// Journal is all entries in the order in which they were made.
type Journal []Entry

// Digest returns the digest of the last run that completed in the given way: "" if there was none.
func (j Journal) Digest(e Event) string {
	for i := len(j) - 1; i >= 0; i-- {
		if j[i].Event == e {
			return j[i].Digest
		}
	}
	return ""
}

// Failed returns the failure of the last whole run, and whether it failed. An interrupted run has not failed. Partial
// runs do not count: they are no bootstraps.
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

// Last returns the last event of a step: "" if there was none.
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

// CutOff reports whether a step of the phase was started and neither completed nor failed, in any configuration.
func (j Journal) CutOff(p document.Phase) bool {
	return slices.ContainsFunc(j, func(e Entry) bool {
		return e.Event == EventStarted && e.Phase == p && j.Last(e.Step) == EventStarted
	})
}

// Resetting reports whether a reset has begun. A complete reset leaves no journal.
func (j Journal) Resetting() bool {
	return slices.ContainsFunc(j, func(e Entry) bool { return e.Event == EventReset })
}

// Original returns the state before the step first changed it, and whether it is known.
func (j Journal) Original(step string) (Original, bool) {
	e, known := j.Started(step)
	return e.Original, known
}

// Started returns the first entry of a step that was started, and whether it ever was.
func (j Journal) Started(step string) (Entry, bool) {
	for _, e := range j {
		if e.Step == step && e.Event == EventStarted {
			return e, true
		}
	}
	return Entry{}, false
}

// Changed returns the first entry of each step that was started, in the order of the steps: what there is to undo.
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
