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
	// runDir is on a tmpfs, which a reboot empties. The status is stored there too.
	runDir   = "/run/machineadm"
	scriptAt = runDir + "/step"
	// proxyEnvironment is the environment file that the proxy expander writes. Downloads read it.
	proxyEnvironment = "/etc/machineadm/proxy.env"
)

// kept limits the output of a program that a failure record contains, in bytes.
const kept = 64 << 10

// grace is the time to wait for output after a program exits, because a background process can hold the output open. It
// is also the time between SIGTERM and SIGKILL.
const grace = 3 * time.Second

// runner starts programs inside the tree.
type runner struct {
	tree *tree
	log  io.Writer
	// path is the value of PATH.
	path string
	// The output of programs that only read the machine's state, cached.
	cache *cache
}

// tail keeps the last bytes that are written to it.
type tail struct{ bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	n, err := t.Buffer.Write(p)
	if over := t.Len() - kept; over > 0 {
		t.Next(over)
	}
	return n, err
}

// lenient ignores write errors, so that a program does not fail because the disk of the log is full.
type lenient struct{ io.Writer }

// Write always reports that all bytes were written.
func (l lenient) Write(p []byte) (int, error) {
	_, _ = l.Writer.Write(p)
	return len(p), nil
}

// environment returns the complete environment of a program. It excludes the agent's variables, which may contain
// credentials.
func (r *runner) environment() []string {
	return []string{"PATH=" + r.path, "HOME=/root", "LANG=C.UTF-8", linuxcmd.Noninteractive, linuxcmd.AwaitLock}
}

// program runs a program of the tree and returns what it printed.
func (r *runner) program(ctx context.Context, stdin io.Reader, name string, args ...string) ([]byte, error) {
	defer r.cache.forget()
	return r.start(ctx, name, stdin, append([]string{name}, args...))
}

// command runs a command of package linuxcmd.
func (r *runner) command(ctx context.Context, stdin io.Reader, c linuxcmd.Command) ([]byte, error) {
	return r.program(ctx, stdin, c[0], c[1:]...)
}

// query runs a program that only reads the machine's state, or returns its cached output. The output is not logged.
func (r *runner) query(ctx context.Context, name string, args ...string) ([]byte, error) {
	argv := append([]string{name}, args...)
	return r.cache.output(strings.Join(argv, "\x00"), func() ([]byte, error) {
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
	// A separate process group, so that all its processes end with the agent.
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

// ended returns the output and the error of a program. If the context ended, the error is the context's cause.
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

// look finds a program in the tree, in the PATH that the program itself gets.
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

// executable reports whether the path is an executable file. It follows links inside the tree.
func (t *tree) executable(at string) bool {
	s, err := t.status(at)
	return err == nil && s.Mode&unix.S_IFMT == unix.S_IFREG && s.Mode&0o111 != 0
}

// shell runs a script. The script is a file that only root can read, because all users can read arguments.
func (r *runner) shell(ctx context.Context, title, script string) error {
	if err := r.tree.write(ctx, scriptAt, strings.NewReader(script), machine.Mode(0o600), 0, 0); err != nil {
		return fmt.Errorf("lay down the script: %w", err)
	}
	defer r.cache.forget()
	_, err := r.start(ctx, title, nil, []string{"/bin/sh", scriptAt})
	return errors.Join(err, r.tree.unlink(scriptAt))
}

// command is a script. The machine does not show whether the script has run; only the journal records it.
type command struct {
	*Host
	action.RunCommand
}

func (c command) capture(context.Context) (journal.Original, error) {
	o := journal.Original{Type: journal.ResourceCommand, Name: c.Name}
	if c.Undo != "" {
		o.State = map[string]string{"undo": c.Undo}
	}
	return o, nil
}

func (c command) diff(context.Context, journal.Original) ([]string, error) {
	return []string{"! " + c.Summary()}, nil
}

func (c command) apply(ctx context.Context, _ journal.Original) error {
	if err := c.run.shell(ctx, c.Name, c.Script); err != nil {
		return err
	}
	c.flush()
	return nil
}

func (h *Host) revertCommand(ctx context.Context, o journal.Original) error {
	undo := o.State["undo"]
	if undo == "" {
		return nil
	}
	return h.run.shell(ctx, "undo "+o.Name, undo)
}
