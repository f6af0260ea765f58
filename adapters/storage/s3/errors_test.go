package s3

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/smithy-go"
)

// TestUnreachableServer verifies that the error does not contain why a server cannot be reached. Only the log does.
func TestUnreachableServer(t *testing.T) {
	address := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 443}
	refused := &net.OpError{Op: "dial", Net: "tcp", Addr: address, Err: os.NewSyscallError("connect",
		syscall.ECONNREFUSED)}
	cases := map[string]struct {
		err  error
		want string
	}{
		"no server": {
			errors.Join(&url.Error{Op: "Put", URL: "https://s3.example/?X-Amz-Signature=0", Err: refused}),
			"dial: connect: connection refused",
		},
		"answer": {
			&smithy.DeserializationError{Err: fmt.Errorf("decode: %w", errAnswerTooLarge)}, errAnswerTooLarge.Error(),
		},
	}
	for name, tc := range cases {
		var log bytes.Buffer
		s := &Storage{options: Options{Log: slog.New(slog.NewTextHandler(&log, nil))}}
		err := s.wrapError(t.Context(), "store an object", tc.err)
		if err.Error() != "store an object: the server cannot be reached" {
			t.Errorf("%s: %v", name, err)
		}
		if text := log.String(); !strings.Contains(text, tc.want) || strings.Contains(text, "Signature") ||
			strings.Contains(text, "10.0.0.7") {
			t.Errorf("%s: the log has no %q, or an address:\n%s", name, tc.want, text)
		}
	}
}
