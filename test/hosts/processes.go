//go:build linux

package hosts

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/machineadm/machineadm/test/canary"
)

// WatchProcesses reads the arguments and environments of all processes of the host, again and again, until the test
// ends. The test fails if they contain canary.Mark, or if no process of the SSH server was seen.
func (h *Host) WatchProcesses(t testing.TB) {
	t.Helper()
	namespace, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/pid", h.first.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	stop, server := make(chan struct{}), false
	shown := map[string]bool{}
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
			for _, text := range processes(namespace) {
				server = server || strings.Contains(text, "sshd")
				if strings.Contains(text, canary.Mark) {
					shown[strings.ReplaceAll(text, canary.Mark, "[canary]")] = true
				}
			}
		}
	})
	t.Cleanup(func() {
		close(stop)
		watch.Wait()
		for text := range shown {
			t.Errorf("a process shows a secret: %s", text)
		}
		if !server {
			t.Error("no process of the SSH server was seen")
		}
	})
}

// processes returns the arguments and environments of the processes in a namespace.
func processes(namespace string) []string {
	var all []string
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		if link, err := os.Readlink(folder + "/ns/pid"); err != nil || link != namespace {
			continue
		}
		// A process may have ended.
		arguments, _ := os.ReadFile(folder + "/cmdline")
		environment, _ := os.ReadFile(folder + "/environ")
		all = append(all, string(bytes.ReplaceAll(append(arguments, environment...), []byte{0}, []byte(" "))))
	}
	return all
}
