package nodecli

import (
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/preflight"
	"github.com/machineadm/machineadm/domain/report"
)

// apiVersion is that of what the agent prints for programs. Fields are added; none changes its meaning within a
// version.
const apiVersion = "machineadm.io/v1alpha1"

// checkReport is what -o prints of a configuration and the machine that is to have it.
type checkReport struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Documents and Steps are the numbers of documents and steps.
	Documents int       `json:"documents"`
	Steps     int       `json:"steps"`
	Findings  []finding `json:"findings"`
	Problems  []problem `json:"problems"`
}

// finding is something about the configuration. Severity is info, warning or error.
type finding struct {
	Severity string `json:"severity"`
	Path     string `json:"path"`
	Message  string `json:"message"`
	Remedy   string `json:"remedy,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
}

// problem is something that the machine lacks. What is ignored does not count.
type problem struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Remedy  string `json:"remedy"`
	Ignored bool   `json:"ignored"`
}

func checked(p agent.Prepared, counted, ignored []preflight.Problem) checkReport {
	r := checkReport{
		APIVersion: apiVersion, Kind: "CheckReport", Documents: len(p.Documents), Steps: len(p.Steps),
		Findings: findings(p.Findings), Problems: []problem{},
	}
	for _, l := range counted {
		r.Problems = append(r.Problems, problem{l.Name, l.Message, l.Remedy, false})
	}
	for _, l := range ignored {
		r.Problems = append(r.Problems, problem{l.Name, l.Message, l.Remedy, true})
	}
	return r
}

func findings(r report.Report) []finding {
	list := []finding{}
	for _, f := range r.Sorted() {
		list = append(list, finding{f.Severity.String(), string(f.Path), f.Message, f.Remedy, f.Line, f.Column})
	}
	return list
}

// formatted finds an output that there is not.
func (c *cli) formatted() error {
	switch c.output {
	case "", "json", "yaml":
		return nil
	default:
		return fmt.Errorf("%q is not an output format; use json or yaml", c.output)
	}
}

// print prints a value as JSON or YAML.
func (c *cli) print(v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	text = append(text, '\n')
	if err != nil {
		return err
	}
	if c.output == "yaml" {
		return c.printYAML(text)
	}
	_, err = c.Out.Write(text)
	return err
}

// printYAML prints JSON as YAML.
func (c *cli) printYAML(data []byte) error {
	text, err := yaml.JSONToYAML(terminal.EscapeYAML(data))
	if err != nil {
		return err
	}
	if text, err = terminal.YAML(text); err != nil {
		return err
	}
	_, err = c.Out.Write(text)
	return err
}
