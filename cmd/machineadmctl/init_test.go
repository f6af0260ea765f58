package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/test/nightly"
)

// commented is the beginning of a field that is commented out.
var commented = regexp.MustCompile(`(?m)^( *)# ((?:- | {2,})?[A-Za-z]+:|- )`)

// TestStarters renders the output of init for each operating system and infrastructure, and validates it with the
// fields that are commented out. A nightly run tries all pairs.
func TestStarters(t *testing.T) {
	kinds := infrastructure.Kinds()
	for i, p := range osprofile.Builtin() {
		some := nightly.Or(kinds, []string{kinds[i%len(kinds)], kinds[len(kinds)-1-i%len(kinds)], "AWSMachine"})
		for _, kind := range some {
			if !boots(p, kind) {
				refused(t, p.ID, kind)
				continue
			}
			text := runHere(t, "init", "--os", p.ID, "--infrastructure", kind)
			file := filepath.Join(t.TempDir(), "manifests.yaml")
			for command, manifests := range map[string]string{
				"render": text, "validate": commented.ReplaceAllString(text, "$1$2"),
			} {
				if err := os.WriteFile(file, []byte(manifests), 0o600); err != nil {
					t.Fatal(err)
				}
				if out := runHere(t, command, "-q", "-f", file); out == "" {
					t.Errorf("%s with %s: %s prints nothing", kind, p.ID, command)
				}
			}
		}
	}
}

// TestStarterGroups checks the API group of the infrastructure.
func TestStarterGroups(t *testing.T) {
	for kind, want := range map[string]string{
		"AWSMachine":                   "infrastructure.cluster.x-k8s.io",
		"HostMachine":                  "infrastructure.machineadm.io",
		"HostMachine.namespaceMachine": "infrastructure.machineadm.io",
		"VSphereMachine.vmware.infrastructure.cluster.x-k8s.io": "vmware.infrastructure.cluster.x-k8s.io",
	} {
		text := runHere(t, "init", "--os", "ubuntu", "--infrastructure", kind)
		if !strings.Contains(text, "infrastructureRef:\n        apiGroup: "+want+"\n") {
			t.Errorf("%s: no group %s:\n%s", kind, want, text)
		}
	}
}

// boots reports whether the provider of the kind delivers a format that the system reads.
func boots(p osprofile.Profile, kind string) bool {
	provider, _ := infrastructure.Lookup(kind)
	return slices.ContainsFunc(p.Formats, func(f osprofile.FormatSupport) bool {
		return provider.Delivers(f.Format) && f.Format != delivery.FormatButane && f.Format != delivery.FormatUnattend
	})
}

// refused checks that init writes nothing, and names the system and the provider.
func refused(t *testing.T, system, kind string) {
	t.Helper()
	var out, errs strings.Builder
	code := run([]string{"init", "--os", system, "--infrastructure", kind}, strings.NewReader(""), &out, &errs)
	if code != 1 || out.Len() > 0 || !strings.Contains(errs.String(), kind+" cannot boot ") {
		t.Errorf("%s with %s: exit code %d, %q, %s", kind, system, code, out.String(), errs.String())
	}
}

// runHere runs the program in this process, and returns its output.
func runHere(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	if code := run(args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Errorf("%v: exit code %d\n%s", args, code, errs.String())
	}
	return out.String()
}
