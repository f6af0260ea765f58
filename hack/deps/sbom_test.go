package main

import (
	"debug/buildinfo"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// TestSBOM writes the SBOM of this test's program.
func TestSBOM(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := writeSBOMs(t.Context(), "86400", "v1.2.3", dir, []string{program}); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.spdx.json"))
	if err != nil || len(found) != 1 {
		t.Fatalf("got %v and %v", found, err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	var document spdxDocument
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	if document.Creation.Created != "1970-01-02T00:00:00Z" || document.Packages[0].Version != "v1.2.3" ||
		document.Packages[0].LicenseDeclared != "Apache-2.0" {
		t.Errorf("got %+v and %+v", document.Creation, document.Packages[0])
	}
	if got, want := len(document.Packages), len(info.Deps)+2; got != want || len(info.Deps) == 0 {
		t.Errorf("got %d packages, want %d", got, want)
	}
	for _, p := range document.Packages[1:] {
		// This module contains the texts of all licences.
		all := p.Name == "github.com/google/licensecheck"
		if (p.LicenseDeclared == noAssertion) != all || !strings.HasPrefix(p.References[0].Locator, "pkg:golang/") {
			t.Errorf("%s has the licence %q and the references %v", p.Name, p.LicenseDeclared, p.References)
		}
	}
}

// TestCryptography checks what the SBOM of a program of a FIPS release contains.
func TestCryptography(t *testing.T) {
	built := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "GOFIPS140", Value: "v1.0.0-c2097c7c"}}}
	if got := cryptography(built); got != "GOFIPS140: v1.0.0-c2097c7c" {
		t.Errorf("got %q", got)
	}
	if got := cryptography(&debug.BuildInfo{}); got != "" {
		t.Errorf("got %q without the module", got)
	}
}

func TestSBOMIsRefused(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ epoch, program, want string }{
		{"now", text, `SOURCE_DATE_EPOCH: "now" is not a number`},
		{"0", text, "SBOM of " + text},
		{"0", text + "-absent", "no such file"},
	} {
		err := writeSBOMs(t.Context(), c.epoch, "v1.2.3", t.TempDir(), []string{c.program})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
