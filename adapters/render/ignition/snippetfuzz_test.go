package ignition_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

// FuzzSnippet holds what a snippet in Butane may cost, and that what is rendered with it is read.
func FuzzSnippet(f *testing.F) {
	head := "variant: flatcar\nversion: 1.1.0\n"
	for _, text := range []string{
		head, head + "storage:\n  files:\n    - path: /a\n      contents: {inline: b}\n",
		head + "passwd: {users: [{name: a}]}\n",
		head + "systemd:\n  units:\n    - name: a.service\n      enabled: true\n",
		head + "ignition: {config: {merge: [{inline: \"{}\"}]}}\n", "variant: fcos\nversion: 1.6.0\n",
		head + "storage: {trees: [{local: a}], disks: [{device: /dev/a, partitions: [{label: x}]}]}\n",
	} {
		f.Add(text, true)
		f.Add(text, false)
	}
	hostile.Seed(func(text string) { f.Add(head+text, false) })
	f.Fuzz(func(t *testing.T, text string, strict bool) {
		p := ignmodeltest.Of(ignmodeltest.Target("flatcar", ""), ignmodeltest.Text("/etc/ours", "ours"))
		p.Snippets = []plan.Snippet{{
			Snippet: delivery.Snippet{Format: delivery.FormatButane, Text: text, Strict: strict},
			Source:  document.Source{Path: "snippet"},
		}}
		memory.Below(t, memory.Render, func() {
			rendering, findings, err := ignition.New().Render(t.Context(), p)
			if err != nil || findings.HasErrors() != rendering.Payload.Data.IsZero() {
				t.Fatalf("%v: %s", err, findings)
			}
			if !findings.HasErrors() {
				read(t, rendering.Payload.Data.Reveal())
			}
		})
	})
}
