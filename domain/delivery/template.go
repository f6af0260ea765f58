package delivery

import "github.com/machineadm/machineadm/domain/report"

// Template is userdata with a place for the agent's configuration, in the syntax of Go's templates.
type Template struct {
	Text string
	// Path is the field that refers to it, and Object what holds it, such as "ConfigMap bootstrap".
	Path   report.Path
	Object string
}
