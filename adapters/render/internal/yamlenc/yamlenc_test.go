//go:build !unit

package yamlenc_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/render/internal/yamlenc"
	"github.com/machineadm/machineadm/test/debian"
)

// awkward are strings that YAML 1.1 or 1.2 reads as another type without quotes, or that break a line.
func awkward() []string {
	return []string{
		"", "a", "/etc/hosts", "y", "Y", "yes", "No", "ON", "off", "true", "FALSE", "null", "Null", "~", "0", "007",
		"0o7", "1_000",
		"12:30:45", "1e3", ".5", ".inf", ".NaN", "0x1f", "0b1", "2001-01-01", "2001-12-14t21:59:43.10-05:00",
		"=", "<<", "*foo",
		"&foo", "!foo", "%foo", "@foo", "`foo", "- foo", "-", "?", "? foo", ":", "foo: bar", "foo:bar", "foo:",
		"foo #bar", "#foo",
		"{{ x }}", "{", "}", "[", "]", ",", "|", ">", "'", `"`, `\`, `\n`, `it's "so"`, " lead", "trail ", "\tlead",
		"trail\t", "\n",
		"\n\n", "a\n", "a\n\n", "\na", " a\n b\n", "a\r\nb\r\n", "\r", "\x00", "\a\b\v\f\x1b\x7f", "\u0085", "\u00a0",
		"\u2028", "\u2029",
		"\ufeff", "\ufffd", "\ufffe", "\uffff", "é", "日本語", "🙂", "---", "...", "--- a\n... b\n", "%YAML 1.1\n", "a\n---\nb\n",
		"a\n\n\n", " \n", "\t\n", " \na", "a\n \n", "\n a\n", "  a\n b", "N", "nan", "inf", "e5", "E5", "_1",
		"/", "a/b.c-d_e",
	}
}

// write puts each string once into every place that a writer has for strings.
func write(items []string, indent int) []byte {
	w := yamlenc.New(0)
	w.Indent(indent)
	w.Comment("cloud-config")
	w.List("strings")
	for _, s := range items {
		w.String(s)
	}
	w.List("lists")
	for _, s := range items {
		w.Strings(s, s)
	}
	w.List("maps")
	for _, s := range items {
		w.Item()
		w.Field("field", s)
		w.FieldStrings("list", []string{s, s})
		if text := []byte(s); yamlenc.Text(text) {
			w.Literal("literal", text)
		}
		w.Append("base64", func(b []byte) []byte { return base64.StdEncoding.AppendEncode(b, []byte(s)) })
		w.Octal("octal", 0o44)
		w.Int("int", -5)
		w.Bool("bool", true)
	}
	return w.Bytes()
}

type item struct {
	Field   any   `json:"field"   yaml:"field"`
	List    []any `json:"list"    yaml:"list"`
	Literal any   `json:"literal" yaml:"literal"`
	Base64  any   `json:"base64"  yaml:"base64"`
	Octal   any   `json:"octal"   yaml:"octal"`
	Int     int   `json:"int"     yaml:"int"`
	Bool    bool  `json:"bool"    yaml:"bool"`
}

type content struct {
	Strings []any   `json:"strings" yaml:"strings"`
	Lists   [][]any `json:"lists"   yaml:"lists"`
	Maps    []item  `json:"maps"    yaml:"maps"`
}

func wanted(items []string) content {
	var want content
	for _, s := range items {
		want.Strings = append(want.Strings, s)
		want.Lists = append(want.Lists, []any{s, s})
		m := item{
			Field: s, List: []any{s, s}, Octal: "0044", Int: -5, Bool: true,
			Base64: base64.StdEncoding.EncodeToString([]byte(s)),
		}
		if yamlenc.Text([]byte(s)) {
			m.Literal = s
		}
		want.Maps = append(want.Maps, m)
	}
	return want
}

func readGo(t *testing.T, document []byte) content {
	t.Helper()
	var got content
	if err := yaml.Unmarshal(document, &got); err != nil {
		t.Fatalf("yaml: %v\n%s", err, document)
	}
	return got
}

// readPython reads the document as cloud-init does.
func readPython(t *testing.T, document []byte) content {
	t.Helper()
	debian.Packages(t, "python3-yaml")
	cmd := exec.Command("/usr/bin/python3", "-c",
		"import json,sys,yaml;print(json.dumps(yaml.safe_load(sys.stdin.buffer.read().decode('utf-8'))))")
	cmd.Stdin = bytes.NewReader(document)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("PyYAML: %v: %s\n%s", err, stderr.String(), document)
	}
	var got content
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestAwkwardStringsComeBack(t *testing.T) {
	readers := map[string]struct {
		reason string
		read   func(*testing.T, []byte) content
	}{
		"library": {reason: "YAML 1.2 with its own leaning to 1.1", read: readGo},
		"PyYAML":  {reason: "YAML 1.1, what cloud-init reads with", read: readPython},
	}
	for name, reader := range readers {
		for _, indent := range []int{0, 2} {
			t.Run(fmt.Sprintf("%s, %d", name, indent), func(t *testing.T) {
				if diff := cmp.Diff(wanted(awkward()), reader.read(t, write(awkward(), indent))); diff != "" {
					t.Errorf("%s: (-want +got)\n%s", reader.reason, diff)
				}
			})
		}
	}
}

// TestEveryRuneComesBack tests Unicode's first plane in strings of 64 runes, and one rune of each 4 Ki of the other
// planes.
func TestEveryRuneComesBack(t *testing.T) {
	var items []string
	var b strings.Builder
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if utf8.ValidRune(r) && (r < 0x10000 || r%0x1000 == 0x3ff) {
			b.WriteRune(r)
		}
		if r%64 == 63 && b.Len() > 0 {
			items = append(items, b.String(), "x"+strings.ReplaceAll(b.String(), "\n", ""))
			b.Reset()
		}
	}
	document := write(items, 0)
	if diff := cmp.Diff(wanted(items), readGo(t, document)); diff != "" {
		t.Errorf("library (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(wanted(items), readPython(t, document)); diff != "" {
		t.Errorf("PyYAML (-want +got)\n%s", diff)
	}
}

func TestTextRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
	}{
		"Empty":      {reason: "a literal block without lines is read in several ways", text: ""},
		"LineBreaks": {reason: "no line shows the indentation", text: "\n\n"},
		"CR":         {reason: "readers turn it into a line feed", text: "a\r\n"},
		"NUL":        {reason: "no reader takes it", text: "a\x00"},
		"NotUTF8":    {reason: "YAML is Unicode", text: "a\xff"},
		"Half":       {reason: "a truncated sequence is no character", text: "a\xe2\x82"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if yamlenc.Text([]byte(tc.text)) {
				t.Errorf("Text(%q) holds, but %s", tc.text, tc.reason)
			}
		})
	}
}

// FuzzStrings holds the library's reading against what was written.
func FuzzStrings(f *testing.F) {
	for _, s := range awkward() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, "\ufffd")
		}
		items := []string{s, "x" + s, s + "x", s + s}
		if diff := cmp.Diff(wanted(items), readGo(t, write(items, len(items[0])%2*2))); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// TestRandomTextUnderPyYAML does with PyYAML, in one process, what fuzzing does with the library.
func TestRandomTextUnderPyYAML(t *testing.T) {
	alphabet := []rune(" \t\n\r\"'\\#:-?|>{}[]&*!%@`,~=aY0.\u0085\u00a0\u2028\ufeff日🙂")
	state := uint64(1)
	next := func(n int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state>>33) % n
	}
	var items []string
	for range 3000 {
		s := make([]rune, next(12))
		for i := range s {
			s[i] = alphabet[next(len(alphabet))]
		}
		items = append(items, string(s))
	}
	if diff := cmp.Diff(wanted(items), readPython(t, write(items, 2))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

type benchFile struct {
	Path        string `yaml:"path"`
	Permissions string `yaml:"permissions"`
	Content     string `yaml:"content"`
}

const benchText = "apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\nnodeRegistration:\n  name: node\n"

// The pair of benchmarks shows why the package exists.
func BenchmarkWriter(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		w := yamlenc.New(4096)
		w.List("write_files")
		for range 8 {
			w.Item()
			w.Field("path", "/etc/machineadm/kubeadm.yaml")
			w.Octal("permissions", 0o600)
			w.Literal("content", []byte(benchText))
		}
		_ = w.Bytes()
	}
}

func BenchmarkLibrary(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		files := make([]benchFile, 8)
		for i := range files {
			files[i] = benchFile{Path: "/etc/machineadm/kubeadm.yaml", Permissions: "0600", Content: benchText}
		}
		if _, err := yaml.Marshal(map[string]any{"write_files": files}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRawItemsKeepTheirMeaning indents a list whose strings have lines with blanks at their ends.
func TestRawItemsKeepTheirMeaning(t *testing.T) {
	list := []byte("- |\n  a\n    b\n\n   \n  c\n- {k: [\n  1]}\n- - x\n  - y\n- |2\n   lead\n")
	want := []any{"a\n  b\n\n \nc\n", map[string]any{"k": []any{1}}, []any{"x", "y"}, " lead\n"}
	for _, indent := range []int{0, 2} {
		w := yamlenc.New(0)
		w.Indent(indent)
		w.List("list")
		w.String("first")
		w.RawItems(list)
		var got struct{ List []any }
		if err := yaml.Unmarshal(w.Bytes(), &got); err != nil {
			t.Fatalf("%v\n%s", err, w.Bytes())
		}
		if diff := cmp.Diff(append([]any{"first"}, want...), got.List); diff != "" {
			t.Errorf("indentation %d (-want +got):\n%s", indent, diff)
		}
	}
}
