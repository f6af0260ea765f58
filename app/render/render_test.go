package render_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// lines is a renderer of a format that has one line a step and supports groups natively.
type lines struct{ fail error }

func (lines) Format() delivery.Format { return "lines" }

func (lines) Native(d document.Document, _ osprofile.Target) bool {
	return d.Kind() == machine.KindGroup
}

func (l lines) Render(_ context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	var b strings.Builder
	var findings report.Report
	out := ports.Rendering{Places: make([]string, len(p.Steps))}
	for i, d := range p.Documents {
		if p.Native[i] {
			b.WriteString(string(d.Kind()) + " itself\n")
		}
	}
	for i, s := range p.Steps {
		out.Places[i] = "line " + string(rune('1'+i))
		b.WriteString(s.Do.Summary() + "\n")
		if strings.Contains(s.Do.Summary(), "refuse") {
			findings = append(findings, report.Errorf(p.Source(s).Path, "lines does not support this"))
		}
	}
	out.Payload = delivery.Payload{Format: "lines", Data: secret.FromString(b.String())}
	return out, findings, l.fail
}

// plain expands kinds into the operations that they are.
type plain struct {
	name  string
	kinds []document.Kind
	reads []document.Kind
	fail  error
}

func (p plain) Describe() ports.Capability {
	return ports.Capability{Name: p.name, Kinds: p.kinds, Reads: p.reads}
}

func (p plain) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	if p.fail != nil {
		return nil, nil, p.fail
	}
	switch v := e.Document.Value.(type) {
	case machine.File:
		return action.Of(action.WriteFile{File: v}), nil, nil
	case machine.TimeSyncConfig:
		note := report.Infof(e.Document.Source.Path, "%s sees %d others", p.name, len(e.Others))
		return action.Of(action.EnsureUnit{Unit: machine.Unit{Name: p.name + ".service"}}), report.Report{note}, nil
	default:
		return nil, report.Report{report.Errorf(e.Document.Source.Path, "%s cannot", p.name)}, nil
	}
}

// selecting is a plain expander of time daemons.
type selecting struct{ plain }

func (c selecting) Matches(d document.Document, _ osprofile.Target) bool {
	return string(d.Value.(machine.TimeSyncConfig).Daemon) == c.name
}

func timeDaemon(name string) ports.Expander {
	return selecting{plain{
		name: name, kinds: []document.Kind{machine.KindTimeSync},
		reads: []document.Kind{machine.KindFile},
	}}
}

func files() ports.Expander { return plain{name: "files", kinds: []document.Kind{machine.KindFile}} }

func service(t testing.TB, expanders ...ports.Expander) *render.Service {
	t.Helper()
	s, err := render.New([]ports.Renderer{lines{}}, expanders)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func at(path report.Path, v document.Value) document.Document {
	return document.Document{Value: v, Source: document.Source{Path: path}}
}

func TestRender(t *testing.T) {
	timesync := at("timeSync", machine.TimeSyncConfig{Daemon: machine.TimeDaemonNTPD, Servers: []string{"a"}})
	cases := map[string]struct {
		reason   string
		docs     []document.Document
		want     string
		findings []string
	}{
		"ordered": {
			reason: "documents are rendered in the order of their phases, native ones by the format itself",
			docs: []document.Document{
				at("files[0]", machine.File{Path: "/a"}), at("groups[0]", machine.Group{Name: "g"}),
				at("files[1]", machine.File{Path: "/b"}),
			},
			want: "Group itself\nwrite /a\nwrite /b\n",
		},
		"chosen": {
			reason:   "of several expanders of a kind the one that chooses the document expands it, and sees what it reads",
			docs:     []document.Document{timesync, at("files[0]", machine.File{Path: "/a"})},
			want:     "write /a\nconfigure unit ntpd.service\n",
			findings: []string{"info: timeSync: ntpd sees 1 others"},
		},
		"opaque": {
			reason: "a kind without an expander is refused",
			docs:   []document.Document{at("extra", document.Opaque{Type: "DomainJoin"})},
			findings: []string{
				"error: extra: no plugin expands documents of the kind DomainJoin; check the spelling of the kind, or install " +
					"and name the plugin that expands it",
			},
		},
		"invalid": {
			reason: "all mistakes are found at once, and nothing is rendered",
			docs:   []document.Document{at("files[0]", machine.File{Path: "a"}), at("files[1]", machine.File{Path: "b"})},
			findings: []string{
				`error: files[0].path: "a" is not absolute; begin it with a slash`,
				`error: files[1].path: "b" is not absolute; begin it with a slash`,
			},
		},
		"twice": {
			reason: "a singleton occurs once",
			docs:   []document.Document{timesync, at("other", timesync.Value)},
			findings: []string{"error: other: another TimeSyncConfig is at timeSync, and a machine has at " +
				"most one; keep one of them"},
		},
		"refused": {
			reason:   "an unsupported step leaves no payload",
			docs:     []document.Document{at("files[0]", machine.File{Path: "/refuse"})},
			findings: []string{"error: files[0]: lines does not support this"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := service(t, files(), timeDaemon("chronyd"), timeDaemon("ntpd"))
			got, err := s.Render(t.Context(), plan.Job{Documents: c.docs, Format: "lines"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got.Rendering.Payload.Data.Reveal())); diff != "" {
				t.Errorf("%s: payload (-want +got):\n%s", c.reason, diff)
			}
			var findings []string
			for _, f := range got.Findings {
				findings = append(findings, f.String())
			}
			if diff := cmp.Diff(c.findings, findings); diff != "" {
				t.Errorf("%s: findings (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestNewRefusesDuplicates(t *testing.T) {
	cases := map[string]struct {
		reason    string
		renderers []ports.Renderer
		expanders []ports.Expander
		want      string
	}{
		"formats": {
			reason: "a format has one renderer", renderers: []ports.Renderer{lines{}, lines{}},
			want: "two renderers of the format lines",
		},
		"kinds": {
			reason: "a kind has one expander", expanders: []ports.Expander{files(), files()},
			want: "two expanders of the kind File: files and files",
		},
		"greedy": {
			reason:    "one that takes every document leaves none to choose",
			expanders: []ports.Expander{timeDaemon("ntpd"), plain{name: "time", kinds: []document.Kind{machine.KindTimeSync}}},
			want:      "two expanders of the kind TimeSyncConfig: ntpd and time",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := render.New(c.renderers, c.expanders)
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: got %v, want %s", c.reason, err, c.want)
			}
		})
	}
}

func TestRenderFails(t *testing.T) {
	broken := errors.New("broken")
	doc := []document.Document{at("files[0]", machine.File{Path: "/a"})}
	cases := map[string]struct {
		reason   string
		renderer lines
		expander plain
		format   delivery.Format
		want     string
	}{
		"renderer": {
			reason: "a failing renderer is named", renderer: lines{fail: broken}, format: "lines",
			expander: plain{name: "files", kinds: []document.Kind{machine.KindFile}}, want: "render lines: broken",
		},
		"expander": {
			reason: "a failing expander is named", format: "lines",
			expander: plain{name: "files", kinds: []document.Kind{machine.KindFile}, fail: broken},
			want:     "expand files[0] with files: broken",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, err := render.New([]ports.Renderer{c.renderer}, []ports.Expander{c.expander})
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Render(t.Context(), plan.Job{Documents: doc, Format: c.format})
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: got %v, want %s", c.reason, err, c.want)
			}
		})
	}
}

func TestExplain(t *testing.T) {
	s := service(t, files())
	docs := []document.Document{at("files[0]", machine.File{Path: "/a"}), at("groups[0]", machine.Group{Name: "g"})}
	result, err := s.Render(t.Context(), plan.Job{Documents: docs, Format: "lines"})
	if err != nil {
		t.Fatal(err)
	}
	want := []render.Explanation{
		{Kind: machine.KindGroup, Source: document.Source{Path: "groups[0]"}, Native: true},
		{
			Kind: machine.KindFile, Source: document.Source{Path: "files[0]"}, Expander: "files",
			Actions: []render.ActionExplanation{{Phase: document.PhaseFile, Summary: "write /a", Place: "line 1"}},
		},
	}
	if diff := cmp.Diff(want, s.Explain(result)); diff != "" {
		t.Errorf("explained (-want +got):\n%s", diff)
	}
}

// BenchmarkRender is what the use case itself costs for a worker's documents.
func BenchmarkRender(b *testing.B) {
	s := service(b, files())
	var docs []document.Document
	for range 30 {
		docs = append(docs, at("files[0]", machine.File{Path: "/etc/some/file"}))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Render(b.Context(), plan.Job{Documents: docs, Format: "lines"}); err != nil {
			b.Fatal(err)
		}
	}
}
