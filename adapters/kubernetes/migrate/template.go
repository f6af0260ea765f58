package migrate

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
)

var (
	// expression matches an expression of a Go template.
	expression = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	// control matches an expression whose place decides about the text after it.
	control = regexp.MustCompile(`^\{\{-?\s*(?:if|else|end|range|with|define|block|break|continue|\$\w+\s*:?=)`)
	// ownLine matches a line that is only one of the words.
	ownLine = regexp.MustCompile(`(?m)^([ \t]*)(class-expression-\d+-)[ \t]*$`)
)

// goTemplate is a template of a ClusterClass whose text is YAML with words in the places of its expressions.
type goTemplate struct {
	value *node
	// expressions are in their order. quoted are the words in texts with quotes.
	expressions []string
	quoted      map[string]bool
}

func expressionWord(i int) string { return fmt.Sprintf("class-expression-%d-", i) }

// parseTemplate returns a template, or nil if its text is not YAML.
func parseTemplate(text string) *goTemplate {
	t := &goTemplate{quoted: map[string]bool{}}
	masked := expression.ReplaceAllStringFunc(text, func(e string) string {
		t.expressions = append(t.expressions, e)
		return expressionWord(len(t.expressions) - 1)
	})
	// A line of its own, such as the declaration of a variable, is a comment: YAML has no place for it.
	if !ownLine.MatchString(strings.TrimSpace(masked)) || strings.Contains(strings.TrimSpace(masked), "\n") {
		masked = ownLine.ReplaceAllString(masked, "$1# $2")
	}
	documents, err := structured.YAML(context.Background(), []byte(masked))
	if err != nil || len(documents) != 1 || len(documents[0].Content) != 1 {
		return nil
	}
	t.value = clone(documents[0].Content[0])
	t.findQuoted(t.value)
	return t
}

func (t *goTemplate) findQuoted(n *node) {
	if n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		for i := range t.expressions {
			if strings.Contains(n.Value, expressionWord(i)) {
				t.quoted[expressionWord(i)] = true
			}
		}
	}
	for _, c := range n.Content {
		t.findQuoted(c)
	}
}

// quote gives a text of the result quotes if its expressions had quotes.
func (t *goTemplate) quote(n *node) {
	if n.Kind == yaml.ScalarNode && n.Style == 0 {
		for word := range t.quoted {
			if strings.Contains(n.Value, word) {
				n.Style = yaml.DoubleQuotedStyle
			}
		}
	}
	for _, c := range n.Content {
		t.quote(c)
	}
}

// text returns the template of a converted value. It fails if an expression is missing, or if their order changed and
// one of them is a control structure.
func (t *goTemplate) text(value *node) (string, bool) {
	t.quote(value)
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(value); err != nil {
		return "", false
	}
	text, last := out.String(), -1
	var pairs []string
	for i, e := range t.expressions {
		word := expressionWord(i)
		at := strings.Index(text, word)
		if at < 0 || t.ordered() && (at < last || strings.Count(text, word) != 1) {
			return "", false
		}
		last = at
		pairs = append(pairs, "# "+word, e, word, e)
	}
	return strings.NewReplacer(pairs...).Replace(text), true
}

// result returns the source of a patch's value, or false if the value cannot be a template.
func (t *goTemplate) result(value *node) (*node, bool) {
	if value == nil {
		return nil, false
	}
	body, ok := t.text(value)
	return put(mapping(), templateKey, text(body)), ok
}

func (t *goTemplate) ordered() bool {
	for _, e := range t.expressions {
		if control.MatchString(e) {
			return true
		}
	}
	return false
}
