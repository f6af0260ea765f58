package convert_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

// FuzzPluginStatus limits the cost of a plugin's status, which the plugin's controller writes.
func FuzzPluginStatus(f *testing.F) {
	f.Add([]byte(
		`{"metadata":{"generation":1},"status":{"secretName":"a","observedGeneration":1,"conditions":[{"type":"Ready",` +
			`"status":"True"}]}}`))
	f.Add([]byte(`{"status":{"conditions":null}}`))
	hostile.Seed(func(text string) { f.Add([]byte(text)) })
	f.Fuzz(func(t *testing.T, text []byte) {
		memory.Below(t, memory.Parse, func() {
			if status, err := convert.PluginStatus(text); err == nil {
				status.Evaluate()
			}
		})
	})
}
