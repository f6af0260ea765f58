package composition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/precedence"
	"github.com/machineadm/machineadm/domain/report"
)

// Composition is all plugins of a machine, in the order in which its description names them.
type Composition []Plugin

// Order holds the plugins against the order that they ask for and returns them in it. A plugin that names one that is
// not there, and those of a cycle, fail.
func (c Composition) Order() Composition {
	table, called := precedence.Table{}, c.called()
	for i := range c {
		c[i].enter(table, called)
	}
	names := make([]string, len(c))
	for i, p := range c {
		names[i] = p.Full()
	}
	if cycle := table.Cycle(); cycle != nil {
		c.refuse(cycle)
		return c
	}
	ordered := make(Composition, 0, len(c))
	for _, i := range table.Sort(names) {
		ordered = append(ordered, c[i])
	}
	return ordered
}

// called returns the full names of the plugins that each name refers to.
func (c Composition) called() map[string][]string {
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

// enter notes the order that the plugin asks for.
func (p *Plugin) enter(table precedence.Table, called map[string][]string) {
	for _, name := range p.Before {
		if other := p.named(name, "before", called); other != "" {
			table.Add(p.Full(), other)
		}
	}
	for _, name := range p.After {
		if other := p.named(name, "after", called); other != "" {
			table.Add(other, p.Full())
		}
	}
}

// named returns the full name of the plugin that is called so; empty, and the plugin fails, unless there is exactly
// one.
func (p *Plugin) named(name, where string, called map[string][]string) string {
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

func (c Composition) refuse(cycle []string) {
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

// Held returns the first plugin that a user has to correct; if there is none, the first that is waited for; nil if all
// are ready.
func (c Composition) Held() *Plugin {
	var waits *Plugin
	for i := range c {
		switch p := &c[i]; {
		case p.State == Ready:
		case !p.State.Waits():
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

// Findings returns an error for each plugin that a user has to correct.
func (c Composition) Findings() report.Report {
	var r report.Report
	for _, p := range c {
		if p.State != Ready && !p.State.Waits() {
			r = append(r, report.Errorf(p.At, "%s: %s", p.ID, p.Message))
		}
	}
	return r
}

// Silent returns the findings without text quoted from a plugin's documents: the documents are in a Secret, while
// conditions and events are public.
func (c Composition) Silent(r report.Report) report.Report {
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

// Summary names the first plugin that delays a machine, and the number of the others.
func (c Composition) Summary() string {
	held := c.Held()
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
	if others > 0 {
		text += fmt.Sprintf("; %d other plugins are not ready", others)
	}
	return text
}
