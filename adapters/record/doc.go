// Package record keeps what the agent did and tells how it went, in files on the machine: the journal, the status, the
// record of a failure, and the sentinel of success that the Cluster API bootstrap contract asks for.
package record

import "path/filepath"

// Directories say where the files stand.
type Directories struct {
	// State survives a reboot. Run does not. Sentinel is where infrastructure providers look, and does not either.
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

// In returns the directories with each path replaced by what inside says of it, or its first error.
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

// The names of the files.
const (
	JournalFile = "journal.jsonl"
	// OriginalsDir is the directory of the files that steps replaced, named by their SHA-256.
	OriginalsDir = "originals"
	StatusFile   = "status.json"
	// DoneFile stands once the bootstrap is complete; what runs at later boots only waits for it.
	DoneFile     = "done"
	FailureFile  = "failure.json"
	SentinelFile = "bootstrap-success.complete"
	// ReportedFile stands once the controller knows how the bootstrap ended.
	ReportedFile = "reported"
	// PublicFailureFile is the failure beside the sentinel.
	PublicFailureFile = "bootstrap-failure.json"
)
