//go:build linux

package linux

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/action"
)

// TestSlowDownloadsEnd downloads from servers that send a byte now and then, or endless data. The download fails with
// the cause and leaves no file. A server that is fast enough succeeds.
func TestSlowDownloadsEnd(t *testing.T) {
	const whole = "the whole file"
	sum := sha256.Sum256([]byte(whole))
	drip := func(part string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, part); err != nil || http.NewResponseController(w).Flush() != nil {
					return
				}
				time.Sleep(time.Millisecond)
			}
		}
	}
	cases := map[string]struct {
		pace   pace
		answer http.HandlerFunc
		want   string
	}{
		"byte by byte": {
			pace{window: 50 * time.Millisecond, least: 1 << 20, longest: time.Hour},
			drip("x"),
			"fewer than 1048576 are too slow",
		},
		"without an end": {
			pace{window: time.Hour, longest: 100 * time.Millisecond},
			drip("x"),
			"the download took longer than 100ms",
		},
		"silent": {
			pace{window: 50 * time.Millisecond, least: 1, longest: time.Hour},
			func(w http.ResponseWriter, r *http.Request) {
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			}, "the server sent 0 bytes",
		},
		"fast": {usualPace(), func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, whole) }, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(c.answer)
			defer server.Close()
			dir := t.TempDir()
			h, err := New(Options{Root: dir})
			if err != nil {
				t.Fatal(err)
			}
			d := download{h.tree, action.FetchFile{URL: server.URL, Path: "/file", SHA256: hex.EncodeToString(sum[:])}, c.pace}
			ctx, cancel := d.pace.bound(t.Context())
			defer cancel()
			err = d.attempt(ctx, server.Client())
			if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
			if _, err := os.Stat(filepath.Join(dir, "file")); (err == nil) != (c.want == "") {
				t.Errorf("the file: %v", err)
			}
		})
	}
}
