//go:build linux

package qemu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
)

// socketFile is the QMP socket in the directory of a machine.
const socketFile = "qmp"

// dial returns a connection to QEMU, or nil if it does not run. QEMU serves one connection at a time, so dial waits
// until it has noticed the end of the last one. The path of a socket is limited to 108 bytes, so it is relative to the
// open directory.
func dial(ctx context.Context, p *place.Place, id string) (*net.UnixConn, error) {
	directory, err := p.Base.Open(p.In(id))
	if err != nil {
		return nil, err
	}
	defer func() { _ = directory.Close() }()
	var d net.Dialer
	for {
		c, err := d.DialContext(ctx, "unix", fmt.Sprintf("/proc/self/fd/%d/%s", directory.Fd(), socketFile))
		if errors.Is(err, unix.ECONNREFUSED) || errors.Is(err, unix.ENOENT) {
			return nil, nil
		}
		if err == nil {
			return c.(*net.UnixConn), nil
		}
		if !errors.Is(err, unix.EAGAIN) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pollInterval):
		}
	}
}

// process returns the process ID of QEMU, or 0 if it does not run. The kernel knows who listens at the socket.
func process(ctx context.Context, p *place.Place, id string) (int, error) {
	c, err := dial(ctx, p, id)
	if c == nil {
		return 0, err
	}
	defer func() { _ = c.Close() }()
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var peer *unix.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) { peer, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err = errors.Join(err, failed); err != nil {
		return 0, err
	}
	return int(peer.Pid), nil
}

// The states of QEMU.
const (
	// stateEnded means that QEMU does not run.
	stateEnded = ""
	// statePrelaunch means that the machine has not executed an instruction.
	statePrelaunch = "prelaunch"
)

// state returns the state of QEMU, by the names of QMP.
func state(ctx context.Context, p *place.Place, id string) (string, error) {
	var status struct{ Status string }
	err := control(ctx, p, id, "query-status", &status)
	return status.Status, err
}

// control executes a command of QMP. Without QEMU, also if it ends during the command, there is no result.
func control(ctx context.Context, p *place.Place, id, command string, result any) error {
	c, err := dial(ctx, p, id)
	if c == nil {
		return err
	}
	defer func() { _ = c.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })()
	messages, answers := json.NewEncoder(c), json.NewDecoder(c)
	var greeting struct{ QMP json.RawMessage }
	if err := answers.Decode(&greeting); err != nil {
		return ctx.Err()
	}
	for _, name := range []string{"qmp_capabilities", command} {
		if err := messages.Encode(map[string]string{"execute": name}); err != nil {
			return ctx.Err()
		}
		text, err := answer(answers)
		switch {
		case errors.As(err, new(qmpError)):
			return fmt.Errorf("%s: %w", name, err)
		case err != nil:
			return ctx.Err()
		case name == command && result != nil:
			return json.Unmarshal(text, result)
		}
	}
	return nil
}

// qmpError is an error that QEMU reports.
type qmpError string

// Error returns the description.
func (e qmpError) Error() string { return string(e) }

// answer returns the next answer, without the events before it.
func answer(answers *json.Decoder) (json.RawMessage, error) {
	for {
		var message struct {
			Return json.RawMessage
			Error  *struct{ Desc string }
		}
		if err := answers.Decode(&message); err != nil {
			return nil, err
		}
		if message.Error != nil {
			return nil, qmpError(message.Error.Desc)
		}
		if message.Return != nil {
			return message.Return, nil
		}
	}
}
