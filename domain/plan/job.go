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
	// Format is the name of the output format. An unknown format is an error finding when the job is rendered.
	Format delivery.Format
	// Delivery contains the options for delivering the output.
	Delivery delivery.Options
}
