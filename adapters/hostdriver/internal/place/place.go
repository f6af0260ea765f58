//go:build linux

package place

import (
	"context"
	"crypto/sha256"
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

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// The names of the files of a machine; see the comment of the package.
const (
	lockFile     = "lock"
	claimFile    = "claim"
	releaseFile  = "release"
	releasedFile = "released"
	// StartedFile exists once the machine was started.
	StartedFile = "started"
)

// MachinesDirectory contains the directories of the machines.
const MachinesDirectory = "machines"

// Directory is the open directory of a driver.
type Directory struct {
	*os.Root
	// Path is absolute.
	Path string
}

// Place is the directory of a machine.
type Place struct {
	Base *Directory
	// Lock is the locked file, or nil if the place is only read.
	Lock *os.File
	// name is relative to the directory of the driver.
	name string
}

// Fault returns an error with a fault and without a cause.
func Fault(f host.Fault) error { return &ports.HostError{Fault: f} }

// Call opens the directory of a driver and returns the error of the function as *ports.HostError. Without the
// directory, whose disk may not be mounted, the fault is FaultUnreachable.
func Call(ctx context.Context, path, operation string, work func(*Directory) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return &ports.HostError{Fault: host.FaultUnreachable, Operation: operation, Err: err}
	}
	defer func() { _ = root.Close() }()
	err = work(&Directory{Root: root, Path: path})
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
		return &ports.HostError{Fault: FaultOf(err), Operation: operation, Err: err}
	}
}

// FaultOf returns the fault of an error of the system. A limit of this host, such as that of open files, does not end a
// machine.
func FaultOf(err error) host.Fault {
	is := func(target error) bool { return errors.Is(err, target) }
	switch {
	case slices.ContainsFunc([]error{unix.ENOSPC, unix.EDQUOT}, is):
		return host.FaultDiskFull
	case slices.ContainsFunc([]error{unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EAGAIN}, is):
		return host.FaultBusy
	default:
		return host.FaultUnsupported
	}
}

// Locked calls the function with the locked directory of the machine, and removes the directory if there is no claim
// afterwards.
func Locked(ctx context.Context, path, operation string, target ports.HostTarget, work func(*Place) error) error {
	return Call(ctx, path, operation, func(base *Directory) error {
		p := base.Place(target)
		if err := p.acquire(ctx); err != nil {
			return err
		}
		defer func() { _ = p.Lock.Close() }()
		err := work(p)
		if claim, unknown := p.Claim(); unknown == nil && claim == "" {
			err = errors.Join(err, base.RemoveAll(p.name))
		}
		return err
	})
}

// Place returns the directory of the machine, which may not exist.
func (b *Directory) Place(target ports.HostTarget) *Place {
	return &Place{Base: b, name: path.Join(MachinesDirectory, target.Namespace, target.Name)}
}

// CheckPath returns the path of an image below the directory. Tenants choose it, and must not read other machines.
// field is the field with the path.
func CheckPath(field, name string) (string, error) {
	name = path.Clean(name)
	if first, _, _ := strings.Cut(name, "/"); first == "." || first == MachinesDirectory {
		return "", &ports.HostError{Fault: host.FaultImage, Err: fmt.Errorf("%s: %q is not an image", field, name)}
	}
	return name, nil
}

// acquire locks the place. The last holder may have removed the directory.
func (p *Place) acquire(ctx context.Context) error {
	for {
		lock, err := p.tryLock()
		if lock != nil || err != nil {
			p.Lock = lock
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
func (p *Place) tryLock() (*os.File, error) {
	if err := p.Base.MkdirAll(p.name, 0o700); err != nil {
		return nil, err
	}
	name := path.Join(p.name, lockFile)
	f, err := p.Base.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil && sameFile(p.Base, name, f) {
		return f, nil
	}
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = nil
	}
	return nil, errors.Join(err, f.Close())
}

// busy reports whether a call changes the machine.
func (p *Place) busy() bool {
	f, err := p.Base.Open(path.Join(p.name, lockFile))
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	return unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil
}

func sameFile(base *Directory, name string, f *os.File) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	current, err := base.Stat(name)
	return err == nil && os.SameFile(opened, current)
}

// In returns a path of the machine, relative to the directory of the driver.
func (p *Place) In(elements ...string) string {
	return path.Join(append([]string{p.name}, elements...)...)
}

// Full returns an absolute path of the machine.
func (p *Place) Full(elements ...string) string { return filepath.Join(p.Base.Path, p.In(elements...)) }

// UUID returns the identity of the machine on this host. The claim alone does not identify it: a copy of a HostMachine
// has the claim of the original.
func (p *Place) UUID(id string) string {
	sum := sha256.Sum256([]byte(p.In(id)))
	// Version 8 of RFC 9562: the other bits have the form of the application.
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// Exists reports whether the machine has the file. Nothing may be decided after an error, such as at the limit of open
// files: a machine would be started twice, or removed.
func (p *Place) Exists(elements ...string) (bool, error) {
	_, err := p.Base.Lstat(p.In(elements...))
	return err == nil, IgnoreMissing(err)
}

// IgnoreMissing returns the error unless it is that of a missing file.
func IgnoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Read returns the start of a file of the driver, or an empty string if there is none. The machine cannot write these
// files.
func (p *Place) Read(limit int, elements ...string) string {
	return ReadStart(p.Base.Root, p.In(elements...), limit)
}

// Claim returns the ID of the claim, or an empty string if there is none.
func (p *Place) Claim() (string, error) {
	text, err := p.Base.ReadFile(p.In(claimFile))
	return strings.TrimSpace(string(text)), IgnoreMissing(err)
}
