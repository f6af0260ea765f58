// Package catalogtest supports tests that iterate over the catalog of formats, so that they cover a new format as soon
// as the catalog contains it.
package catalogtest

import (
	"testing"

	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// Version is the Kubernetes version of all targets.
const Version = "v1.36.3"

// Target returns a target for the renderer's format: the first profile with this default format, or else the first
// profile that supports it. Ubuntu and Flatcar come first, then the others by name.
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
	t.Fatalf("no operating system reads %s: name it in the formats of a profile, or let its renderer implement "+
		"ports.UniversalRenderer",
		r.Format())
	return osprofile.Target{}
}

func target(p osprofile.Profile) osprofile.Target {
	return osprofile.Target{Profile: p, Architecture: "amd64", KubernetesVersion: Version}
}
