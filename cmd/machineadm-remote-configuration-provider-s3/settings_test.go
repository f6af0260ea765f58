package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/source/s3"
)

func TestSettingsAreForRootAlone(t *testing.T) {
	dir := t.TempDir()
	if s, err := read(filepath.Join(dir, "none")); s != (s3.Settings{}) || err != nil {
		t.Errorf("without a file: %v", err)
	}
	for mode, refused := range map[os.FileMode]bool{0o600: false, 0o400: false, 0o640: true, 0o644: true} {
		path := filepath.Join(dir, mode.String())
		if err := os.WriteFile(path, []byte("AWS_SECRET_ACCESS_KEY=canary7q9zk2xw5v\n"), mode); err != nil {
			t.Fatal(err)
		}
		s, err := read(path)
		if (err != nil) != refused || (s.SecretAccessKey == "canary7q9zk2xw5v") == refused {
			t.Errorf("%v: %v", mode, err)
		}
		if err != nil && (!strings.Contains(err.Error(), "make its mode 0600") || strings.Contains(err.Error(), "canary")) {
			t.Errorf("%v: the error is %v", mode, err)
		}
	}
}
