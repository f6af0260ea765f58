// Package hardening defines the document that configures a machine for the checks of a benchmark, and its settings.
//
// Before planning, the settings are added to those of other documents. The user's own settings take precedence. A check
// that they violate is a warning.
package hardening

import (
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// Kind is the kind of Config. A machine has one at most.
const Kind document.Kind = "HardeningConfig"

// Profile is a benchmark.
type Profile string

// The profiles.
const (
	// CIS is the CIS Kubernetes Benchmark, as of version 1.11.
	CIS Profile = "CIS"
	// STIG is the Kubernetes Security Technical Implementation Guide, as of version 1, release 11.
	STIG Profile = "STIG"
)

// Config configures the machine for the checks of a benchmark.
type Config struct {
	// Profile is the benchmark: CIS (CIS Kubernetes Benchmark) or STIG.
	Profile Profile `json:"profile"`
	// Except lists the IDs of checks to skip, such as 4.2.6 or CNTR-K8-000150. Default: none.
	Except []string `json:"except,omitempty"`
}

// Kind returns Kind.
func (Config) Kind() document.Kind { return Kind }

// Check returns an error finding for an unknown profile, and warnings for exceptions from checks that the profile does
// not have.
func (c Config) Check(p report.Path) report.Report {
	if c.Profile != CIS && c.Profile != STIG {
		return report.Report{report.Errorf(p.Field("profile"), "%q is not a profile", c.Profile).
			To("use %s or %s", CIS, STIG)}
	}
	var r report.Report
	for i, id := range c.Except {
		known := slices.ContainsFunc(Settings(), func(a Setting) bool { return slices.Contains(a.Checks(c.Profile), id) })
		if !known {
			r = append(r, report.Warningf(p.Field("except").Index(i), "the profile %s has no check %q", c.Profile,
				id).To("correct the ID, or remove it"))
		}
	}
	return r
}

// checksToApply returns the checks of the profile that the setting fulfils, or none if the user excludes one of them.
func (c Config) checksToApply(a Setting) []string {
	checks := a.Checks(c.Profile)
	if slices.ContainsFunc(checks, func(id string) bool { return slices.Contains(c.Except, id) }) {
		return nil
	}
	return checks
}
