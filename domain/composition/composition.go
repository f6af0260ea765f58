package composition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/precedence"
	"github.com/machineadm/machineadm/domain/report"
)

// Composition contains all plugins of a machine, in the order in which its description names them.
type Composition []Plugin

// Order returns the plugins sorted by their Before and After. A plugin that names a missing plugin fails with
// UnknownPlugin, and the plugins of a cycle fail with OrderCycle.
func (c Composition) Order() Composition {
	table, called := precedence.Table{}, c.fullNames()
	for i := range c {
		c[i].addOrder(table, called)
	}
	names := make([]string, len(c))
	for i, p := range c {
		names[i] = p.Full()
	}
	if cycle := table.Cycle(); cycle != nil {
		c.failCycle(cycle)
		return c
	}
	ordered := make(Composition, 0, len(c))
	for _, i := range table.Sort(names) {
		ordered = append(ordered, c[i])
	}
	return ordered
}

// fullNames maps each name to the full names of the plugins that it matches.
func (c Composition) fullNames() map[string][]string {
	called := map[string][]string{}
	for _, p := range c {
		names := p.names()
		if p.Template != nil {
			names = append(names, p.Template.names()...)
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			called[name] = append(called[name], p.Full())
		}
	}
	return called
}

// addOrder adds the plugin's Before and After to the table.
func (p *Plugin) addOrder(table precedence.Table, called map[string][]string) {
	for _, name := range p.Before {
		if other := p.resolve(name, "before", called); other != "" {
			table.Add(p.Full(), other)
		}
	}
	for _, name := range p.After {
		if other := p.resolve(name, "after", called); other != "" {
			table.Add(other, p.Full())
		}
	}
}

// resolve returns the full name of the plugin with the name. Unless exactly one plugin has it, p fails and the result
// is empty.
func (p *Plugin) resolve(name, where string, called map[string][]string) string {
	switch found := called[name]; len(found) {
	case 1:
		return found[0]
	case 0:
		p.Fail(UnknownPlugin, fmt.Sprintf("it comes %s %s, which is none of the machine's plugins", where, name))
	default:
		p.Fail(UnknownPlugin, fmt.Sprintf("it comes %s %s, which are %s", where, name, strings.Join(found, " and ")))
	}
	return ""
}

func (c Composition) failCycle(cycle []string) {
	var names []string
	for _, name := range cycle {
		i := slices.IndexFunc(c, func(p Plugin) bool { return p.Full() == name })
		names = append(names, c[i].String())
	}
	message := "there is no such order: " + strings.Join(names, " before ")
	for i := range c {
		if slices.Contains(cycle, c[i].Full()) {
			c[i].Fail(OrderCycle, message)
		}
	}
}

// Documents returns the documents of all plugins, in their order.
func (c Composition) Documents() []document.Document {
	var docs []document.Document
	for _, p := range c {
		docs = append(docs, p.Documents...)
	}
	return docs
}

// Blocking returns the plugin that delays the machine: the first that a user has to correct, or else the first that is
// not ready yet. It is nil if all plugins are ready.
func (c Composition) Blocking() *Plugin {
	var waits *Plugin
	for i := range c {
		switch p := &c[i]; {
		case p.State == Ready:
		case !p.State.IsTemporary():
			return p
		case waits == nil:
			waits = p
		}
	}
	return waits
}

// Unwatched reports whether the caller must poll, since no watch reports changes of a plugin.
func (c Composition) Unwatched() bool {
	return slices.ContainsFunc(c, func(p Plugin) bool { return p.State.Unwatched() })
}

// Findings returns an error for each plugin that a user has to correct. It names the field apiGroup of a reference
// without a group.
func (c Composition) Findings() report.Report {
	var r report.Report
	for _, p := range c {
		at := p.At
		if p.Group == "" {
			at = at.Field("apiGroup")
		}
		if p.State != Ready && !p.State.IsTemporary() {
			r = append(r, report.Errorf(at, "%s: %s", p.ID, p.Message))
		}
	}
	return r
}

// Redact returns the findings without the text that they quote from a plugin's documents. The documents come from a
// Secret, while more users can read conditions and events.
func (c Composition) Redact(r report.Report) report.Report {
	silent := slices.Clone(r)
	for _, p := range c {
		for i, f := range silent {
			if strings.HasPrefix(string(f.Path), string(p.At)+".documents[") {
				silent[i].Message, silent[i].Remedy = report.Unquoted(f.Message), report.Unquoted(f.Remedy)
			}
		}
	}
	return silent
}

// Summary returns a line with the first plugin that delays a machine, and the number of others that do.
func (c Composition) Summary() string {
	held := c.Blocking()
	if held == nil {
		return ""
	}
	others := -1
	for _, p := range c {
		if p.State != Ready {
			others++
		}
	}
	text := fmt.Sprintf("%s: %s", held.ID, held.Message)
	switch others {
	case 0:
		return text
	case 1:
		return text + "; another plugin is not ready"
	default:
		return fmt.Sprintf("%s; %d other plugins are not ready", text, others)
	}
}
