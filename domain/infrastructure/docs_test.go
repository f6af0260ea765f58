package infrastructure_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/test/golden"
)

// The page is made of the table, so that it cannot say anything else.
func TestPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Infrastructure

What is known of infrastructure providers, as far as bootstrap data is concerned. This page is made of the table in
` + "`domain/infrastructure`" + ` by its test; [delivery.md](delivery.md) says what follows from it. A kind that is not here gets the key that
most providers read, and may have what a Secret holds.

"Passed on" means that the data becomes userdata; "to Ignition" that it is put where Ignition looks; "dropped" that the machine
gets no userdata and nobody says so; "refused" that the provider's object shows an error.

| kinds | no ` + "`format`" + ` | ` + "`cloud-config`" + ` | ` + "`ignition`" + ` | another value | takes at most | gzip of the whole | formats |
|---|---|---|---|---|---|---|---|
`)
	for _, p := range infrastructure.All() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", strings.Join(p.Kinds, ", "), reading(p.Keys.Absent), reading(p.Keys.CloudConfig),
			reading(p.Keys.Ignition), reading(p.Keys.Other), limits(p), carriage(p), only(p))
	}
	b.WriteString("\n## Sources and notes\n")
	for _, p := range infrastructure.All() {
		fmt.Fprintf(&b, "\n### %s\n\n", strings.Join(p.Kinds, ", "))
		for _, s := range p.Sources {
			fmt.Fprintf(&b, "- %s\n", s)
		}
		for _, n := range p.Notes {
			fmt.Fprintf(&b, "- %s (%s): %s%s\n", names(n.Formats), n.Severity, n.Message, then(n.Remedy))
		}
		for _, l := range p.Limits {
			if l.Unless != "" {
				fmt.Fprintf(&b, "- %s: to be over the limit is a warning, since it does not matter if %s\n", names(l.Formats), l.Unless)
			}
		}
	}
	golden.File(t, "../../docs/infrastructure.md", []byte(b.String()))
}

func reading(r infrastructure.Reading) string {
	return map[infrastructure.Reading]string{
		infrastructure.Passes: "passed on", infrastructure.ToIgnition: "to Ignition", infrastructure.Drops: "**dropped**",
		infrastructure.Refuses: "refused",
	}[r]
}

func names(formats []delivery.Format) string {
	words := make([]string, len(formats))
	for i, f := range formats {
		words[i] = string(f)
	}
	return strings.Join(words, ", ")
}

func then(remedy string) string {
	if remedy == "" {
		return ""
	}
	return "; " + remedy
}

func limits(p infrastructure.Provider) string {
	var words []string
	for _, l := range p.Limits {
		word := fmt.Sprint(l.Bytes)
		switch {
		case l.Gzip && l.Base64:
			word += " of base64, compressed by the provider"
		case l.Base64:
			word += " of base64"
		}
		if len(l.Formats) > 0 && len(p.Limits) > 1 {
			word += " (" + names(l.Formats) + ")"
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		return "what a Secret holds"
	}
	return strings.Join(words, "; ")
}

func carriage(p infrastructure.Provider) string {
	switch {
	case p.Carries == infrastructure.CarriesBytes:
		return "carried"
	case p.Carries == infrastructure.CarriesText && len(p.Base64) > 0:
		return "in base64 (" + names(p.Base64) + ")"
	case p.Carries == infrastructure.CarriesText:
		return "not carried"
	case p.Carries == infrastructure.Opens:
		return "not read"
	default:
		return "not known"
	}
}

func only(p infrastructure.Provider) string {
	if len(p.Only) == 0 {
		return "all"
	}
	return names(p.Only)
}
