package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/budget"
)

// Options configure the conversion.
type Options struct {
	// OS is the operating system of all machines. If its distribution is empty, each machine's system is derived from the
	// names of images and from the infrastructure, and the report contains the source.
	OS OS
}

// OS is an operating system.
type OS struct {
	// Distribution is the ID of a profile, such as ubuntu.
	Distribution string
	// Version is the version of the distribution, such as 24.04. Empty means the newest one that is known.
	Version string
}

// ParseOS reads DISTRIBUTION[:VERSION].
func ParseOS(s string) OS {
	distribution, version, _ := strings.Cut(s, ":")
	return OS{Distribution: distribution, Version: version}
}

// Result is the converted text and its report.
type Result struct {
	// Manifests are the YAML documents in the order of the input.
	Manifests []byte
	// Report is in the order of the input.
	Report []Line
}

// LimitError is the error about a document that exceeds a limit of package budget.
type LimitError struct {
	// Line is the first line of the document in the input, after its separator.
	Line int
	Err  error
}

// Error returns the line and the limit.
func (e *LimitError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error of package budget.
func (e *LimitError) Unwrap() error { return e.Err }

// Convert converts YAML documents. It returns an error only if the input exceeds a limit of package budget, which is a
// LimitError. A document that is not YAML is copied, and the report contains the reason.
func Convert(ctx context.Context, in []byte, o Options) (Result, error) {
	in = bytes.ReplaceAll(in, []byte("\r\n"), []byte("\n"))
	var documents []*manifest
	line := 0
	for _, body := range split(string(in)) {
		d, err := parse(ctx, body, line)
		if err != nil {
			return Result{}, err
		}
		documents = append(documents, d.items()...)
		line += strings.Count(body, "\n")
	}
	c := newConversion(documents, o)
	c.run()
	return c.result()
}

// split returns the documents of a text, each with its separator. A separator is a line that begins with three dashes.
func split(in string) []string {
	var out []string
	start, at := 0, 0
	for line := range strings.Lines(in) {
		if strings.HasPrefix(line, "---") && at > start {
			out = append(out, in[start:at])
			start = at
		}
		at += len(line)
	}
	return append(out, in[start:])
}

// manifest is a document of the input.
type manifest struct {
	*ledger
	// body is the text of the document with its separator.
	body string
	// root is the object; nil if the document is not an object.
	root *node
	// document is the node of the whole document, which has the comments around the object.
	document *node
	changed  bool
	// masked are the variables of clusterctl that the text cannot contain as YAML, by the words in their places.
	masked []string
}

func parse(ctx context.Context, body string, offset int) (*manifest, error) {
	d := &manifest{body: body}
	content, first := body, offset+1
	if strings.HasPrefix(body, "---") {
		content, first = "   "+body[3:], offset+2
	}
	nodes, err := structured.YAML(ctx, []byte(content))
	if err != nil {
		if masked := d.mask(content); masked != content {
			nodes, err = structured.YAML(ctx, []byte(masked))
		}
	}
	d.ledger = newLedger("document", offset)
	var exceeded *budget.ExceededError
	if ctx.Err() != nil || errors.As(err, &exceeded) {
		return nil, &LimitError{first, err}
	}
	if err != nil {
		finding := structured.Finding("", "this is not YAML", err)
		d.lines = append(d.lines, Line{
			Object: "document", Line: offset + max(finding.Line, 1), Outcome: Decision,
			Message: finding.Message + "; the document was copied, convert it by hand",
		})
		return d, nil
	}
	if len(nodes) == 1 && len(nodes[0].Content) == 1 && nodes[0].Content[0].Kind == yaml.MappingNode {
		d.document = nodes[0]
		d.setRoot(clone(nodes[0].Content[0]))
	} else if len(nodes) == 1 && len(nodes[0].Content) == 1 {
		d.jsonPatch(field{ledger: d.ledger, node: nodes[0].Content[0]})
	}
	return d, nil
}

func (d *manifest) setRoot(root *node) {
	d.root = root
	d.object = strings.TrimSuffix(d.kind()+"/"+d.unmask(d.name()), "/")
}

func (d *manifest) field() field { return field{ledger: d.ledger, node: d.root} }

func (d *manifest) kind() string { return d.field().get("kind").text() }

func (d *manifest) name() string { return d.field().get("metadata", "name").text() }

// group returns the API group of the object.
func (d *manifest) group() string {
	group, _, ok := strings.Cut(d.field().get("apiVersion").text(), "/")
	if !ok {
		return ""
	}
	return group
}

// encode returns the text of the document. An unchanged one is the same bytes as in the input.
func (d *manifest) encode() ([]byte, error) {
	if !d.changed {
		return []byte(d.body), nil
	}
	var out bytes.Buffer
	if strings.HasPrefix(d.body, "---") {
		separator, _, _ := strings.Cut(d.body, "\n")
		out.WriteString(strings.TrimRight(separator, " ") + "\n")
	}
	d.document.Content[0] = d.root
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(d.document); err != nil {
		return nil, fmt.Errorf("encode %s: %w", d.object, err)
	}
	return []byte(d.unmask(out.String())), e.Close()
}

// flowVariable matches a variable of clusterctl in a list or a mapping in brackets, where YAML has no place for its
// braces.
var flowVariable = regexp.MustCompile(`\$\{[^{}\n]*\}`)

// mask replaces the variables in lines with brackets by words.
func (d *manifest) mask(content string) string {
	lines := strings.SplitAfter(content, "\n")
	for i, line := range lines {
		bracket := strings.IndexAny(line, "[{")
		if bracket < 0 || strings.Contains(line, "$${") {
			continue
		}
		lines[i] = line[:bracket] + flowVariable.ReplaceAllStringFunc(line[bracket:], func(variable string) string {
			d.masked = append(d.masked, variable)
			return d.word(len(d.masked) - 1)
		})
	}
	return strings.Join(lines, "")
}

// word is the word in the place of a variable.
func (d *manifest) word(i int) string { return fmt.Sprintf("clusterctl-variable-%d-", i) }

func (d *manifest) unmask(s string) string {
	if len(d.masked) == 0 {
		return s
	}
	var pairs []string
	for i, variable := range d.masked {
		pairs = append(pairs, d.word(i), variable)
	}
	return strings.NewReplacer(pairs...).Replace(s)
}
