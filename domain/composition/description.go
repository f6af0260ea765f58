package composition

import (
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// Description is the content of a MachineBootstrapConfig in the domain's terms.
type Description struct {
	// Job does not contain the values that come from the cluster: the Kubernetes version, the kind of the
	// infrastructure object, and the credentials of the delivery.
	plan.Job
	// Findings are the findings of the conversion. With error findings, the other fields are incomplete.
	Findings report.Report
	// Fields maps paths of the documents to those that the user wrote.
	Fields report.Fields
	// Missing are findings about required objects and keys that do not exist yet.
	Missing report.Report
	// Plugins are the machine's plugins. Job contains their documents.
	Plugins Composition
	// Source identifies the text that was converted. Equal texts have equal sources.
	Source string
}
