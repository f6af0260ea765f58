package convert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// profile returns the profile of the operating system: the one that the spec refers to, else one of the conversion's
// profiles, else machineadm's own. An unknown operating system and an invalid profile are findings.
func (c *converter) profile(s v1alpha1.OSSpec, p report.Path) (osprofile.Profile, bool) {
	if s.ProfileFrom != nil {
		at := p.Field("profileFrom").Field("configMap")
		missing := len(c.Missing)
		if text, ok := c.resolve(at, "ConfigMap", s.ProfileFrom.ConfigMap); ok {
			return c.userProfile(text, s.Distribution, at)
		}
		if c.err != nil || len(c.Missing) > missing || !s.ProfileFrom.ConfigMap.Optional {
			return osprofile.Profile{}, false
		}
	}
	if i := slices.IndexFunc(c.profiles, func(known osprofile.Profile) bool {
		return known.ID == s.Distribution
	}); i >= 0 {
		return c.profiles[i], true
	}
	if known, ok := osprofile.Find(s.Distribution, s.Version); ok {
		return known, true
	}
	problem := fmt.Sprintf("%q is not a known operating system", s.Distribution)
	if s.Distribution == "" {
		problem = "the operating system is not set"
	}
	c.found(report.Errorf(p.Field("distribution"), "%s", problem).
		To("%s", report.DidYouMean(s.Distribution, c.known(), "use one of "+strings.Join(c.known(), ", ")+
			", or refer with profileFrom to a profile that extends a similar system")))
	return osprofile.Profile{}, false
}

// userProfile reads a user's profile. It must be for the distribution that the spec names.
func (c *converter) userProfile(text []byte, distribution string, at report.Path) (osprofile.Profile, bool) {
	profile, found := ReadOSProfile(c.ctx, text, at)
	c.Findings = append(c.Findings, found...)
	if found.HasErrors() {
		return osprofile.Profile{}, false
	}
	if profile.ID != distribution {
		c.found(report.Errorf(at, "the profile is that of %q, and the distribution is %q", profile.ID, distribution).
			To("name the same"))
		return osprofile.Profile{}, false
	}
	return profile, true
}

// known returns the names of all supported operating systems.
func (c *converter) known() []string {
	names := osprofile.IDs()
	for _, p := range c.profiles {
		if !slices.Contains(names, p.ID) {
			names = append(names, p.ID)
		}
	}
	slices.Sort(names)
	return names
}
