package v1alpha1_test

import (
	"encoding/json"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/memory"
)

// TestSizesAreReadAsTheyAre decodes objects of earlier versions, for which the API server accepted any quantity. One
// that fails, or takes the memory of its digits, would keep the controller from listing all others.
func TestSizesAreReadAsTheyAre(t *testing.T) {
	cases := map[string]struct {
		reason, in, out string
		want            int64
	}{
		"integer":  {"JSON has integers", `16384`, `"16384"`, 16384},
		"text":     {"", `"16Ki"`, `"16Ki"`, 16384},
		"fraction": {"a quantity may be one", `"1.5k"`, `"1.5k"`, 1500},
		"null":     {"it is not given", `null`, ``, 0},
		"exponent": {"2,000,000,000 digits", `"111111111111111111111e2000000000"`, `"111111111111111111111e2000000000"`, 0},
		"no exponent": {
			"the API server's pattern took it, and a quantity does not", `"1e1.5"`, `"1e1.5"`, 0,
		},
		"small": {"2,000,000,000 places", `"1.11111111111111111e-2000000000"`, `"1.11111111111111111e-2000000000"`, 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var s v1alpha1.DeliverySpec
			memory.Below(t, 1<<20, func() {
				if err := json.Unmarshal([]byte(`{"maxPayloadSize":`+tc.in+`}`), &s); err != nil {
					t.Fatalf("%s: %v", tc.reason, err)
				}
				if got, err := s.MaxPayloadSize.Bytes(); got != tc.want || (err != nil) != (tc.want == 0) {
					t.Errorf("%s: %d, %v", tc.reason, got, err)
				}
				text, err := json.Marshal(s)
				if err != nil || tc.out != "" && string(text) != `{"maxPayloadSize":`+tc.out+`}` {
					t.Errorf("%s: %s, %v", tc.reason, text, err)
				}
			})
		})
	}
}
