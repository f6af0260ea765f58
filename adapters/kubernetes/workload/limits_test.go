package workload

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
)

// endless is a connection that sends for ever.
type endless struct{ net.Conn }

func (endless) Read(b []byte) (int, error) { return len(b), nil }

func TestConnectionsAreLimited(t *testing.T) {
	n, err := io.Copy(io.Discard, &limitedConn{Conn: endless{}, left: maxBytes})
	if n != maxBytes || !errors.Is(err, errTooLong) {
		t.Errorf("read %d bytes with error %v", n, err)
	}
}

func TestResponsesAreLimited(t *testing.T) {
	n, err := io.Copy(io.Discard, &limitedBody{ReadCloser: io.NopCloser(endless{}), left: maxResponse})
	if n != maxResponse || !errors.Is(err, errTooLong) {
		t.Errorf("read %d bytes with error %v", n, err)
	}
}

func TestTextOfWorkloadClustersIsBounded(t *testing.T) {
	const token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"
	got := bounded("a\nb\x1b[2J " + token + string(bytes.Repeat([]byte("x"), 1<<10)))
	if len(got) > maxQuoted || bytes.ContainsAny([]byte(got), "\n\x1b") || bytes.Contains([]byte(got), []byte("eyJ")) {
		t.Errorf("got %q", got)
	}
}
