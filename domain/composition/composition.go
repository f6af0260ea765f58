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

// Order holds the plugins against the order that they ask for and returns them in it. A plugin that names one that is not there,
// and those of a cycle, fail.
func (c Composition) Order() Composition {
	table := precedence.Table{}
	for i := range c {
		c.enter(table, i)
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

// enter notes the order that the plugin asks for.
func (c Composition) enter(table precedence.Table, i int) {
	p := &c[i]
	for _, name := range p.Before {
		if other := c.named(p, name, "before"); other != "" {
			table.Add(p.Full(), other)
		}
	}
	for _, name := range p.After {
		if other := c.named(p, name, "after"); other != "" {
			table.Add(other, p.Full())
		}
	}
}

// named returns the plugin of the name, which the other asks for.
func (c Composition) named(p *Plugin, name, where string) string {
	var found []string
	for _, other := range c {
		if other.Answers(name) || other.Template != nil && other.Template.Answers(name) {
			found = append(found, other.Full())
		}
	}
	switch len(found) {
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

// Held returns the first plugin that somebody has to mend; if there is none, the first that is waited for; nil if all are ready.
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

// Unwatched reports whether somebody has to look again, since nothing tells when a plugin changes.
func (c Composition) Unwatched() bool {
	return slices.ContainsFunc(c, func(p Plugin) bool { return p.State.Unwatched() })
}

// Findings tells of each plugin that somebody has to mend.
func (c Composition) Findings() report.Report {
	var r report.Report
	for _, p := range c {
		if p.State != Ready && !p.State.Waits() {
			r = append(r, report.Errorf(p.At, "%s: %s", p.ID, p.Message))
		}
	}
	return r
}

// Silent returns the findings without what those about a plugin's documents quote: the documents stand in a Secret, and what is told of a machine in
// conditions and events.
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

// Summary says what holds a machine up: its first plugin, and how many others.
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
