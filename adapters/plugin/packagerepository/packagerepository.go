// Package packagerepository adds signed repositories of packages.
package packagerepository

import (
	"context"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Expander expands PackageRepository.
type Expander struct{}

// Describe returns the kind PackageRepository.
func (Expander) Describe() ports.Capability {
	return ports.Capability{Name: "packagerepository", Kinds: []document.Kind{machine.KindPackageRepository}}
}

// Expand returns the actions that write the file and the key of the repository. What the system's package manager does
// not support is an error finding.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	r, err := expand.Value[machine.PackageRepository]("packagerepository", e)
	if err != nil {
		return nil, nil, err
	}
	actions, found := expand.Repository(r, e.Target, e.Document.Source.Path)
	return actions, found, nil
}
