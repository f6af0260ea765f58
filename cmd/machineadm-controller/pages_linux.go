package main

import (
	"errors"
	"fmt"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// dropProgramPages removes the pages of the program file from the resident memory of this process. The initialization
// of all linked packages maps about two thirds of the file, and later work needs half of that. The kernel maps the
// pages that are used again, without reading the disk while they are in its cache. Pages that the process may have
// written stay.
func dropProgramPages() error {
	self, err := procfs.Self()
	if err != nil {
		return fmt.Errorf("find the pages of the program: %w", err)
	}
	program, err := self.Executable()
	if err != nil {
		return fmt.Errorf("find the pages of the program: %w", err)
	}
	maps, err := self.ProcMaps()
	if err != nil {
		return fmt.Errorf("find the pages of the program: %w", err)
	}
	var errs []error
	for _, m := range maps {
		if m.Pathname != program || m.Perms.Write {
			continue
		}
		length := m.EndAddr - m.StartAddr
		if _, _, code := unix.Syscall(unix.SYS_MADVISE, m.StartAddr, length, unix.MADV_DONTNEED); code != 0 {
			errs = append(errs, fmt.Errorf("drop the pages of the program: %w", code))
		}
	}
	return errors.Join(errs...)
}
