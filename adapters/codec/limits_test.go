package codec_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/test/memory"
)

// keys is a document of a foreign kind whose spec has as many keys.
func keys(n int) string {
	var b strings.Builder
	b.WriteString("apiVersion: x/v1\nkind: X\nspec:\n")
	for i := range n {
		fmt.Fprintf(&b, "  k%d: 1\n", i)
	}
	return b.String()
}

// nest puts the value below as many keys of 1000 bytes.
func nest(levels int, value string) string {
	key := strings.Repeat("x", 1000)
	return strings.Repeat("{"+key+": ", levels) + value + strings.Repeat("}", levels) + "\n"
}

func zip(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

// TestDecodeIsLimited decodes texts that are small for what a parser or a decoder makes of them. Each is refused
// before memory is taken for it.
func TestDecodeIsLimited(t *testing.T) {
	const frame = "apiVersion: x/v1\nkind: X\nspec: "
	cases := map[string]struct{ reason, in, want string }{
		"keys": {
			"the decoder compares each with each",
			keys(40_000),
			"documents[0] (line 4, column 3): a mapping has 40000 keys, and 1000 is the limit",
		},
		"top keys": {
			"also in the frame",
			strings.ReplaceAll(keys(40_000), "\n  ", "\n"),
			"documents[0] (line 1, column 1): a mapping has 40003 keys",
		},
		"nodes": {
			"a node takes a hundred times its text",
			frame + "[" + strings.Repeat("1,", 120_000) + "]",
			"the configuration has more than 100000 YAML or JSON nodes",
		},
		"documents": {
			"all of them count", strings.Repeat("---\n"+frame+"[1,1,1,1]\n", 10_000),
			"the configuration has more than 100000 YAML or JSON nodes",
		},
		"dense": {
			"what no budget covers is not even parsed",
			frame + "[" + strings.Repeat("1,", 4<<20) + "]",
			"other characters that can separate values",
		},
		"dense blocks": {
			"dashes separate, too",
			frame + "\n" + strings.Repeat("- - - - 1\n", 400_000),
			"other characters that can separate values",
		},
		"dense maps": {
			"keys without values are nodes, too",
			frame + "{" + strings.Repeat("a,", 4<<20) + "}",
			"other characters that can separate values",
		},
		"comments": {
			"the parser keeps them",
			frame + "\n" + strings.Repeat("#\n", 4<<20),
			"other characters that can separate values",
		},
		"depth": {
			"recursion takes the stack",
			frame + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000),
			"nested deeper than 100 levels",
		},
		"tags": {
			"each node has the whole prefix",
			"%TAG !e! tag:" + strings.Repeat("x", 1<<20) + "\n---\n" +
				frame + "\n" + strings.Repeat("- !e!a b\n", 20_000),
			"a %TAG directive is not supported",
		},
		"bomb": {
			"it is uncompressed no further than the budget",
			zip(strings.Repeat(" ", 64<<20)),
			"it is too large: more than 16777216 bytes after decompression",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, findings := codec.Codec{}.Decode(t.Context(), []byte(tc.in))
			runtime.ReadMemStats(&after)
			if got := findings.String(); !strings.Contains(got, tc.want) || len(got) > 1000 {
				t.Errorf("%s: %.300s", tc.reason, got)
			}
			if cost := after.TotalAlloc - before.TotalAlloc; cost > 200<<20 {
				t.Errorf("%s: it allocates %d MiB for %d bytes", tc.reason, cost>>20, len(tc.in))
			}
		})
	}
}

// TestPathsAreLimited decodes values below long keys: a path of all keys for each of them would be many times the text.
func TestPathsAreLimited(t *testing.T) {
	for name, spec := range map[string]string{
		"one long key":   "? " + strings.Repeat("x", 1<<20) + "\n  : [" + strings.Repeat("&a {},", 20_000) + "]",
		"many long keys": nest(90, "["+strings.Repeat("&a {},", 20_000)+"]"),
		"documents":      strings.Repeat(nest(90, "[&a {}]")+"---\napiVersion: x/v1\nkind: X\nspec:\n  ", 50) + "a",
	} {
		var findings report.Report
		memory.Below(t, 128<<20, func() {
			_, findings = codec.Codec{}.Decode(t.Context(), []byte("apiVersion: x/v1\nkind: X\nspec:\n  "+spec))
		})
		if !findings.HasErrors() || len(findings.String()) > 512<<10 {
			t.Errorf("%s: %d findings of %d bytes", name, len(findings), len(findings.String()))
		}
	}
}

// TestDecodeDrawsFromTheBudget decodes twice with one budget.
func TestDecodeDrawsFromTheBudget(t *testing.T) {
	text := []byte(keys(900))
	ctx := budget.NewContext(t.Context(), budget.New(budget.Limits{Content: 1 << 20, Nodes: 3000}))
	for _, want := range []bool{false, true} {
		if _, findings := (codec.Codec{}).Decode(ctx, text); findings.HasErrors() != want {
			t.Errorf("findings %s", findings)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, findings := (codec.Codec{}).Decode(ended, text); !findings.HasErrors() {
		t.Error("it goes on when the context has ended")
	}
}

// TestLongContentsAreRead writes contents that have more separators than a configuration may have.
func TestLongContentsAreRead(t *testing.T) {
	content := strings.Repeat("a,b:c\n- d\n", 1<<19)
	var docs []document.Document
	for i := range 3 {
		file := machine.File{Path: fmt.Sprintf("/f%d", i), Content: document.Text(content[:len(content)>>i])}
		docs = append(docs, document.Document{Value: file})
	}
	text, err := codec.Codec{}.Encode(docs)
	if err != nil {
		t.Fatal(err)
	}
	read, findings := codec.Codec{}.Decode(t.Context(), text)
	if len(findings) > 0 || len(read) != 3 || read[0].Value.(machine.File).Content.Len() != len(content) {
		t.Errorf("%d documents, %.300s", len(read), findings)
	}
}
