// Package machinescript builds a bootstrap program that applies all steps of a plan: disks, groups, users and files
// too, which most first-boot formats apply themselves. It is for formats that only start a program.
package machinescript

import (
	"context"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// Script is a bootstrap program.
type Script struct {
	Program []byte
	// Places contains the name of each step of the plan, which consists of its phase and its field.
	Places []string
}

// Render returns the program. fact returns a command that prints a fact, as in bootscript.Options. Invalid input is
// reported as findings; the error is that of the context.
func Render(ctx context.Context, p plan.Plan, fact func(document.Fact) (string, bool)) (Script, report.Report, error) {
	b := newBuilder(p)
	for i, s := range p.Sourced() {
		if err := ctx.Err(); err != nil {
			return Script{}, nil, err
		}
		b.places[i] = b.step(s)
	}
	program, findings := bootscript.Program(bootscript.Complete(b.steps), bootscript.Options{
		Target: p.Target, Agent: p.Agent, Reporting: p.Reporting, Fact: fact, Owned: b.owned, Functions: b.functions,
	})
	return Script{Program: program, Places: b.places}, append(b.findings, findings...), nil
}
