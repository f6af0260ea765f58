package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/report"
)

// finding is a finding with its place in the manifests, as validate prints it.
type finding struct {
	Severity string `json:"severity"`
	// Machine is the machine whose data is produced.
	Machine string `json:"machine,omitempty"`
	Object  string `json:"object,omitempty"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`

	// source is the line of the file.
	source string
}

// locate adds the place in the manifests to a finding about the machine.
func (m *machine) locate(f report.Finding) finding {
	out := finding{
		Severity: f.Severity.String(), Machine: m.Name, Object: m.config.String(), Message: f.Message, Remedy: f.Remedy,
	}
	if f.Path == bootstrap.MachineVersion {
		return m.locateVersion(f)
	}
	if in, ok := strings.CutPrefix(string(f.Path), bootstrap.InCluster); ok && m.clusterObject != nil {
		f.Path = report.Path(in)
		out = m.clusterObject.finding(f)
		out.Machine = m.Name
		return out
	}
	if f.Path == "" {
		return out
	}
	p := m.path(f.Path)
	at := m.config.locateText(p, f.Line, f.Column)
	out.Path, out.File, out.Line, out.Column = string(p), at.file.name, at.line, at.column
	out.source = at.file.line(at.line)
	if f.Line > 0 && !at.inText {
		// The text is in a Secret or ConfigMap, whose lines are not shown.
		out.Message = fmt.Sprintf("line %d, column %d: %s", f.Line, f.Column, f.Message)
	}
	return out
}

// errors returns the errors in one line, with the paths and the remedies of the manifests.
func (r result) errors() string {
	var found report.Report
	for _, f := range r.findings.Sorted() {
		at := r.machine.locate(f)
		found = append(found, report.Finding{
			Severity: f.Severity, Path: report.Path(at.Path), Message: at.Message, Remedy: at.Remedy,
		})
	}
	return found.Errors()
}

// locateVersion adds the place of the version in the machine's owner.
func (m *machine) locateVersion(f report.Finding) finding {
	o := m.owner
	if o == nil {
		remedy := "set spec.version of the Machine, or give --kubernetes-version"
		if f.Remedy != "" && f.Remedy != "set it" {
			remedy = f.Remedy + "; " + remedy
		}
		return finding{
			Severity: f.Severity.String(), Machine: m.Name, Object: m.config.String(), Message: f.Message, Remedy: remedy,
		}
	}
	switch o.Kind {
	case "MachineDeployment", "MachineSet", "MachinePool":
		f.Path = "spec.template.spec.version"
	case clusterv1.ClusterKind:
		f.Path = "spec.topology.version"
	default:
		f.Path = "spec.version"
	}
	out := o.finding(f)
	out.Machine = m.Name
	return out
}

// locate adds the place to a finding whose line is one of the file.
func (f *file) locate(found report.Finding) finding {
	out := finding{Severity: found.Severity.String(), Object: f.name, Message: found.Message, Remedy: found.Remedy}
	if found.Line > 0 {
		out.File, out.Line, out.Column, out.source = f.name, found.Line, found.Column, f.line(found.Line)
	}
	return out
}

// line returns a line, or nothing if there is none: YAML also ends lines at a carriage return.
func (f *file) line(number int) string {
	if number > len(f.lines) {
		return ""
	}
	return strings.TrimSuffix(f.lines[number-1], "\r")
}

// locateAll returns the findings of the results, the most severe first for each machine. A finding that several
// machines share, such as one about a template, is returned once.
func locateAll(results []result) []finding {
	var out []finding
	seen := map[finding]bool{}
	add := func(f finding) {
		key := f
		key.Machine, key.source = "", ""
		if !seen[key] {
			out = append(out, f)
		}
		seen[key] = true
	}
	for _, r := range results {
		for _, f := range r.findings.Sorted() {
			add(r.machine.locate(f))
		}
	}
	for _, r := range results {
		for _, f := range r.placeholders {
			add(finding{Severity: f.Severity.String(), Object: r.cluster, Message: f.Message, Remedy: f.Remedy})
		}
	}
	return out
}

func count(findings []finding, s report.Severity) int {
	n := 0
	for _, f := range findings {
		if f.Severity == s.String() {
			n++
		}
	}
	return n
}

// printFindings prints findings with the line of the file and a caret below it. It prints at most report.MaxShown of
// them, within the budget for output, and the number of the others.
func printFindings(w io.Writer, findings []finding) {
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

func omitted(n int) string {
	if n == 1 {
		return "1 more finding is omitted"
	}
	return fmt.Sprintf("%d more findings are omitted", n)
}

// limit returns the findings that are printed as JSON or YAML. If there are more, the last one contains their number.
func limit(findings []finding) []finding {
	if len(findings) <= report.MaxShown {
		return findings
	}
	rest := finding{Severity: findings[report.MaxShown].Severity, Message: omitted(len(findings) - report.MaxShown)}
	return append(slices.Clone(findings[:report.MaxShown]), rest)
}

func (f finding) text() string {
	where := f.Object
	if f.File != "" {
		where = fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
	}
	text := terminal.Text(fmt.Sprintf("%s: %s: %s", where, f.Severity, report.Cut(f.sentence(), report.MaxText)))
	text = strings.ReplaceAll(text, "\n", " ") + "\n"
	if f.File == "" {
		return text
	}
	line, column := report.Excerpt(f.source, f.Column, report.MaxLine)
	return text + fmt.Sprintf("%6d | %s\n       | %s^\n", f.Line, terminal.Text(line), indentation(line, column-1))
}

func (f finding) sentence() string {
	s := f.Message
	if f.Path != "" {
		s = f.Path + ": " + s
	}
	if f.Remedy != "" {
		s += "; " + f.Remedy
	}
	return s
}

// indentation returns blanks for the first n bytes of the line, of which the printable ones are printed.
func indentation(line string, n int) string {
	before := terminal.Text(line[:min(max(n, 0), len(line))])
	return strings.Repeat(" ", utf8.RuneCountInString(before))
}

// encode prints a value as json or yaml, in both with the names and the order of its JSON fields.
func encode(w io.Writer, format string, v any) error {
	if format == "json" {
		e := json.NewEncoder(terminal.NewWriter(w))
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(v)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var node yaml.Node
	if err := yaml.Unmarshal(terminal.EscapeYAML(text), &node); err != nil {
		return err
	}
	useBlockStyle(&node)
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(&node); err != nil {
		return err
	}
	if text, err = terminal.YAML(b.Bytes()); err == nil {
		_, err = w.Write(text)
	}
	return err
}

// useBlockStyle removes the braces and quotes of JSON.
func useBlockStyle(n *yaml.Node) {
	n.Style = 0
	for _, c := range n.Content {
		useBlockStyle(c)
	}
}

// checkFormat returns an error unless the value of the flag is empty or one of the formats.
func checkFormat(flag, format string, formats []string) error {
	if format == "" || slices.Contains(formats, format) {
		return nil
	}
	problem := fmt.Errorf("--%s %s: no such format; use %s", flag, format, alternatives(formats))
	if flag == "output" && strings.ContainsAny(format, "./") {
		problem = fmt.Errorf("%w, and --output-file for a file", problem)
	}
	return problem
}

// alternatives returns "a, b or c".
func alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
