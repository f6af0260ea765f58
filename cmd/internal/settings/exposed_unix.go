//go:build unix

package settings

import (
	"io/fs"
	"os"
	"syscall"
)

// exposed reports whether others than this process's user can read or write the file.
func exposed(info fs.FileInfo) bool {
	groups, err := os.Getgroups()
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || err != nil {
		return info.Mode().Perm()&0o077 != 0
	}
	p := process{user: os.Geteuid(), groups: append(groups, os.Getegid())}
	return p.opens(info.Mode().Perm(), int(s.Uid), int(s.Gid))
}
