// Package manifest validates Kubernetes manifests that users write for programs on the machine, such as an audit policy
// or a static Pod, so that mistakes are reported before the machine boots.
package manifest

import (
	"context"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/report"
)

// Type is the required type of a manifest.
type Type struct {
	// APIVersions are the versions that the program supports.
	APIVersions []string
	Kind        string
}

// Manifest is a parsed manifest.
type Manifest struct{ root *yaml.Node }

// Read parses a manifest. It returns error findings if the text is not one well-formed YAML or JSON mapping of the
// type, or exceeds the budget. The findings do not quote the manifest, which may contain secrets. For a text that is
// not a mapping, the result is the zero Manifest, which has no fields.
func Read(ctx context.Context, p report.Path, content []byte, want Type) (Manifest, report.Report) {
	root, r := parse(ctx, p, content)
	if root == nil {
		return Manifest{}, r
	}
	r = append(r, checkField(p, root, "apiVersion", want.APIVersions)...)
	return Manifest{root: root}, append(r, checkField(p, root, "kind", []string{want.Kind})...)
}

// Field returns the scalar at the path of keys. It is false if there is none.
func (m Manifest) Field(keys ...string) (string, bool) {
	n := m.root
	for _, key := range keys {
		if n == nil || n.Kind != yaml.MappingNode {
			return "", false
		}
		n = lookup(n, key)
	}
	if n == nil || n.Kind != yaml.ScalarNode {
		return "", false
	}
	return n.Value, true
}

// CheckPatch returns error findings for a patch that is not well-formed YAML or JSON, or has the wrong shape. A patch
// of type json must be a list, all others a mapping. It returns the mappings without errors.
func CheckPatch(ctx context.Context, p report.Path, content []byte, list bool) ([]map[string]any, report.Report) {
	documents, r := decode(ctx, p, content)
	if len(r) == 0 && len(documents) == 0 {
		return nil, report.Report{report.Errorf(p, "the patch is empty").To("set its content, or remove it")}
	}
	var mappings []map[string]any
	for _, d := range documents {
		switch {
		case list && d.Kind != yaml.SequenceNode:
			r = append(r, at(report.Errorf(p, "a JSON patch is a list of operations"), d))
		case !list && d.Kind != yaml.MappingNode:
			r = append(r, at(report.Errorf(p, "the patch is not a mapping"), d))
		case !list:
			var m map[string]any
			if d.Decode(&m) == nil {
				mappings = append(mappings, m)
			}
		}
	}
	return mappings, r
}

// parse returns the only document's root, or nil and what is wrong.
func parse(ctx context.Context, p report.Path, content []byte) (*yaml.Node, report.Report) {
	documents, r := decode(ctx, p, content)
	switch {
	case len(r) > 0:
		return nil, r
	case len(documents) == 0:
		return nil, report.Report{report.Errorf(p, "there is no document in it")}
	case len(documents) > 1:
		return nil, report.Report{at(report.Errorf(p, "there are %d documents in it; only the first would be read",
			len(documents)), documents[1]).
			To("leave one")}
	case documents[0].Kind != yaml.MappingNode:
		return nil, report.Report{at(report.Errorf(p, "it is not a mapping"), documents[0]).To(
			"begin it with apiVersion and kind")}
	}
	return documents[0], nil
}

// decode returns the roots of all documents that are not empty.
func decode(ctx context.Context, p report.Path, content []byte) ([]*yaml.Node, report.Report) {
	documents, err := structured.YAML(ctx, content)
	if err != nil {
		return nil, report.Report{structured.Finding(p, "this is not well-formed YAML", err)}
	}
	var roots []*yaml.Node
	for _, document := range documents {
		// What a value's tag does not allow is only found when it is decoded.
		var value any
		if err := document.Decode(&value); err != nil {
			return nil, report.Report{structured.Finding(p, "this is not well-formed YAML", err)}
		}
		if root := rootOf(document); root != nil {
			roots = append(roots, root)
		}
	}
	return roots, nil
}

func rootOf(document *yaml.Node) *yaml.Node {
	if len(document.Content) == 0 || document.Content[0].Tag == "!!null" {
		return nil
	}
	return document.Content[0]
}

func checkField(p report.Path, root *yaml.Node, key string, allowed []string) report.Report {
	value := lookup(root, key)
	if value == nil {
		return report.Report{at(report.Errorf(p, "it has no %s", key), root).To("write %s: %s", key, allowed[0])}
	}
	if slices.Contains(allowed, value.Value) {
		return nil
	}
	return report.Report{at(report.Errorf(p, "its %s does not match", key), value).To("use %s", oneOf(allowed))}
}

func oneOf(allowed []string) string {
	text := allowed[0]
	for _, a := range allowed[1:] {
		text += " or " + a
	}
	return text
}

func lookup(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

func at(f report.Finding, n *yaml.Node) report.Finding {
	f.Line, f.Column = n.Line, n.Column
	return f
}
