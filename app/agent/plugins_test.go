package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// tagged is an expander that creates a file with the expander's name for each document.
type tagged struct {
	name, tag string
	kinds     []document.Kind
	after     []string
}

func (x tagged) Describe() ports.Capability {
	return ports.Capability{Name: x.name, Kinds: x.kinds, After: x.after}
}

func (x tagged) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	path := fmt.Sprintf("/%s-of-%s", e.Document.Kind(), x.name+x.tag)
	return action.Of(action.WriteFile{File: machine.File{Path: path}}), nil, nil
}

// daemon is a tagged expander that matches only documents for its daemon.
type daemon struct{ tagged }

func (x daemon) Matches(d document.Document, _ osprofile.Target) bool {
	c, ok := d.Value.(machine.TimeSyncConfig)
	return ok && string(c.Daemon) == x.name
}

// shelf provides plugins.
type shelf struct {
	plugins        []ports.ExternalExpander
	findings       report.Report
	known, unknown []document.Kind
}

func (s *shelf) Expanders(_ context.Context, known, unknown []document.Kind) ([]ports.ExternalExpander, report.Report) {
	s.known, s.unknown = known, unknown
	return s.plugins, s.findings
}

func TestExternalExpanders(t *testing.T) {
	kinds := func(k ...document.Kind) []document.Kind { return k }
	widget := document.Opaque{Type: "Widget"}
	file := machine.File{Path: "/f", Content: document.Text("f")}
	clock := machine.TimeSyncConfig{Daemon: machine.TimeDaemonChronyd, Servers: []string{"a.example"}}
	cases := map[string]struct {
		reason    string
		documents []document.Value
		plugins   []ports.ExternalExpander
		findings  report.Report
		// want contains the steps, or the findings if there are any.
		want []string
	}{
		"a new kind": {
			documents: []document.Value{widget, file}, want: []string{"write /Widget-of-w", "write /f"},
			plugins: []ports.ExternalExpander{{Expander: tagged{name: "w", kinds: kinds("Widget")}}},
		},
		"a new kind after another": {
			reason: "the plugin asks for it", documents: []document.Value{widget, file},
			want:    []string{"write /f", "write /Widget-of-w"},
			plugins: []ports.ExternalExpander{{Expander: tagged{name: "w", kinds: kinds("Widget"), after: []string{"plain"}}}},
		},
		"a core plugin's kind": {
			reason: "a plugin that is not pinned gets only kinds without an expander", documents: []document.Value{widget, file},
			plugins: []ports.ExternalExpander{{Expander: tagged{name: "w", kinds: kinds("Widget", machine.KindFile)}}},
			want: []string{
				"warning: plugins: w does not get the kind File, which another plugin has; pin its digest to have " +
					"it take that one's place",
				"write /Widget-of-w", "write /f",
			},
		},
		"two of one kind": {
			reason: "the first gets it", documents: []document.Value{widget},
			plugins: []ports.ExternalExpander{
				{Expander: tagged{name: "v", kinds: kinds("Widget")}}, {Expander: tagged{name: "w", kinds: kinds("Widget")}},
			},
			want: []string{
				"warning: plugins: w does not get the kind Widget, which another plugin has; pin its digest to have " +
					"it take that one's place",
				"write /Widget-of-v",
			},
		},
		"pinned under a core plugin's name": {
			reason: "it takes the place, with the choice among daemons", documents: []document.Value{clock},
			plugins: []ports.ExternalExpander{{Expander: tagged{
				name: "chronyd", tag: "-new",
				kinds: kinds(machine.KindTimeSync),
			}, Pinned: true}},
			want: []string{"write /TimeSyncConfig-of-chronyd-new"},
		},
		"pinned under another daemon's name": {
			reason: "it is not chosen", documents: []document.Value{clock},
			plugins: []ports.ExternalExpander{{
				Expander: tagged{name: "ntpd", tag: "-new", kinds: kinds(machine.KindTimeSync)},
				Pinned:   true,
			}},
			want: []string{"write /TimeSyncConfig-of-chronyd"},
		},
		"pinned under a new name": {
			reason: "it gets all documents of its kinds", documents: []document.Value{clock, file},
			plugins: []ports.ExternalExpander{{Expander: tagged{name: "ptp", kinds: kinds(machine.KindTimeSync)}, Pinned: true}},
			want:    []string{"write /TimeSyncConfig-of-ptp", "write /f"},
		},
		"none for it": {
			documents: []document.Value{widget},
			want: []string{"error: documents[0]: no plugin expands documents of the kind Widget; check the spelling of the " +
				"kind, or install and name the plugin that expands it"},
		},
		"broken": {
			reason: "problems of plugins are reported", documents: []document.Value{widget},
			findings: report.Report{report.Errorf("plugins", "broken")},
			want:     []string{"error: plugins: broken"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(codec{"c": tc.documents})
			s, err := agent.New(agent.Dependencies{
				Host: w.host, Detector: w, Facts: w, Journal: w.journal, Codec: w.codec, Clock: w, Publisher: w,
				Expanders: []ports.Expander{
					plain{},
					daemon{tagged{name: "chronyd", kinds: kinds(machine.KindTimeSync)}},
					daemon{tagged{name: "ntpd", kinds: kinds(machine.KindTimeSync)}},
				},
				Plugins: &shelf{plugins: tc.plugins, findings: tc.findings},
			})
			if err != nil {
				t.Fatal(err)
			}
			p, err := s.Plan(t.Context(), agent.Request{Data: []byte("c")})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, stepsOf(p)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func stepsOf(p agent.Prepared) []string {
	var lines []string
	for _, f := range p.Findings {
		lines = append(lines, f.String())
	}
	slices.Sort(lines)
	for _, s := range p.Steps {
		lines = append(lines, s.Do.Summary())
	}
	return lines
}

func TestPluginsAreFoundByKind(t *testing.T) {
	w := newWorld(codec{"c": {
		document.Opaque{Type: "Widget"},
		machine.File{Path: "/f"},
		document.Opaque{Type: "Widget"},
		machine.File{Path: "/g"},
	}})
	requested := &shelf{}
	s, err := agent.New(agent.Dependencies{
		Host: w.host, Detector: w, Facts: w, Journal: w.journal, Codec: w.codec, Clock: w, Publisher: w,
		Expanders: []ports.Expander{plain{}}, Plugins: requested,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Plan(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(requested.known, []document.Kind{machine.KindFile}) || !slices.Equal(requested.unknown,
		[]document.Kind{"Widget"}) {
		t.Errorf("asked for %v and %v", requested.known, requested.unknown)
	}
}

func TestCycleOfPlugins(t *testing.T) {
	w := newWorld(codec{"c": {document.Opaque{Type: "Widget"}}})
	s, err := agent.New(agent.Dependencies{
		Host: w.host, Detector: w, Facts: w, Journal: w.journal, Codec: w.codec, Clock: w, Publisher: w,
		Plugins: &shelf{plugins: []ports.ExternalExpander{
			{Expander: tagged{name: "v", kinds: []document.Kind{"Widget"}, after: []string{"w"}}},
			{Expander: tagged{name: "w", kinds: []document.Kind{"Gadget"}, after: []string{"v"}}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Plan(t.Context(), agent.Request{Data: []byte("c")}); err == nil || !strings.Contains(err.Error(),
		"v before w before v") {
		t.Errorf("the error is %v", err)
	}
}
