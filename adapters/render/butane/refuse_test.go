package butane_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/butane"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// TestFindings checks what the dialects refuse, and Butane's messages about the output.
func TestFindings(t *testing.T) {
	group := action.EnsureGroup{Group: machine.Group{Name: "a"}}
	cases := map[string]struct {
		reason, id, version string
		step                action.Operation
		want                string
	}{
		"Good": {reason: "no finding", id: "flatcar", step: group},
		"NoVariant": {
			reason: "Butane does not know it", id: "ubuntu", step: group,
			want: "error: spec.format: Butane has no variant for Ubuntu; choose another format",
		},
		"NoVersion": {
			reason: "not one of the variant", id: "flatcar", version: "9.9", step: group,
			want: `error: spec.formatOptions.version: "9.9.0" is not a stable version of the variant flatcar; ` +
				`use one of 1.0.0, ` +
				`1.1.0`,
		},
		"Ignition": {
			reason: "a specification selects the version that translates to it", id: "flatcar",
			version: "3.3", step: group,
		},
		"OpenShift": {
			reason: "a MachineConfig has no groups", id: "rhcos", step: group,
			want: "error: docs[0]: Butane: groups are not supported in this spec version",
		},
		"Directory": {
			reason: "a MachineConfig has no directories, the program makes it", id: "rhcos",
			step: action.MakeDirectory{Path: "/opt/a"},
		},
		"Appended": {reason: "nor additions", id: "rhcos", step: ignmodeltest.Appended("/etc/a", "b")},
		"Link":     {reason: "nor links", id: "rhcos", step: action.Link{Path: "/etc/a", Target: "b"}},
		"ManyBlanks": {reason: "text that YAML would change", id: "flatcar", step: ignmodeltest.Text("/etc/a",
			"\t a\r\n \n")},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			target := ignmodeltest.Version(ignmodeltest.Target(tc.id, ""), tc.version)
			_, findings, err := butane.New().Render(t.Context(), ignmodeltest.Of(target, tc.step))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, findings.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSnippetFindings(t *testing.T) {
	p := ignmodeltest.Worker(ignmodeltest.Target("flatcar", ""))
	p.Snippets = []plan.Snippet{{
		Snippet: delivery.Snippet{
			Format: delivery.FormatButane,
			Text:   "variant: flatcar\nversion: 1.1.0\nstorage:\n  files:\n    - path: /etc/machineadm/boot\n",
		},
		Source: document.Source{Path: "spec.snippet"},
	}}
	_, findings, err := butane.New().Render(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("error: spec.snippet: /etc/machineadm/boot is reserved for machineadm; choose another path",
		findings.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
