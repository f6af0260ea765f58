package main

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// dropPages writes a program to the disk and removes it from the page cache. The manager then reads it from the disk:
// the kernel maps more pages of a file around a page fault if a compiler has just written it.
func dropPages(program string) (err error) {
	file, err := os.Open(program)
	if err != nil {
		return fmt.Errorf("drop the pages of the program: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := file.Sync(); err != nil {
		return fmt.Errorf("drop the pages of the program: %w", err)
	}
	return unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
}
