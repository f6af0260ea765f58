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
		"escape":         `{"format":"\u001b[31mignition"}`,
		"line break":     `{"formatVersion":"3.4.0\nmachine-2   True"}`,
		"space":          `{"envelope":"gzip, as ordered"}`,
		"other script":   `{"format":"\u0456gnition"}`,
		"not UTF-8":      "{\"format\":\"\xff\"}",
		"large number":   `{"format":"ignition","bytes":1e30}`,
		"many warnings":  `{"format":"ignition","warnings":4294967296}`,
		"list":           `[{"format":"ignition"}]`,
		"nested":         strings.Repeat(`{"format":`, 400) + "1" + strings.Repeat("}", 400),
		"text after it":  `{"format":"ignition"}{"format":"talos"}`,
		"huge":           strings.Repeat("[", 256<<10),
		"large":          `{"format":"ignition","source":"` + strings.Repeat("a", 5000) + `"}`,
	} {
		meta := &metav1.ObjectMeta{Annotations: map[string]string{capi.SummaryAnnotation: text}}
		if d, _ := capi.ReadDataSecret(meta); d.Summary != (ports.DataSummary{}) {
			t.Errorf("%s: %+v", name, d.Summary)
		}
	}
}
