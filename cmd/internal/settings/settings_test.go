package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/cmd/internal/settings"
)

func write(t *testing.T, dir, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.yaml", "endpoint: unix:///s\n", 0o600)
	write(t, dir, "b.yaml", "endpiont: unix:///s\n", 0o600)
	s := struct {
		Endpoint string `json:"endpoint"`
	}{"default"}
	if err := settings.Read(dir, "none", &s); err != nil || s.Endpoint != "default" {
		t.Errorf("missing: %s, %v", s.Endpoint, err)
	}
	if err := settings.Read(dir, "a", &s); err != nil || s.Endpoint != "unix:///s" {
		t.Errorf("read: %s, %v", s.Endpoint, err)
	}
	if err := settings.Read(dir, "b", &s); err == nil || !strings.Contains(err.Error(), "endpiont") {
		t.Errorf("a typing error: %v", err)
	}
}

// TestMistakesRepeatNothing writes what is secret where it does not belong.
func TestMistakesRepeatNothing(t *testing.T) {
	const c = "canary7q9zk2xw5v"
	s := struct {
		Endpoint string `json:"endpoint"`
		Limit    int    `json:"limit"`
	}{}
	for name, text := range map[string]string{
		"alias": "endpoint: *" + c + "\n", "open": "endpoint: [" + c + "\n", "type": "limit: " + c + "\n", "text": c + "\n",
		"field": "pin: " + c + "\n", "twice": "endpoint: " + c + "\nendpoint: " + c + "\n", "colon": "endpoint: " + c +
			": " + c + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "a.yaml", text, 0o600)
			err := settings.Read(dir, "a", &s)
			if err == nil || strings.Contains(err.Error(), c) || strings.Contains(err.Error(), "7070") {
				t.Error(err)
			}
		})
	}
}

func TestSecret(t *testing.T) {
	dir := t.TempDir()
	if v, err := settings.Secret(write(t, dir, "good", "1234\n", 0o600)); string(v.Reveal()) != "1234" || err != nil {
		t.Errorf("%d bytes, %v", v.Len(), err)
	}
	if _, err := settings.Secret(write(t, dir, "bad", "1234\n", 0o644)); err == nil {
		t.Error("anybody reads it")
	}
	if _, err := settings.Secret(filepath.Join(dir, "none")); err == nil {
		t.Error("it is missing")
	}
}
