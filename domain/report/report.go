// Package report defines findings: problems of an input, or information about it, with the place and the remedy.
//
// A finding is for the author of the input; an error is for a program that failed. Findings are values, so they are
// compared with goldens like any other output.
package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity is a finding's effect on the result.
type Severity int

// The severities, mildest first.
const (
	// Info describes what will happen; no action is needed.
	Info Severity = iota + 1
	// Warning reports a likely mistake; the output is still rendered.
	Warning
	// Error reports a mistake that makes the output wrong; none is rendered.
	Error
)

// String returns the lower-case name of the severity.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	default:
		return fmt.Sprintf("severity(%d)", int(s))
	}
}

// Finding is one message to the author of an input.
type Finding struct {
	// Severity is the effect on the result.
	Severity Severity
	// Path names the field at fault.
	Path Path
	// Message describes the problem, without a final full stop. It never contains a secret.
	Message string
	// Remedy describes how to correct the problem. It is empty if the message shows it.
	Remedy string
	// Line and Column are the 1-based position in the text of the input or of the field, such as a snippet; 0 if it is
	// not known.
	Line, Column int
}

// String returns the finding on one line.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", f.Severity)
	switch {
	case f.Path != "" && f.Line > 0:
		fmt.Fprintf(&b, "%s (line %d, column %d): ", f.Path, f.Line, f.Column)
	case f.Path != "":
		fmt.Fprintf(&b, "%s: ", f.Path)
	case f.Line > 0:
		fmt.Fprintf(&b, "line %d, column %d: ", f.Line, f.Column)
	}
	b.WriteString(f.Message)
	if f.Remedy != "" {
		fmt.Fprintf(&b, "; %s", f.Remedy)
	}
	return b.String()
}

// Report is a list of findings in the order in which they were found.
type Report []Finding

// Errorf returns an error finding about the field at p.
func Errorf(p Path, format string, args ...any) Finding {
	return Finding{Severity: Error, Path: p, Message: fmt.Sprintf(format, args...)}
}

// Warningf returns a warning about the field at p.
func Warningf(p Path, format string, args ...any) Finding {
	return Finding{Severity: Warning, Path: p, Message: fmt.Sprintf(format, args...)}
}

// Infof returns an informational finding about the field at p.
func Infof(p Path, format string, args ...any) Finding {
	return Finding{Severity: Info, Path: p, Message: fmt.Sprintf(format, args...)}
}

// To returns the finding with a remedy, formatted as by fmt.Sprintf.
func (f Finding) To(format string, args ...any) Finding {
	f.Remedy = fmt.Sprintf(format, args...)
	return f
}

// Below returns the findings, whose paths are relative to p, with their paths in the whole input. It changes r. Checks
// without findings build no paths in this way.
func (r Report) Below(p Path) Report {
	for i := range r {
		r[i].Path = p.Join(r[i].Path)
	}
	return r
}

// HasErrors reports whether a finding of severity Error is in the report.
func (r Report) HasErrors() bool { return r.Count(Error) > 0 }

// Count returns how many findings have the given severity.
func (r Report) Count(s Severity) int {
	n := 0
	for _, f := range r {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Sorted returns the findings without duplicates, sorted by descending severity, then by path. The order is
// deterministic, so that a condition with the findings does not change without a reason.
func (r Report) Sorted() Report {
	sorted := slices.Clone(r)
	slices.SortStableFunc(sorted, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(sorted)
}

// String returns the findings, one on each line.
func (r Report) String() string {
	lines := make([]string, len(r))
	for i, f := range r {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}
