//go:build linux

package place

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// ReadStart returns the start of a regular file, or an empty string if there is none. A machine can replace each of its
// files, also by a pipe.
func ReadStart(root *os.Root, name string, limit int) string {
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, _ := io.ReadAll(io.LimitReader(f, int64(limit)))
	return string(text)
}

// ReadEnd returns the end of a regular file, or an empty string if there is none.
func ReadEnd(root *os.Root, name string, limit int64) string {
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, _ := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-limit), limit))
	return string(text)
}
