package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

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
