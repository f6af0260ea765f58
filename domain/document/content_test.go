package document_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/document"
)

const canary = "canary7q9zk2xw5v"

func TestContentShowsNoBytes(t *testing.T) {
	mixed := document.Join(document.Text(canary), document.FromFact(document.FactHostname), document.Text(canary))
	held := struct {
		C    document.Content
		P    *document.Content
		List []document.Content
	}{mixed, &mixed, []document.Content{mixed}}
	for _, verb := range []string{
		"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%b", "%o", "%c", "%U",
		"%t", "%p", "%T",
	} {
		for _, value := range []any{mixed, held, document.Text(canary), mixed.Fragments()[0]} {
			if verb == "%p" && fmt.Sprintf("%T", value) == "document.Fragment" {
				continue // A fragment is a part that was taken out; go vet refuses this verb for it.
			}
			text := fmt.Sprintf(verb, value)
			for _, form := range []string{canary, fmt.Sprintf("%x", canary), strings.Trim(fmt.Sprint([]byte(canary)), "[]")} {
				if strings.Contains(strings.ToLower(text), form) {
					t.Errorf("%s of %T shows %s", verb, value, text)
				}
			}
		}
	}
	var b bytes.Buffer
	slog.New(slog.NewJSONHandler(&b, nil)).Info("hello", "content", mixed, "held", held)
	asJSON, _ := json.Marshal(held)
	asYAML, _ := yaml.Marshal(held)
	if text := b.String() + string(asJSON) + string(asYAML); strings.Contains(text, canary) ||
		!strings.Contains(text, "[32 bytes]") {
		t.Errorf("encoded as %s", text)
	}
}

func TestJoinMergesLiterals(t *testing.T) {
	cases := map[string]struct {
		reason string
		parts  []document.Content
		want   string // with the facts in brackets
		pieces int
	}{
		"nothing":     {want: ""},
		"empty parts": {parts: []document.Content{{}, document.Text("")}, want: ""},
		"literals":    {parts: []document.Content{document.Text("a"), document.Text("b")}, want: "ab", pieces: 1},
		"fact between": {
			parts: []document.Content{document.Text("a"), document.FromFact("zone"), document.Text("b")},
			want:  "a[zone]b", pieces: 3,
		},
		"facts alone": {
			parts: []document.Content{document.FromFact("zone"), document.FromFact("zone")},
			want:  "[zone][zone]", pieces: 2,
		},
		"any bytes": {
			parts: []document.Content{document.Literal([]byte("\x00\xff")), document.Text("{{\r\n")},
			want:  "\x00\xff{{\r\n", pieces: 1,
		},
		"after a fact": {
			parts: []document.Content{document.FromFact("zone"), document.Text("a"), document.Text("b")},
			want:  "[zone]ab", pieces: 2,
		},
		"nested joined": {parts: []document.Content{
			document.Join(document.Text("a"), document.FromFact("zone")),
			document.Text("b"),
		}, want: "a[zone]b", pieces: 3},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			joined := document.Join(tc.parts...)
			got := string(joined.Resolve(func(f document.Fact) string { return "[" + string(f) + "]" }))
			if got != tc.want || len(joined.Fragments()) != tc.pieces || joined.IsZero() != (tc.pieces == 0) {
				t.Errorf("%q in %d pieces, want %q in %d", got, len(joined.Fragments()), tc.want, tc.pieces)
			}
		})
	}
}

func TestJoinLeavesItsPartsAlone(t *testing.T) {
	a, b := document.Text("a"), document.Text("b")
	document.Join(a, b)
	document.Join(a, document.Text("c"))
	if text, _ := a.Static(); string(text) != "a" {
		t.Errorf("a became %q", text)
	}
}

func TestStatic(t *testing.T) {
	cases := map[string]struct {
		content document.Content
		want    string
		static  bool
	}{
		"empty":   {static: true},
		"literal": {content: document.Text("x"), want: "x", static: true},
		"fact":    {content: document.FromFact(document.FactZone)},
		"mixed":   {content: document.Join(document.Text("x"), document.FromFact(document.FactZone))},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got, static := tc.content.Static(); string(got) != tc.want || static != tc.static {
				t.Errorf("Static() = %q, %v", got, static)
			}
		})
	}
}

func TestSubstitute(t *testing.T) {
	facts := map[string]document.Fact{"@A@": document.FactHostname, "@A@B": document.FactZone}
	cases := map[string]struct{ reason, text, want string }{
		"none":     {text: "plain", want: "plain"},
		"one":      {text: "x@A@y", want: "x[hostname]y"},
		"twice":    {text: "@A@@A@", want: "[hostname][hostname]"},
		"overlap":  {reason: "the longer placeholder is meant", text: "@A@B", want: "[zone]"},
		"at edges": {text: "@A@B-@A@", want: "[zone]-[hostname]"},
		"empty":    {text: "", want: ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := document.Text(tc.text).Substitute(facts)
			if text := string(got.Resolve(func(f document.Fact) string { return "[" + string(f) + "]" })); text != tc.want {
				t.Errorf("%q, want %q: %s", text, tc.want, tc.reason)
			}
		})
	}
}

func TestFactsAreListedOnce(t *testing.T) {
	c := document.Join(document.FromFact("zone"), document.Text("a"), document.FromFact("region"),
		document.FromFact("zone"))
	if diff := cmp.Diff([]document.Fact{"zone", "region"}, c.Facts()); diff != "" {
		t.Error(diff)
	}
	if c.Len() != 1 {
		t.Errorf("Len() = %d", c.Len())
	}
	if len(document.Facts()) != 9 {
		t.Errorf("Facts() = %v", document.Facts())
	}
}

func TestEqualComparesBytesAndFacts(t *testing.T) {
	split := document.Join(document.Text("a"), document.Text("b"))
	if !split.Equal(document.Text("ab")) || split.Equal(document.Text("a")) ||
		document.Text("zone").Equal(document.FromFact("zone")) {
		t.Error("contents are compared by something else than their bytes and facts")
	}
	if !(document.Content{}).Equal(document.Text("")) {
		t.Error("empty contents differ")
	}
}
