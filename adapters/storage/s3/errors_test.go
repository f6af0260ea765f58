package s3

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestErrorsAreDeterministic verifies that the same failure has the same message, so that a condition is not updated
// for each attempt.
func TestErrorsAreDeterministic(t *testing.T) {
	address := func(port int) *net.TCPAddr { return &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: port} }
	cases := map[string]struct {
		reason string
		// at returns the network error of an attempt from the port.
		at   func(port int) error
		want string
	}{
		"reset": {"each connection has a port of its own", func(port int) error {
			return &net.OpError{
				Op: "read", Net: "tcp", Source: address(port), Addr: address(443),
				Err: os.NewSyscallError("read", syscall.ECONNRESET),
			}
		}, "read: read: connection reset by peer"},
		"refused": {"the address behind a name changes", func(port int) error {
			return &net.OpError{Op: "dial", Net: "tcp", Addr: address(port), Err: os.NewSyscallError("connect",
				syscall.ECONNREFUSED)}
		}, "dial: connect: connection refused"},
		"lookup": {"so has each question", func(port int) error {
			said := fmt.Sprintf("read udp 10.0.0.7:%d->10.0.0.1:53: i/o timeout", port)
			return &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: said, Name: "s3.example", IsTimeout: true}}
		}, "the host s3.example cannot be resolved"},
		"no host": {"whoever was asked", func(port int) error {
			return &net.DNSError{
				Err: "no such host", Name: "s3.example", Server: fmt.Sprintf("10.0.0.1:%d", port),
				IsNotFound: true,
			}
		}, "there is no host s3.example"},
		"expired": {"it contains the time", func(port int) error {
			now := time.Unix(int64(port), 0).Format(time.RFC3339)
			return &tls.CertificateVerificationError{Err: x509.CertificateInvalidError{
				Reason: x509.Expired,
				Detail: "current time " + now,
			}}
		}, "its certificate has expired or does not count yet"},
		"late": {
			"no server answers", func(int) error { return context.DeadlineExceeded },
			"it did not answer in time",
		},
		"cut off": {"it contains no more", func(int) error { return io.ErrUnexpectedEOF }, "unexpected EOF"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for _, port := range []int{40001, 40002} {
				var log bytes.Buffer
				s := &Storage{options: Options{Log: slog.New(slog.NewTextHandler(&log, nil))}}
				err := s.told(t.Context(), "store an object", errors.Join(&url.Error{
					Op:  "Put",
					URL: "https://s3.example/?X-Amz-Signature=0", Err: tc.at(port),
				}))
				if err.Error() != "store an object: the server cannot be reached" {
					t.Errorf("%s: %v", tc.reason, err)
				}
				if got := cause(tc.at(port)); got != tc.want || !strings.Contains(log.String(), tc.want) ||
					strings.Contains(log.String(), "Signature") {
					t.Errorf("%s: %s\n%s", tc.reason, got, &log)
				}
			}
		})
	}
}
