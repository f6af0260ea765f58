package planner

import (
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/precedence"
	"github.com/machineadm/machineadm/ports"
)

// addOrder adds the expander's requested order to the table. It applies to documents of the same phase.
func addOrder(t precedence.Table, c ports.Capability) {
	for _, earlier := range c.After {
		t.Add(earlier, c.Name)
	}
	for _, later := range c.Before {
		t.Add(c.Name, later)
	}
}

// order sorts the documents of each phase by the order that their expanders request. Other documents keep their
// positions.
func (p *Planner) order(docs []document.Document, t osprofile.Target) []document.Document {
	if len(p.precedence) == 0 {
		return docs
	}
	ordered := make([]document.Document, 0, len(docs))
	for len(docs) > 0 {
		next := slices.IndexFunc(docs, func(d document.Document) bool { return plan.PhaseOf(d) != plan.PhaseOf(docs[0]) })
		if next < 0 {
			next = len(docs)
		}
		for _, i := range p.precedence.Sort(p.names(docs[:next], t)) {
			ordered = append(ordered, docs[i])
		}
		docs = docs[next:]
	}
	return ordered
}

// names returns the names of the documents' expanders, which are empty for documents without an expander.
func (p *Planner) names(docs []document.Document, t osprofile.Target) []string {
	names := make([]string, len(docs))
	for i, d := range docs {
		names[i] = p.Expander(d, t)
	}
	return names
}
