package agent

import (
	"context"
	"slices"

	"github.com/machineadm/machineadm/app/planner"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// plannerOf returns the planner for the documents, with the external plugins that they ask for.
func (s *Service) plannerOf(ctx context.Context, docs []document.Document) (*planner.Planner, report.Report, error) {
	if s.Plugins == nil {
		return s.planner, nil, nil
	}
	known, unknown := s.kinds(docs)
	external, findings := s.Plugins.Expanders(ctx, known, unknown)
	if len(external) == 0 || findings.HasErrors() {
		return s.planner, findings, nil
	}
	all, refused := merged(s.Expanders, external)
	made, err := planner.New(all)
	return made, append(findings, refused...), err
}

// kinds returns the distinct kinds of the documents, divided into those of core plugins and others.
func (s *Service) kinds(docs []document.Document) (known, unknown []document.Kind) {
	core := claimed(s.Expanders)
	for _, d := range docs {
		list := &unknown
		if slices.Contains(core, d.Kind()) {
			list = &known
		}
		if !slices.Contains(*list, d.Kind()) {
			*list = append(*list, d.Kind())
		}
	}
	return known, unknown
}

func claimed(expanders []ports.Expander) []document.Kind {
	var all []document.Kind
	for _, e := range expanders {
		all = append(all, e.Describe().Kinds...)
	}
	return all
}

// merged returns the core expanders with the external ones. A pinned external expander replaces the core expander of
// its name, or else gets all documents of its kinds. An unpinned one gets the kinds that no other expander has.
func merged(core []ports.Expander, external []ports.ExternalExpander) ([]ports.Expander, report.Report) {
	var r report.Report
	all := slices.Clone(core)
	for _, x := range external {
		c := x.Describe()
		if x.Pinned {
			all = replaced(all, x.Expander, c)
			continue
		}
		taken := claimed(all)
		left := without(x.Expander, taken)
		for _, k := range c.Kinds {
			if slices.Contains(taken, k) {
				r = append(r, report.Warningf("plugins", "%s does not get the kind %s, which another plugin has", c.Name, k).
					To("pin its digest to have it take that one's place"))
			}
		}
		if len(left.Describe().Kinds) > 0 {
			all = append(all, left)
		}
	}
	return all, r
}

func replaced(all []ports.Expander, x ports.Expander, c ports.Capability) []ports.Expander {
	at := slices.IndexFunc(all, func(e ports.Expander) bool { return e.Describe().Name == c.Name })
	if at < 0 {
		for i, e := range all {
			all[i] = without(e, c.Kinds)
		}
		return append(all, x)
	}
	if choosy, is := all[at].(ports.Selector); is {
		x = standIn{x, choosy}
	}
	all[at] = x
	return all
}

// standIn matches the documents that the replaced expander matches.
type standIn struct {
	ports.Expander
	other ports.Selector
}

// Matches returns the result of the replaced expander.
func (s standIn) Matches(d document.Document, t osprofile.Target) bool { return s.other.Matches(d, t) }

// fewer is an expander that gets only some of its kinds.
type fewer struct {
	ports.Expander
	capability ports.Capability
}

// Describe returns the capability with these kinds.
func (f fewer) Describe() ports.Capability { return f.capability }

func without(e ports.Expander, taken []document.Kind) ports.Expander {
	c := e.Describe()
	kinds := slices.DeleteFunc(slices.Clone(c.Kinds), func(k document.Kind) bool { return slices.Contains(taken, k) })
	if len(kinds) == len(c.Kinds) {
		return e
	}
	c.Kinds = kinds
	if choosy, is := e.(ports.Selector); is {
		return standIn{fewer{e, c}, choosy}
	}
	return fewer{e, c}
}
