// Package quiet keeps the values of users' snippets, which may be secret, out of what the libraries of their languages say of them.
package quiet

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/report"
)

// shortest is how long a value is, in bytes, that is left out. Shorter ones are words of the messages, too.
const shortest = 4

// Of returns the findings without what they quote, and without the values of the snippet, YAML or JSON, that they tell without quotation marks.
// Keys are told.
func Of(r report.Report, snippet string) report.Report {
	values := values(snippet)
	for i := range r {
		r[i].Message = report.Unquoted(r[i].Message)
		for _, v := range values {
			r[i].Message = v.ReplaceAllString(r[i].Message, "${1}a value${2}")
		}
	}
	return r
}

// values returns what finds each text of the snippet that is no key, the longest first.
func values(snippet string) []*regexp.Regexp {
	var texts []string
	for decoder := yaml.NewDecoder(strings.NewReader(snippet)); ; {
		var n yaml.Node
		if decoder.Decode(&n) != nil {
			break
		}
		scalars(&n, &texts)
	}
	slices.SortFunc(texts, func(a, b string) int { return len(b) - len(a) })
	found := make([]*regexp.Regexp, 0, len(texts))
	for _, text := range slices.Compact(texts) {
		found = append(found, regexp.MustCompile(`(^|[^0-9A-Za-z])`+regexp.QuoteMeta(text)+`([^0-9A-Za-z]|$)`))
	}
	return found
}

func scalars(n *yaml.Node, found *[]string) {
	if text := strings.Join(strings.Fields(n.Value), " "); n.Kind == yaml.ScalarNode && len(text) >= shortest {
		*found = append(*found, text)
	}
	for i, below := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			scalars(below, found)
		}
	}
}
