package migrate

import (
	"fmt"

	"github.com/machineadm/machineadm/domain/report"
)

// Outcome is what the conversion did with a value of the input.
type Outcome string

// The outcomes.
const (
	// Changed means that the output expresses the value in another way. There is nothing to do.
	Changed Outcome = "changed"
	// Decision means that the output is an assumption that the user has to confirm or to correct.
	Decision Outcome = "decision"
	// NoCounterpart means that the output does not contain the value, and that machineadm cannot express it there.
	NoCounterpart Outcome = "no counterpart"
	// Note is information, such as the source of the operating system.
	Note Outcome = "note"
)

// Line is a line of the report.
type Line struct {
	// Object is the kind and the name of the object in the input, such as KubeadmConfigTemplate/demo-md-0.
	Object string `json:"object"`
	// Field is the path of the value in the input, such as spec.template.spec.files[0].content. It is empty for a line
	// about the whole object.
	Field string `json:"field,omitempty"`
	// Line is the line of the input, from 1.
	Line    int     `json:"line,omitempty"`
	Outcome Outcome `json:"outcome"`
	// Message is what happened to the value, and after a semicolon the remedy.
	Message string `json:"message"`
}

// ledger records which nodes of an object are consumed, and the lines of the report.
type ledger struct {
	object string
	// offset is added to the lines of nodes.
	offset int
	used   map[*node]bool
	lines  []Line
	// reported contains the lines, so that none is added twice.
	reported map[Line]bool
}

func newLedger(object string, offset int) *ledger {
	return &ledger{object: object, offset: offset, used: map[*node]bool{}, reported: map[Line]bool{}}
}

// add appends a line about the field.
func (l *ledger) add(f field, outcome Outcome, format string, args ...any) {
	line := 0
	if f.node != nil && f.node.Line > 0 {
		line = f.node.Line + l.offset
	}
	message := fmt.Sprintf(format, args...)
	added := Line{
		Object: l.object, Field: string(f.path), Line: line, Outcome: outcome, Message: report.Cut(message, report.MaxText),
	}
	if !l.reported[added] {
		l.lines = append(l.lines, added)
	}
	l.reported[added] = true
}
