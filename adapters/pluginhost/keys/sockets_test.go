//go:build linux

package keys

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/test/debian"
)

// TestSocketsThatCannotBeRemoved mounts a file system in the folder for sockets, which then cannot be removed: the
// request has succeeded all the same.
func TestSocketsThatCannotBeRemoved(t *testing.T) {
	var log bytes.Buffer
	p := Plugins{Sockets: t.TempDir(), Log: &log}
	err := p.with(t.Context(), "", func(*host.Set) error {
		folders, err := filepath.Glob(p.Sockets + "/*")
		if err != nil || len(folders) != 1 {
			t.Fatalf("folders for sockets: %v, %v", folders, err)
		}
		at := filepath.Join(folders[0], "mount")
		if err := os.Mkdir(at, 0o700); err != nil {
			t.Fatal(err)
		}
		debian.Mount(t, "tmpfs", at, "tmpfs", 0, "")
		return nil
	})
	if err != nil {
		t.Errorf("a request that succeeded returned %v", err)
	}
	if !strings.Contains(log.String(), "remove the folder for sockets") {
		t.Errorf("the log has %q, want the folder that is left", log.String())
	}
}
