// Package quiet removes the values of users' snippets, which may be secret, from the messages of the libraries that
// parse them.
package quiet

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/report"
)

// shortest is the length of the shortest removed values in bytes. Shorter ones are also words of the messages.
const shortest = 4

// The limits of a library's report, whose length depends on the snippet.
const (
	maxFindings = 100
	maxMessage  = 512
)

// Of returns the findings without quoted text and without the snippet's values, in YAML or JSON, that are not quoted.
// Keys remain. After 100 findings the last one contains the number of the others; a message longer than 512 bytes is
// removed.
func Of(r report.Report, snippet string) report.Report {
	if len(r) == 0 {
		return r
	}
	r = shorten(r)
	values := values(snippet)
	for i := range r {
		if message := explained(r[i].Message); message != "" {
			r[i].Message = message
			continue
		}
		message := report.Unquoted(r[i].Message)
		if len(message) > maxMessage {
			// A part of it may be a part of a value.
			message = "the report of the library is too long to be shown"
		}
		r[i].Message = without(message, values)
	}
	return r
}

var (
	// badURL matches errors of net/url, which consist of the URL and the cause.
	badURL = regexp.MustCompile(`(?s)^(?:[a-z ]+: )?parse ".*": `)
	// defaultMode matches a warning whose mode is also a value of other fields, which without would remove.
	defaultMode = regexp.MustCompile(`^((?:mode|permissions) (?:unspecified|unset)[a-z ]*, defaulting to )0[0-7]{3}$`)
)

// explained returns a message of a library whose cause the removal of values would hide, or empty for others. It
// contains no value of the snippet.
func explained(message string) string {
	switch {
	case badURL.MatchString(message):
		return "this is not a URL: check its scheme, host, port and escapes"
	case defaultMode.MatchString(message):
		return message
	default:
		return ""
	}
}

// shorten keeps the first findings, and the severity of those that it leaves out.
func shorten(r report.Report) report.Report {
	if len(r) <= maxFindings {
		return r
	}
	rest := r[maxFindings:]
	last := report.Finding{Severity: report.Warning, Path: rest[0].Path, Message: fmt.Sprintf(
		"%d more findings are left out", len(rest))}
	if rest.HasErrors() {
		last.Severity = report.Error
	}
	return append(slices.Clip(r[:maxFindings]), last)
}

// without returns the message with each value that is a separate word replaced, the longest first. Its
// cost does not depend on how many values there are.
func without(message string, values map[string]bool) string {
	var out strings.Builder
	for i := 0; i < len(message); {
		end := i
		if i == 0 || !isWord(message[i-1]) {
			end = longest(message, i, values)
		}
		if end > i {
			out.WriteString("a value")
			i = end
			continue
		}
		out.WriteByte(message[i])
		i++
	}
	return out.String()
}

// longest returns where the longest value ends that begins at the place, or the place.
func longest(message string, begin int, values map[string]bool) int {
	for end := len(message); end >= begin+shortest; end-- {
		if (end == len(message) || !isWord(message[end])) && values[message[begin:end]] {
			return end
		}
	}
	return begin
}

func isWord(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// values returns the texts of the snippet that are no keys. The snippet was read before, so its size is within the
// budget.
func values(snippet string) map[string]bool {
	found := map[string]bool{}
	for decoder := yaml.NewDecoder(strings.NewReader(snippet)); ; {
		var n yaml.Node
		if decoder.Decode(&n) != nil {
			return found
		}
		scalars(&n, found)
	}
}

func scalars(n *yaml.Node, found map[string]bool) {
	if text := strings.Join(strings.Fields(n.Value), " "); n.Kind == yaml.ScalarNode && len(text) >= shortest {
		found[text] = true
	}
	for i, below := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			scalars(below, found)
		}
	}
}
