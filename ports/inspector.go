package ports

import "github.com/machineadm/machineadm/domain/oscontract"

// Inspector examines the file tree of a machine or an image. It changes nothing and starts no program.
type Inspector interface {
	// IsRunning reports whether the tree is the root of the running system. It is false for the tree of an image.
	IsRunning() bool
	// HasProgram reports whether the program is on the machine's search path.
	HasProgram(name string) bool
	// Stat describes the file or directory at the path. It follows links within the tree. The result is the zero FileInfo
	// if there is no file, or if it cannot be read.
	Stat(path string) oscontract.FileInfo
	// ReadFile returns the bytes of a file; fs.ErrNotExist if there is none.
	ReadFile(path string) ([]byte, error)
	// MountInfo reports whether a reboot clears the file system that contains the path, and whether it is writable.
	MountInfo(path string) (temporary, writable bool)
}
