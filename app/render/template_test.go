package render_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
)

func TestTemplate(t *testing.T) {
	docs := []document.Document{
		at("remote", indirect.RemoteConfig{Provider: "http", URI: "u"}),
		at("files[0]", machine.File{Path: "/a"}),
	}
	given := func(text string) plan.Job {
		job := byAgent(osprofile.ShellPOSIX)
		job.Delivery.Template = &delivery.Template{Text: text, Path: "spec.templateRef", Object: "ConfigMap a"}
		return job
	}
	native := given("{{ machine_config }}")
	native.Delivery.Mode = delivery.ModeNative
	const private = "#!/bin/sh\numask 077\n{{ machine_config }}"
	cases := map[string]struct {
		reason, want, findings string
		job                    plan.Job
	}{
		"all": {
			reason: "the agent does all", job: given(private),
			want: "#!/bin/sh\numask 077\nRemoteCon\n     File\n",
		},
		"exposed": {
			reason: "it is published all the same", job: given("#!/bin/sh\n{{ machine_config }}"),
			want: "#!/bin/sh\nRemoteCon\n     File\n", findings: "warning: spec.templateRef (line 2, column 1): ConfigMap a: " +
				"every user of the machine can read the configuration",
		},
		"a loop": {
			reason: "nothing is published", job: given("{{ range machine_config }}{{ end }}"),
			findings: "error: spec.templateRef (line 1, column 10): ConfigMap a: the template has",
		},
		"no agent": {
			reason: "a template has nothing to place", job: native,
			findings: "error: spec.templateRef: a template is only used with the delivery mode Agent",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, err := render.New([]ports.Renderer{lines{}}, []ports.Expander{files()}, render.WithCodec(kinds{}))
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Render(t.Context(), having(c.job, docs...))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got.Rendering.Payload.Data.Reveal())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
			if !strings.HasPrefix(got.Findings.String(), c.findings) || c.findings == "" && len(got.Findings) > 0 {
				t.Errorf("%s: findings %s", c.reason, got.Findings)
			}
		})
	}
}

// endless writes a configuration that is as large as a machine can fetch.
type endless struct{ kinds }

func (endless) Encode([]document.Document) ([]byte, error) {
	return make([]byte, delivery.MaxStored), nil
}

func TestFilledTemplateIsLimited(t *testing.T) {
	s, err := render.New([]ports.Renderer{lines{}}, []ports.Expander{files()}, render.WithCodec(endless{}))
	if err != nil {
		t.Fatal(err)
	}
	job := byAgent(osprofile.ShellPOSIX)
	const private = "#!/bin/sh\numask 077\n{{ machine_config }}"
	job.Delivery.Template = &delivery.Template{Text: private, Path: "spec.templateRef", Object: "ConfigMap a"}
	docs := []document.Document{at("files[0]", machine.File{Path: "/a"})}
	got, err := s.Render(t.Context(), having(job, docs...))
	want := "error: spec.templateRef: ConfigMap a: with the configuration it has more than 8388608 bytes; insert the"
	if err != nil || !strings.HasPrefix(got.Findings.String(), want) || !got.Rendering.Payload.Data.IsZero() {
		t.Errorf("%v, %s", err, got.Findings)
	}
}
