// Package containerlinux translates Container Linux Configs, the language in which users of Flatcar write Ignition 2,
// to Ignition 2.3. It supports the language of the Container Linux Config Transpiler 0.9 without a platform:
// placeholders such as {PRIVATE_IPV4} become variables of the metadata service.
//
// It does not read files, so contents.local is an error finding.
package containerlinux

import (
	"errors"
	"fmt"

	"github.com/flatcar/ignition/config/v2_3/types"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/report"
)

// Version is the Ignition specification of the result.
const Version = "2.3.0"

// Snippet is a text to translate.
type Snippet struct {
	// Path is the path of the field with the text.
	Path report.Path
	// Strict turns warnings into errors.
	Strict bool
}

// Translate returns the Ignition configuration. Findings have the line and column in the text. Their messages may quote
// values. With error findings, the configuration is empty.
func Translate(document *yaml.Node, s Snippet) (types.Config, report.Report) {
	t := translation{snippet: s}
	var in config
	if err := document.Decode(&in); err != nil {
		t.mistyped(err)
		return types.Config{}, t.findings
	}
	root := document.Content[0]
	t.unknownKeys(root, in)
	t.out.Ignition.Version = Version
	t.ignition(in, root)
	t.storage(in.Storage, child(root, "storage"))
	t.passwd(in.Passwd)
	t.services(in, root)
	t.units(in)
	t.update(in, root)
	if !t.findings.HasErrors() {
		t.validate(root)
	}
	if t.findings.HasErrors() {
		return types.Config{}, t.findings
	}
	return t.out, t.findings
}

// translation is one in the making.
type translation struct {
	snippet Snippet
	out     types.Config
	// ours is how many of the units are not the text's own; they come first.
	ours     int
	findings report.Report
}

// refuse adds an error finding at the node, which may be nil.
func (t *translation) refuse(n *yaml.Node, format string, args ...any) {
	t.find(report.Error, n, format, args...)
}

// warn adds a warning at the node, which may be nil.
func (t *translation) warn(n *yaml.Node, format string, args ...any) {
	t.find(report.Warning, n, format, args...)
}

func (t *translation) find(severity report.Severity, n *yaml.Node, format string, args ...any) {
	if t.snippet.Strict {
		severity = report.Error
	}
	f := report.Finding{Severity: severity, Path: t.snippet.Path, Message: fmt.Sprintf(format, args...)}
	if n != nil {
		f.Line, f.Column = n.Line, n.Column
	}
	t.findings = append(t.findings, f)
}

// mistyped makes findings of the decoder's error, one for each value of another type than its field.
func (t *translation) mistyped(err error) {
	var several *yaml.TypeError
	if !errors.As(err, &several) {
		t.findings = append(t.findings, structured.Malformed(t.snippet.Path, "this is not a Container Linux Config", err))
		return
	}
	for _, message := range several.Errors {
		t.findings = append(t.findings, structured.Malformed(t.snippet.Path, "this is not a Container Linux Config",
			errors.New(message)))
	}
}

// child returns the value of a key of a mapping, or nil.
func child(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		n = value(resolved(n), key)
	}
	return n
}

// value returns the value of a key of a mapping or of what is merged into it, or nil.
func value(n *yaml.Node, key string) *yaml.Node {
	var merged *yaml.Node
	for i := 0; n != nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		switch k := n.Content[i]; {
		case isMerge(k):
			for _, m := range mappings(n.Content[i+1]) {
				if merged == nil {
					merged = value(m, key)
				}
			}
		case k.Value == key:
			return n.Content[i+1]
		}
	}
	return merged
}

// item returns the item of a list, or nil.
func item(n *yaml.Node, i int) *yaml.Node {
	if n = resolved(n); n == nil || n.Kind != yaml.SequenceNode || i < 0 || i >= len(n.Content) {
		return nil
	}
	return n.Content[i]
}

// resolved returns the value of an alias.
func resolved(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func isMerge(key *yaml.Node) bool { return key.Tag == "!!merge" || key.Value == "<<" && key.Tag == "" }

// mappings returns the mappings that a merge key names.
func mappings(n *yaml.Node) []*yaml.Node {
	n = resolved(n)
	if n.Kind != yaml.SequenceNode {
		return []*yaml.Node{n}
	}
	all := make([]*yaml.Node, len(n.Content))
	for i, one := range n.Content {
		all[i] = resolved(one)
	}
	return all
}
