package codec_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/test/canary"
)

// TestDecodeErrorsQuoteNoValues plants a secret in each place in which a configuration can be wrong: conditions and
// events contain the findings about a plugin's documents.
func TestDecodeErrorsQuoteNoValues(t *testing.T) {
	const c = canary.Mark
	file := func(spec string) string { return "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec:\n" + spec }
	cases := map[string]struct{ reason, in string }{
		"alias":           {"the library names the anchor", file("  path: /a\n  content: *" + c + "\n")},
		"alias of header": {"before a document is known", "apiVersion: *" + c + "\n"},
		"alias as a key":  {"", file("  *" + c + " : a\n")},
		"anchor":          {"it would be read", file("  path: /a\n  content: &" + c + " x\n")},
		"anchor of itself": {"the library names it", "apiVersion: a.example/v1\nkind: A\nmetadata: &" + c + " {a: *" + c +
			"}\nspec: {}\n"},
		"header of itself":  {"", "apiVersion: a.example/v1\nkind: &" + c + " [*" + c + "]\nspec: {}\n"},
		"tag":               {"a text that begins with an exclamation mark", file("  path: /a\n  content: !" + c + "\n")},
		"tag's handle":      {"", file("  path: /a\n  content: !" + c + "!x y\n")},
		"percent":           {"no text begins with it", file("  path: /a\n  content: %" + c + "\n")},
		"at":                {"", file("  path: /a\n  content: @" + c + "\n")},
		"backtick":          {"", file("  path: /a\n  content: `" + c + "\n")},
		"unclosed quote":    {"", file("  path: /a\n  content: \"" + c + "\n")},
		"escape":            {"", file("  path: /a\n  content: \"\\" + c + "\"\n")},
		"unclosed list":     {"", file("  path: /a\n  content: [" + c + "\n")},
		"unclosed mapping":  {"", file("  path: /a\n  content: {" + c + "\n")},
		"colon":             {"", file("  path: /a\n  content: " + c + ": " + c + "\n")},
		"outdented":         {"a key of PEM that is not indented", file("  path: /a\n  content: |\n" + c + "\n")},
		"tab":               {"", file("  path: /a\n\tcontent: " + c + "\n")},
		"control character": {"", file("  path: /a\n  content: " + c + "\x01\n")},
		"no UTF-8":          {"", file("  path: /a\n  content: " + c + "\xff\n")},
		"directive":         {"", "%" + c + " 1\n---\n" + file("  path: /a\n")},
		"list":              {"a document is no list", "- " + c + "\n"},
		"text":              {"nor a text", c + "\n"},
		"version": {"a value in the wrong place", "apiVersion: machineadm.io/" + c +
			"\nkind: File\nspec: {}\n"},
		"binary version":   {"", "apiVersion: !!binary " + c + "%\nkind: File\nspec: {}\n"},
		"kind as a number": {"", "apiVersion: machineadm.io/v1alpha1\nkind: !!int " + c + "\nspec: {}\n"},
		"kind as a list":   {"", "apiVersion: machineadm.io/v1alpha1\nkind: [" + c + "]\nspec: {}\n"},
		"permissions":      {"", file("  path: /a\n  permissions: " + c + "\n")},
		"bool":             {"", file("  path: /a\n  append: " + c + "\n")},
		"tagged bool":      {"the tag passes, the value does not", file("  path: /a\n  append: !!bool " + c + "\n")},
		"base64":           {"", file("  path: /a\n  content: {base64: '%" + c + "'}\n")},
		"binary":           {"", file("  path: /a\n  content: !!binary '" + c + "%'\n")},
		"binary name":      {"", file("  path: !!binary '" + c + "%'\n")},
		"number as path":   {"", file("  path: !!int " + c + "\n")},
		"float as path":    {"", file("  path: !!float " + c + "\n")},
		"time as path":     {"", file("  path: !!timestamp " + c + "\n")},
		"parts":            {"", file("  path: /a\n  content: {parts: [{text: " + c + ", fact: " + c + "}]}\n")},
		"parts as text":    {"", file("  path: /a\n  content: {parts: " + c + "}\n")},
		"fact":             {"", file("  path: /a\n  content: {parts: [{fact: " + c + "}]}\n")},
		"shape":            {"", file("  path: [" + c + "]\n")},
		"scalar":           {"", file("  path: /a\n  owner: " + c + "\n")},
		"spec":             {"", "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: " + c + "\n"},
		"fact in a secret": {"", "apiVersion: machineadm.io/v1alpha1\nkind: User\nspec: {name: a, " +
			"passwordHash: {parts: [{fact: " + c + "}]}}\n"},
		"phase":         {"", "apiVersion: machineadm.io/v1alpha1\nkind: Command\nspec: {phase: " + c + ", script: a}\n"},
		"number":        {"", "apiVersion: machineadm.io/v1alpha1\nkind: User\nspec: {name: a, uid: " + c + "}\n"},
		"tagged number": {"", "apiVersion: machineadm.io/v1alpha1\nkind: User\nspec: {name: a, uid: !!int " + c + "}\n"},
		"tree": {"", "apiVersion: machineadm.io/v1alpha1\nkind: NodeConfig\nspec: " +
			"{kubeletConfiguration: {a: !!int " + c + "}}\n"},
		"merge": {"", "apiVersion: machineadm.io/v1alpha1\nkind: NodeConfig\nspec: {kubeletConfiguration: {<<: " +
			c + "}}\n"},
		"iterations": {"", "apiVersion: machineadm.io/v1alpha1\nkind: EncryptedConfig\nspec: {kdf: {iterations: " + c +
			"}}\n"},
		"torn gzip": {"nothing can be read", "\x1f\x8b\x08" + c},
	}
	search, err := canary.For()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, findings := codec.Codec{}.Decode(t.Context(), []byte(tc.in))
			if !findings.HasErrors() {
				t.Fatalf("it is read: %s", tc.in)
			}
			for _, seen := range search.In(findings.String()) {
				t.Errorf("%s: %s", tc.reason, seen)
			}
			for _, f := range findings {
				if f.Line == 0 && name != "torn gzip" {
					t.Errorf("no line: %s", f)
				}
			}
		})
	}
}
