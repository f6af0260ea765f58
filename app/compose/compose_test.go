package compose_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/compose"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// words is a codec: each word is a file, except those that begin with a question mark, which are of an unknown kind.
type words struct{}

func (words) Encode([]document.Document) ([]byte, error) { return nil, nil }

func (words) Decode(_ context.Context, data []byte) ([]document.Document, report.Report) {
	var docs []document.Document
	for i, word := range strings.Fields(string(data)) {
		d := document.Document{
			Value:  machine.File{Path: word},
			Source: document.Source{Path: report.Path("documents").Index(i).Field("spec")},
		}
		switch word[0] {
		case '?':
			d.Value = document.Opaque{Type: "Widget"}
		case '!':
			return nil, report.Report{{Severity: report.Error, Path: d.Source.Path, Message: "is bad", Line: 3}}
		}
		docs = append(docs, d)
	}
	return docs, nil
}

func id(name string) composition.ID {
	return composition.ID{Group: "a.example", Kind: "Widget", Name: name}
}

func ready(text string, before ...string) composition.Observed {
	return composition.Observed{State: composition.Ready, Before: before, Text: secret.FromString(text)}
}

// request names the plugins, and templates where the name begins with a star.
func request(byAgent bool, names ...string) compose.Request {
	r := compose.Request{
		Owner: ports.Owner{Key: ports.Key{Namespace: "ns", Name: "m1"}, UID: "u"}, Cluster: "c",
		ByAgent: byAgent,
	}
	for i, name := range names {
		name, template := strings.CutPrefix(name, "*")
		ref := composition.Reference{ID: id(name), Template: template, At: report.Path("spec.pluginRefs").Index(i)}
		if template {
			ref.Kind += "Template"
		}
		r.References = append(r.References, ref)
	}
	return r
}

func TestCompose(t *testing.T) {
	cases := map[string]struct {
		reason  string
		found   map[string]composition.Observed
		names   []string
		byAgent bool
		states  string
		docs    []string
	}{
		"ready": {
			reason: "documents join in the order that plugins ask for", names: []string{"a", "b"},
			found:  map[string]composition.Observed{"a": ready("/1 /2"), "b": ready("/3", "Widget/a")},
			states: "Ready Ready", docs: []string{
				"Widget/ns/b: spec.pluginRefs[1].documents[0].spec",
				"Widget/ns/a: spec.pluginRefs[0].documents[0].spec", "Widget/ns/a: spec.pluginRefs[0].documents[1].spec",
			},
		},
		"late": {
			reason: "all or nothing", names: []string{"a", "b"}, found: map[string]composition.Observed{"a": ready("/1")},
			states: "Ready NotFound",
		},
		"template": {
			reason: "what is made from a template is asked for under its own name", names: []string{"*t"},
			states: "TemplateNotFound",
			found:  map[string]composition.Observed{},
		},
		"garbage": {
			reason: "the first mistake is reported, with its line", names: []string{"a"},
			found:  map[string]composition.Observed{"a": ready("!")},
			states: "InvalidDocuments",
		},
		"bad document": {
			reason: "a document checks itself", names: []string{"a"},
			found:  map[string]composition.Observed{"a": ready("relative")},
			states: "InvalidDocuments",
		},
		"foreign": {
			reason: "the kind is unknown here", names: []string{"a"}, found: map[string]composition.Observed{"a": ready("?")},
			states: "NeedsAgent",
		},
		"foreign by agent": {
			reason: "the agent may know it", names: []string{"a"}, found: map[string]composition.Observed{"a": ready("?")},
			byAgent: true,
			states:  "Ready", docs: []string{"Widget/ns/a: spec.pluginRefs[0].documents[0].spec"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := compose.Service{Codec: words{}, Plugins: given(tc.found)}
			plugins, docs, err := s.Compose(t.Context(), request(tc.byAgent, tc.names...))
			if err != nil {
				t.Fatal(err)
			}
			var states, sources []string
			for _, p := range plugins {
				states = append(states, string(p.State))
			}
			for _, d := range docs {
				sources = append(sources, d.Source.String())
			}
			if diff := cmp.Diff(tc.docs, sources); diff != "" || strings.Join(states, " ") != tc.states {
				t.Errorf("%s: %v %s", tc.reason, states, diff)
			}
		})
	}
}

func given(found map[string]composition.Observed) *memory.PluginResources {
	p := &memory.PluginResources{}
	for name, f := range found {
		p.Put("ns", id(name), f)
	}
	return p
}

// TestMistakesAreReported names the field of the description that names the plugin.
func TestMistakesAreReported(t *testing.T) {
	s := compose.Service{Codec: words{}, Plugins: given(map[string]composition.Observed{"a": ready("/1 !")})}
	plugins, _, err := s.Compose(t.Context(), request(false, "a"))
	want := "error: spec.pluginRefs[0]: Widget/a: its Secret does not hold documents: line 3: documents[1].spec: is bad"
	if got := plugins.Findings().String(); err != nil || strings.TrimSpace(got) != want {
		t.Errorf("%v: %s", err, got)
	}
}

// TestMistakesRepeatNothing puts a secret where a path is expected.
func TestMistakesRepeatNothing(t *testing.T) {
	for name, text := range map[string]string{"plain": "canary7q9zk2xw5v", "with quotes": `a"canary7q9zk2xw5v\"`} {
		t.Run(name, func(t *testing.T) {
			s := compose.Service{Codec: words{}, Plugins: given(map[string]composition.Observed{"a": ready(text)})}
			plugins, _, err := s.Compose(t.Context(), request(false, "a"))
			want := "error: spec.pluginRefs[0]: Widget/a: its Secret does not hold documents: documents[0].spec.path: " +
				"a value is not absolute"
			if got := plugins.Findings().String(); err != nil || strings.TrimSpace(got) != want {
				t.Errorf("%v: %s", err, got)
			}
		})
	}
}

// TestLargePluginsAreNotRead holds that a small Secret does not become large in the controller.
func TestLargePluginsAreNotRead(t *testing.T) {
	zipped := func(n int) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := io.WriteString(z, strings.Repeat(" ", n))
		if err := errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const too = "with the plugins before it, it has more than 8388608 bytes uncompressed"
	cases := map[string]struct {
		reason, first, second string
		want                  []string
	}{
		"both fit":  {"they are as large as they may be", zipped(4 << 20), zipped(4 << 20), []string{"", ""}},
		"one":       {"it is too large by itself", zipped(8<<20 + 1), "/b", []string{too, ""}},
		"together":  {"all of a machine count", zipped(5 << 20), zipped(5 << 20), []string{"", too}},
		"in clear":  {"so they do", strings.Repeat(" ", 8<<20), "/b", []string{"", too}},
		"torn gzip": {"its content is unknown", zipped(10)[:12], "/b", []string{"it cannot be uncompressed", ""}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := compose.Service{Codec: words{}, Plugins: given(map[string]composition.Observed{
				"a": ready(c.first),
				"b": ready(c.second),
			})}
			plugins, _, err := s.Compose(t.Context(), request(false, "a", "b"))
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range c.want {
				if (plugins[i].State == composition.Ready) != (want == "") || !strings.HasSuffix(plugins[i].Message, want) {
					t.Errorf("%s: %v %s", c.reason, plugins[i].State, plugins[i].Message)
				}
			}
		})
	}
}

// permutations returns the orders of n things.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for i := range n {
			all = append(all, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return all
}

// TestOrderOfArrival composes a machine of five plugins before the first and after each arrival, in each of the 120
// orders: it has no documents until all plugins are ready, and then always the same.
func TestOrderOfArrival(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e"}
	found := map[string]composition.Observed{
		"a": ready("/a"), "b": ready("/b1 /b2"), "c": ready("/c", "Widget/b"), "d": ready("/d", "Widget/a", "Widget/e"),
		"e": ready("/e"),
	}
	const want = "/c /b1 /b2 /d /a /e"
	orders := permutations(len(names))
	if len(orders) != 120 {
		t.Fatalf("%d orders", len(orders))
	}
	for _, order := range orders {
		plugins := &memory.PluginResources{}
		s := compose.Service{Codec: words{}, Plugins: plugins}
		for arrived := range len(order) + 1 {
			_, docs, err := s.Compose(t.Context(), request(false, names...))
			if err != nil {
				t.Fatal(err)
			}
			var paths []string
			for _, d := range docs {
				paths = append(paths, d.Value.(machine.File).Path)
			}
			if got := strings.Join(paths, " "); arrived < len(order) && got != "" || arrived == len(order) && got != want {
				t.Errorf("order %v, %d arrived: %q, want %q once all have", order, arrived, got, want)
			}
			if arrived < len(order) {
				name := names[order[arrived]]
				plugins.Put("ns", id(name), found[name])
			}
		}
	}
}

func TestInstanceIsRecorded(t *testing.T) {
	p := &memory.PluginResources{}
	s := compose.Service{Codec: words{}, Plugins: p}
	template := composition.ID{Group: "a.example", Kind: "WidgetTemplate", Name: "t"}
	p.PutTemplate("ns", template, ready("/1"))
	for range 2 {
		plugins, docs, err := s.Compose(t.Context(), request(false, "*t"))
		if err != nil || len(plugins) != 1 || plugins[0].State != composition.Ready || *plugins[0].Template != template ||
			len(docs) != 1 {
			t.Fatalf("%+v %v %v", plugins, docs, err)
		}
		if plugins[0].ID != composition.InstanceOf("m1", template).ID {
			t.Errorf("made %s", plugins[0].ID)
		}
	}
}

// broken finds nothing.
type broken struct{ memory.PluginResources }

var errBroken = errors.New("broken")

func (*broken) Find(context.Context, string, composition.ID) (composition.Observed, error) {
	return composition.Observed{}, errBroken
}

func TestFailure(t *testing.T) {
	s := compose.Service{Codec: words{}, Plugins: &broken{}}
	if _, _, err := s.Compose(t.Context(), request(false, "a")); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}
