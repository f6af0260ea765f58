//go:build linux

package namespace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// The first arguments with which the program runs as a part of a machine.
const (
	superviseArgument = "namespace-machine"
	firstArgument     = "namespace-init"
)

// self is the path of the running program, also if its file was replaced.
const self = "/proc/self/exe"

// Main runs the supervisor or the first process of a machine if the arguments of the program request it, and reports
// whether they do. It does not return in the first process of a machine, unless that fails.
func Main(args []string) (code int, requested bool) {
	if len(args) < 2 {
		return 0, false
	}
	var err error
	switch args[1] {
	case superviseArgument:
		err = supervise(args[2:])
	case firstArgument:
		err = runFirst()
	default:
		return 0, false
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, args[1]+":", err)
		return 1, true
	}
	return 0, true
}

// startError is the error of a machine that did not start, which a process reports to the one that started it.
type startError struct {
	Fault host.Fault
	Text  string
}

// Error returns the text.
func (r *startError) Error() string { return r.Text }

// reportOf returns the report of an error.
func reportOf(err error) startError {
	r := startError{Fault: place.FaultOf(err), Text: err.Error()}
	var inner *startError
	if errors.As(err, &inner) {
		r.Fault = inner.Fault
	}
	return r
}

// start starts the supervisor, which inherits the lock of the machine, and returns once the machine was started. If the
// context ends before, the machine may still start.
func (m *machine) start(ctx context.Context, p *place.Place) error {
	console, err := p.Base.OpenFile(p.In(m.ID, consoleFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = console.Close() }()
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = reader.Close() }()
	supervisor := exec.Command(self, superviseArgument, m.Directory)
	supervisor.Env, supervisor.Dir = environment(), "/"
	supervisor.Stdout, supervisor.Stderr = console, console
	supervisor.ExtraFiles = []*os.File{p.Lock, writer}
	supervisor.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = supervisor.Start()
	_ = writer.Close()
	if err != nil {
		return err
	}
	go func() { _ = supervisor.Wait() }()
	defer context.AfterFunc(ctx, func() { _ = reader.SetReadDeadline(time.Unix(1, 0)) })()
	return m.started(ctx, p, reader)
}

// started reads the report of the supervisor.
func (m *machine) started(ctx context.Context, p *place.Place, reader io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(reader, host.MaxOutput))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	if started, err := p.Exists(m.ID, place.StartedFile); err != nil || started {
		return err
	}
	report := startError{Fault: host.FaultUnsupported, Text: "the supervisor of the machine ended"}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &report); err != nil {
			return err
		}
	}
	return &ports.HostError{Fault: report.Fault, Err: errors.New(host.Line(report.Text, host.MaxFailure))}
}

// environment returns the environment of the processes of a machine before its init.
func environment() []string {
	return []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"}
}

// supervisor is the process that starts a machine, and starts it again after a reboot.
type supervisor struct {
	*machine
	// lock is the lock of the place, and report the pipe to the caller of Boot. Both are nil once the machine was started.
	lock, report *os.File
}

// supervise runs a supervisor. File descriptor 3 is the lock of the place, and 4 the pipe for the report.
func supervise(args []string) error {
	// The kernel kills the first process when this thread ends.
	runtime.LockOSThread()
	unix.CloseOnExec(3)
	unix.CloseOnExec(4)
	s := &supervisor{lock: os.NewFile(3, lockFile), report: os.NewFile(4, "report"), machine: &machine{}}
	err := s.run(args)
	if s.report == nil || err == nil {
		return err
	}
	return errors.Join(err, json.NewEncoder(s.report).Encode(reportOf(err)))
}

func (s *supervisor) run(args []string) error {
	if len(args) != 1 {
		return errors.New("the directory of the machine is missing")
	}
	text, err := os.ReadFile(filepath.Join(args[0], machineFile))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, s.machine); err != nil {
		return err
	}
	lock, err := lockProcess(s.file(lockFile))
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	for reboot := true; reboot; {
		reboot, err = s.boot()
		if err != nil && s.report == nil {
			// Observe reports it.
			err = errors.Join(err, os.WriteFile(s.file(failureFile), []byte(err.Error()), 0o600))
		}
		if err != nil {
			return errors.Join(err, s.cleanGroups())
		}
	}
	return s.cleanGroups()
}

func (m *machine) file(name string) string { return filepath.Join(m.Directory, name) }

// cleanGroups removes the groups, because containers of the last boot left theirs.
func (m *machine) cleanGroups() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return m.removeGroups(ctx)
}

// boot starts the machine, waits for its end, and reports whether the machine wants to be started again.
func (s *supervisor) boot() (reboot bool, err error) {
	if err := s.cleanGroups(); err != nil {
		return false, err
	}
	first := exec.Command(self, firstArgument)
	first.Env, first.Dir, first.Stdout, first.Stderr = environment(), "/", os.Stdout, os.Stderr
	first.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWNET,
		Setsid:     true,
	}
	to, from, err := connected(first)
	if err != nil {
		return false, err
	}
	defer func() { _ = errors.Join(to.Close(), from.Close()) }()
	if err := s.handOver(first, to, from); err != nil {
		_ = first.Process.Kill()
		_ = first.Wait()
		return false, err
	}
	// reboot(2) in a namespace of processes ends its first process by SIGHUP for a restart, and by SIGINT for a halt.
	_ = first.Wait()
	status, ok := first.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGHUP, nil
}

// connected starts the process with two pipes and returns the ends of this process: to write and to read.
func connected(process *exec.Cmd) (to, from *os.File, err error) {
	settings, to, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = settings.Close() }()
	from, report, err := os.Pipe()
	if err != nil {
		return nil, nil, errors.Join(err, to.Close())
	}
	defer func() { _ = report.Close() }()
	process.ExtraFiles = []*os.File{settings, report}
	if err := process.Start(); err != nil {
		return nil, nil, errors.Join(err, to.Close(), from.Close())
	}
	return to, from, nil
}

// handOver prepares the machine around its first process, records the start, and returns once the init runs.
func (s *supervisor) handOver(first *exec.Cmd, to io.Writer, from io.Reader) error {
	if err := s.createGroups(first.Process.Pid); err != nil {
		return fmt.Errorf("create the control groups: %w", err)
	}
	if err := s.connect(first.Process.Pid); err != nil {
		return err
	}
	if err := json.NewEncoder(to).Encode(firstSettings{machine: *s.machine, FirstBoot: s.lock != nil}); err != nil {
		return err
	}
	messages := json.NewDecoder(from)
	err := receive(messages)
	if errors.Is(err, io.EOF) {
		return errors.New("the first process ended; its messages are in the file " + s.file(consoleFile))
	}
	if err != nil {
		return err
	}
	if err := s.recordStart(); err != nil {
		return err
	}
	if _, err := io.WriteString(to, "{}\n"); err != nil {
		return err
	}
	err = receive(messages)
	if removed := os.Remove(s.file(ignitionFile)); !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	if errors.Is(err, io.EOF) {
		// The init has replaced the program, which closed the pipe.
		return nil
	}
	return err
}

// recordStart creates the files by which Observe knows of the start, and releases the caller of Boot.
func (s *supervisor) recordStart() error {
	if s.lock == nil {
		return os.WriteFile(s.file(rebootedFile), nil, 0o600)
	}
	if err := os.Mkdir(s.file(place.StartedFile), 0o700); err != nil {
		return err
	}
	err := errors.Join(s.lock.Close(), s.report.Close())
	s.lock, s.report = nil, nil
	return err
}

// receive reads a message of the first process: ready, which has no text, or an error.
func receive(messages *json.Decoder) error {
	r := &startError{}
	if err := messages.Decode(r); err != nil {
		return err
	}
	if r.Text != "" {
		return r
	}
	return nil
}

// lockProcess locks the file as long as the process exists. The kernel names the holder of such a lock; see holder.
func lockProcess(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.FcntlFlock(f.Fd(), unix.F_SETLK, &unix.Flock_t{Type: unix.F_WRLCK}); err != nil {
		return nil, errors.Join(fmt.Errorf("the machine runs already: %w", err), f.Close())
	}
	return f, nil
}

// holder returns the process that locks the file, or 0 if there is none.
func holder(f *os.File) (int, error) {
	lock := unix.Flock_t{Type: unix.F_WRLCK}
	if err := unix.FcntlFlock(f.Fd(), unix.F_GETLK, &lock); err != nil || lock.Type == unix.F_UNLCK {
		return 0, err
	}
	return int(lock.Pid), nil
}
