// Package catalogtest helps tests that go through the list of formats, so that a new format is tested from its first
// line in the list on, and no test has a list of its own.
package catalogtest

import (
	"testing"

	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// Version is the version of Kubernetes of all targets.
const Version = "v1.36.3"

// Target returns a machine that reads what the renderer writes: of the first profile whose own format it is, else of
// the first that reads it at all. Ubuntu and Flatcar come first, the others in the order of their names.
func Target(t testing.TB, r ports.Renderer) osprofile.Target {
	t.Helper()
	profiles := osprofile.Builtin()
	for _, first := range []string{"flatcar", "ubuntu"} {
		p, _ := osprofile.Lookup(first)
		profiles = append([]osprofile.Profile{p}, profiles...)
	}
	for _, p := range profiles {
		if p.DefaultFormat() == r.Format() {
			return target(p)
		}
	}
	for _, p := range profiles {
		if !ports.Supports(r, target(p), "spec").HasErrors() {
			return target(p)
		}
	}
	t.Fatalf("no operating system reads %s: name it in the formats of a profile, or have its renderer be ports.Universal",
		r.Format())
	return osprofile.Target{}
}

func target(p osprofile.Profile) osprofile.Target {
	return osprofile.Target{Profile: p, Architecture: "amd64", KubernetesVersion: Version}
}
