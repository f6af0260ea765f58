package endpoint

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
)

// TestLogIsRateLimited verifies that a client that repeats a request does not write a log line for each.
func TestLogIsRateLimited(t *testing.T) {
	var text bytes.Buffer
	log := limitLog(slog.New(slog.NewTextHandler(&text, nil)))
	for range 10 * linesAtOnce {
		log.Info("a client decides when")
	}
	log.Info("another message")
	// The test may take some seconds, and each of them allows one more line.
	if n := strings.Count(text.String(), "a client decides when"); n < linesAtOnce || n > 5*linesAtOnce {
		t.Errorf("%d lines", n)
	}
	if !strings.Contains(text.String(), "another message") {
		t.Error("one message takes the turn of others")
	}
}

// TestFetchesAreNotLogged verifies that clients with a signed URL write nothing at the default log level.
func TestFetchesAreNotLogged(t *testing.T) {
	var text bytes.Buffer
	s := start(t, func(o *Options) {
		o.Objects, o.Log = newShelf(10), slog.New(slog.NewTextHandler(&text, nil))
	})
	if answer := s.send(t, http.MethodGet, storedPath, "", nil); answer.code != http.StatusOK {
		t.Errorf("code %d", answer.code)
	}
	s.stop()
	if strings.Contains(text.String(), "0000") {
		t.Error(text.String())
	}
}
