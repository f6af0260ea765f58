package bootscript

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/action"
)

// TestSlowDownloadsEnd runs curl and wget against a server that sends a byte now and then without end. With shorter
// limits than the program's, the download fails and leaves no file.
func TestSlowDownloadsEnd(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, "x"); err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}))
	defer server.Close()
	smaller := map[string]string{"timeout 14400 ": "timeout 1 "}
	for client, change := range map[string]map[string]string{
		"curl": smaller, "wget": smaller,
		"curl by its rate": {"timeout 14400 ": "timeout 300 ", "-y60": "-y1", "--retry 5": "--retry 0"},
	} {
		t.Run(client, func(t *testing.T) {
			dir, bin := t.TempDir(), t.TempDir()
			for _, name := range []string{"mkdir", "rm", "chmod", "mv", "timeout", "sha256sum", strings.Fields(client)[0]} {
				path, err := exec.LookPath(name)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
					t.Fatal(err)
				}
			}
			script := fetch(action.FetchFile{URL: server.URL, Path: dir + "/file", SHA256: strings.Repeat("0", 64)},
				new(writer).spot(dir+"/file"))
			for usual, small := range change {
				if !strings.Contains(script, usual) {
					t.Fatalf("the program has no bound %q: %s", usual, script)
				}
				script = strings.ReplaceAll(script, usual, small)
			}
			shell, err := exec.LookPath("sh")
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, shell, "-c", script)
			cmd.Env, cmd.WaitDelay = []string{"PATH=" + bin}, time.Second
			if out, err := cmd.CombinedOutput(); err == nil || ctx.Err() != nil {
				t.Errorf("%v: %s", err, out)
			}
			if _, err := os.Stat(dir + "/file"); err == nil {
				t.Error("there is a file")
			}
		})
	}
}
