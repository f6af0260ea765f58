package ports

import "github.com/machineadm/machineadm/domain/oscontract"

// Inspector looks at a machine's tree. It changes nothing, and starts no program.
type Inspector interface {
	// Runs reports whether the tree is the running system's, and not one that becomes an image.
	Runs() bool
	// Program reports whether the machine's search path has the program.
	Program(name string) bool
	// Look returns the file or directory at the path, links followed within the tree; the zero Thing if there is none or
	// it cannot be seen.
	Look(path string) oscontract.Thing
	// Read returns the bytes of a file; fs.ErrNotExist if there is none.
	Read(path string) ([]byte, error)
	// Mount describes the file system of the path: whether a reboot clears it, and whether it can be written.
	Mount(path string) (temporary, writable bool)
}
