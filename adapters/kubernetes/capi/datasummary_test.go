package capi_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/ports"
)

// TestInvalidSummariesAreIgnored reads annotations that a user has changed: the API server would refuse a status with
// their values.
func TestInvalidSummariesAreIgnored(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":        "",
		"not JSON":       "{",
		"negative":       `{"format":"ignition","bytes":-1}`,
		"long format":    `{"format":"` + strings.Repeat("a", 65) + `"}`,
		"long envelope":  `{"envelope":"` + strings.Repeat("a", 65) + `"}`,
		"number of text": `{"format":1}`,
		"large":          `{"format":"ignition","source":"` + strings.Repeat("a", 5000) + `"}`,
	} {
		meta := &metav1.ObjectMeta{Annotations: map[string]string{capi.SummaryAnnotation: text}}
		if d, _ := capi.ReadDataSecret(meta); d.Summary != (ports.DataSummary{}) {
			t.Errorf("%s: %+v", name, d.Summary)
		}
	}
}
