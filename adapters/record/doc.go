// Package record stores the agent's progress in files on the machine: the journal, the status, the failure record, and
// the success sentinel of the Cluster API bootstrap contract.
package record

import "path/filepath"

// Directories are the places of the files.
type Directories struct {
	// State is persistent. Run and Sentinel are cleared by a reboot. Sentinel is the directory that infrastructure
	// providers read.
	State, Run, Sentinel string
}

// Linux returns the directories of a Linux machine below a root.
func Linux(root string) Directories {
	return Directories{
		State:    filepath.Join(root, "/var/lib/machineadm"),
		Run:      filepath.Join(root, "/run/machineadm"),
		Sentinel: filepath.Join(root, "/run/cluster-api"),
	}
}

// In returns the directories with each path mapped by inside, or its first error.
func (d Directories) In(inside func(string) (string, error)) (Directories, error) {
	for _, path := range []*string{&d.State, &d.Run, &d.Sentinel} {
		at, err := inside(*path)
		if err != nil {
			return Directories{}, err
		}
		*path = at
	}
	return d, nil
}

// Windows returns the directories of a Windows machine.
func Windows() Directories {
	return Directories{State: `C:\ProgramData\machineadm`, Run: `C:\run\machineadm`, Sentinel: `C:\run\cluster-api`}
}

// WindowsLock returns the file that the agent holds on Windows while it changes the machine. It is in State, because
// any user could hold a file in Run.
func (d Directories) WindowsLock() string { return filepath.Join(d.State, "lock") }

// The names of the files.
const (
	JournalFile = "journal.jsonl"
	// OriginalsDir is the directory of the files that steps replaced, named by their SHA-256.
	OriginalsDir = "originals"
	StatusFile   = "status.json"
	// DoneFile exists once the bootstrap is complete; the commands of later boots wait for it.
	DoneFile     = "done"
	FailureFile  = "failure.json"
	SentinelFile = "bootstrap-success.complete"
	// ReportedFile exists once the controller knows the result of the bootstrap.
	ReportedFile = "reported"
	// PublicFailureFile is the failure beside the sentinel.
	PublicFailureFile = "bootstrap-failure.json"
)
