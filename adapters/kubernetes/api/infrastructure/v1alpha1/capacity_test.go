package v1alpha1_test

import (
	"encoding/json"
	"os"
	"regexp"
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

// TestWrittenQuantitiesAreAccepted verifies that the status accepts the canonical form of a quantity that the spec
// accepts: a fraction with a binary suffix becomes a long number of micro units.
func TestWrittenQuantitiesAreAccepted(t *testing.T) {
	text, err := os.ReadFile("../../../../../config/hosts/crd/bases/infrastructure.machineadm.io_hosts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`pattern: (\^\[0-9\].*KMGTPE.*)`).FindAllSubmatch(text, -1)
	if len(found) != 2 {
		t.Fatalf("patterns of quantities: %q", found)
	}
	pattern := regexp.MustCompile(string(found[1][1]))
	for _, quantity := range []v1alpha1.Quantity{
		"3.6384Ti", "1.1Pi", "15.5432198Gi", "999999999999999999.999999999Ei", "0.000000001Ei", "1.5", "500m",
	} {
		written := v1alpha1.NewCapacity(v1alpha1.Capacity{"a": quantity}.ResourceList())
		if !pattern.MatchString(string(written["a"])) {
			t.Errorf("%s is written as %q", quantity, written["a"])
		}
		if again := v1alpha1.NewCapacity(written.ResourceList()); !cmp.Equal(again, written) {
			t.Errorf("%s is read as %v", written, again)
		}
	}
}
