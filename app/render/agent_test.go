package render_test

import (
	"bytes"
	"context"
	"fmt"
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
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// kinds is a codec that writes ten bytes of each document.
type kinds struct{}

func (kinds) Encode(docs []document.Document) ([]byte, error) {
	var b bytes.Buffer
	for _, d := range docs {
		fmt.Fprintf(&b, "%9.9s\n", d.Kind())
	}
	return b.Bytes(), nil
}

func (kinds) Decode(context.Context, []byte) ([]document.Document, report.Report) { return nil, nil }

// byAgent returns a job whose documents an agent applies.
func byAgent(shell osprofile.Shell) plan.Job {
	return plan.Job{
		Target: osprofile.Target{Profile: osprofile.Profile{
			Name: "Some", Shell: shell, Formats: []osprofile.FormatSupport{{Format: "lines"}},
		}},
		Format: "lines", Delivery: delivery.Options{Mode: delivery.ModeAgent},
	}
}

// having returns the job with documents.
func having(job plan.Job, docs ...document.Document) plan.Job {
	job.Documents = docs
	return job
}

func TestRenderForAnAgent(t *testing.T) {
	docs := []document.Document{
		at("files[0]", machine.File{Path: "/a"}),
		at("remote", indirect.RemoteConfig{Provider: "http", URI: "u"}),
	}
	cases := map[string]struct {
		reason   string
		options  []render.Option
		docs     []document.Document
		job      plan.Job
		want     string
		findings string
	}{
		"agent": {
			reason:  "the format starts the agent, which resolves references",
			options: []render.Option{render.WithCodec(kinds{})},
			docs:    docs, job: byAgent(osprofile.ShellPOSIX),
			want: "write /etc/machineadm/machineadm_config.yaml\nrun machineadm apply\n",
		},
		"mistakes": {
			reason: "what is wrong is found before the machine boots", options: []render.Option{render.WithCodec(kinds{})},
			docs: []document.Document{at("files[0]", machine.File{Path: "a"})}, job: byAgent(osprofile.ShellPOSIX),
			findings: `error: files[0].path: "a" is not absolute; begin it with a slash`,
		},
		"no program runs": {
			reason: "an agent is a program", options: []render.Option{render.WithCodec(kinds{})}, docs: docs,
			job: byAgent(osprofile.ShellNone),
			findings: "error: spec.delivery.mode: Some runs only the programs of its image, so that no " +
				"agent can run; use Native",
		},
		"windows": {
			reason: "the program of the format starts it", options: []render.Option{render.WithCodec(kinds{})},
			docs: docs, job: byAgent(osprofile.ShellPowerShell),
			want: `write C:\ProgramData\machineadm\machineadm_config.yaml` + "\nrun machineadm apply\n",
		},
		"agent's part on Windows": {
			reason: "the agent refuses there what the format refuses", options: []render.Option{render.WithCodec(kinds{})},
			docs: []document.Document{at("files[0]", machine.File{Path: "/refuse"})}, job: byAgent(osprofile.ShellPowerShell),
			findings: "error: files[0]: lines does not support this",
		},
		"agent's part on Linux": {
			reason: "the agent does there what the format refuses", options: []render.Option{render.WithCodec(kinds{})},
			docs: []document.Document{at("files[0]", machine.File{Path: "/refuse"})}, job: byAgent(osprofile.ShellPOSIX),
			want: "write /etc/machineadm/machineadm_config.yaml\nrun machineadm apply\n",
		},
		"no codec": {
			reason: "the configuration has to be written", docs: docs, job: byAgent(osprofile.ShellPOSIX),
			findings: "error: spec.delivery.mode: this program does not write configurations for the agent; use Native",
		},
		"native": {
			reason: "without an agent references are not resolved", docs: docs[1:], job: plan.Job{Format: "lines"},
			findings: "error: remote: no plugin expands documents of the kind RemoteConfig; check the spelling of the kind, " +
				"or install and name the plugin that expands it",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, err := render.New([]ports.Renderer{lines{}}, []ports.Expander{files()}, c.options...)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Render(t.Context(), having(c.job, c.docs...))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got.Rendering.Payload.Data.Reveal())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
			if diff := cmp.Diff(c.findings, got.Findings.String()); diff != "" {
				t.Errorf("%s: findings (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestWhatAnAgentDoesIsExplainedAndWeighed(t *testing.T) {
	s, err := render.New([]ports.Renderer{lines{}}, []ports.Expander{files()}, render.WithCodec(kinds{}))
	if err != nil {
		t.Fatal(err)
	}
	request := having(byAgent(osprofile.ShellPOSIX), at("files[0]", machine.File{Path: "/a"}))
	got, err := s.Render(t.Context(), request)
	if err != nil || got.Findings.HasErrors() {
		t.Fatal(err, got.Findings)
	}
	var lines []string
	for _, e := range s.Explain(got) {
		for _, a := range e.Actions {
			lines = append(lines, strings.Join([]string{e.Expander, string(e.Source.Path), a.Summary, a.Place}, "|"))
		}
	}
	want := []string{
		"files|spec.delivery|write /etc/machineadm/machineadm_config.yaml|line 1",
		"files|spec.delivery|run machineadm apply|line 2",
		"agent|files[0]|write /a|",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]render.Share{{Source: document.Source{Path: "files[0]"}, Bytes: 10}},
		s.SizeShares(t.Context(), got)); diff != "" {
		t.Error(diff)
	}
}
