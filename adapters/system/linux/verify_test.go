//go:build linux

package linux_test

import (
	"crypto/sha512"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
)

// TestDownloadsAreVerified downloads a file with different digests. Only the correct digest replaces the existing file,
// and a refused download leaves no file.
func TestDownloadsAreVerified(t *testing.T) {
	const content = "#!/bin/sh\n"
	long := sha512.Sum512([]byte(content))
	mirror := t.TempDir()
	if err := os.WriteFile(filepath.Join(mirror, "agent"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	files := http.FileServer(http.Dir(mirror))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			http.Error(w, "only GET", http.StatusMethodNotAllowed)
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	cases := map[string]struct {
		reason         string
		sha256, sha512 string
		accepted       bool
	}{
		"sha256":       {reason: "it is the file's", sha256: digest(content), accepted: true},
		"sha512":       {reason: "it is the file's", sha512: hex.EncodeToString(long[:]), accepted: true},
		"other sha256": {reason: "it is another file's", sha256: digest("")},
		"other sha512": {reason: "it has one other digit", sha512: hex.EncodeToString(long[:63]) + "00"},
		"none":         {reason: "nothing is accepted without a digest"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "agent"), []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			err := open(t, dir).Apply(t.Context(), action.FetchFile{
				Path: "/agent", URL: server.URL + "/agent", SHA256: tc.sha256, SHA512: tc.sha512, Mode: 0o755,
			}, journal.Original{})
			want := "old"
			if tc.accepted {
				want = content
			}
			got, _ := os.ReadFile(filepath.Join(dir, "agent"))
			if (err == nil) != tc.accepted || string(got) != want {
				t.Errorf("%s: error %v, content %q, want %q", tc.reason, err, got, want)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
				t.Errorf("the directory contains %v, %v", left, err)
			}
		})
	}
}
