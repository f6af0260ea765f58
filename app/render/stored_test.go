package render_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// pointed is a format whose reader fetches.
type pointed struct{ lines }

func (pointed) Stub(l delivery.Location, _ osprofile.Target, _ report.Path) (delivery.Payload, report.Report, error) {
	return delivery.Payload{Format: "lines", Data: secret.FromString("fetch " + string(l.URL.Reveal()))}, nil, nil
}

// storedAt is a job whose configuration is in a storage, at the location if it is known.
func storedAt(mode delivery.Mode, l *delivery.Location) plan.Job {
	job := byAgent(osprofile.ShellPOSIX)
	job.Delivery = delivery.Options{Mode: mode, Storage: delivery.StorageRef{
		Group: "storage.example", Kind: "Shelf",
		Name: "top",
	}, Location: l}
	return job
}

func TestRenderForAStorage(t *testing.T) {
	good := &delivery.Location{
		URL: secret.FromString("https://s3/a"), SHA256: strings.Repeat("0", 64),
		SHA512: strings.Repeat("0", 128),
	}
	cases := map[string]struct {
		reason   string
		renderer ports.Renderer
		job      plan.Job
		want     string
		stored   string
		findings string
	}{
		"native": {
			reason: "what is stored is the format's own", renderer: pointed{}, job: storedAt("", nil),
			want: "write /a\n", stored: "write /a\n",
		},
		"native stub": {
			reason: "the published data contains the location", renderer: pointed{}, job: storedAt("", good),
			want: "fetch https://s3/a",
		},
		"no stub": {
			reason: "another delivery works", renderer: lines{}, job: storedAt("", nil),
			findings: "spec.storageRef: lines cannot fetch a configuration and check its digest; set " +
				"spec.delivery.mode to Agent",
		},
		"agent": {
			reason: "what is stored is the agent's", renderer: lines{}, job: storedAt(delivery.ModeAgent, nil),
			want: "     File\n", stored: "     File\n",
		},
		"agent stub": {
			reason: "the format starts the agent", renderer: lines{}, job: storedAt(delivery.ModeAgent, good),
			want: "write /etc/machineadm/machineadm_config.yaml\nrun machineadm apply\n",
		},
		"bad answer": {
			reason: "a third-party storage may return anything", renderer: pointed{},
			job: storedAt("", &delivery.Location{
				URL: secret.FromString("file:///etc/shadow"), SHA256: good.SHA256,
				SHA512: good.SHA512,
			}),
			findings: "spec.storageRef.url: this is not an http or https URL",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, err := render.New([]ports.Renderer{c.renderer}, []ports.Expander{files()}, render.WithCodec(kinds{}))
			if err != nil {
				t.Fatal(err)
			}
			docs := []document.Document{at("files[0]", machine.File{Path: "/a"})}
			result, err := s.Render(t.Context(), having(c.job, docs...))
			if err != nil {
				t.Fatal(err)
			}
			var findings []string
			for _, f := range result.Findings {
				if f.Severity != report.Info {
					findings = append(findings, f.String())
				}
			}
			if noted := len(result.Findings) > len(findings); noted != (c.stored != "") {
				t.Errorf("%s: noted that this is no userdata: %v", c.reason, noted)
			}
			if text := strings.Join(findings, "; "); !strings.Contains(text, c.findings) ||
				(c.findings == "") != (len(findings) == 0) {
				t.Errorf("%s: %s", c.reason, text)
			}
			if got := string(result.Rendering.Payload.Data.Reveal()); got != c.want {
				t.Errorf("%s: %q, want %q", c.reason, got, c.want)
			}
			held := ""
			if result.Stored != nil {
				data, err := result.Stored.Data(t.Context())
				if err != nil || len(result.Stored.Sum) != 64 {
					t.Fatal(err, result.Stored.Sum)
				}
				held = string(data.Reveal())
			}
			if held != c.stored {
				t.Errorf("%s: stored %q, want %q", c.reason, held, c.stored)
			}
		})
	}
}
