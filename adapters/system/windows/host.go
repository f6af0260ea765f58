package windows

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
)

// Runner starts programs.
type Runner interface {
	// Run starts the program argv[0] with the other elements as arguments, and waits for it. It returns the end of the
	// program's output and its exit code. An error means that the program could not be started.
	Run(ctx context.Context, argv ...string) (output []byte, exitCode int, err error)
}

// Host is a Windows machine. It implements ports.Host.
type Host struct {
	tree   *tree
	runner Runner
}

// New returns the host whose drive C: is the directory. The originals store the files that operations replace.
func New(drive string, r Runner, originals ports.Originals) (*Host, error) {
	root, err := os.OpenRoot(drive)
	if err != nil {
		return nil, fmt.Errorf("open the machine's drive: %w", err)
	}
	h := &Host{runner: r}
	h.tree = &tree{root: root, private: h.onlyAdministrators, originals: originals}
	return h, nil
}

// Close closes the drive.
func (h *Host) Close() error { return h.tree.root.Close() }

// ProtectState creates the agent's directories, and gives them to the administrators. Only SYSTEM and the
// administrators can read the state directory and the files that are created in it. All users can read the others,
// which contain the status and the result. The default permissions of C:\ProgramData would let all users read the
// state, and those of the drive would let them write the result.
func (h *Host) ProtectState(ctx context.Context) error {
	for _, d := range []struct {
		path   string
		others []string
	}{{stateAt, nil}, {runDirectory, []string{usersRead}}, {sentinelDirectory, []string{usersRead}}} {
		if err := h.protect(ctx, d.path, d.others); err != nil {
			return err
		}
	}
	return nil
}

// protect creates a directory that belongs to the administrators.
func (h *Host) protect(ctx context.Context, path string, others []string) error {
	dir, err := below(path)
	if err != nil {
		return err
	}
	if err := h.tree.root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if _, err := h.program(ctx, "protect "+path, "icacls.exe", path, "/setowner", "*S-1-5-32-544"); err != nil {
		return err
	}
	return h.private(ctx, path, true, others...)
}

// usersRead lets all users read a directory and what will be in it.
const usersRead = "*S-1-5-32-545:(OI)(CI)RX"

// private has a file, or a directory with what will be in it, read by the system, by administrators and by others, by
// the identifiers that they have in every language.
func (h *Host) private(ctx context.Context, path string, directory bool, others ...string) error {
	all := ":F"
	if directory {
		all = ":(OI)(CI)F"
	}
	_, err := h.program(ctx, "protect "+path, append([]string{
		"icacls.exe", path, "/inheritance:r", "/grant:r", "*S-1-5-18" + all, "*S-1-5-32-544" + all,
	}, others...)...)
	return err
}

func (h *Host) onlyAdministrators(ctx context.Context, path string, directory bool) error {
	return h.private(ctx, path, directory)
}

// program runs a program; title names it in errors.
func (h *Host) program(ctx context.Context, title string, argv ...string) ([]byte, error) {
	output, code, err := h.runner.Run(ctx, argv...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", title, err)
	}
	if code != 0 {
		return nil, &ports.CommandError{Name: title, ExitCode: code, Output: output}
	}
	return output, nil
}

// part is what an operation changes.
type part interface {
	capture(ctx context.Context) (journal.Original, error)
	diff(ctx context.Context, original journal.Original) ([]string, error)
	apply(ctx context.Context, original journal.Original) error
}

func (h *Host) part(op action.Operation) (part, error) {
	switch o := op.(type) {
	case action.WriteFile:
		return file{h.tree, o.File}, nil
	case action.MakeDirectory:
		return directory{h.tree, o}, nil
	case action.FetchFile:
		return download{h, o}, nil
	case action.RunCommand:
		return command{h, o}, nil
	case action.EnsureGroup:
		return group{h, o.Group}, nil
	case action.EnsureUser:
		return user{h, o.User}, nil
	case action.EnsureUnit:
		return service{h, o}, nil
	case action.ConfigureHost:
		return computer{h, o.HostConfig}, nil
	case action.JoinDomain:
		return membership{h, o.DomainJoin}, nil
	default:
		return nil, unable(op)
	}
}

// unable returns the error for an operation that the agent does not support on Windows, with an alternative.
func unable(op action.Operation) error {
	use := "a Command document in PowerShell"
	switch op.(type) {
	case action.InstallPackages:
		use = "an image that has the programs, or a Command document that installs them"
	case action.PartitionDisk, action.MakeFilesystem, action.MountFilesystem, action.EnableSwap:
		use = "native delivery, or New-Partition and Format-Volume in a Command document"
	default:
	}
	return fmt.Errorf("the agent does not %s on Windows; use %s", op.Summary(), use)
}

// Capture returns the state that the operation replaces, and stores a copy of a file.
func (h *Host) Capture(ctx context.Context, op action.Operation) (journal.Original, error) {
	p, err := h.part(op)
	if err != nil {
		return journal.Original{}, err
	}
	o, err := p.capture(ctx)
	if err == nil && o.Regular() {
		err = h.tree.save(ctx, &o)
	}
	for i := range o.Parts {
		if err == nil && o.Parts[i].Regular() {
			err = h.tree.save(ctx, &o.Parts[i])
		}
	}
	return o, err
}

// AwaitDevice does nothing, because no operation on Windows needs a device.
func (h *Host) AwaitDevice(context.Context, action.Operation) {}

// Diff returns the changes that the operation would make.
func (h *Host) Diff(ctx context.Context, op action.Operation, original journal.Original) (ports.Change, error) {
	p, err := h.part(op)
	if err != nil {
		return ports.Change{}, err
	}
	lines, err := p.diff(ctx, original)
	return ports.Change{Lines: lines}, err
}

// Exists reports whether a file or directory has the path.
func (h *Host) Exists(_ context.Context, path string) (bool, error) {
	o, err := h.tree.state(path)
	return o.Exists, err
}

// Apply applies the operation.
func (h *Host) Apply(ctx context.Context, op action.Operation, original journal.Original) error {
	p, err := h.part(op)
	if err != nil {
		return err
	}
	lines, err := p.diff(ctx, original)
	if err != nil || len(lines) == 0 {
		return err
	}
	return p.apply(ctx, original)
}

// Revert restores the original.
func (h *Host) Revert(ctx context.Context, original journal.Original) error {
	for _, p := range original.Parts {
		if err := h.Revert(ctx, p); err != nil {
			return err
		}
	}
	switch {
	case original.Type == journal.ResourcePath:
		return h.tree.restore(ctx, original)
	case original.Type == journal.ResourceGroup && !original.Exists:
		return h.session(ctx, "remove the group "+original.Name, removeGroup(original))
	case original.Type == journal.ResourceUser:
		return h.session(ctx, "restore the account "+original.Name, restoreUser(original))
	case original.Type == journal.ResourceUnit && original.Exists:
		return h.session(ctx, "restore the service "+original.Name, restoreService(original))
	case original.Type == journal.ResourceCommand && original.State["undo"] != "":
		return h.userScript(ctx, "undo "+original.Name, original.State["undo"])
	default:
		return nil
	}
}

// Restart restarts a service.
func (h *Host) Restart(ctx context.Context, unit string) error {
	name := action.QuotePowerShell(windowscmd.ServiceName(unit))
	return h.shell(ctx, "restart "+unit, "Restart-Service -Force -Name "+name)
}

// IsStopping returns false: a Windows that shuts down signals or ends the agent together with its programs.
func (h *Host) IsStopping(context.Context) bool { return false }

// The scripts that the agent writes. runAt runs the script of its argument.
const (
	scriptAt = stateAt + `\step.ps1`
	runAt    = stateAt + `\run.ps1`
)

// shell runs a script as a file that others cannot read, since every user sees arguments. What fails in it fails it.
func (h *Host) shell(ctx context.Context, title, script string) error {
	_, err := h.output(ctx, title, script)
	return err
}

// output runs a script as shell does, and returns its output.
func (h *Host) output(ctx context.Context, title, script string) ([]byte, error) {
	return h.file(ctx, title, "$ErrorActionPreference = 'Stop'\r\n"+script, scriptAt)
}

// userScript runs a script of the user as the bootstrap program does. It fails with the exit code of the script, or of
// the last program that the script ran.
func (h *Host) userScript(ctx context.Context, title, script string) error {
	if err := h.writePrivate(ctx, runAt, windowscmd.Run()); err != nil {
		return err
	}
	_, err := h.file(ctx, title, script, runAt, scriptAt)
	return err
}

// file writes a script to scriptAt, runs PowerShell with the arguments, and removes the script.
func (h *Host) file(ctx context.Context, title, script string, arguments ...string) ([]byte, error) {
	if err := h.writePrivate(ctx, scriptAt, plan.WithByteOrderMark(script)); err != nil {
		return nil, err
	}
	printed, err := h.program(ctx, title, append([]string{
		"powershell.exe", "-NoProfile", "-NonInteractive",
		"-ExecutionPolicy", "Bypass", "-File",
	}, arguments...)...)
	return printed, errors.Join(err, h.tree.remove(scriptAt))
}

// writePrivate writes a script that others cannot read.
func (h *Host) writePrivate(ctx context.Context, at, script string) error {
	if err := h.tree.write(ctx, at, strings.NewReader(script), true); err != nil {
		return fmt.Errorf("write the script: %w", err)
	}
	return nil
}

// command is the effect of a script, which cannot be observed; the journal records it.
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
	return c.userScript(ctx, c.Name, c.Script)
}
