package endpoint

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
)

// TestNobodyFillsTheLog holds that a client which repeats a request does not write a line for each.
func TestNobodyFillsTheLog(t *testing.T) {
	var text bytes.Buffer
	log := limitLog(slog.New(slog.NewTextHandler(&text, nil)))
	for range 10 * linesAtOnce {
		log.Info("a client decides when")
	}
	log.Info("another message")
	// The test may take some seconds, each of which adds a line.
	if n := strings.Count(text.String(), "a client decides when"); n < linesAtOnce || n > 5*linesAtOnce {
		t.Errorf("%d lines", n)
	}
	if !strings.Contains(text.String(), "another message") {
		t.Error("one message takes the turn of others")
	}
}

// TestFetchesAreNotLogged holds that who has a signed address writes nothing at the level that is logged by default.
func TestFetchesAreNotLogged(t *testing.T) {
	var text bytes.Buffer
	s := start(t, func(o *Options) {
		o.Stored, o.Log = newShelf(10), slog.New(slog.NewTextHandler(&text, nil))
	})
	if answer := s.send(t, http.MethodGet, storedPath, "", nil); answer.code != http.StatusOK {
		t.Errorf("code %d", answer.code)
	}
	s.stop()
	if strings.Contains(text.String(), "0000") {
		t.Error(text.String())
	}
}
