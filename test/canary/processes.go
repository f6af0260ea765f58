package canary

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// WatchProcesses reads the arguments and environments of processes, again and again, until the test ends. The test
// fails if they contain the Mark, or if no process with the program in its arguments was seen. matches selects the
// processes by their folders in /proc.
func WatchProcesses(t testing.TB, program string, matches func(folder string) bool) {
	t.Helper()
	stop, seen := make(chan struct{}), false
	shown := map[string]bool{}
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
			for _, text := range processes(matches) {
				seen = seen || strings.Contains(text, program)
				if strings.Contains(text, Mark) {
					shown[strings.ReplaceAll(text, Mark, "[canary]")] = true
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
		if !seen {
			t.Errorf("no process of %s was seen", program)
		}
	})
}

// processes returns the arguments and environments of processes.
func processes(matches func(folder string) bool) []string {
	var all []string
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		if !matches(folder) {
			continue
		}
		// A process may have ended.
		arguments, _ := os.ReadFile(folder + "/cmdline")
		environment, _ := os.ReadFile(folder + "/environ")
		all = append(all, string(bytes.ReplaceAll(append(arguments, environment...), []byte{0}, []byte(" "))))
	}
	return all
}
