// Package template parses bootstrap templates: userdata of the user with placeholders for the agent's configuration, in
// the syntax of the proposal.
//
//	content: {{ machine_config | gzipBase64 }}
//
// The syntax is a subset of Go templates: text and pipelines such as the one above, without loops, conditions,
// definitions or variables. So the execution time is proportional to the text, and the result depends only on the
// configuration.
package template

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/template/parse"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/report"
)

// The names that a template may use.
const (
	config     = "machine_config"
	inBase64   = "base64"
	gzipBase64 = "gzipBase64"
)

// The limits of a template: the size of its text in bytes, and the number of placeholders.
const (
	MaxBytes  = 256 << 10
	maxPlaces = 8
	// maxFindings limits the number of findings, because the position of each is searched in the text.
	maxFindings = 10
)

// ErrTooLarge means that the result exceeds delivery.MaxStored.
var ErrTooLarge = fmt.Errorf("more than %d bytes", delivery.MaxStored)

// Template is a parsed template.
type Template struct{ parts []part }

// part is literal text, or the configuration with the functions to apply, in their order.
type part struct {
	text      []byte
	functions []string
	places    bool
}

// Parse parses a template. Mistakes are error findings with their line. at is the path of the field that names the
// template.
func Parse(text string, at report.Path) (Template, report.Report) {
	if len(text) > MaxBytes {
		return Template{}, report.Report{report.Errorf(at, "the template has %d bytes, and may have %d", len(text), MaxBytes)}
	}
	known := map[string]any{config: true, inBase64: true, gzipBase64: true}
	trees, err := parse.Parse("template", text, "{{", "}}", known)
	if err != nil {
		return Template{}, report.Report{syntax(err, at)}
	}
	r := reader{text: text, at: at}
	if len(trees) > 1 || trees["template"] == nil {
		r.refuse(strings.Index(text, "{{"), "a definition")
	}
	if tree := trees["template"]; tree != nil && tree.Root != nil {
		for _, n := range tree.Root.Nodes {
			r.read(n)
		}
	}
	r.count()
	return Template{parts: r.parts}, r.findings
}

// place matches the line number in an error of the parser.
var place = regexp.MustCompile(`^template: template:([0-9]+):`)

// syntax returns a finding for an error of the parser. It omits the message, which quotes the template.
func syntax(err error, at report.Path) report.Finding {
	message := "this is not a template"
	for _, m := range [][2]string{
		{"not defined", "a function is not known"},
		{"unclosed action", "a pair of braces is not closed"},
		{"unterminated", "a quoted text is not closed"},
		{"unexpected EOF", "it ends too early"},
	} {
		if strings.Contains(err.Error(), m[0]) {
			message += ": " + m[1]
			break
		}
	}
	f := report.Errorf(at, "%s", message).
		To("write text with {{ %s }}, {{ %s | %s }} and {{ %s | %s }}", config, config, inBase64, config, gzipBase64)
	if found := place.FindStringSubmatch(err.Error()); found != nil {
		// The parser counts lines in an int.
		f.Line, _ = strconv.Atoi(found[1])
		f.Column = 1
	}
	return f
}

// reader converts parse nodes to parts.
type reader struct {
	text     string
	at       report.Path
	parts    []part
	findings report.Report
}

// refuse adds a finding about a construct that templates must not contain. It does not quote the template, which may
// come from a Secret.
func (r *reader) refuse(position int, what string) {
	if len(r.findings) == maxFindings {
		return
	}
	f := report.Errorf(r.at, "the template has %s", what).
		To("write text with {{ %s }}, {{ %s | %s }} and {{ %s | %s }} alone", config, config, inBase64, config, gzipBase64)
	r.findings = append(r.findings, r.located(position, f))
}

// located returns the finding with the line and column of the position.
func (r *reader) located(position int, f report.Finding) report.Finding {
	before := r.text[:min(max(position, 0), len(r.text))]
	f.Line, f.Column = strings.Count(before, "\n")+1, len(before)-strings.LastIndexByte(before, '\n')
	return f
}

func (r *reader) read(n parse.Node) {
	switch n := n.(type) {
	case *parse.TextNode:
		r.parts = append(r.parts, part{text: n.Text})
	case *parse.ActionNode:
		r.pipeline(n.Pipe)
	default:
		r.refuse(int(n.Position()), named(n))
	}
}

// named describes the type of a node without quoting it.
func named(n parse.Node) string {
	switch n.Type() {
	case parse.NodeRange, parse.NodeBreak, parse.NodeContinue:
		return "a loop"
	case parse.NodeIf, parse.NodeWith:
		return "a condition"
	case parse.NodeTemplate:
		return "a call of a definition"
	default:
		return "something else than text and the configuration"
	}
}

// otherPipeline describes a pipeline that contains anything else than the configuration and its functions.
const otherPipeline = "a pipeline of something else than the configuration and its functions"

// pipeline converts a pipeline of the configuration and functions: machine_config | f | g, or f machine_config | g.
func (r *reader) pipeline(p *parse.PipeNode) {
	if len(p.Decl) > 0 || len(p.Cmds) == 0 {
		r.refuse(int(p.Pos), otherPipeline)
		return
	}
	var words []string
	for i, c := range p.Cmds {
		names, ok := identifiers(c)
		if !ok || len(names) > 2 || i > 0 && len(names) != 1 {
			r.refuse(int(p.Pos), otherPipeline)
			return
		}
		if len(names) == 2 {
			names[0], names[1] = names[1], names[0]
		}
		words = append(words, names...)
	}
	if words[0] != config || containsConfig(words[1:]) {
		r.refuse(int(p.Pos), otherPipeline)
		return
	}
	if language := structured(r.text); language != "" && len(words) == 1 {
		r.findings = append(r.findings, r.located(int(p.Pos), report.Errorf(r.at,
			"the configuration has several lines and is not quoted, so that the template is not %s any more", language).
			To("write {{ %s | %s }} or {{ %s | %s }}, and set the encoding of the file", config, inBase64, config, gzipBase64)))
	}
	r.parts = append(r.parts, part{places: true, functions: words[1:]})
}

var beginOfObject = regexp.MustCompile(`^\{\s*"`)

// structured returns the language of a template in which a text of several lines cannot be inserted, or empty for
// scripts and other text. Sources: cloud-init's "User-data formats", and the Ignition specification.
func structured(text string) string {
	text = strings.TrimSpace(text)
	if first, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "## template:") {
		text = rest
	}
	switch {
	case strings.HasPrefix(text, "#cloud-config"):
		return "YAML"
	case beginOfObject.MatchString(text):
		return "JSON"
	default:
		return ""
	}
}

func containsConfig(words []string) bool {
	for _, w := range words {
		if w == config {
			return true
		}
	}
	return false
}

func identifiers(c *parse.CommandNode) ([]string, bool) {
	names := make([]string, 0, len(c.Args))
	for _, a := range c.Args {
		n, is := a.(*parse.IdentifierNode)
		if !is {
			return nil, false
		}
		names = append(names, n.Ident)
	}
	return names, len(names) > 0
}

// count adds a finding if the template does not insert the configuration, or inserts it too often: it is compressed
// each time.
func (r *reader) count() {
	places := 0
	for _, p := range r.parts {
		if p.places {
			places++
		}
		if len(p.functions) > maxPlaces {
			r.refuse(0, "a long pipeline")
		}
	}
	switch {
	case len(r.findings) > 0:
	case places == 0:
		r.findings = append(r.findings, report.Errorf(r.at, "the template has no place for the configuration").
			To("write {{ %s | %s }} where it belongs", config, gzipBase64))
	case places > maxPlaces:
		r.findings = append(r.findings, report.Errorf(r.at,
			"the template places the configuration %d times, and may %d times", places, maxPlaces))
	}
}

// Execute returns the text with the configuration inserted. It is deterministic. The error is ErrTooLarge if the result
// of a function or the text exceeds delivery.MaxStored bytes.
func (t Template) Execute(configuration []byte) ([]byte, error) {
	var out bytes.Buffer
	for _, p := range t.parts {
		if !p.places {
			out.Write(p.text)
			continue
		}
		value := configuration
		for _, f := range p.functions {
			var err error
			if value, err = apply(f, value); err != nil {
				return nil, err
			}
			if len(value) > delivery.MaxStored {
				return nil, ErrTooLarge
			}
		}
		if out.Len()+len(value) > delivery.MaxStored {
			return nil, ErrTooLarge
		}
		out.Write(value)
	}
	return out.Bytes(), nil
}

func apply(function string, value []byte) ([]byte, error) {
	if function == gzipBase64 {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write(value); err != nil {
			return nil, fmt.Errorf("compress the configuration: %w", err)
		}
		if err := z.Close(); err != nil {
			return nil, fmt.Errorf("compress the configuration: %w", err)
		}
		value = packed.Bytes()
	}
	return base64.StdEncoding.AppendEncode(nil, value), nil
}
