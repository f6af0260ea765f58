package cli

import (
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/report"
)

// position is a place in a file. Lines and columns begin with 1.
type position struct {
	file         *file
	line, column int
	// exact is set if the field exists; otherwise the place is that of its innermost parent that exists.
	exact bool
	// inText is set if the place is in the multi-line text of the field.
	inText bool
}

// locate returns the place of a field, or of its innermost parent that exists.
func (o *object) locate(p report.Path) position {
	found := o.fields.Find(p)
	return position{file: o.file, line: found.Place.Line + o.offset, column: found.Place.Column, exact: found.Exact}
}

// locateText returns the place of a line and a column in the text of a field, if the text is a literal block.
// Otherwise it returns the place of the field.
func (o *object) locateText(p report.Path, line, column int) position {
	line, column, inText := o.fields.Find(p).InText(o.file.lines, o.offset, line, column)
	if !inText {
		return o.locate(p)
	}
	return position{file: o.file, line: line, column: column, exact: true, inText: true}
}

// child returns the value of a field, or an empty node if there is none.
func child(n *yaml.Node, name string) *yaml.Node {
	found := structured.NewFinder(n).Find(report.Path(name))
	switch {
	case !found.Exact:
		return &yaml.Node{}
	case found.Value.Kind == yaml.AliasNode:
		return found.Value.Alias
	default:
		return found.Value
	}
}
