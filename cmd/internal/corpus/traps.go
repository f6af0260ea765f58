package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/cmd/internal/corpus/meaning"
)

// trap is a text that fails or has no effect on a converted machine.
type trap struct {
	Place, Habit string
}

// habit is a habit of templates for the kubeadm provider.
type habit struct {
	name    string
	pattern *regexp.Regexp
	// inSettings is set for a text that has an effect in files.
	inSettings bool
}

// habits are those that depend on files, units or expansions of the kubeadm provider.
func habits() []habit {
	return []habit{
		{name: "an expression of Jinja", pattern: regexp.MustCompile(`\{\{\s*(ds|v1)\b|\{%`)},
		{
			name: "a placeholder of a provider", pattern: regexp.MustCompile(`@@HOSTNAME@@|\$\{?COREOS_|\$V?coreos`),
			inSettings: true,
		},
		{
			name:    "kubeadm's configuration of the kubeadm provider",
			pattern: regexp.MustCompile(`/run/kubeadm|/etc/kubeadm\.(yml|sh)`),
		},
		{name: "the unit of the kubeadm provider", pattern: regexp.MustCompile(`kubeadm\.service`)},
		{name: "a variable that the next command needs", pattern: regexp.MustCompile(`^\s*(export|cd) \S+\s*$`)},
	}
}

// traps returns the habits in the files, commands and settings of a machine.
func traps(m meaning.Machine) []trap {
	var found []trap
	look := func(place, text string) {
		for _, h := range habits() {
			// A file of the user may be a script of a unit with its own environment.
			if h.pattern.MatchString(text) && !(h.inSettings && strings.HasPrefix(place, "files[")) {
				found = append(found, trap{place, h.name})
			}
		}
	}
	for _, place := range slices.Sorted(maps.Keys(m.Values)) {
		look(place, place+" "+m.Values[place])
	}
	for _, phase := range []meaning.Phase{meaning.Boot, meaning.Pre, meaning.Post} {
		for _, c := range m.Commands[phase] {
			look("commands."+string(phase), c)
		}
	}
	return found
}
