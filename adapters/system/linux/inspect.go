//go:build linux

package linux

import (
	"syscall"

	"github.com/machineadm/machineadm/domain/oscontract"
	"github.com/machineadm/machineadm/ports"
)

// Inspector reads the state of the machine. It implements ports.Inspector.
type Inspector struct{ *Host }

var _ ports.Inspector = Inspector{}

// Runs reports whether the tree belongs to the running system.
func (i Inspector) Runs() bool { return i.tree.dir == "/" }

// Program reports whether PATH contains the program.
func (i Inspector) Program(name string) bool { return i.run.has(name) }

// Look returns the type and the attributes of the path.
func (i Inspector) Look(path string) oscontract.Thing {
	s, err := i.tree.status(path)
	if err != nil {
		return oscontract.Thing{}
	}
	kind := s.Mode & syscall.S_IFMT
	sticky := kind == syscall.S_IFDIR && s.Mode&syscall.S_ISVTX != 0
	return oscontract.Thing{
		Exists: true, Directory: kind == syscall.S_IFDIR, Regular: kind == syscall.S_IFREG,
		Executable: kind == syscall.S_IFREG && s.Mode&0o111 != 0,
		Foreign:    s.Uid != 0 || s.Mode&0o022 != 0 && !sticky,
	}
}

// Read returns the content of a file.
func (i Inspector) Read(path string) ([]byte, error) { return i.tree.read(path) }

// The file systems in memory: statfs(2).
const (
	tmpfs = 0x01021994
	ramfs = 0x858458f6
)

// readOnly is the flag of a read-only mount: statfs(2).
const readOnly = 1

// Mount reports whether the file system of the path is in memory, and whether it is writable.
func (i Inspector) Mount(path string) (temporary, writable bool) {
	s, err := i.tree.room(path)
	if err != nil {
		return false, false
	}
	return s.Type == tmpfs || s.Type == ramfs, s.Flags&readOnly == 0
}
