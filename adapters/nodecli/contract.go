package nodecli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/app/oscontract"
	contract "github.com/machineadm/machineadm/domain/oscontract"
	"github.com/machineadm/machineadm/domain/preflight"
)

// contractReport is what -o prints of the contract. Fields are added; none changes its meaning within a version.
type contractReport struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Version is the version of the agent.
	Version string `json:"version"`
	// Met is true if all required clauses are met or ignored.
	Met     bool     `json:"met"`
	Clauses []clause `json:"clauses"`
}

// clause is one clause of the report.
type clause struct {
	Name string `json:"name"`
	// Level is Required or Recommended, Outcome is Met, Unmet or Unknown.
	Level   string `json:"level"`
	Outcome string `json:"outcome"`
	Message string `json:"message"`
	Remedy  string `json:"remedy"`
}

func (c *cli) printContractCheck(ctx context.Context, m *Machine) error {
	if m.Inspector == nil {
		return failed(errors.New("the operating system contract applies only to Linux"))
	}
	results, err := oscontract.Check(ctx, m.Inspector, m.Detector)
	if err != nil {
		return failed(err)
	}
	ignore := c.ignore
	if slices.ContainsFunc(ignore, func(name string) bool { return strings.EqualFold(name, preflight.All) }) {
		ignore = names(results)
	}
	missing := contract.Missing(results, contract.Required, ignore)
	if err := c.printContract(results, len(missing) == 0); err != nil {
		return err
	}
	if len(missing) > 0 {
		return failed(fmt.Errorf("the system does not meet %d requirements of the contract: %s", len(missing),
			strings.Join(names(missing), ", ")))
	}
	return nil
}

func names(results []contract.Result) []string {
	var all []string
	for _, r := range results {
		all = append(all, r.Name)
	}
	return all
}

func (c *cli) printContract(results []contract.Result, met bool) error {
	if c.output == "" {
		return failed(c.contractTable(results))
	}
	output := contractReport{APIVersion: apiVersion, Kind: "OSContractReport", Version: c.Version, Met: met}
	for _, r := range results {
		output.Clauses = append(output.Clauses, clause{r.Name, string(r.Level), string(r.Outcome), r.Message, r.Remedy})
	}
	return failed(c.print(output))
}

func (c *cli) contractTable(results []contract.Result) error {
	t := terminal.NewTable(c.Out, 0, 2)
	t.Row("CLAUSE", "LEVEL", "OUTCOME", "FOUND")
	for _, r := range results {
		found := r.Message
		if r.Outcome == contract.Unmet {
			found += "; " + r.Remedy
		}
		t.Row(r.Name, r.Level, r.Outcome, found)
	}
	return t.Flush()
}
