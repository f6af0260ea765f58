package kubeadm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
)

// facts gives facts their placeholders in encoded text. The zero value is ready.
type facts struct {
	// round makes the placeholders differ from everything else in the text.
	round int
	// placed counts the placeholders handed out in this round, and used are their facts.
	placed int
	used   []document.Fact
}

func (f *facts) prefix() string { return "@fact" + strconv.Itoa(f.round) + "." }

// text returns the content as a string with placeholders for its facts.
func (f *facts) text(c document.Content) string {
	if b, static := c.Static(); static {
		return string(b)
	}
	var b strings.Builder
	for _, part := range c.Fragments() {
		if part.Fact == "" {
			b.Write(part.Literal)
			continue
		}
		b.WriteString(f.prefix() + string(part.Fact) + "@")
		f.placed, f.used = f.placed+1, append(f.used, part.Fact)
	}
	return b.String()
}

// lookalike matches a text that is, or looks like, the beginning of a placeholder.
var lookalike = regexp.MustCompile(`@fact([0-9]{1,9})\.`)

// freeRound returns the first round whose placeholders are not in the text. It reads the text once: a search that tries
// one round after the other would read it as often as the text contains such beginnings.
func freeRound(encoded []byte) int {
	taken := map[string]bool{}
	for _, m := range lookalike.FindAllSubmatch(encoded, -1) {
		taken[string(m[1])] = true
	}
	round := 0
	for taken[strconv.Itoa(round)] {
		round++
	}
	return round
}

// restore returns the encoded text with the facts in the place of their placeholders. It reports false when the text
// holds something that looks like one of them: then another round is due.
func (f *facts) restore(encoded []byte) (document.Content, bool) {
	content := document.Literal(encoded)
	if f.placed == 0 {
		return content, true
	}
	if bytes.Count(encoded, []byte(f.prefix())) != f.placed {
		return document.Content{}, false
	}
	placeholders := map[string]document.Fact{}
	for _, fact := range f.used {
		placeholders[f.prefix()+string(fact)+"@"] = fact
	}
	return content.Substitute(placeholders), true
}

// encode returns the documents as a stream of YAML documents, each written as JSON on one line: userdata is short of
// space, and its readers are programs.
func encode(documents ...any) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(1024)
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for i, d := range documents {
		if i > 0 {
			b.WriteString("---\n")
		}
		if err := encoder.Encode(d); err != nil {
			return nil, fmt.Errorf("encode document %d: %w", i, err)
		}
	}
	return escape(b.Bytes()), nil
}

// escape writes the characters that JSON allows and YAML does not, all of them within strings, in their escaped form
// (YAML 1.2, section 5.1). None of them is below DEL.
func escape(encoded []byte) []byte {
	if !slices.ContainsFunc(encoded, func(b byte) bool { return b >= 0x7f }) {
		return encoded
	}
	var b bytes.Buffer
	for _, c := range string(encoded) {
		if forbidden(c) {
			fmt.Fprintf(&b, `\u%04x`, c)
			continue
		}
		b.WriteRune(c)
	}
	return b.Bytes()
}

func forbidden(c rune) bool {
	return c >= 0x7f && c < 0xa0 || c == 0xfeff || c == 0xfffe || c == 0xffff
}
