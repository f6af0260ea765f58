package terminal_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
)

// hostile contains a character of each kind that a terminal may interpret, also above U+FFFF.
const hostile = "a\x1b[31m\a\x00\x7f\u009b2J\u202e\u2028\u200b\U000e0041\U000f0000\rb ä€😀"

// clean fails for text that a terminal interprets.
func clean(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && r != '\t' && !unicode.IsGraphic(r) {
			t.Fatalf("%q is in %q", r, text)
		}
	}
}

func TestWriter(t *testing.T) {
	const want = `a\u001b[31m\u0007\u0000\u007f\u009b2J\u202e\u2028\u200b\udb40\udc41\udb80\udc00\u000db ä€😀`
	for name, r := range map[string]io.Reader{
		"whole":         strings.NewReader(hostile),
		"byte by byte":  iotest.OneByteReader(strings.NewReader(hostile)),
		"half by half":  iotest.HalfReader(strings.NewReader(hostile)),
		"with an error": iotest.DataErrReader(strings.NewReader(hostile)),
	} {
		var b strings.Builder
		if _, err := io.Copy(terminal.NewWriter(&b), r); err != nil || b.String() != want {
			t.Errorf("%s: got %q, %v", name, b.String(), err)
		}
	}
	var b strings.Builder
	if n, err := terminal.NewWriter(&b, "\x1b[31m").Write([]byte("\x1b[31mred\x1b[32m\xff")); n != 14 || err != nil ||
		b.String() != "\x1b[31mred\\u001b[32m\uFFFD" {
		t.Errorf("permitted sequences and invalid bytes: got %q, %d, %v", b.String(), n, err)
	}
}

// TestJSONIsLossless writes JSON through the writer.
func TestJSONIsLossless(t *testing.T) {
	var b strings.Builder
	if err := json.NewEncoder(terminal.NewWriter(&b)).Encode(map[string]string{hostile: hostile}); err != nil {
		t.Fatal(err)
	}
	clean(t, b.String())
	var got map[string]string
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil || got[hostile] != hostile {
		t.Errorf("got %q, %v from %s", got, err, b.String())
	}
}

func TestYAMLIsLossless(t *testing.T) {
	for _, value := range []string{
		hostile, "\u202e", "first\n\u202esecond\n", "a: \u009b # no comment", "plain", "0x10\u200b",
	} {
		want := map[string]any{"key" + value: value, "list": []any{value, 1}}
		text, err := yaml.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if text, err = terminal.YAML(text); err != nil {
			t.Fatal(err)
		}
		clean(t, string(text))
		var got map[string]any
		if err := yaml.Unmarshal(text, &got); err != nil || got["key"+value] != value {
			t.Errorf("%q: got %q, %v from\n%s", value, got, err, text)
		}
	}
	if _, err := terminal.YAML([]byte("\u202e: [")); err == nil {
		t.Error("invalid YAML is accepted")
	}
}

// TestTable prints cells that imitate other cells and rows.
func TestTable(t *testing.T) {
	var b strings.Builder
	table := terminal.NewTable(&b, 2, 2)
	table.Row("NAME", "STATUS")
	table.Row("x\nroot\tReady", hostile)
	table.Row(1, "")
	table.Heading("")
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "  NAME          STATUS\n  x root Ready  a[31m2Jb ä€😀\n  1             \n\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
