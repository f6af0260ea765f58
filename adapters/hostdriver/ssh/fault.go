package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// fault returns an error with a fault. Its text must not contain anything that a host sent.
func fault(f host.Fault, format string, args ...any) error {
	return &ports.HostError{Fault: f, Err: fmt.Errorf(format, args...)}
}

// failed adds the operation to an error. Only a cancelled call has an error that is not a fault.
func failed(operation string, err error) error {
	var known *ports.HostError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return &ports.HostError{Fault: known.Fault, Operation: operation, Err: known.Err}
	default:
		return fmt.Errorf("%s: %w", operation, err)
	}
}

// unreachable returns the fault of a broken connection. what is the part of the call that failed.
func unreachable(ctx context.Context, what string, err error) error {
	switch ctx.Err() {
	case nil:
		return fault(host.FaultUnreachable, "%s: %s", what, cause(err))
	case context.Canceled:
		return ctx.Err()
	default:
		return fault(host.FaultUnreachable, "%s: no answer in time", what)
	}
}

// broken reports whether an error means that the connection broke. Other errors of the library describe messages of the
// host.
func broken(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed)
}

// cause describes an error of a connection. The texts of other errors may contain what the host sent. Those of the
// network contain ports that differ each time, so that a condition would never stay the same.
func cause(err error) string {
	var (
		name    *net.DNSError
		number  syscall.Errno
		network net.Error
	)
	switch {
	case errors.As(err, &name) && name.IsNotFound:
		return "the name does not exist"
	case errors.As(err, &name):
		return "the name is not resolved"
	case errors.As(err, &number):
		return number.Error()
	case errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed):
		return "the connection was closed"
	case errors.As(err, &network) && network.Timeout():
		return "no answer in time"
	case broken(err):
		return "the network failed"
	default:
		return "the SSH connection failed"
	}
}
