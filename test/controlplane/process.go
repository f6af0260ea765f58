package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/machineadm/machineadm/test/thread"
)

// stopTimeout is how long a process may take to end after it was asked to, on a busy machine: an API server that serves
// no request ends in a second, and waits up to a minute for requests in flight.
const stopTimeout = 10 * time.Minute

// Process is a running program.
type Process struct {
	// Log is the file that takes its output.
	Log string

	cmd  *exec.Cmd
	done chan struct{}
	// metrics is the address at which the program serves metrics without authentication, or empty if it serves none.
	metrics string
}

// StartProcess starts a program with its output in a file. It dies with its starter, and when the context ends.
func StartProcess(ctx context.Context, log, program string, args ...string) (*Process, error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	defer func() { _ = out.Close() }()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopTimeout
	p := &Process{Log: log, cmd: cmd, done: make(chan struct{})}
	if err := thread.Start(p.done, cmd.Start); err != nil {
		close(p.done)
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	go func() {
		defer close(p.done)
		_ = cmd.Wait()
	}()
	return p, nil
}

// Running reports whether the program still runs.
func (p *Process) Running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// PID returns the process's number.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Memory are the resident sizes of a running program in bytes.
type Memory struct {
	// Peak is the largest one since the program started.
	Peak int64 `json:"peak"`
	// Heap is that of the heap and the stacks.
	Heap int64 `json:"heap"`
	// Program is that of the program file.
	Program int64 `json:"program"`
}

// Memory returns what the program uses while it runs. The operating system's accounts of programs that have ended are
// not used: their peak contains the memory of the starter.
func (p *Process) Memory() (Memory, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID()))
	if err != nil {
		return Memory{}, fmt.Errorf("read the memory of %s: %w", p.cmd.Path, err)
	}
	sizes := map[string]int64{}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		sizes[name] = kilobytes << 10
	}
	return Memory{Peak: sizes["VmHWM"], Heap: sizes["RssAnon"], Program: sizes["RssFile"]}, nil
}

// Stop asks the program to end and waits until it has. Its metrics stay beside its log.
func (p *Process) Stop() error {
	return errors.Join(p.keepMetrics(), p.end())
}

func (p *Process) end() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop process: %w", err)
	}
	select {
	case <-p.done:
	case <-time.After(stopTimeout):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
	return nil
}

// waitFor waits until something listens at the address, the program ends or the context does.
func (p *Process) waitFor(ctx context.Context, address string) error {
	for p.Running() {
		if listening(address) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", address, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
	tail, _ := os.ReadFile(p.Log)
	return fmt.Errorf("%s ended before it served %s: %s", p.cmd.Path, address, tail[max(0, len(tail)-2000):])
}

// Kill ends the program without a warning, and waits until it has ended.
func (p *Process) Kill() error {
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill process: %w", err)
	}
	<-p.done
	return nil
}
