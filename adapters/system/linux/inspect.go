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

// IsRunning reports whether the tree belongs to the running system.
func (i Inspector) IsRunning() bool { return i.tree.dir == "/" }

// HasProgram reports whether PATH contains the program.
func (i Inspector) HasProgram(name string) bool { return i.run.has(name) }

// Stat returns the type and the attributes of the path.
func (i Inspector) Stat(path string) oscontract.FileInfo {
	s, err := i.tree.status(path)
	if err != nil {
		return oscontract.FileInfo{}
	}
	kind := s.Mode & syscall.S_IFMT
	sticky := kind == syscall.S_IFDIR && s.Mode&syscall.S_ISVTX != 0
	return oscontract.FileInfo{
		Exists: true, Directory: kind == syscall.S_IFDIR, Regular: kind == syscall.S_IFREG,
		Executable: kind == syscall.S_IFREG && s.Mode&0o111 != 0,
		Untrusted:  s.Uid != 0 || s.Mode&0o022 != 0 && !sticky,
	}
}

// ReadFile returns the content of a file.
func (i Inspector) ReadFile(path string) ([]byte, error) { return i.tree.read(path) }

// The file systems in memory: statfs(2).
const (
	tmpfs = 0x01021994
	ramfs = 0x858458f6
)

// readOnly is the flag of a read-only mount: statfs(2).
const readOnly = 1

// MountInfo reports whether the file system of the path is in memory, and whether it is writable.
func (i Inspector) MountInfo(path string) (temporary, writable bool) {
	s, err := i.tree.room(path)
	if err != nil {
		return false, false
	}
	return s.Type == tmpfs || s.Type == ramfs, s.Flags&readOnly == 0
}
