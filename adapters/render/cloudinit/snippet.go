package cloudinit

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// snippet is the cloud-config that the user adds.
//
// It is merged as cloud-init merges two cloud-configs with list(append) and dict(no_replace): list items follow those
// of the renderer, and other keys are added. In write_files only the program follows the snippet's entries, so a file
// that cannot be written fails the bootstrap, too. The snippet's runcmd items run only after a successful bootstrap.
type snippet struct {
	// lists contains the encoded items of each list key.
	lists map[string][]byte
	// rest contains the other keys, encoded.
	rest []byte
	// keys and users contain the position of each key and user.
	keys, users map[string]place
}

// place is a position in a snippet.
type place struct {
	path         report.Path
	line, column int
}

// readSnippets reads the snippets in their order.
func readSnippets(ctx context.Context, p plan.Plan) (snippet, report.Report) {
	all := p.Snippets
	if len(all) == 0 {
		return snippet{}, nil
	}
	s := snippet{lists: map[string][]byte{}, keys: map[string]place{}, users: map[string]place{}}
	var findings report.Report
	for _, one := range all {
		if ctx.Err() == nil {
			r := reader{snippet: &s, path: one.Source.Path, strict: one.Strict, dialect: p.CloudConfig}
			r.read(ctx, one.Text)
			findings = append(findings, r.findings...)
		}
	}
	return s, findings
}

// reader reads one snippet.
type reader struct {
	*snippet
	path     report.Path
	strict   bool
	dialect  delivery.CloudConfig
	findings report.Report
}

func (r *reader) at(line, column int, f report.Finding) {
	f.Line, f.Column = line, column
	r.findings = append(r.findings, f)
}

// warn reports a finding for which cloud-init only logs a warning; it is an error in strict mode.
func (r *reader) warn(n *yaml.Node, f report.Finding) {
	if r.strict {
		f.Severity = report.Error
	}
	r.at(n.Line, n.Column, f)
}

func (r *reader) refuse(n *yaml.Node, format string, args ...any) {
	r.at(n.Line, n.Column, report.Errorf(r.path, format, args...))
}

func (r *reader) read(ctx context.Context, text string) {
	if !r.header(text) {
		return
	}
	root, ok := r.parse(ctx, text)
	if !ok || root == nil {
		return
	}
	if root.Kind != yaml.MappingNode {
		r.refuse(root, "the snippet is not a mapping of cloud-config keys")
		return
	}
	plain := r.resolve(root)
	if r.findings.HasErrors() {
		return
	}
	r.merge(plain)
}

// header refuses templates and text that cloud-init does not recognize as cloud-config. Source: cloud-init's
// documentation, "User data formats".
func (r *reader) header(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	first = strings.TrimRight(first, "\r ")
	switch {
	case strings.HasPrefix(first, "## template:"):
		r.at(1, 1, report.Errorf(r.path, "a template header would turn the whole document into a template").
			To("write the values, or use facts of the machine in files"))
	case strings.HasPrefix(first, "#!"), strings.HasPrefix(first, "#include"), strings.HasPrefix(first, "#cloud-boothook"),
		strings.HasPrefix(first, "#cloud-config-"), strings.HasPrefix(first, "#part-handler"),
		strings.HasPrefix(first, "#upstart-job"),
		strings.HasPrefix(strings.ToLower(first), "content-type:"), strings.HasPrefix(strings.ToLower(first),
			"mime-version:"):
		r.at(1, 1, report.Errorf(r.path, "its first line starts a format other than cloud-config").To(
			"write keys of #cloud-config"))
	default:
		return true
	}
	return false
}

// parse returns the root node, or nil if the text is empty. It limits the number of nodes that resolve creates.
func (r *reader) parse(ctx context.Context, text string) (*yaml.Node, bool) {
	documents, err := structured.YAML(ctx, []byte(text))
	switch {
	case err != nil:
		f := structured.Finding(r.path, "this is not YAML", err)
		r.at(max(f.Line, 1), max(f.Column, 1), f)
		return nil, false
	case len(documents) > 1:
		r.refuse(documents[1], "the snippet has a second document; cloud-init reads one")
		return nil, false
	case len(documents) == 0:
		return nil, true
	}
	return documents[0].Content[0], true
}

// resolve returns a copy without comments, with aliases replaced by their content, because merging splits the document.
// It refuses content that would make cloud-init ignore the whole document.
func (r *reader) resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return r.resolve(n.Alias)
	}
	c := *n
	c.Anchor, c.HeadComment, c.LineComment, c.FootComment = "", "", "", ""
	if c.Style == yaml.FoldedStyle {
		// The encoder does not preserve the line breaks of folded text.
		c.Style = yaml.LiteralStyle
	}
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = r.resolve(child)
	}
	r.readable(&c)
	if c.Kind == yaml.MappingNode {
		r.plainKeys(&c)
	}
	return &c
}

// plainKeys refuses keys that are not scalars, and merge keys whose value is not a mapping.
func (r *reader) plainKeys(n *yaml.Node) {
	for i := 0; i < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Kind != yaml.ScalarNode {
			r.refuse(k, "cloud-init does not read keys that are lists or mappings")
			continue
		}
		if k.Tag == "!!merge" && !mergeable(v) {
			r.refuse(v, "only mappings can be merged")
		}
	}
}

func mergeable(n *yaml.Node) bool {
	if n.Kind != yaml.SequenceNode {
		return n.Kind == yaml.MappingNode
	}
	return !slices.ContainsFunc(n.Content, func(item *yaml.Node) bool { return item.Kind != yaml.MappingNode })
}

// unreadable matches plain scalars that PyYAML, which cloud-init uses, fails to convert: numbers without digits, and
// the default key of YAML 1.1. It also matches base-60 numbers, which are hardly ever intended.
var unreadable = regexp.MustCompile(`^([-+]?0[xb]_+|=|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?)$`)

// datePattern matches plain scalars that PyYAML reads as dates. Source: its implicit resolver for timestamps.
var datePattern = regexp.MustCompile(`^[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?(?:$|(?:[Tt]|[ \t]+)[0-9])`)

// readable refuses tags and plain scalars that PyYAML cannot read.
func (r *reader) readable(n *yaml.Node) {
	if n.Style&yaml.TaggedStyle != 0 {
		_, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
		if n.Kind != yaml.ScalarNode || n.Tag != "!!str" && (n.Tag != "!!binary" || err != nil) {
			r.refuse(n, "cloud-init may not support this tag")
		}
		return
	}
	if n.Kind != yaml.ScalarNode || n.Style != 0 {
		return
	}
	if unreadable.MatchString(n.Value) || datePattern.MatchString(n.Value) && n.Tag != "!!timestamp" {
		r.refuse(n, "quote this value: cloud-init reads it as another type")
	}
}

// merge adds each top-level key to the snippet.
func (r *reader) merge(root *yaml.Node) {
	rest := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for i := 0; i < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		if !r.key(k) {
			continue
		}
		if isListKey(k.Value) {
			r.list(k, v)
			continue
		}
		if first, twice := r.snippet.keys[k.Value]; twice {
			r.refuse(k, "the key %s is in two snippets; the first is at %s", k.Value, first.path)
			continue
		}
		r.snippet.keys[k.Value] = place{path: r.path, line: k.Line, column: k.Column}
		rest.Content = append(rest.Content, k, v)
	}
	if len(rest.Content) > 0 {
		r.rest = append(r.rest, r.encode(rest)...)
	}
}

// key refuses keys that are not strings or that cloud-init does not support.
func (r *reader) key(k *yaml.Node) bool {
	switch {
	case k.Kind != yaml.ScalarNode || k.Tag != "!!str":
		r.refuse(k, "a key of cloud-config is a word")
		return false
	case !r.dialect.Passes(k.Value):
		r.refuse(k, "the machine's infrastructure provider does not pass the key %s on", k.Value)
		return false
	case slices.Contains(moduleKeys(), k.Value):
		r.refuse(k, "%s selects what cloud-init runs and can prevent the bootstrap", k.Value)
		return false
	case !slices.Contains(topLevelKeys(), k.Value):
		r.warn(k, report.Warningf(r.path, "cloud-init does not know the key %s", k.Value))
	}
	return true
}

// list appends the items of a key for which the renderer also writes a list.
func (r *reader) list(k, v *yaml.Node) {
	if v.Kind == yaml.ScalarNode && v.Tag == "!!null" {
		return
	}
	if v.Kind != yaml.SequenceNode {
		r.refuse(v, "%s must be a list, because it is merged", k.Value)
		return
	}
	if r.dialect.Minimal && !r.simple(k.Value, v) {
		return
	}
	if len(v.Content) > 0 {
		items := *v
		items.Style = 0
		r.lists[k.Value] = append(r.lists[k.Value], r.encode(&items)...)
	}
	if k.Value == "users" {
		r.accounts(v)
	}
}

// accounts records the users in the list.
func (r *reader) accounts(list *yaml.Node) {
	for _, u := range list.Content {
		for i := 0; u.Kind == yaml.MappingNode && i < len(u.Content); i += 2 {
			if u.Content[i].Value == "name" {
				v := u.Content[i+1]
				r.users[v.Value] = place{path: r.path, line: v.Line, column: v.Column}
			}
		}
	}
}

// encode writes the node in its original style, so that YAML 1.1 parsers read what the user wrote.
func (r *reader) encode(n *yaml.Node) []byte {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(n), encoder.Close()); err != nil {
		r.findings = append(r.findings, structured.Malformed(r.path, "the snippet cannot be written as YAML", err))
		return nil
	}
	return b.Bytes()
}

// clashes finds users that are both in the plan and in a snippet: cloud-init would use only the last.
func (c *config) clashes(s snippet) report.Report {
	var findings report.Report
	for _, u := range c.users {
		if at, twice := s.users[u.Name]; twice {
			f := report.Errorf(at.path, "the user %s is also one of the machine's", u.Name).To("keep one of them")
			f.Line, f.Column = at.line, at.column
			findings = append(findings, f)
		}
	}
	return findings
}
