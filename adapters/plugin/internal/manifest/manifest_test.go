package manifest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/plugin/internal/manifest"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

func TestCheck(t *testing.T) {
	want := manifest.Type{APIVersions: []string{"audit.k8s.io/v1", "audit.k8s.io/v2"}, Kind: "Policy"}
	cases := map[string]struct{ reason, content, want string }{
		"Good": {reason: "nothing is wrong", content: "apiVersion: audit.k8s.io/v1\nkind: Policy\n"},
		"JSON": {reason: "JSON is YAML", content: `{"kind":"Policy","apiVersion":"audit.k8s.io/v2"}`},
		"Separators": {
			reason:  "a separator before or after does not make a second document",
			content: "---\napiVersion: audit.k8s.io/v1\nkind: Policy\n---\n",
		},
		"Empty": {reason: "nothing to read", content: "# comment\n", want: "error: p: there is no document in it"},
		"Null":  {reason: "nothing to read", content: "null\n", want: "error: p: there is no document in it"},
		"Scalar": {
			reason: "text is no manifest", content: "\ncanary",
			want: "error: p (line 2, column 1): it is not a mapping; begin it with apiVersion and kind",
		},
		"Two": {
			reason: "the second would be lost", content: "a: b\n---\nc: d\n",
			want: "error: p (line 3, column 1): there are 2 documents in it; only the first would be read; leave one",
		},
		"Tab": {
			reason: "tabs do not indent", content: "a:\n\tcanary: d\n",
			want: "error: p (line 2, column 1): this is not well-formed YAML: a text begins with a tab or another " +
				"reserved character; indent with spaces, or quote the text",
		},
		"Alias": {
			reason: "an alias without its anchor", content: "a: *canary\n",
			want: "error: p: this is not well-formed YAML: an alias names no anchor; quote a text that begins with an asterisk",
		},
		"Repeated": {
			reason: "which of them counts?", content: "canary: b\ncanary: c\n",
			want: "error: p (line 2, column 1): the key is already in line 1; remove one of them",
		},
		"Binary": {
			reason: "not text", content: "a: \xff\x00",
			want: "error: p: this is not well-formed YAML: it is not UTF-8",
		},
		"NoKind": {
			reason: "its kind is unknown", content: "apiVersion: audit.k8s.io/v1\n",
			want: "error: p (line 1, column 1): it has no kind; write kind: Policy",
		},
		"OtherVersion": {
			reason: "the reader does not know it", content: "apiVersion: audit.k8s.io/v0\nkind: Policy\n",
			want: `error: p (line 1, column 13): its apiVersion does not match; use audit.k8s.io/v1 or audit.k8s.io/v2`,
		},
		"KindOfMapping": {
			reason: "a kind is a word", content: "apiVersion: audit.k8s.io/v1\nkind: {a: b}\n",
			want: `error: p (line 2, column 7): its kind does not match; use Policy`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, found := manifest.Read(t.Context(), "p", []byte(tc.content), want)
			if diff := cmp.Diff(tc.want, found.String()); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
		})
	}
}

func TestField(t *testing.T) {
	m, _ := manifest.Read(t.Context(), "p", []byte("a: {b: c}\nd: [e]\n"),
		manifest.Type{APIVersions: []string{"v1"}, Kind: "Pod"})
	cases := map[string]struct {
		reason string
		keys   []string
		want   string
		ok     bool
	}{
		"There":   {reason: "a path of keys leads to it", keys: []string{"a", "b"}, want: "c", ok: true},
		"Missing": {reason: "no such key", keys: []string{"a", "x", "y"}},
		"List":    {reason: "a list has no keys", keys: []string{"d", "e"}},
		"Mapping": {reason: "a mapping is no scalar", keys: []string{"a"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got, ok := m.Field(tc.keys...); got != tc.want || ok != tc.ok {
				t.Errorf("%s: got %q, %t", tc.reason, got, ok)
			}
		})
	}
}

// FuzzRead holds what a manifest and a patch may cost, and that nothing is let through that has another kind.
func FuzzRead(f *testing.F) {
	f.Add([]byte("apiVersion: v1\nkind: Pod\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Add([]byte("? [a]\n: b\n<<: {c: d}\n"))
	hostile.Seed(func(text string) { f.Add([]byte(text)) })
	f.Fuzz(func(t *testing.T, content []byte) {
		memory.Below(t, memory.Render, func() { check(t, content) })
	})
}

func check(t *testing.T, content []byte) {
	t.Helper()
	m, r := manifest.Read(t.Context(), "p", content, manifest.Type{APIVersions: []string{"v1"}, Kind: "Pod"})
	if kind, _ := m.Field("kind"); len(r) == 0 && kind != "Pod" {
		t.Errorf("kind %q passed", kind)
	}
	if mappings, r := manifest.CheckPatch(t.Context(), "p", content, true); len(mappings) > 0 && !r.HasErrors() {
		t.Error("a mapping passed as a list")
	}
}
