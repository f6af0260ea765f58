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
	all, refused := mergeExpanders(s.Expanders, external)
	created, err := planner.New(all)
	return created, append(findings, refused...), err
}

// kinds returns the distinct kinds of the documents, divided into those of core plugins and others.
func (s *Service) kinds(docs []document.Document) (known, unknown []document.Kind) {
	core := kindsOf(s.Expanders)
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

func kindsOf(expanders []ports.Expander) []document.Kind {
	var all []document.Kind
	for _, e := range expanders {
		all = append(all, e.Describe().Kinds...)
	}
	return all
}

// mergeExpanders returns the core expanders with the external ones. A pinned external expander replaces the core
// expander of its name, or else gets all documents of its kinds. An unpinned one gets the kinds that no other expander
// has.
func mergeExpanders(core []ports.Expander, external []ports.ExternalExpander) ([]ports.Expander, report.Report) {
	var r report.Report
	all := slices.Clone(core)
	for _, x := range external {
		c := x.Describe()
		if x.Pinned {
			all = replaceExpander(all, x.Expander, c)
			continue
		}
		taken := kindsOf(all)
		left := withoutKinds(x.Expander, taken)
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

func replaceExpander(all []ports.Expander, x ports.Expander, c ports.Capability) []ports.Expander {
	at := slices.IndexFunc(all, func(e ports.Expander) bool { return e.Describe().Name == c.Name })
	if at < 0 {
		for i, e := range all {
			all[i] = withoutKinds(e, c.Kinds)
		}
		return append(all, x)
	}
	if selector, is := all[at].(ports.Selector); is {
		x = replacement{x, selector}
	}
	all[at] = x
	return all
}

// replacement matches the documents that the replaced expander matches.
type replacement struct {
	ports.Expander
	replaced ports.Selector
}

// Matches returns the result of the replaced expander.
func (s replacement) Matches(d document.Document, t osprofile.Target) bool {
	return s.replaced.Matches(d, t)
}

// restricted is an expander that gets only some of its kinds.
type restricted struct {
	ports.Expander
	capability ports.Capability
}

// Describe returns the capability with these kinds.
func (f restricted) Describe() ports.Capability { return f.capability }

func withoutKinds(e ports.Expander, taken []document.Kind) ports.Expander {
	c := e.Describe()
	kinds := slices.DeleteFunc(slices.Clone(c.Kinds), func(k document.Kind) bool { return slices.Contains(taken, k) })
	if len(kinds) == len(c.Kinds) {
		return e
	}
	c.Kinds = kinds
	if selector, is := e.(ports.Selector); is {
		return replacement{restricted{e, c}, selector}
	}
	return restricted{e, c}
}
