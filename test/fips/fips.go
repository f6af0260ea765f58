// Package fips runs tests in FIPS 140-3 mode.
package fips

import (
	"crypto/fips140"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Module is the version of the Go Cryptographic Module in FIPS releases.
const Module = "v1.0.0"

// Mode reports whether the program is in FIPS 140-3 mode. A process cannot change its mode, so that outside of the mode
// it runs the calling test in another process that is in the mode. The test must be no subtest.
func Mode(t *testing.T) bool {
	t.Helper()
	if fips140.Enabled() {
		return true
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "GODEBUG=fips140=on")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()+" ") {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}
