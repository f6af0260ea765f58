package machine

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// PackagesConfig installs packages, on operating systems that have a package manager.
type PackagesConfig struct {
	// Install lists packages by the names of the package manager.
	Install []string `json:"install,omitempty"`
	// Update refreshes the package lists first. With apt they are always refreshed before packages are installed or
	// upgraded.
	Update bool `json:"update,omitempty"`
	// Upgrade upgrades all installed packages.
	Upgrade bool `json:"upgrade,omitempty"`
}

// Kind returns KindPackages.
func (PackagesConfig) Kind() document.Kind { return KindPackages }

// Check returns error findings for invalid package names.
func (c PackagesConfig) Check(p report.Path) report.Report {
	var r report.Report
	for i, name := range c.Install {
		if !packagePattern.MatchString(name) {
			r = append(r, report.Errorf(p.Field("install").Index(i), "%q is not the name of a package", name).To(
				"use a name of the package manager"))
		}
	}
	return r
}

// OSUpdatesConfig enables or disables automatic updates of the operating system. The default is disabled: Cluster
// API replaces machines instead of updating them, and an update reboots a node without draining it.
type OSUpdatesConfig struct {
	// Enabled enables automatic updates. Default: disabled.
	Enabled bool `json:"enabled,omitempty"`
}

// Kind returns KindOSUpdates.
func (OSUpdatesConfig) Kind() document.Kind { return KindOSUpdates }

// Check finds nothing.
func (OSUpdatesConfig) Check(report.Path) report.Report { return nil }
