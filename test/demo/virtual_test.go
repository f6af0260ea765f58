package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestBridgeFile restores what a user configured.
func TestBridgeFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "qemu", "bridge.conf")
	change := func(change func(string) error, want string) {
		t.Helper()
		if err := change(file); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		if (err != nil) != (want == "") || string(got) != want {
			t.Errorf("the file is %q, want %q: %v", got, want, err)
		}
	}
	change(forbidBridge, "")
	change(allowBridge, "allow machineadm-demo\n")
	change(allowBridge, "allow machineadm-demo\n")
	change(forbidBridge, "")
	if err := os.WriteFile(file, []byte("allow virbr0"), 0o644); err != nil {
		t.Fatal(err)
	}
	change(allowBridge, "allow machineadm-demo\nallow virbr0")
	change(forbidBridge, "allow virbr0")
	change(forbidBridge, "allow virbr0")
}
