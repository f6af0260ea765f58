package convert

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/reserved"
)

const (
	// defaultNaming is the default template of machine names.
	defaultNaming = "{{ .controlPlane.name }}-{{ .random }}"
	// RandomLength is the length of the random part of a name.
	RandomLength = 5
	// maxMachineName is the limit of host names and of label values.
	maxMachineName = 63
)

// placeholder matches an expression of a template.
var placeholder = regexp.MustCompile(`\{\{[^{}]*\}\}`)

// MachineNames is the template of the names of a control plane's machines.
type MachineNames struct {
	template, cluster, controlPlane string
	// isDefault means that the user specified no template: then a long name is shortened.
	isDefault bool
}

// NewMachineNames returns the template of the control plane.
func NewMachineNames(o *controlplanev1.MachineadmControlPlane, cluster string) MachineNames {
	n := MachineNames{template: o.Spec.MachineNaming.Template, cluster: cluster, controlPlane: o.Name}
	if n.template == "" {
		n.template, n.isDefault = defaultNaming, true
	}
	if limit := maxMachineName - RandomLength - 1; n.isDefault && len(n.controlPlane) > limit {
		n.controlPlane = strings.TrimRight(n.controlPlane[:limit], "-.")
	}
	return n
}

// Name returns the name with the random part, which has RandomLength characters.
func (n MachineNames) Name(random string) (string, error) {
	var problem error
	usesRandom := false
	name := placeholder.ReplaceAllStringFunc(n.template, func(expression string) string {
		switch strings.TrimSpace(strings.Trim(expression, "{}")) {
		case ".random":
			usesRandom = true
			return random
		case ".cluster.name":
			return n.cluster
		case ".controlPlane.name":
			return n.controlPlane
		default:
			problem = fmt.Errorf("%s is not a placeholder", report.Cut(expression, report.MaxLine))
			return ""
		}
	})
	switch {
	case problem != nil:
		return "", problem
	case !usesRandom:
		return "", errors.New("it does not contain {{ .random }}, so that all machines would have the same name")
	case len(name) > maxMachineName:
		return "", fmt.Errorf("a name has %d characters and may have %d", len(name), maxMachineName)
	}
	if problems := validation.NameIsDNSSubdomain(name, false); len(problems) > 0 {
		return "", fmt.Errorf("%q is not a name: %s", report.Cut(name, report.MaxLine), problems[0])
	}
	if problem := reserved.Check(name); problem != "" {
		return "", errors.New(problem)
	}
	return name, nil
}

// check reports mistakes in the template.
func (n MachineNames) check() report.Report {
	if _, err := n.Name(strings.Repeat("x", RandomLength)); err != nil {
		return report.Report{report.Errorf("spec.machineNaming.template", "%s", err).
			To("use a template such as %s", defaultNaming)}
	}
	return nil
}
