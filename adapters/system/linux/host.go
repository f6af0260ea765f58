//go:build linux

package linux

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	securejoin "github.com/cyphar/filepath-securejoin"
	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

// Host is a Linux machine. It implements ports.Host.
type Host struct {
	tree *tree
	run  *runner
	// live reports whether the tree belongs to the running system and systemd is its init.
	live bool
	// lock is held until Close.
	lock *os.File
	// sync writes all cached data to the disks.
	sync func()
}

// Options configures New.
type Options struct {
	// Root is the root directory of the machine's file tree; empty means /.
	Root string
	// Log receives the output of programs; nil discards it.
	Log io.Writer
	// Originals stores the files that operations replace. If it is nil, no file can be replaced.
	Originals ports.Originals
}

// New returns the host with the given root.
func New(o Options) (*Host, error) {
	if o.Root == "" {
		o.Root = "/"
	}
	t, err := openTree(o.Root, o.Originals)
	if err != nil {
		return nil, fmt.Errorf("open the machine's tree: %w", err)
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	live := o.Root == "/" && t.exists("/run/systemd/system")
	h := &Host{tree: t, live: live, run: &runner{tree: t, log: o.Log, cache: &cache{}}, sync: unix.Sync}
	h.run.path = linuxcmd.SearchPath(profile(h.osRelease()).BinDir)
	if t.exists("/sys/fs/selinux/enforce") && h.run.has("matchpathcon") {
		t.label = h.label
	}
	if t.dir == "/" && h.run.has("getent") {
		t.getent = h.getent
	}
	return h, nil
}

// label returns the SELinux label of the path in the policy, by matchpathcon(8).
func (h *Host) label(ctx context.Context, path string) (string, error) {
	out, err := h.run.query(ctx, "matchpathcon", "-n", path)
	if err != nil {
		return "", fmt.Errorf("query the label of %s: %w", path, err)
	}
	label := strings.TrimSpace(string(out))
	if label == "<<none>>" {
		return "", nil
	}
	return label, nil
}

// Inside returns the path outside the tree of a path inside it. Links are resolved inside the tree, so no link leaves
// it.
func Inside(root, path string) (string, error) { return securejoin.SecureJoin(root, path) }

// Lock prevents changes by other agents until Close. It fails if another agent holds the lock.
func (h *Host) Lock(ctx context.Context) error {
	at := runDir + "/lock"
	var fd int
	err := h.tree.with(at, false, func(p *place) (err error) {
		if err = p.make(ctx); err == nil {
			fd, err = unix.Openat(p.fd, p.base, unix.O_RDWR|unix.O_CREAT|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("open %s: %w", at, err)
	}
	f := os.NewFile(uintptr(fd), at) //nolint:gosec // A descriptor is not negative.
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return errors.Join(fmt.Errorf("another machineadm is running on this machine (%s): %w", at, err), f.Close())
	}
	h.lock = f
	return nil
}

// Close closes the tree and releases the lock.
func (h *Host) Close() error {
	if h.lock == nil {
		return h.tree.close()
	}
	return errors.Join(h.lock.Close(), h.tree.close())
}

// flush writes to the disks what programs have written. The journal records the success of a program durably, but few
// programs flush their files: after a power cut these would be empty, and the program would not run again. It does
// nothing in a tree that is not running.
func (h *Host) flush() {
	if h.live {
		h.sync()
	}
}

// part is a part of an operation: one file, account or state.
type part interface {
	// capture returns the current state.
	capture(ctx context.Context) (journal.Original, error)
	// diff returns lines that describe the difference, or none if there is no difference.
	diff(ctx context.Context, original journal.Original) ([]string, error)
	apply(ctx context.Context, original journal.Original) error
}

// Capture returns the state that the operation replaces, and stores a copy of each file.
func (h *Host) Capture(ctx context.Context, op action.Operation) (journal.Original, error) {
	parts, err := h.parts(op)
	if err != nil {
		return journal.Original{}, err
	}
	h.run.cache.enter(capturing, op.Summary())
	all := journal.Original{Name: op.Summary()}
	for _, p := range parts {
		o, err := p.capture(ctx)
		if err == nil && o.Regular() {
			err = h.save(ctx, &o)
		}
		if err != nil {
			return journal.Original{}, err
		}
		all.Parts = append(all.Parts, o)
	}
	if u, is := op.(action.EnsureUnit); is {
		all.State = h.unitNamed(u.Name).renewal(u, all.Parts)
	}
	return all, nil
}

// save stores a copy of a file.
func (h *Host) save(ctx context.Context, o *journal.Original) error {
	if h.tree.originals == nil {
		return fmt.Errorf("%s exists, and there is no storage for originals", o.Name)
	}
	err := h.tree.with(o.Name, false, func(p *place) error { return p.save(ctx, o) })
	if err != nil {
		return fmt.Errorf("store the original of %s: %w", o.Name, err)
	}
	return nil
}

// Diff returns the changes that the operation would make.
func (h *Host) Diff(ctx context.Context, op action.Operation, original journal.Original) (ports.Change, error) {
	h.run.cache.enter(comparing, op.Summary())
	var change ports.Change
	parts, err := h.parts(op)
	for i, p := range parts {
		lines, err := p.diff(ctx, partOf(original, i))
		if err != nil {
			return ports.Change{}, err
		}
		change.Lines = append(change.Lines, lines...)
	}
	return change, err
}

// Exists reports whether anything has the path. It does not follow a link at the end of the path.
func (h *Host) Exists(_ context.Context, path string) (bool, error) {
	err := h.tree.with(path, false, func(p *place) (err error) { _, err = p.status(); return err })
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Apply applies the operation, part by part.
func (h *Host) Apply(ctx context.Context, op action.Operation, original journal.Original) error {
	h.run.cache.enter(applying, op.Summary())
	parts, err := h.parts(op)
	for i, p := range parts {
		lines, err := p.diff(ctx, partOf(original, i))
		if err != nil {
			return err
		}
		if len(lines) == 0 {
			continue
		}
		err = p.apply(ctx, partOf(original, i))
		h.run.cache.forget()
		if err != nil {
			return err
		}
	}
	return err
}

// partOf returns the original of the part. It is empty if the operation had fewer parts when it was captured.
func partOf(o journal.Original, i int) journal.Original {
	if i < len(o.Parts) {
		return o.Parts[i]
	}
	return journal.Original{}
}

// Restart restarts or starts the unit. It does nothing in a tree that is not running. It does not wait for a unit that
// waits for the boot.
func (h *Host) Restart(ctx context.Context, name string) error {
	if !h.live {
		return nil
	}
	if err := h.reload(ctx); err != nil {
		return err
	}
	verb := []string{"restart"}
	if h.unitNamed(name).waitsForBoot(ctx) {
		verb = append(verb, "--no-block")
	}
	_, err := h.run.command(ctx, nil, linuxcmd.Systemctl(name, verb...))
	return err
}

// IsStopping reports whether systemd shuts the machine down. It may stop services long before it signals the agent: the
// unit of cloud-init that runs the userdata has KillMode=process, so its programs end last. The exit code is not 0.
func (h *Host) IsStopping(ctx context.Context) bool {
	if !h.live {
		return false
	}
	out, _ := h.run.program(ctx, nil, "systemctl", "is-system-running")
	if strings.TrimSpace(string(out)) == "stopping" {
		return true
	}
	// Before version 246, systemd prints starting until a boot has finished, also during a shutdown.
	// The job ends as soon as the target is reached, before file systems are unmounted.
	h.run.cache.forget()
	target := h.unitNamed("shutdown.target")
	job := target.property(ctx, "Job")
	return job != "" && job != "0" || target.property(ctx, "ActiveState") == stateActive
}

// parts returns the parts of the operation in the order in which they are applied.
func (h *Host) parts(op action.Operation) ([]part, error) {
	switch o := op.(type) {
	case action.WriteFile:
		return []part{file{h.tree, o.File}}, nil
	case action.MakeDirectory:
		return []part{directory{h.tree, o}}, nil
	case action.Link:
		return []part{link{h.tree, o}}, nil
	case action.FetchFile:
		return []part{download{h.tree, o, usualPace()}}, nil
	case action.EnsureGroup:
		return []part{group{h, o.Group}}, nil
	case action.EnsureUser:
		return h.userParts(o.User), nil
	case action.EnsureUnit:
		return h.unitParts(o), nil
	case action.InstallPackages:
		return []part{packages{h, o}}, nil
	case action.PartitionDisk:
		return []part{disk{h, o.Disk}}, nil
	case action.MakeFilesystem:
		return []part{filesystem{h, o.Filesystem}}, nil
	case action.MountFilesystem:
		return h.mountParts(o.Mount), nil
	case action.EnableSwap:
		return h.swapParts(o.Swap), nil
	case action.RunCommand:
		return []part{command{h, o}}, nil
	default:
		return nil, fmt.Errorf("this machine cannot %s", op.Summary())
	}
}

// Revert restores the parts in reverse order.
func (h *Host) Revert(ctx context.Context, original journal.Original) error {
	h.run.cache.forget()
	for i := len(original.Parts) - 1; i >= 0; i-- {
		if err := h.Revert(ctx, original.Parts[i]); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(original.Parts, func(o journal.Original) bool { return o.Type == journal.ResourceUnit }) {
		return h.reload(ctx)
	}
	switch original.Type {
	case journal.ResourcePath:
		return h.tree.restore(ctx, original)
	case journal.ResourceUser:
		return h.revertUser(ctx, original)
	case journal.ResourceGroup:
		return h.revertGroup(ctx, original)
	case journal.ResourceUnit:
		return h.revertUnit(ctx, original)
	case journal.ResourceMount:
		return h.revertMount(ctx, original)
	case journal.ResourceCommand:
		return h.revertCommand(ctx, original)
	case journal.ResourcePackages, journal.ResourceDisk:
		// Packages and disks stay as they are: other software may use the packages, and the disk may contain data.
	}
	return nil
}

// textFile returns a file that an operation writes as a side effect.
func textFile(path, content string, mode machine.Mode) machine.File {
	return machine.File{Path: path, Content: literal(content), Mode: mode}
}
