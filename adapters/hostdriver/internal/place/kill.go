//go:build linux

package place

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// Kill kills the process that find returns, until find returns 0.
func Kill(ctx context.Context, find func() (pid int, err error)) error {
	for {
		pid, err := find()
		if err != nil || pid == 0 {
			return err
		}
		if err := kill(pid, find); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// kill kills the process. It may have ended, and its number may have been used again, before it is opened.
func kill(pid int, find func() (int, error)) error {
	process, err := unix.PidfdOpen(pid, 0)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(process) }()
	if current, err := find(); err != nil || current != pid {
		return err
	}
	err = unix.PidfdSendSignal(process, unix.SIGKILL, nil, 0)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	return err
}
