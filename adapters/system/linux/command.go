//go:build linux

package linux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

const (
	// runDir is where a reboot clears what lies there; the status is there, too.
	runDir   = "/run/machineadm"
	scriptAt = runDir + "/step"
	// proxyEnvironment is the file of the proxy expander; what downloads reads it.
	proxyEnvironment = "/etc/machineadm/proxy.env"
)

// kept is how much of a program's output is kept for the record of a failure, in bytes.
const kept = 64 << 10

// grace is how long the output is waited for once a program has ended, since what it started in the background may hold
// it open for ever; and how long a program has to end when it is told to.
const grace = 3 * time.Second

// runner starts programs, inside the tree.
type runner struct {
	tree *tree
	log  io.Writer
	// path is the value of PATH.
	path string
	// told is what programs have told of the machine as it is.
	told *memory
}

// tail keeps the end of what is written to it.
type tail struct{ bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	n, err := t.Buffer.Write(p)
	if over := t.Len() - kept; over > 0 {
		t.Next(over)
	}
	return n, err
}

// lenient writes as long as it goes: no program fails since there is no room for the log.
type lenient struct{ io.Writer }

// Write writes what it can and says that all was written.
func (l lenient) Write(p []byte) (int, error) {
	_, _ = l.Writer.Write(p)
	return len(p), nil
}

// environment is all that a program sees: nothing of the agent's own, which may hold credentials.
func (r *runner) environment() []string {
	return []string{"PATH=" + r.path, "HOME=/root", "LANG=C.UTF-8", linuxcmd.Noninteractive}
}

// program runs a program of the tree and returns what it printed.
func (r *runner) program(ctx context.Context, stdin io.Reader, name string, args ...string) ([]byte, error) {
	defer r.told.forget()
	return r.start(ctx, name, stdin, append([]string{name}, args...))
}

// command runs a command that package linuxcmd builds.
func (r *runner) command(ctx context.Context, stdin io.Reader, c linuxcmd.Command) ([]byte, error) {
	return r.program(ctx, stdin, c[0], c[1:]...)
}

// ask runs a program that tells of the machine and changes nothing, unless it has told the same already. What it prints
// is no part of the log.
func (r *runner) ask(ctx context.Context, name string, args ...string) ([]byte, error) {
	argv := append([]string{name}, args...)
	return r.told.ask(strings.Join(argv, "\x00"), func() ([]byte, error) {
		silent := *r
		silent.log = io.Discard
		return silent.start(ctx, name, nil, argv)
	})
}

// start runs a program; title names it in errors.
func (r *runner) start(ctx context.Context, title string, stdin io.Reader, argv []string) ([]byte, error) {
	file, err := r.look(argv[0])
	if err != nil {
		return nil, err
	}
	var output tail
	cmd := exec.CommandContext(ctx, file, argv[1:]...)
	cmd.Args[0] = argv[0]
	cmd.Env, cmd.Dir, cmd.Stdin = r.environment(), "/", stdin
	cmd.Stdout = io.MultiWriter(&output, lenient{r.log})
	cmd.Stderr = cmd.Stdout
	// A group of its own, so that the whole of it ends with the agent.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if r.tree.dir != "/" {
		cmd.SysProcAttr.Chroot = r.tree.dir
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = grace
	err = cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) && ctx.Err() == nil {
		err = nil
	}
	return ended(ctx, title, &output, err)
}

// ended says how a program ended. A program that was told to end did not fail by itself.
func ended(ctx context.Context, title string, output *tail, err error) ([]byte, error) {
	var failed *exec.ExitError
	switch {
	case err != nil && ctx.Err() != nil:
		return output.Bytes(), fmt.Errorf("%s: %w", title, context.Cause(ctx))
	case errors.As(err, &failed):
		return output.Bytes(), &ports.CommandError{Name: title, ExitCode: failed.ExitCode(), Output: output.Bytes()}
	case err != nil:
		return output.Bytes(), fmt.Errorf("start %s: %w", title, err)
	}
	return output.Bytes(), nil
}

// look finds a program in the tree, by the search path that it will see itself.
func (r *runner) look(name string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	for dir := range strings.SplitSeq(r.path, ":") {
		at := dir + "/" + name
		if r.tree.executable(at) {
			return at, nil
		}
	}
	return "", fmt.Errorf("this machine has no program %s", name)
}

func (r *runner) has(name string) bool {
	_, err := r.look(name)
	return err == nil
}

// executable reports whether a program stands there. Links are followed inside the tree.
func (t *tree) executable(at string) bool {
	s, err := t.status(at)
	return err == nil && s.Mode&unix.S_IFMT == unix.S_IFREG && s.Mode&0o111 != 0
}

// shell runs a script. It reaches the shell as a file that root alone can read, since every user sees arguments.
func (r *runner) shell(ctx context.Context, title, script string) error {
	if err := r.tree.write(ctx, scriptAt, strings.NewReader(script), machine.Mode(0o600), 0, 0); err != nil {
		return fmt.Errorf("lay down the script: %w", err)
	}
	defer r.told.forget()
	_, err := r.start(ctx, title, nil, []string{"/bin/sh", scriptAt})
	return errors.Join(err, r.tree.unlink(scriptAt))
}

// command is what a script does. Whether it is done nobody can see; the journal knows.
type command struct {
	*Host
	action.RunCommand
}

func (c command) capture(context.Context) (journal.Original, error) {
	o := journal.Original{Thing: journal.ThingCommand, Name: c.Name}
	if c.Undo != "" {
		o.State = map[string]string{"undo": c.Undo}
	}
	return o, nil
}

func (c command) diff(context.Context, journal.Original) ([]string, error) {
	return []string{"! " + c.Summary()}, nil
}

func (c command) apply(ctx context.Context, _ journal.Original) error {
	return c.run.shell(ctx, c.Name, c.Script)
}

func (h *Host) revertCommand(ctx context.Context, o journal.Original) error {
	undo := o.State["undo"]
	if undo == "" {
		return nil
	}
	return h.run.shell(ctx, "undo "+o.Name, undo)
}
