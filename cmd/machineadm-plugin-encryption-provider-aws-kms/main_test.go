package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/ports"
)

// TestFilesOfAWSAreForRootAlone holds both files of AWS's form, of which each may hold a key.
func TestFilesOfAWSAreForRootAlone(t *testing.T) {
	const text = "[default]\nregion = eu-central-1\naws_access_key_id = " +
		"AKIDEXAMPLE\naws_secret_access_key = canary7q9zk2xw5v\n"
	for mode, refused := range map[os.FileMode]bool{
		0o600: false, 0o400: false, 0o640: true, 0o644: true,
		0o620: true, 0o602: true,
	} {
		for _, held := range []string{"config", "credentials"} {
			t.Run(held+" "+mode.String(), func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, held)
				if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, mode)); err != nil {
					t.Fatal(err)
				}
				k, err := files{config: filepath.Join(dir, "config"), credentials: filepath.Join(dir,
					"credentials")}.keys(t.Context())
				if refused {
					if !errors.Is(err, ports.ErrKeyRefused) || !strings.Contains(err.Error(), "make its mode 0600") ||
						strings.Contains(err.Error(), "canary") {
						t.Errorf("the error is %v", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				got, err := k.Config.Credentials.Retrieve(t.Context())
				if got.SecretAccessKey != "canary7q9zk2xw5v" || err != nil {
					t.Errorf("the credentials are others: %v", err)
				}
			})
		}
	}
}
