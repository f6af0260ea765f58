//go:build unix

package record

import (
	"io/fs"
	"os"
	"syscall"
)

// openFlags make open fail at a link, and not wait at a pipe.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// ownFile reports whether the file is a regular file of this user without other names. Another name may be that of a
// file to which others want the agent to write.
func ownFile(info fs.FileInfo) bool {
	s, known := info.Sys().(*syscall.Stat_t)
	return known && info.Mode().IsRegular() && s.Nlink == 1 && int(s.Uid) == os.Geteuid()
}
