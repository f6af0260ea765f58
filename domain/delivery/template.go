package delivery

import "github.com/machineadm/machineadm/domain/report"

// Template is userdata with a placeholder for the agent's configuration, in the syntax of Go templates.
type Template struct {
	Text string
	// Path is the path of the field that refers to the template. Object names the object that contains it, such as
	// "ConfigMap bootstrap".
	Path   report.Path
	Object string
}
