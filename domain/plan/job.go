package plan

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// Job is a configuration to render. Renderers receive a Plan instead, without the credentials and keys in Delivery.
type Job struct {
	// Documents are in the order in which they were written.
	Documents []document.Document
	Target    osprofile.Target
	// Snippets are merged into the output. Renderers receive those in the language of the format.
	Snippets []Snippet
	// Format is the name of the output format. An unknown format is an error finding when the job is rendered.
	Format delivery.Format
	// Delivery contains the options for delivering the output.
	Delivery delivery.Options
}

// Snippet is a snippet with its source.
type Snippet struct {
	delivery.Snippet
	Source document.Source
	// Secret means that the text comes from a Secret, so that findings must not quote it.
	Secret bool
}

// SnippetsFor returns the snippets in the language of a format. Snippets may contain credentials, so that a renderer
// receives no others.
func (j Job) SnippetsFor(f delivery.Format) []Snippet {
	var found []Snippet
	for _, s := range j.Snippets {
		if s.Format == f.SnippetFormat() {
			found = append(found, s)
		}
	}
	return found
}
