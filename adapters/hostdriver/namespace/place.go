//go:build linux

package namespace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/internal/atomicfile"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// The names of the files of a machine; see the comment of the package.
const (
	lockFile     = "lock"
	claimFile    = "claim"
	machineFile  = "machine.json"
	startedFile  = "started"
	rebootedFile = "rebooted"
	failureFile  = "failure"
	releaseFile  = "release"
	releasedFile = "released"
	consoleFile  = "console"
	ignitionFile = "ignition"

	runDirectory     = "run"
	upperDirectory   = "upper"
	workDirectory    = "work"
	volumesDirectory = "volumes"
)

// machinesDirectory contains the directories of the machines.
const machinesDirectory = "machines"

// directory is the open directory of the driver.
type directory struct {
	*os.Root
	path string
}

// place is the directory of a machine.
type place struct {
	base *directory
	// name is relative to the directory of the driver.
	name string
	// lock is the locked file; nil if the place is only read.
	lock *os.File
}

// fault returns an error with a fault and without a cause.
func fault(f host.Fault) error { return &ports.HostError{Fault: f} }

// call opens the directory of the driver and returns the error of the function as *ports.HostError. Without the
// directory, whose disk may not be mounted, the fault is FaultUnreachable.
func (d *Driver) call(ctx context.Context, operation string, work func(*directory) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	root, err := os.OpenRoot(d.config.Directory)
	if err != nil {
		return &ports.HostError{Fault: host.FaultUnreachable, Operation: operation, Err: err}
	}
	defer func() { _ = root.Close() }()
	err = work(&directory{Root: root, path: d.config.Directory})
	var failed *ports.HostError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return err
	case errors.As(err, &failed):
		failed.Operation = operation
		return failed
	default:
		return &ports.HostError{Fault: faultOf(err), Operation: operation, Err: err}
	}
}

// faultOf returns the fault of an error of the system.
func faultOf(err error) host.Fault {
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		return host.FaultDiskFull
	}
	return host.FaultUnsupported
}

// locked calls the function with the locked directory of the machine, and removes the directory if there is no claim
// afterwards.
func (d *Driver) locked(ctx context.Context, operation string, target ports.HostTarget, work func(*place) error) error {
	return d.call(ctx, operation, func(base *directory) error {
		p := base.place(target)
		if err := p.acquire(ctx); err != nil {
			return err
		}
		defer func() { _ = p.lock.Close() }()
		err := work(p)
		if p.claim() == "" {
			err = errors.Join(err, base.RemoveAll(p.name))
		}
		return err
	})
}

func (b *directory) place(target ports.HostTarget) *place {
	return &place{base: b, name: path.Join(machinesDirectory, target.Namespace, target.Name)}
}

// image opens the root file system of the machine. Tenants choose its path, and must not read other machines.
func (b *directory) image(target ports.HostTarget) (*image, error) {
	if target.Machine == nil {
		return nil, fault(host.FaultImage)
	}
	name := path.Clean(target.Machine.Root)
	if first, _, _ := strings.Cut(name, "/"); first == "." || first == machinesDirectory {
		return nil, &ports.HostError{
			Fault: host.FaultImage, Err: fmt.Errorf("spec.namespaceMachine.root: %q is not a root file system", name),
		}
	}
	root, err := b.OpenRoot(name)
	if err != nil {
		return nil, &ports.HostError{Fault: host.FaultImage, Err: err}
	}
	return &image{Root: root, path: filepath.Join(b.path, name)}, nil
}

// acquire locks the place. The last holder may have removed the directory.
func (p *place) acquire(ctx context.Context) error {
	for {
		lock, err := p.tryLock()
		if lock != nil || err != nil {
			p.lock = lock
			return err
		}
		select {
		case <-ctx.Done():
			return &ports.HostError{Fault: host.FaultBusy, Err: ctx.Err()}
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// tryLock returns the locked file, or nil if another process holds the lock or has removed the file.
func (p *place) tryLock() (*os.File, error) {
	if err := p.base.MkdirAll(p.name, 0o700); err != nil {
		return nil, err
	}
	name := path.Join(p.name, lockFile)
	f, err := p.base.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil && sameFile(p.base, name, f) {
		return f, nil
	}
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = nil
	}
	return nil, errors.Join(err, f.Close())
}

// busy reports whether a call changes the machine.
func (p *place) busy() bool {
	f, err := p.base.Open(path.Join(p.name, lockFile))
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	return unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil
}

func sameFile(base *directory, name string, f *os.File) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	current, err := base.Stat(name)
	return err == nil && os.SameFile(opened, current)
}

// in returns a path of the machine, relative to the directory of the driver.
func (p *place) in(elements ...string) string {
	return path.Join(append([]string{p.name}, elements...)...)
}

// full returns an absolute path of the machine.
func (p *place) full(elements ...string) string { return filepath.Join(p.base.path, p.in(elements...)) }

func (p *place) exists(elements ...string) bool {
	_, err := p.base.Lstat(p.in(elements...))
	return err == nil
}

// read returns the start of a file of the driver; empty if there is none. The machine cannot write these files.
func (p *place) read(limit int, elements ...string) string {
	return readStart(p.base.Root, p.in(elements...), limit)
}

// claim returns the ID of the claim; empty if there is none.
func (p *place) claim() string { return strings.TrimSpace(p.read(256, claimFile)) }

func (p *place) setClaim(id string) error {
	if err := p.base.Mkdir(p.in(id), 0o700); err != nil {
		return err
	}
	return atomicfile.Replace(p.full(claimFile), []byte(id+"\n"), 0o600)
}

// removeClaims removes a claim under which nothing was started, and what a call that did not end left.
func (p *place) removeClaims(ctx context.Context) error {
	if id := p.claim(); id != "" {
		if err := errors.Join(p.end(ctx, id), p.base.free(id), p.base.Remove(p.in(claimFile))); err != nil {
			return err
		}
	}
	return p.removeAll("", lockFile)
}

// removeAll removes the entries of a directory except those with the names.
func (p *place) removeAll(directory string, except ...string) error {
	entries, err := fs.ReadDir(p.base.FS(), p.in(directory))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if slices.Contains(except, e.Name()) {
			continue
		}
		if err := p.base.RemoveAll(p.in(directory, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
