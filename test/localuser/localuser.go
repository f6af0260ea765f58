//go:build linux

// Package localuser reads files as a local user without rights while a program under test runs, in a nightly run as
// fast as the machine allows. It finds files that are readable for a moment: between the moment they are created and
// the moment their mode is set.
package localuser

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/nightly"
)

// unprivileged is the user and the group of a process without rights.
const unprivileged = 65534

// Control is the content of a file that everybody may read. A Reader that does not find it proves nothing.
const Control = "control5d8w1t6y3r"

// longest is how many bytes of a file are read.
const longest = 64 << 10

// Reader reads files as user 65534.
type Reader struct {
	paths, folders []string
	stop           atomic.Bool
	done           sync.WaitGroup

	mu    sync.Mutex
	seen  map[string]int
	found bool
	reads int
	err   error
}

// Watch starts to read Files, and whatever else is below Folders, at the paths that at returns for those of the
// machine. It returns when the first round is over. The test fails when it ends if the reader saw a secret, or did not
// see the control file.
func Watch(t testing.TB, at func(string) string) {
	t.Helper()
	r := Start(t, Paths(at), Folders(at))
	t.Cleanup(func() { r.Check(t) })
}

// Start starts to read the paths and all regular files below the folders, and returns when the first round is over.
// None of them need exist. The test must be root, and everybody must be able to reach the paths. It calls Check or Seen
// in the end.
func Start(t testing.TB, paths, folders []string) *Reader {
	t.Helper()
	if os.Getuid() != 0 {
		t.Fatal("this test needs root: it reads as another user")
	}
	r := &Reader{paths: paths, folders: folders, seen: map[string]int{}}
	t.Cleanup(r.end)
	for _, round := range []func(*eyes){r.known, r.below} {
		ready := make(chan struct{})
		r.done.Add(1)
		go r.spin(round, ready)
		<-ready
	}
	return r
}

// Check stops the reader, logs what it saw, and fails the test if the reader saw a secret, or nothing at all.
func (r *Reader) Check(t testing.TB) {
	t.Helper()
	seen := r.Seen(t)
	for _, path := range seen {
		t.Errorf("user %d read a secret from %s, of %d files that were there one after the other", unprivileged,
			path, r.seen[path])
	}
	t.Logf("user %d read files %d times, and secrets from %d paths", unprivileged, r.reads, len(seen))
}

// Seen stops the reader and returns the paths from which it read a secret. The test fails if the reader could not see
// anything.
func (r *Reader) Seen(t testing.TB) []string {
	t.Helper()
	r.end()
	if r.err != nil || !r.found {
		t.Errorf("the reader did not read the control file in %d reads: error %v", r.reads, r.err)
	}
	return slices.Sorted(maps.Keys(r.seen))
}

func (r *Reader) end() {
	r.stop.Store(true)
	r.done.Wait()
}

// spin repeats the round as user 65534. The credentials are those of the thread alone, which ends with the goroutine
// because it stays locked to it.
func (r *Reader) spin(round func(*eyes), ready chan<- struct{}) {
	defer r.done.Done()
	runtime.LockOSThread()
	e := &eyes{reader: r}
	defer e.close()
	if err := drop(); err != nil {
		r.mu.Lock()
		r.err = errors.Join(r.err, err)
		r.mu.Unlock()
		close(ready)
		return
	}
	for first := true; ; first = false {
		last := r.stop.Load()
		round(e)
		e.again()
		if first {
			close(ready)
		}
		if last {
			return
		}
		time.Sleep(pause())
	}
}

// pause is the time between two rounds. Without it, the reader takes the processors from the tests beside it.
func pause() time.Duration { return nightly.Or(0, 500*time.Microsecond) }

// drop gives up the rights of the calling thread.
func drop() error {
	none := uintptr(0)
	if _, _, errno := syscall.RawSyscall(syscall.SYS_SETGROUPS, none, none, none); errno != 0 {
		return fmt.Errorf("setgroups: %w", errno)
	}
	if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESGID, unprivileged, unprivileged, unprivileged); errno != 0 {
		return fmt.Errorf("setresgid: %w", errno)
	}
	if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, unprivileged, unprivileged, unprivileged); errno != 0 {
		return fmt.Errorf("setresuid: %w", errno)
	}
	return nil
}

// known opens each of the paths.
func (r *Reader) known(e *eyes) {
	for _, path := range r.paths {
		e.look(path)
	}
}

// below opens all files below the folders: also those with unexpected names.
func (r *Reader) below(e *eyes) {
	for _, folder := range r.folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				e.look(path)
			}
			return nil
		})
	}
}

// most is how many files a thread keeps open: more than one run of a program under test writes.
const most = 256

// file is a file that could be opened. What is open stays readable when the mode changes.
type file struct {
	path string
	key  [2]uint64
	fd   int
	// seen is set once a secret was read from it.
	seen bool
}

// eyes is what one thread has open, the oldest first.
type eyes struct {
	reader *Reader
	files  []*file
	buf    [longest]byte
}

func (e *eyes) look(path string) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	var s syscall.Stat_t
	if err := syscall.Fstat(fd, &s); err != nil {
		_ = syscall.Close(fd)
		return
	}
	key := [2]uint64{s.Dev, s.Ino}
	known := slices.ContainsFunc(e.files, func(f *file) bool { return f.key == key })
	if known || s.Mode&syscall.S_IFMT != syscall.S_IFREG {
		_ = syscall.Close(fd)
		return
	}
	if len(e.files) == most {
		_ = syscall.Close(e.files[0].fd)
		e.files = slices.Delete(e.files, 0, 1)
	}
	f := &file{path: path, key: key, fd: fd}
	e.files = append(e.files, f)
	e.read(f)
}

// again reads what is open once more: a file may have been empty when it was opened.
func (e *eyes) again() {
	for _, f := range e.files {
		e.read(f)
	}
}

func (e *eyes) read(f *file) {
	n, err := syscall.Pread(f.fd, e.buf[:], 0)
	if f.seen || err != nil || n < 0 {
		return
	}
	text := e.buf[:n]
	f.seen = bytes.Contains(text, []byte(canary.Mark))
	control := bytes.Contains(text, []byte(Control))
	e.reader.mu.Lock()
	defer e.reader.mu.Unlock()
	e.reader.reads++
	e.reader.found = e.reader.found || control
	if f.seen {
		e.reader.seen[f.path]++
	}
}

func (e *eyes) close() {
	for _, f := range e.files {
		_ = syscall.Close(f.fd)
	}
}

// batch is the number of runs between two lines of the log.
const batch = 25

// Repeat calls do with numbers of runs that add up to Runs divided by share, which is for slow programs. It logs the
// progress.
func Repeat(t testing.TB, share int, do func(runs int)) {
	t.Helper()
	runs := (Runs() + share - 1) / share
	for done := 0; done < runs; {
		next := min(batch, runs-done)
		do(next)
		done += next
		t.Logf("%d of %d runs", done, runs)
	}
}

// Runs returns how often a test repeats a program while it reads the program's files.
func Runs() int { return nightly.Or(300, 3) }
