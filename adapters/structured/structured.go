// Package structured reads the YAML, JSON and TOML that users write, within the budget of the object that holds
// the text.
//
// Decoders expand aliases, compare each key of a mapping with all others, and recurse. Therefore this package counts
// the nodes of a text and checks its limits before a library decodes it.
package structured

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/report"
)

// The limits of one text, besides the budget of its object.
const (
	// MaxDepth is the maximum nesting depth, with aliases expanded.
	MaxDepth = 100
	// MaxKeys is the maximum number of keys of a mapping. YAML decoders compare each key with all others.
	MaxKeys = 1000
	// MaxManifestKeys is the maximum number of keys of a mapping in a manifest: more than real ConfigMaps have,
	// and few enough to report all of them as unknown within a second.
	MaxManifestKeys = 10_000
	// MaxTOMLKeys is the maximum number of keys of a TOML text. The decoder searches all keys for each key.
	MaxTOMLKeys = 10_000
	// MaxSeparators is the maximum number of characters that may begin a node. A parser creates at most two nodes for
	// each; together they need less than 64 MiB.
	MaxSeparators = 1 << 17
)

// LimitError means that a text exceeds a limit or contains a duplicate key. It does not quote the text.
type LimitError struct {
	// Line and Column are the position; 0 if it is not known.
	Line, Column    int
	Problem, Remedy string
}

// Error returns the problem.
func (e *LimitError) Error() string { return e.Problem }

// Finding returns the error finding for an error of this package. For a text that is not well-formed, its message
// consists of message, such as "this is not YAML", and the type of mistake.
func Finding(at report.Path, message string, err error) report.Finding {
	var limit *LimitError
	var exceeded *budget.ExceededError
	switch {
	case errors.As(err, &limit):
		f := report.Errorf(at, "%s", limit.Problem).To("%s", limit.Remedy)
		f.Line, f.Column = limit.Line, limit.Column
		return f
	case errors.As(err, &exceeded):
		return report.Errorf(at, "this and what was read before it has %v", exceeded).
			To("write less; aliases are counted after expansion")
	default:
		return Malformed(at, message, err)
	}
}

// YAML returns the documents of a YAML or JSON text, and spends their nodes, after expanding aliases. The additional
// size of the documents when written with expanded aliases is spent as content. The error is a *LimitError, a
// *budget.ExceededError, that of a context that has ended, or the parser's. A refused text spends the possible cost of
// its examination.
func YAML(ctx context.Context, text []byte) ([]*yaml.Node, error) {
	b, cost := budget.FromContext(ctx), Separators(text)
	if err := begin(ctx, b, cost); err != nil {
		return nil, err
	}
	if err := Directives(text); err != nil {
		return nil, err
	}
	documents, err := decode(b, text)
	if err != nil {
		return nil, refuse(b, cost, err)
	}
	return documents, nil
}

// First returns the first document of a text that belongs to no object, such as one of manifests. The document has at
// most limit bytes when it is written with expanded aliases, and its mappings have at most MaxManifestKeys keys. before
// is the number of lines before the text in its file.
func First(text []byte, before, limit int) (*yaml.Node, error) {
	if err := Directives(text); err != nil {
		return nil, err
	}
	document := &yaml.Node{}
	if err := yaml.Unmarshal(text, document); err != nil {
		return nil, err
	}
	e, err := count(document, MaxManifestKeys, before)
	if err == nil && e.written() > limit {
		err = &LimitError{
			Problem: fmt.Sprintf("it has more than %d MiB when its aliases are expanded", limit>>20),
			Remedy:  "use fewer aliases",
		}
	}
	return document, err
}

func decode(b *budget.Budget, text []byte) ([]*yaml.Node, error) {
	var documents []*yaml.Node
	written := 0
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		document := &yaml.Node{}
		err := decoder.Decode(document)
		if errors.Is(err, io.EOF) {
			return documents, b.Spend(budget.Content, written-len(text))
		}
		if err != nil {
			return nil, err
		}
		e, err := count(document, MaxKeys, 0)
		if err == nil {
			err = b.Spend(budget.Nodes, e.nodes)
		}
		written = min(written+e.written(), most)
		if err != nil {
			return nil, err
		}
		documents = append(documents, document)
	}
}

// refuse returns the error. If the refusal exceeds the budget, reading the next text reports that.
func refuse(b *budget.Budget, cost int, err error) error {
	_ = b.Spend(budget.Nodes, cost)
	return err
}

// errEncoding has the parser's message, which package report knows.
var errEncoding = errors.New("yaml: the text is not UTF-8")

// Directives returns an error for a %TAG directive, whose prefix the parser copies to every node that uses it, and for
// UTF-16, which the checks of this package do not support.
func Directives(text []byte) error {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return errEncoding
	}
	rest, line := text, 1
	for {
		before, after, found := bytes.Cut(rest, []byte("%TAG"))
		if !found {
			return nil
		}
		line += bytes.Count(before, []byte("\n"))
		if beginsLine(text[:len(text)-len(after)-len("%TAG")]) {
			return &LimitError{
				Line: line, Column: 1, Problem: "a %TAG directive is not supported",
				Remedy: "write tags in full, or leave them out",
			}
		}
		rest = after
	}
}

// beginsLine reports whether what follows the text is at the beginning of a line, by the line breaks of YAML 1.1.
func beginsLine(text []byte) bool {
	for _, end := range []string{"\n", "\r", "\u0085", "\u2028", "\u2029", "\ufeff"} {
		if bytes.HasSuffix(text, []byte(end)) {
			return true
		}
	}
	return len(text) == 0
}

// begin refuses a text that may not be parsed at all.
func begin(ctx context.Context, b *budget.Budget, separators int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.Left(budget.Nodes) == 0 {
		return b.Spend(budget.Nodes, 1)
	}
	if separators > MaxSeparators {
		return &LimitError{
			Problem: fmt.Sprintf("the text has %d characters that may separate values, such as commas, and %d is the limit",
				separators, MaxSeparators),
			Remedy: "divide it, or move what it holds into files of their own",
		}
	}
	return nil
}

// Separators counts the characters of a YAML or JSON text that may begin a node. See MaxSeparators.
func Separators(text []byte) int { return separators(text, ",:?[{") }

// separators counts the characters that may begin a node, whether they do or not: those given, a dash before a blank,
// the marker of a document's end, and comments, which parsers keep.
func separators(text []byte, characters string) int {
	var counted [256]bool
	for _, c := range []byte(characters) {
		counted[c] = true
	}
	total := 0
	for i, c := range text {
		switch {
		case c == '#':
			// A comment takes as much as two nodes.
			total += 2
		case counted[c]:
			total++
		case c == '-' && (i+1 == len(text) || text[i+1] <= ' ' || text[i+1] >= 0x80):
			total++
		case c == '.' && bytes.HasPrefix(text[i:], []byte("...")):
			total++
		}
	}
	return total
}
