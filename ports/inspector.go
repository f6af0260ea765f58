package ports

import "github.com/machineadm/machineadm/domain/oscontract"

// Inspector examines the file tree of a machine or an image. It changes nothing and starts no program.
type Inspector interface {
	// Runs reports whether the tree is the root of the running system. It is false for the tree of an image.
	Runs() bool
	// Program reports whether the program is on the machine's search path.
	Program(name string) bool
	// Look describes the file or directory at the path. It follows links within the tree. The result is the zero Thing
	// if there is no file, or if it cannot be read.
	Look(path string) oscontract.Thing
	// Read returns the bytes of a file; fs.ErrNotExist if there is none.
	Read(path string) ([]byte, error)
	// Mount reports whether a reboot clears the file system that contains the path, and whether it is writable.
	Mount(path string) (temporary, writable bool)
}
