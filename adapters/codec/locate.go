package codec

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/report"
)

// Locate sets the line and column of each finding whose path begins with a document of the text: the position of the
// field, or of its innermost parent in the text. If a finding already has a line, it is relative to the text of the
// field. The text must have been accepted by Decode, because Locate does not check the limits again.
func (Codec) Locate(text []byte, findings report.Report) report.Report {
	findings = slices.Clone(findings)
	lines := strings.Split(string(text), "\n")
	position := 0
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var n yaml.Node
		if decoder.Decode(&n) != nil {
			return findings
		}
		root, isDocument := rootOf(&n)
		if !isDocument {
			continue
		}
		path := documentPath(position)
		position++
		fields := structured.NewFinder(root)
		for i := range findings {
			if f := &findings[i]; f.Path.Under(path) {
				f.Line, f.Column = placeOf(fields.Find(f.Path[len(path):]), lines, *f)
			}
		}
	}
}

func placeOf(found structured.Found, lines []string, f report.Finding) (line, column int) {
	if line, column, inText := found.InText(lines, 0, f.Line, f.Column); inText {
		return line, column
	}
	if f.Line > 0 && found.Value.Kind != yaml.ScalarNode {
		// The place of the document's kind.
		return f.Line, f.Column
	}
	return found.Place.Line, found.Place.Column
}
