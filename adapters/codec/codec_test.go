package codec_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/memory"
	"github.com/machineadm/machineadm/test/nightly"
)

var _ ports.Codec = codec.Codec{}

// texts are hard to encode in YAML.
func texts() []string {
	return []string{
		"", "plain", "yes", "0644", "1e3", "null", "~", " leading", "trailing ", "a\nb", "a\nb\n", "a\n\n\n", "\n",
		" \n a\n", "\ttab", "a: b", "- a", "#!/bin/sh\necho '{{ x }}'\n", "a\r\nb\r\n", "nul\x00", "\x1b[0m",
		"\xff\xfe", "\u2028", "\ufeff", "é", "…\n", "%YAML", "---\n", "...\n", "'", `"`, `\`, "a \nb\n", "*alias",
		"&anchor", "!!tag", "|", ">", "0x1f", "1_000", "2026-11-21", strings.Repeat("long ", 400), "last\n ",
	}
}

// values returns the zero values of all kinds.
func values() []document.Value {
	var all []document.Value
	for _, k := range plan.Registry() {
		all = append(all, k.Zero)
	}
	return all
}

// random fills any value of the domain.
type random struct{ *rand.Rand }

func (r random) text() string { return texts()[r.Intn(len(texts()))] }

func (r random) fill(v reflect.Value) {
	switch v.Interface().(type) {
	case secret.Value:
		v.Set(reflect.ValueOf(secret.FromString(r.text())))
		return
	case document.Content:
		v.Set(
			reflect.ValueOf(
				document.Join(document.Text(r.text()), document.FromFact(document.FactHostname), document.Text(r.text())),
			),
		)
		return
	case document.Phase:
		v.Set(reflect.ValueOf(document.Phases()[r.Intn(len(document.Phases()))]))
		return
	case node.Tree:
		v.Set(
			reflect.ValueOf(node.Tree{r.text() + "k": r.text(), "n": 5, "list": []any{true, map[string]any{"deep": r.text()}}}),
		)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			r.fill(v.Field(i))
		}
	case reflect.Slice:
		if n := r.Intn(3); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				r.fill(v.Index(i))
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.fill(v.Elem())
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("k"+r.text()), reflect.ValueOf(r.text()))
	case reflect.String:
		v.SetString(r.text())
	case reflect.Bool:
		v.SetBool(r.Intn(2) == 0)
	case reflect.Int:
		v.SetInt(int64(r.Intn(1 << 30)))
	case reflect.Uint8, reflect.Uint32:
		v.SetUint(uint64(r.Intn(128)))
	default:
		panic(v.Type())
	}
}

// TestRoundTrip writes and reads each kind, filled with nasty texts in each field. A field without its counterpart on
// the wire fails here.
func TestRoundTrip(t *testing.T) {
	for _, v := range values() {
		t.Run(string(v.Kind()), func(t *testing.T) {
			for seed := range nightly.Or[int64](200, 20) {
				filled := reflect.New(reflect.TypeOf(v))
				random{rand.New(rand.NewSource(seed))}.fill(filled.Elem())
				roundTrip(t, filled.Elem().Interface().(document.Value))
			}
		})
	}
}

func roundTrip(t *testing.T, v document.Value) {
	t.Helper()
	text, err := codec.Codec{}.Encode([]document.Document{{Value: v}, {Value: v}})
	if err != nil {
		t.Fatal(err)
	}
	docs, findings := codec.Codec{}.Decode(t.Context(), text)
	if len(findings) > 0 || len(docs) != 2 {
		t.Fatalf("%d documents, %s\n%s", len(docs), findings, text)
	}
	if !reflect.DeepEqual(docs[0].Value, v) {
		t.Fatalf("%s\n%s", cmp.Diff(fmt.Sprintf("%#v", v), fmt.Sprintf("%#v", docs[0].Value)), text)
	}
	if docs[0].Digest == "" || docs[0].Digest != docs[1].Digest {
		t.Error("the same document has two digests")
	}
}

func TestDecodeRefuses(t *testing.T) {
	document := func(spec string) string {
		return "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec:\n" + spec
	}
	cases := map[string]struct{ reason, in, want string }{
		"unknown field": {
			"a typing error changes the machine",
			document("  path: /a\n  contents: b\n"),
			"documents[0].spec.contents (line 5, column 3): unknown field; did you mean content?",
		},
		"nested field": {
			"deeper ones, too",
			document("  path: /a\n  owner: {usr: b}\n"),
			"documents[0].spec.owner.usr (line 5, column 11): unknown field; did you mean user?",
		},
		"twice": {
			"the last one would win silently",
			document("  path: /a\n  path: /b\n"),
			"documents[0].spec.path (line 5, column 3): duplicate field",
		},
		"shape": {
			"a list is no text",
			document("  path: [a]\n"),
			"documents[0].spec.path (line 4, column 9): expected a scalar, got a list",
		},
		"bool": {
			"a word is no truth",
			document("  path: /a\n  append: maybe\n"),
			"documents[0].spec.append (line 5, column 11): expected true or false",
		},
		"mode": {
			"nine is not octal",
			document("  path: /a\n  permissions: 0699\n"),
			"(line 5, column 16): expected octal permissions",
		},
		"base64": {
			"bytes arrive or are refused",
			document("  path: /a\n  content: {base64: '*'}\n"),
			"invalid base64: illegal base64 data",
		},
		"fact": {
			"the machine knows six facts",
			document("  path: /a\n  content: {parts: [{fact: colour}]}\n"),
			"unknown fact",
		},
		"newer": {
			"an old agent reports it",
			"apiVersion: machineadm.io/v2\nkind: File\nspec: {}\n",
			"this program reads machineadm.io/v1alpha1 and not machineadm.io/v2",
		},
		"no version": {
			"a document has a kind",
			"kind: File\n",
			"documents[0].apiVersion (line 1, column 1): is required",
		},
		"beside the spec": {
			"the frame is strict, too",
			document("  path: /a\nstatus: {}\n"),
			"documents[0].status (line 5, column 1): unknown field; check its spelling and indentation",
		},
		"alias": {
			"an alias can grow without bound",
			document("  path: &a /a\n  content: *a\n"),
			"anchors and aliases are not supported",
		},
		"no mapping": {"a list is no document", "- a\n", "a document is a mapping"},
		"no yaml": {
			"the line is reported",
			"apiVersion: machineadm.io/v1alpha1\nkind: {\n",
			"line 2, column 1: this is not YAML: a value is missing",
		},
		"unclosed": {
			"the kind of mistake, too",
			"apiVersion: machineadm.io/v1alpha1\nkind: [File\nspec: {}\n",
			"this is not YAML: a list or a mapping in brackets is not closed",
		},
		"no text": {
			"the byte is reported",
			document("  path: /a\n  content: b\xff\n"),
			"line 5, column 13: this is not YAML: it is not UTF-8",
		},
		"control": {
			"so is a character",
			document("  path: \x01\n"),
			"line 4, column 9: this is not YAML: it holds a control character",
		},
		"first line": {"it is one, too", "{", "line 1, column 1: this is not YAML"},
		"no anchor": {
			"a text that begins with an asterisk",
			document("  path: /a\n  content: *b\n"),
			"line 5, column 12: this is not YAML: an alias names no anchor; quote",
		},
		"second document": {
			"documents are counted",
			document("  path: /a\n") + "---\n" + document("  x: 1\n"),
			"documents[1].spec.x (line 9, column 3): unknown field",
		},
		"phase": {
			"commands have three",
			"apiVersion: machineadm.io/v1alpha1\nkind: Command\nspec: {phase: later, script: a}\n",
			"unknown phase",
		},
		"torn gzip": {"half of it is nothing", "\x1f\x8b\x08", "decompress"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, findings := codec.Codec{}.Decode(t.Context(), []byte(c.in))
			if !findings.HasErrors() || !strings.Contains(findings.String(), c.want) {
				t.Errorf("%s: got %q", c.reason, findings)
			}
		})
	}
}

func TestDecodeReads(t *testing.T) {
	plain := "apiVersion: machineadm.io/v1alpha1\nkind: File\nmetadata: {name: motd}\n" +
		"spec:\n  path: /etc/motd\n  content: yes\n  permissions: 0640\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(plain))
	_ = z.Close()
	want := machine.File{Path: "/etc/motd", Content: document.Text("yes"), Mode: 0o640}
	for name, in := range map[string][]byte{
		"plain": []byte(plain), "gzip": packed.Bytes(), "empty documents": []byte("---\n---\n" + plain + "---\n"),
	} {
		t.Run(name, func(t *testing.T) {
			docs, findings := codec.Codec{}.Decode(t.Context(), in)
			if len(findings) > 0 || len(docs) != 1 || !reflect.DeepEqual(docs[0].Value, want) {
				t.Errorf("got %#v, %s", docs, findings)
			}
		})
	}
}

func TestDecodePreservesUnknownKinds(t *testing.T) {
	in := "---\napiVersion: example.com/v1\nkind: Colour\nspec:\n    shade: yes\n"
	docs, findings := codec.Codec{}.Decode(t.Context(), []byte(in))
	if len(findings) > 0 || len(docs) != 1 || docs[0].Kind() != "Colour" {
		t.Fatalf("got %v, %s", docs, findings)
	}
	if at := docs[0].Source; at.Line != 3 || at.Column != 7 {
		t.Errorf("its kind is in line %d, column %d", at.Line, at.Column)
	}
	text, err := codec.Codec{}.Encode(docs)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in, string(text)); diff != "" {
		t.Error(diff)
	}
}

// FuzzDecode holds that no input makes the codec fail otherwise than by a finding, and that it writes again the
// documents that it reads, if they are valid.
func FuzzDecode(f *testing.F) {
	for _, text := range texts() {
		f.Add(
			[]byte(
				"apiVersion: machineadm.io/v1alpha1\nkind: Command\nspec: {phase: pre, script: " + fmt.Sprintf("%q", text) + "}\n",
			),
		)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var docs []document.Document
		var findings report.Report
		memory.Below(t, memory.Render, func() { docs, findings = codec.Codec{}.Decode(t.Context(), in) })
		// A Command without a phase decodes, but its check refuses it, and it cannot be encoded.
		invalid := slices.ContainsFunc(docs, func(d document.Document) bool { return d.Check().HasErrors() })
		if findings.HasErrors() || invalid {
			return
		}
		text, err := codec.Codec{}.Encode(docs)
		if err != nil {
			t.Fatal(err)
		}
		again, findings := codec.Codec{}.Decode(t.Context(), text)
		if findings.HasErrors() || len(again) != len(docs) {
			t.Fatalf("%s\n%s", findings, text)
		}
		for i := range docs {
			if _, opaque := docs[i].Value.(document.Opaque); !opaque && !reflect.DeepEqual(docs[i].Value, again[i].Value) {
				t.Fatalf("document %d changed:\n%s", i, text)
			}
		}
	})
}
