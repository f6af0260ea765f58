package hostile

import (
	"flag"
	"fmt"
	"strings"
)

// Text is a text in YAML, JSON or TOML that is short to write and costly to parse.
type Text struct {
	// Name is unique, and Reason is the costly part.
	Name, Reason, Text string
}

// Texts returns the texts. Each is below 1 MiB, which is what a data Secret holds.
func Texts() []Text {
	return []Text{
		{"keys", "decoders compare each key with each other one", lines(60_000, "k%d: a\n")},
		{"keys-in-flow", "the same in JSON", "{" + lines(60_000, `"k%d":1,`) + `"end":1}`},
		{"many-mappings", "each of them has many keys", many()},
		{"list", "a value for every two bytes", "[" + strings.Repeat("a,", 1<<19) + "a]"},
		{"pairs", "three values for every four bytes", "[" + strings.Repeat("a: ,", 1<<17) + "a]"},
		{"items", "a value for every three bytes, in lines", strings.Repeat("- \n", 1<<18)},
		{"documents", "a document for every four bytes", strings.Repeat("---\n", 1<<18)},
		{"ended-documents", "a document for every six bytes", strings.Repeat("a\n...\n", 1<<17)},
		{"deep", "parsers recurse", strings.Repeat("[", 1<<19)},
		{"deep-and-closed", "decoders recurse", strings.Repeat("[", 9000) + strings.Repeat("]", 9000)},
		{"deep-mappings", "decoders recurse", strings.Repeat("{a: ", 9000) + strings.Repeat("}", 9000)},
		{"deep-items", "each dash is a list", strings.Repeat("- ", 9000)},
		{"aliases", "aliases multiply", bomb("&%s [%s]", "x")},
		{"merges", "merged mappings multiply", bomb("&%s {<<: [%s]}", "{k: v}")},
		{"cycle", "an anchor holds itself", "a: &a [*a]\n"},
		{"merged-cycle", "a mapping merges itself", "a: &a {<<: *a}\n"},
		{"deep-aliases", "each alias nests the one before", ladder(5000)},
		{"comments", "comments are kept beside what follows", strings.Repeat("# c\n- a\n", 1<<16)},
		{"anchors", "each anchor is remembered", lines(30_000, "- &a%d x\n")},
		{"long-line", "one scalar", "a: " + strings.Repeat("x", 1<<20-16)},
		{"quotes", "escapes", `a: "` + strings.Repeat(`\n`, 1<<18) + `"`},
		{"toml-keys", "the decoder searches all keys for each", lines(60_000, "k%d = 1\n")},
		{"toml-tables", "each table is a key", lines(40_000, "[t%d]\n")},
		{"toml-array", "a value for every two bytes", "a = [" + strings.Repeat("1,", 1<<19) + "1]"},
		{"toml-deep", "the parser recurses", "a = " + strings.Repeat("[", 1<<19)},
		{"toml-dotted", "each part is a table", strings.Repeat("a.", 1<<18) + "b = 1"},
		{"toml-inline", "inline tables nest", strings.Repeat("a={", 1<<17)},
	}
}

func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// many returns a list of mappings that have as many keys as one may have.
func many() string {
	var b strings.Builder
	for i := range 45 {
		fmt.Fprintf(&b, "m%d:\n", i)
		b.WriteString(lines(1000, " k%d: 1\n"))
	}
	return b.String()
}

// bomb returns a chain of anchors each of which holds ten aliases of the one before.
func bomb(format, first string) string {
	var b strings.Builder
	held := first
	for i := range 12 {
		name := string(rune('a' + i))
		fmt.Fprintf(&b, "%s: "+format+"\n", name, name, held)
		held = strings.TrimSuffix(strings.Repeat("*"+name+",", 10), ",")
	}
	return b.String()
}

// ladder returns a chain of anchors each of which holds the one before.
func ladder(n int) string {
	var b strings.Builder
	b.WriteString("- &a0 x\n")
	for i := range n {
		fmt.Fprintf(&b, "- &a%d [*a%d]\n", i+1, i)
	}
	return b.String()
}

// Seed adds the texts to a fuzz target that is fuzzed. As a unit test the target goes without them, since
// TestSnippetsAreCheap and the tests of package structured have them.
func Seed(add func(text string)) {
	if f := flag.Lookup("test.fuzz"); f == nil || f.Value.String() == "" {
		return
	}
	for _, t := range Texts() {
		add(t.Text)
	}
}
