package kubeadm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
)

// TestPlaceholdersAreFoundAtOnce counts how often documents are built whose text contains the beginnings of many
// placeholders. A tenant could occupy the controller if the number depended on the text.
func TestPlaceholdersAreFoundAtOnce(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "@fact%d.", i)
	}
	for name, literal := range map[string]string{
		"all of 1000": text.String(), "a gap": strings.ReplaceAll(text.String(), "@fact17.", ""),
		"overlapping": "@fact0.@@fact1.@fact@fact2.hostname@fact3.", "after a placeholder": "fact0.fact1.",
		"none": "@fact", "zeros": "@fact00.@fact0.",
	} {
		t.Run(name, func(t *testing.T) {
			var j job
			builds := 0
			content, err := j.encode(func() []any {
				builds++
				return []any{j.facts.text(document.Join(document.FromFact(document.FactHostname), document.Text(literal)))}
			})
			if err != nil || len(j.found) > 0 || builds > 2 {
				t.Fatalf("built %d times: %v, %v", builds, j.found, err)
			}
			want := document.Join(document.Text("\""), document.FromFact(document.FactHostname),
				document.Text(literal+"\"\n"))
			if !content.Equal(want) {
				t.Errorf("the content has %d fragments and %d bytes", len(content.Fragments()), content.Len())
			}
		})
	}
}
