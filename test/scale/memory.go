package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

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

// resident returns the resident bytes of a process: of its heap and stacks, and of files, which are its program.
func resident(pid int) (heap, program int64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, fmt.Errorf("read the memory of the manager: %w", err)
	}
	values := map[string]int64{}
	for lines := bufio.NewScanner(bytes.NewReader(status)); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		values[name] = kilobytes << 10
	}
	return values["RssAnon"], values["RssFile"], nil
}
