package record_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestLogHasNoSecrets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "var/log/m.log")
	l := record.NewLog(path)
	l.AddRedactor(secret.NewRedactor(secret.FromString("c4n4ry-c4n4ry")))
	for _, part := range []string{"one\ntwo c4n4", "ry-c4n4ry\n", "", "a token: abcdef.0123456789", "abcdef"} {
		if n, err := l.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if diff := cmp.Diff("one\ntwo [redacted]\na token: [redacted]", string(got)); err != nil || diff != "" {
		t.Error(err, diff)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log has the mode %v, error %v", info.Mode(), err)
	}
}

func TestEmptyLogCreatesNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.log")
	if err := record.NewLog(path).Close(); err != nil {
		t.Fatal(err)
	}
	if exists(path) {
		t.Error("there is a file")
	}
}
