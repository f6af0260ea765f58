package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
)

// TestCausesAreStable checks that the text of a broken connection contains neither the ports of the controller, which
// differ each time, nor the addresses of its DNS server. A condition with such a text would be written at each attempt.
func TestCausesAreStable(t *testing.T) {
	local := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1), Port: 40001}
	remote := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 2), Port: 22}
	operation := func(name string, err error) error {
		return fmt.Errorf("ssh: handshake failed: %w", &net.OpError{
			Op: name, Net: "tcp", Source: local,
			Addr: remote, Err: err,
		})
	}
	for want, err := range map[string]error{
		"connection refused":        operation("dial", os.NewSyscallError("connect", syscall.ECONNREFUSED)),
		"connection reset by peer":  operation("read", os.NewSyscallError("read", syscall.ECONNRESET)),
		"no answer in time":         operation("dial", os.ErrDeadlineExceeded),
		"the name does not exist":   &net.DNSError{Err: "no such host", Name: "a", Server: "10.96.0.10:53", IsNotFound: true},
		"the name is not resolved":  &net.DNSError{Err: "server misbehaving", Name: "a", Server: "10.96.0.10:53"},
		"the connection was closed": operation("read", net.ErrClosed),
		"the network failed":        operation("dial", errors.New("10.0.0.1:40001")),
		"the SSH connection failed": errors.New("ssh: what the host sent"),
	} {
		if got := cause(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
	if got := cause(fmt.Errorf("ssh: %w", io.EOF)); got != "the connection was closed" {
		t.Errorf("%q", got)
	}
	if got := unreachable(context.Background(), "connect to a:22", operation("dial", syscall.EHOSTUNREACH)); got == nil ||
		got.Error() != ": Unreachable: connect to a:22: no route to host" {
		t.Errorf("%v", got)
	}
}
