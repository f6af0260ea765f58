//go:build linux

package namespace

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/domain/host"
)

// release ends the machine and removes its files, its addresses, and then the claim. An error other than the end of the
// context is recorded for Observe.
func (p *place) release(ctx context.Context, id string) error {
	if err := p.base.Mkdir(p.in(id, releaseFile), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := p.base.Remove(p.in(id, releasedFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := p.end(ctx, id)
	if err == nil {
		err = errors.Join(p.removeAll(id, releaseFile, startedFile), p.base.free(id))
	}
	switch {
	case err == nil:
		return p.base.Remove(p.in(claimFile))
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		return p.base.WriteFile(p.in(id, releasedFile), []byte(host.Line(err.Error(), host.MaxFailure)), 0o600)
	}
}

// end kills the supervisor and all processes of the machine, and removes the control groups.
func (p *place) end(ctx context.Context, id string) error {
	for {
		supervisor, err := p.supervisor(id)
		if err != nil {
			return err
		}
		if supervisor == 0 {
			break
		}
		if err := p.kill(id, supervisor); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	m := &machine{ID: id}
	return m.removeGroups(ctx)
}

// kill kills the supervisor. The process may have ended, and its number may have been used again, before it is opened.
func (p *place) kill(id string, supervisor int) error {
	process, err := unix.PidfdOpen(supervisor, 0)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(process) }()
	if current, err := p.supervisor(id); err != nil || current != supervisor {
		return err
	}
	err = unix.PidfdSendSignal(process, unix.SIGKILL, nil, 0)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	return err
}
