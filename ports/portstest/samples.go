package portstest

import (
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// Spellings is a value of a sample in all the spellings in which formats write it; the output must contain one of them.
// No spelling has a character that some format would have to escape.
type Spellings []string

// Sample is an operation, or a document, that a renderer renders or refuses.
type Sample struct {
	// Name is the operation's or the kind's name, with what is special about the sample behind a comma.
	Name string
	// Do is the operation, or nil for a document.
	Do action.Operation
	// Document is the document that asks for it: the sample itself if Do is nil.
	Document document.Value
	// With are documents that must accompany it.
	With []document.Value
	// Expected is what must be found in the output.
	Expected []Spellings
}

// literals returns evidence of the values, each in the one spelling.
func literals(values ...string) []Spellings {
	all := make([]Spellings, len(values))
	for i, v := range values {
		all[i] = Spellings{v}
	}
	return all
}

// named returns the samples with a name.
func named(name string, samples ...Sample) []Sample {
	for i := range samples {
		samples[i].Name = strings.TrimSuffix(name+", "+samples[i].Name, ", ")
	}
	return samples
}

// path returns the path in the spelling of the target's operating system, and how the output may spell it. Where
// nothing can be written it lies below /var.
func path(t osprofile.Target, posix string) (string, Spellings) {
	if t.Profile.Family != osprofile.FamilyWindows {
		if !t.Profile.CanWrite(posix) {
			posix = "/var" + posix
		}
		return posix, Spellings{posix}
	}
	windows := "C:" + strings.ReplaceAll(posix, "/", `\`)
	return windows, Spellings{windows, "C:" + posix}
}
