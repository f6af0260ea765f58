package benchmarks_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
)

// maxAllocations is how many allocations the cloud-init of the benchmark's worker may take, from its documents to the
// payload.
const maxAllocations = 100

func TestWorkerTakesFewAllocations(t *testing.T) {
	s, docs, os := service(t), documents(), target(t, "ubuntu")
	got := testing.AllocsPerRun(100, func() { ours(t, s, docs, os, delivery.FormatCloudInit) })
	if got > maxAllocations {
		t.Errorf("rendering takes %.0f allocations, want at most %d", got, maxAllocations)
	}
}

// TestWorkerHasNoFindings keeps the benchmark from measuring how findings are built.
func TestWorkerHasNoFindings(t *testing.T) {
	s := service(t)
	for os, f := range map[string]delivery.Format{
		"ubuntu": delivery.FormatCloudInit, "fedora-coreos": delivery.FormatIgnition,
	} {
		if found := rendered(t, s, documents(), target(t, os), f).Findings; len(found) > 0 {
			t.Errorf("%s: %s", os, found)
		}
	}
}
