package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/report"
)

// located is a finding, and where it stands in the manifests.
type located struct {
	Severity string `json:"severity" yaml:"severity"`
	// Machine is the machine whose data is made.
	Machine string `json:"machine,omitempty" yaml:"machine,omitempty"`
	Object  string `json:"object,omitempty" yaml:"object,omitempty"`
	File    string `json:"file,omitempty" yaml:"file,omitempty"`
	Line    int    `json:"line,omitempty" yaml:"line,omitempty"`
	Column  int    `json:"column,omitempty" yaml:"column,omitempty"`
	Path    string `json:"path,omitempty" yaml:"path,omitempty"`
	Message string `json:"message" yaml:"message"`
	Remedy  string `json:"remedy,omitempty" yaml:"remedy,omitempty"`

	source string
}

// pathIn returns the path in the machine's own object: what describes a machine stands deeper in a template.
func (m *aMachine) pathIn(p report.Path) report.Path {
	if m.config.Kind == TemplateKind && p.Under("spec") && !p.Under("spec.template") && p != "" {
		return "spec.template." + p
	}
	return p
}

// locate says where a finding about the machine stands.
func (m *aMachine) locate(f report.Finding) located {
	out := located{
		Severity: f.Severity.String(), Machine: m.name, Object: m.config.String(), Message: f.Message, Remedy: f.Remedy,
	}
	if f.Path == "" {
		return out
	}
	p := m.pathIn(f.Path)
	at := m.config.inside(p, f.Line, f.Column)
	out.Path, out.File, out.Line, out.Column = string(p), at.text.name, at.line, at.column
	out.source = strings.TrimSuffix(at.text.lines[at.line-1], "\r")
	if f.Line > 0 && !at.within {
		// The text stands elsewhere, in a Secret or ConfigMap.
		out.Message = fmt.Sprintf("line %d, column %d: %s", f.Line, f.Column, f.Message)
	}
	return out
}

// all locates the findings of the machines, gravest first for each. What several machines have in common (a template, a
// cluster) is told once.
func all(made []produced) []located {
	var out []located
	seen := map[located]bool{}
	add := func(l located) {
		key := l
		key.Machine, key.source = "", ""
		if !seen[key] {
			out = append(out, l)
		}
		seen[key] = true
	}
	for _, p := range made {
		for _, f := range p.findings.Sorted() {
			add(p.machine.locate(f))
		}
	}
	for _, p := range made {
		for _, f := range p.assumed {
			add(located{Severity: f.Severity.String(), Object: p.cluster, Message: f.Message, Remedy: f.Remedy})
		}
	}
	return out
}

func count(findings []located, s report.Severity) int {
	n := 0
	for _, f := range findings {
		if f.Severity == s.String() {
			n++
		}
	}
	return n
}

// write prints the findings for people: where, what, and the line with a caret below. It stops where a terminal has
// shown enough and counts the others.
func write(w io.Writer, findings []located) {
	left := budget.New(budget.Default())
	for i, f := range findings {
		text := f.text()
		if i == report.MaxShown || left.Spend(budget.Output, len(text)) != nil {
			fmt.Fprintln(w, omitted(len(findings)-i))
			return
		}
		fmt.Fprint(w, text)
	}
}

func omitted(n int) string { return fmt.Sprintf("%d more findings are left out", n) }

// shown returns the findings that are printed for programs. The last one counts those that are left out.
func shown(findings []located) []located {
	if len(findings) <= report.MaxShown {
		return findings
	}
	rest := located{Severity: findings[report.MaxShown].Severity, Message: omitted(len(findings) - report.MaxShown)}
	return append(slices.Clone(findings[:report.MaxShown]), rest)
}

func (f located) text() string {
	where := f.Object
	if f.File != "" {
		where = fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
	}
	text := fmt.Sprintf("%s: %s: %s\n", where, f.Severity, report.Cut(sentence(f), report.MaxText))
	if f.File == "" {
		return text
	}
	line, column := report.Excerpt(f.source, f.Column, report.MaxLine)
	return text + fmt.Sprintf("%6d | %s\n       | %s^\n", f.Line, line, blanks(line, column-1))
}

func sentence(f located) string {
	s := f.Message
	if f.Path != "" {
		s = f.Path + ": " + s
	}
	if f.Remedy != "" {
		s += "; " + f.Remedy
	}
	return s
}

// blanks is as wide as the first n bytes of the line: tabs stay tabs.
func blanks(line string, n int) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, line[:min(max(n, 0), len(line))])
}

// encode prints a value as json or yaml.
func encode(w io.Writer, format string, v any) error {
	if format == "json" {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(v)
	}
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	if err := e.Encode(v); err != nil {
		return err
	}
	return e.Close()
}

func checkOutput(format string) error {
	if slices.Contains([]string{"", "json", "yaml"}, format) {
		return nil
	}
	return usageError{fmt.Errorf("-o %s: use json or yaml", format)}
}
