package migrate

import (
	"slices"
	syntax "text/template/parse"
)

// maxTemplate is the maximum size of a template and of its result in bytes, as of the kubeadm provider
// (maxRenderedTemplateBytes, Cluster API 1.14).
const maxTemplate = 1 << 20

// factControlPlaneVersion is the only variable of templates: .controlPlane.version.
const factControlPlaneVersion fact = "controlPlaneVersion"

// templatePieces returns the texts and facts of a Go template. It reads the template's syntax tree, and executes
// nothing. It is false for templates with anything but texts and the version of the control plane, and for text that is
// not a template.
func templatePieces(text string) ([]piece, bool) {
	if len(text) > maxTemplate {
		return nil, false
	}
	tree, all := syntax.New("file"), map[string]*syntax.Tree{}
	tree.Mode = syntax.SkipFuncCheck
	if _, err := tree.Parse(text, "", "", all); err != nil || len(all) > 1 || tree.Root == nil {
		return nil, false
	}
	var out []piece
	add := func(text string) {
		if last := len(out) - 1; last >= 0 && out[last].fact == "" {
			out[last].text += text
		} else if text != "" {
			out = append(out, piece{text: text})
		}
	}
	for _, n := range tree.Root.Nodes {
		switch n := n.(type) {
		case *syntax.TextNode:
			add(string(n.Text))
		case *syntax.ActionNode:
			p, ok := templateValue(n.Pipe)
			if !ok {
				return nil, false
			}
			if p.fact == "" {
				add(p.text)
			} else {
				out = append(out, p)
			}
		default:
			return nil, false
		}
	}
	return out, true
}

// templateValue returns the value of a pipeline with one value: a text, or the version of the control plane.
func templateValue(pipe *syntax.PipeNode) (piece, bool) {
	if len(pipe.Decl) > 0 || len(pipe.Cmds) != 1 || len(pipe.Cmds[0].Args) != 1 {
		return piece{}, false
	}
	version := []string{"controlPlane", "version"}
	switch n := pipe.Cmds[0].Args[0].(type) {
	case *syntax.StringNode:
		return piece{text: n.Text}, true
	case *syntax.FieldNode:
		return piece{fact: factControlPlaneVersion}, slices.Equal(n.Ident, version)
	case *syntax.VariableNode:
		return piece{fact: factControlPlaneVersion}, slices.Equal(n.Ident, append([]string{"$"}, version...))
	default:
		return piece{}, false
	}
}

// template returns the content in pieces. That of contentFormat: Template is a Go template, which the kubeadm provider
// renders before it encodes the content.
func (s *specs) template(f field, encoded bool) []piece {
	format, content := f.get("contentFormat"), f.get("content")
	whole := []piece{{text: content.text()}}
	switch {
	case !format.is("Template"):
		if format.is("Raw") {
			format.take()
		}
		format.unused().report(NoCounterpart, "this format is not known, so the file contains the content itself")
		return whole
	case !content.exists():
		format.report(NoCounterpart, "a Secret contains the template, which is not rendered; write the content, with parts "+
			"and the fact controlPlaneVersion in place of expressions")
		return whole
	}
	found, ok := templatePieces(content.text())
	switch {
	case !ok:
		format.report(NoCounterpart, "the template contains more than the expression {{ .controlPlane.version }}, or more "+
			"than 1 MiB, and is not rendered; write the result, with parts and the fact controlPlaneVersion")
		return whole
	case hasFact(found) && encoded:
		format.report(NoCounterpart, "the template is encoded, and is not rendered; write parts without an encoding, with "+
			"the fact controlPlaneVersion")
		return whole
	case hasFact(found):
		format.report(Changed, versionInFiles)
	default:
		format.take()
	}
	return found
}
