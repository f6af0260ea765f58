package structured_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

// limited returns a context with a budget of so many nodes.
func limited(t testing.TB, nodes int64) (context.Context, *budget.Budget) {
	t.Helper()
	b := budget.New(budget.Limits{Nodes: nodes, Content: budget.Default().Content})
	return budget.NewContext(t.Context(), b), b
}

func TestNodes(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		want         int64
	}{
		"Empty":    {reason: "no document", text: "# nothing\n"},
		"Scalar":   {reason: "a document and its root", text: "a", want: 2},
		"Mapping":  {reason: "keys are nodes", text: "a: 1\nb: [x, y]\n", want: 8},
		"JSON":     {reason: "JSON is YAML", text: `{"a":{"b":[1,2]}}`, want: 8},
		"Several":  {reason: "all documents", text: "a\n---\nb\n", want: 4},
		"Alias":    {reason: "an alias is expanded", text: "- &a [x, y]\n- *a\n- *a\n", want: 11},
		"Merge":    {reason: "a merge key, too", text: "- &a {b: c}\n- {<<: *a}\n", want: 10},
		"Nothing":  {reason: "a key without a value has one", text: "a:\nb:\n", want: 6},
		"Nested":   {reason: "aliases multiply", text: "- &a [x, y]\n- &b [*a, *a]\n- [*b, *b]\n", want: 27},
		"BlockDoc": {reason: "blocks of text are one node", text: "a: |\n  - b: [c, d]\n  - e\n", want: 4},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			ctx, b := limited(t, 1000)
			if _, err := structured.YAML(ctx, []byte(tc.text)); err != nil || 1000-b.Left(budget.Nodes) != tc.want {
				t.Errorf("%s: %d nodes are spent, want %d, %v", tc.reason, 1000-b.Left(budget.Nodes), tc.want, err)
			}
			ctx, _ = limited(t, tc.want-1)
			var exceeded *budget.ExceededError
			if _, err := structured.YAML(ctx, []byte(tc.text)); tc.want > 0 && !errors.As(err, &exceeded) {
				t.Errorf("%d nodes are allowed, and there is no error: %v", tc.want-1, err)
			}
		})
	}
}

func TestLimitsOfTexts(t *testing.T) {
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "k%d: 1\n", i)
		}
		return b.String()
	}
	cases := map[string]struct{ reason, text, want string }{
		"Keys": {reason: "decoders compare each key with each other one", text: keys(structured.MaxKeys)},
		"TooManyKeys": {
			reason: "one more",
			text:   keys(structured.MaxKeys + 1),
			want:   "error: p (line 1, column 1): a mapping has 1001 keys, and 1000 is the limit; write fewer",
		},
		"Deep": {
			reason: "at the limit",
			text:   strings.Repeat("[", structured.MaxDepth-1) + "a" + strings.Repeat("]", structured.MaxDepth-1),
		},
		"TooDeep": {
			reason: "one more", text: strings.Repeat("[", structured.MaxDepth) + "a" + strings.Repeat("]", structured.MaxDepth),
			want: "error: p (line 1, column 101): the text is nested deeper than 100 levels; write it flatter",
		},
		"DeepAlias": {
			reason: "aliases nest, too",
			text: "- &a " + strings.Repeat("[", 60) + strings.Repeat("]", 60) + "\n- " + strings.Repeat("[", 60) + "*a" +
				strings.Repeat("]", 60) + "\n",
			want: "error: p (line 2, column 63): the text is nested deeper than 100 levels; write it flatter",
		},
		"Twice": {
			reason: "which counts?",
			text:   "a: {canary: 1,\n canary: 2}\n",
			want:   "error: p (line 2, column 2): the key is already in line 1; remove one of them",
		},
		"TwiceQuoted": {
			reason: "quotes do not make another key",
			text:   "a: 1\n\"a\": 2\n",
			want:   "error: p (line 2, column 1): the key is already in line 1; remove one of them",
		},
		"TwiceMerged": {reason: "what is merged may be replaced", text: "a: &a {b: c}\nd: {<<: *a, b: e}\n"},
		"Cycle": {
			reason: "it never ends",
			text:   "a: &a\n- *a\n",
			want:   "error: p (line 2, column 1): no YAML: an anchor holds an alias of itself",
		},
		"Syntax": {
			reason: "the parser's own",
			text:   "a: [",
			want:   "error: p (line 1, column 1): no YAML: a value is missing",
		},
		"Separators": {
			reason: "so many take long to parse", text: "- " + strings.Repeat("x,", 1<<17),
			want: "error: p: the text has 131073 characters that may separate values, such as commas, " +
				"and 131072 is the limit; " +
				"divide it, or move what it holds into files of their own",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := ""
			if _, err := structured.YAML(t.Context(), []byte(tc.text)); err != nil {
				got = structured.Finding("p", "no YAML", err).String()
			}
			if got != tc.want {
				t.Errorf("%s:\ngot  %s\nwant %s", tc.reason, got, tc.want)
			}
		})
	}
}

func TestTOML(t *testing.T) {
	ctx, b := limited(t, 1000)
	tree, err := structured.TOML(ctx, []byte("a = [1, 2]\n[b.c]\nd = {e = 'f'}\n"))
	if err != nil || len(tree) != 2 || b.Left(budget.Nodes) == 1000 {
		t.Errorf("%v, %v, %d nodes left", tree, err, b.Left(budget.Nodes))
	}
	cases := map[string]struct{ reason, text, want string }{
		"Keys": {
			reason: "the decoder searches all of them",
			text:   strings.Repeat("[t]\n", structured.MaxTOMLKeys+1),
			want:   "error: p: the text has more than 10000 keys; write fewer",
		},
		"Dotted": {
			reason: "a dotted key nests",
			text:   "a" + strings.Repeat(".a", 120) + " = 1",
			want:   "error: p: the text is nested deeper than 100 levels; write it flatter",
		},
		"Header": {
			reason: "so does a header",
			text:   "[a" + strings.Repeat(".a", 60) + "]\na" + strings.Repeat(".a", 60) + " = 1",
			want:   "error: p: the text is nested deeper than 100 levels; write it flatter",
		},
		"Deep": {
			reason: "the decoder recurses",
			text:   "a = " + strings.Repeat("[", 200) + strings.Repeat("]", 200),
			want:   "error: p: the text is nested deeper than 100 levels; write it flatter",
		},
		"Syntax": {reason: "the decoder's own", text: "a = canary", want: "error: p: no TOML"},
		"Twice": {
			reason: "the decoder's own",
			text:   "canary = 1\ncanary = 2",
			want:   "error: p: no TOML: a key is repeated",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := structured.TOML(t.Context(), []byte(tc.text))
			if err == nil {
				t.Fatal("no error")
			}
			if got := structured.Finding("p", "no TOML", err).String(); got != tc.want {
				t.Errorf("%s:\ngot  %s\nwant %s", tc.reason, got, tc.want)
			}
		})
	}
	ctx, _ = limited(t, 5)
	if _, err := structured.TOML(ctx, []byte("a = [1, 2, 3, 4, 5]")); err == nil {
		t.Error("more nodes than the budget has, and no error")
	}
}

// TestWrittenTexts holds that a short text that is long once it is written is refused before anything is written.
func TestWrittenTexts(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	nested := strings.Repeat("[", 90)
	const content = "this and what was read before it has more than 16 MiB of content"
	cases := map[string]struct{ reason, text, want string }{
		"Aliases": {
			"each alias is written as the text of its anchor",
			"- &a " + long + "\n" + strings.Repeat("- *a\n", 20),
			content,
		},
		"Indented": {
			"each line is indented as deep as the alias",
			"a: &a |\n" + strings.Repeat(" b\n", 200_000) + "c: " + nested + "*a" + strings.Repeat("]", 90) + "\n", content,
		},
		"Tag": {
			"each node has the whole prefix",
			"%TAG !e! tag:" + long + "\n---\n" + strings.Repeat("- !e!a b\n", 50_000),
			"a %TAG directive is not supported",
		},
		"LateTag": {
			"each document has directives",
			"a\n...\r%TAG !e! tag:x\n---\nb\n",
			"a %TAG directive is not supported",
		},
		"MarkedTag": {
			"a byte order mark precedes it",
			"\ufeff%TAG !e! tag:x\n---\nb\n",
			"a %TAG directive is not supported",
		},
		"UTF-16": {"the parser reads it", "\xff\xfea\x00", "it is not UTF-8"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var err error
			memory.Below(t, memory.Parse, func() { _, err = structured.YAML(t.Context(), []byte(tc.text)) })
			if err == nil {
				t.Fatalf("%s: no error", tc.reason)
			}
			if got := structured.Finding("p", "no YAML", err).String(); !strings.Contains(got, tc.want) {
				t.Errorf("%s: %s", tc.reason, got)
			}
		})
	}
}

// TestOrdinaryTextsCostNoContent holds that a text without aliases draws nothing that its bytes do not cover.
func TestOrdinaryTextsCostNoContent(t *testing.T) {
	b := budget.New(budget.Default())
	text := strings.Repeat("- name: a\n  text: |\n    50 %TAG\n    two\n  list:\n  - b\n", 100)
	if _, err := structured.YAML(budget.NewContext(t.Context(), b), []byte(text)); err != nil {
		t.Fatal(err)
	}
	if spent := budget.Default().Content - b.Left(budget.Content); spent > int64(len(text)) {
		t.Errorf("%d bytes of content are drawn for %d of text", spent, len(text))
	}
}

func TestJSON(t *testing.T) {
	deep := func(levels int, in string) string {
		return strings.Repeat(`{"a":`, levels) + in + strings.Repeat("}", levels)
	}
	cases := map[string]struct{ reason, text, want string }{
		"Flat":    {reason: "ordinary", text: `{"a":{"b":[1,"c,d\n"]}}`},
		"Deep":    {reason: "at the limit", text: deep(structured.MaxDepth, "1")},
		"TooDeep": {reason: "one more", text: deep(structured.MaxDepth+1, "1"), want: "it is nested deeper than 100 levels"},
		"Lines": {
			reason: "each line is indented",
			text:   deep(100, `"`+strings.Repeat(`a\n`, 100_000)+`"`),
			want:   "more than 16 MiB of content",
		},
		"Brackets": {reason: "a string has none", text: `{"a":"` + strings.Repeat("[", 200) + `\"["}`},
		"Nodes": {
			reason: "all are counted",
			text:   "[" + strings.Repeat("1,", 100_000) + "1]",
			want:   "more than 100000 YAML or JSON nodes",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			err := structured.JSON(t.Context(), []byte(tc.text))
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("%s: %v", tc.reason, err)
			}
		})
	}
}

// Texts of the same object share the budget, and nothing is parsed once it is spent or the context has ended.
func TestLimitsStopTheDecoder(t *testing.T) {
	ctx, _ := limited(t, 10)
	text := []byte("[a, b, c, d]")
	if _, err := structured.YAML(ctx, text); err != nil {
		t.Fatal(err)
	}
	var exceeded *budget.ExceededError
	for range 2 {
		if _, err := structured.YAML(ctx, text); !errors.As(err, &exceeded) {
			t.Errorf("the budget of both texts is spent, and the error is %v", err)
		}
	}
	if _, err := structured.TOML(ctx, []byte("a = 1")); !errors.As(err, &exceeded) {
		t.Errorf("the budget is spent, and the error is %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	ctx, b := limited(t, 10)
	if _, err := structured.YAML(ctx, []byte("a: b\na: c\n")); err == nil || b.Left(budget.Nodes) != 8 {
		t.Errorf("a text that is refused for %v leaves %d of 10 nodes", err, b.Left(budget.Nodes))
	}
	if _, err := structured.YAML(ended, text); !errors.Is(err, context.Canceled) {
		t.Errorf("the context has ended, and the error is %v", err)
	}
}

// FuzzYAML holds what is read against the parser: each node is counted, no key is repeated, and nothing costs more
// than a parser of the text of users may.
func FuzzYAML(f *testing.F) {
	for _, s := range hostile.Texts() {
		f.Add([]byte(s.Text))
	}
	for _, s := range []string{
		"", "a", "? a\n? b\n", "[?,?]", "[a: b, : , c]", "{a, b: , ? c}", "- - - a\n  - b",
		"a\n...\nb\n", "--- |\n a\n--- b", "&a a: *a", "!!binary [a]: b",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var documents []*yaml.Node
		var err error
		memory.Below(t, memory.Parse, func() { documents, err = structured.YAML(t.Context(), text) })
		if err != nil {
			return
		}
		nodes := 0
		for _, d := range documents {
			nodes += tree(d)
			var value any
			memory.Below(t, memory.Parse, func() { err = d.Decode(&value) })
			if err != nil && strings.Contains(err.Error(), "already defined") {
				t.Errorf("a key is repeated: %v", err)
			}
		}
		if most := 2*strings.Count(string(text), "\n") + 2*len(text); nodes > most+2 {
			t.Errorf("%d nodes of %d bytes", nodes, len(text))
		}
	})
}

// tree counts the nodes of the tree without expanding aliases.
func tree(n *yaml.Node) int {
	sum := 1
	for _, below := range n.Content {
		sum += tree(below)
	}
	return sum
}

// FuzzTOML holds the cost of reading TOML against the bound.
func FuzzTOML(f *testing.F) {
	for _, s := range hostile.Texts() {
		f.Add([]byte(s.Text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		memory.Below(t, memory.Parse, func() { _, _ = structured.TOML(t.Context(), text) })
	})
}
