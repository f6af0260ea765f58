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
// fails if they contain the Mark, or if no process with the program in its arguments was seen; an empty program stands
// for none. The channel is closed when the program was seen. matches selects the processes by their folders in /proc.
func WatchProcesses(t testing.TB, program string, matches func(folder string) bool) (seen <-chan struct{}) {
	t.Helper()
	w := watcher{program: program, matches: matches, seen: make(chan struct{}), shown: map[string]bool{}}
	stop := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for pause := time.Millisecond; ; {
			select {
			case <-stop:
				return
			case <-time.After(pause):
			}
			started := time.Now()
			w.look()
			// The test needs the processors, too.
			pause = max(time.Millisecond, time.Since(started))
		}
	})
	t.Cleanup(func() {
		close(stop)
		watch.Wait()
		for text := range w.shown {
			t.Errorf("a process shows a secret: %s", text)
		}
		if program != "" && !w.found {
			t.Errorf("no process of %s was seen", program)
		}
	})
	return w.seen
}

// watcher is a watch of processes.
type watcher struct {
	program string
	matches func(folder string) bool
	seen    chan struct{}
	found   bool
	// shown are the texts that contain the Mark.
	shown map[string]bool
}

func (w *watcher) look() {
	for _, text := range processes(w.matches) {
		if !w.found && strings.Contains(text, w.program) {
			w.found = true
			close(w.seen)
		}
		if strings.Contains(text, Mark) {
			w.shown[strings.ReplaceAll(text, Mark, "[canary]")] = true
		}
	}
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
