package v1alpha1_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/test/memory"
)

// TestQuantitiesAreReadAsTheyAre decodes a Host of an earlier version, for which the API server accepted any quantity.
// Invalid quantities are ignored, and neither fail nor take the memory of their digits.
func TestQuantitiesAreReadAsTheyAre(t *testing.T) {
	var spec v1alpha1.HostSpec
	memory.Below(t, 1<<20, func() {
		err := json.Unmarshal([]byte(`{"capacity":{"cpu":4,"memory":"8192Mi","nvidia.com/gpu":"1","a":"500m","b":null,
			"fraction":"1e1.5","large":"1e1000000000","negative":-1,"small":"1e-1000000000"}}`), &spec)
		if err != nil {
			t.Fatal(err)
		}
		want := v1alpha1.Capacity{"cpu": "4", "memory": "8Gi", "nvidia.com/gpu": "1", "a": "500m"}
		if diff := cmp.Diff(want, v1alpha1.NewCapacity(spec.Capacity.ResourceList())); diff != "" {
			t.Error(diff)
		}
	})
	if got := v1alpha1.NewCapacity(v1alpha1.Capacity{"a": "1e3"}.ResourceList()); got != nil {
		t.Errorf("without a valid quantity: %v", got)
	}
}
