//go:build linux

package linux

import (
	"syscall"

	"github.com/machineadm/machineadm/domain/oscontract"
	"github.com/machineadm/machineadm/ports"
)

// Inspector looks at the machine. It implements ports.Inspector.
type Inspector struct{ *Host }

var _ ports.Inspector = Inspector{}

// Runs reports whether the tree is the running system's.
func (i Inspector) Runs() bool { return i.tree.dir == "/" }

// Program reports whether the search path has the program.
func (i Inspector) Program(name string) bool { return i.run.has(name) }

// Look returns what stands at the path.
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

// Read returns the bytes of a file.
func (i Inspector) Read(path string) ([]byte, error) { return i.tree.read(path) }

// The file systems that lie in memory: statfs(2).
const (
	tmpfs = 0x01021994
	ramfs = 0x858458f6
)

// readOnly is the flag of a file system that is mounted so: statfs(2).
const readOnly = 1

// Mount tells of the file system on which the path is.
func (i Inspector) Mount(path string) (temporary, writable bool) {
	s, err := i.tree.room(path)
	if err != nil {
		return false, false
	}
	return s.Type == tmpfs || s.Type == ramfs, s.Flags&readOnly == 0
}
