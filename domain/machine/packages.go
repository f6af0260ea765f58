package machine

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// PackagesConfig installs packages, on operating systems that have a package manager.
type PackagesConfig struct {
	// Install lists packages as the operating system's package manager names them.
	Install []string `json:"install,omitempty"`
	// Update refreshes the lists of packages first.
	Update bool `json:"update,omitempty"`
	// Upgrade brings all installed packages up to date.
	Upgrade bool `json:"upgrade,omitempty"`
}

// Kind returns KindPackages.
func (PackagesConfig) Kind() document.Kind { return KindPackages }

// Check finds names that are no packages.
func (c PackagesConfig) Check(p report.Path) report.Report {
	var r report.Report
	for i, name := range c.Install {
		if !packagePattern.MatchString(name) {
			r = append(r, report.Errorf(p.Field("install").Index(i), "%q is no package's name", name))
		}
	}
	return r
}

// OSUpdatesConfig enables or disables the updates of the operating system by itself. The default is disabled: Cluster
// API replaces machines instead of updating them, and an update reboots a node without draining it.
type OSUpdatesConfig struct {
	// Enabled leaves the operating system's own updater on.
	Enabled bool `json:"enabled,omitempty"`
}

// Kind returns KindOSUpdates.
func (OSUpdatesConfig) Kind() document.Kind { return KindOSUpdates }

// Check finds nothing.
func (OSUpdatesConfig) Check(report.Path) report.Report { return nil }
