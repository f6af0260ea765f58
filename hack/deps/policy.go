package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// policyFile is the policy's path in the tree.
const policyFile = "hack/deps/policy.yaml"

// policy limits what shipped programs link.
type policy struct {
	// AllowedLicenses are SPDX identifiers.
	AllowedLicenses []string `json:"allowedLicenses"`
	// LicenseExceptions allow one more licence to some modules.
	LicenseExceptions []licenseException `json:"licenseExceptions"`
	// DeniedModules may not be linked, except with a reason.
	DeniedModules []deniedModule `json:"deniedModules"`
	// PseudoVersions allow modules without a released version.
	PseudoVersions []exception `json:"pseudoVersions"`
}

type exception struct {
	Reason  string   `json:"reason"`
	Modules []string `json:"modules"`
}

type licenseException struct {
	License string   `json:"license"`
	Reason  string   `json:"reason"`
	Modules []string `json:"modules"`
}

// deniedModule is a module, or a path prefix of modules, that may not be linked.
type deniedModule struct {
	Module string `json:"module"`
	Reason string `json:"reason"`
	// LinkedBecause is why it is linked nevertheless. Empty means that it must not be.
	LinkedBecause string `json:"linkedBecause,omitempty"`
}

var pseudoVersion = regexp.MustCompile(`[-.]\d{14}-[0-9a-f]{12}(\+incompatible)?$`)

func readPolicy(path string) (policy, error) {
	var p policy
	data, err := os.ReadFile(path)
	if err != nil {
		return p, fmt.Errorf("read the policy: %w", err)
	}
	if err := yaml.UnmarshalStrict(data, &p); err != nil {
		return p, fmt.Errorf("read %s: %w", path, err)
	}
	return p, nil
}

// violations returns a sentence for each module that the policy does not allow, and for each row of the policy that no
// module needs.
func (p policy) violations(modules []module) []string {
	all := p.missingReasons()
	for _, m := range modules {
		if m.replaced {
			all = append(all, fmt.Sprintf("%s: a replace directive is not allowed; require a released version", m.path))
		}
	}
	all = append(all, p.deniedViolations(modules)...)
	all = append(all, p.licenseViolations(modules)...)
	return append(all, p.pseudoViolations(modules)...)
}

func (p policy) deniedViolations(modules []module) (all []string) {
	for _, d := range p.DeniedModules {
		linked := slices.ContainsFunc(modules, func(m module) bool { return within(m.path, d.Module) })
		switch {
		case linked && d.LinkedBecause == "":
			all = append(all, fmt.Sprintf("%s: linked, but denied: %s", d.Module, d.Reason))
		case !linked && d.LinkedBecause != "":
			all = append(all, fmt.Sprintf("%s: not linked any more; remove its linkedBecause from %s", d.Module, policyFile))
		}
	}
	return all
}

func (p policy) licenseViolations(modules []module) (all []string) {
	needed := map[string]bool{}
	for _, m := range modules {
		for _, id := range m.licenses {
			if slices.Contains(p.AllowedLicenses, id) {
				continue
			}
			needed[id+" "+m.path] = true
			if !slices.ContainsFunc(p.LicenseExceptions, func(e licenseException) bool {
				return e.License == id && slices.Contains(e.Modules, m.path)
			}) {
				all = append(all, fmt.Sprintf("%s: the licence %s is not allowed; use another module, "+
					"or add an exception with a reason to %s", m.path, id, policyFile))
			}
		}
	}
	for _, e := range p.LicenseExceptions {
		for _, path := range e.Modules {
			if !needed[e.License+" "+path] {
				all = append(all, fmt.Sprintf("%s: no linked module of this name has the licence %s; "+
					"remove its exception from %s", path, e.License, policyFile))
			}
		}
	}
	return all
}

func (p policy) pseudoViolations(modules []module) (all []string) {
	var allowed []string
	for _, e := range p.PseudoVersions {
		allowed = append(allowed, e.Modules...)
	}
	needed := map[string]bool{}
	for _, m := range modules {
		if !pseudoVersion.MatchString(m.version) {
			continue
		}
		needed[m.path] = true
		if !slices.Contains(allowed, m.path) {
			all = append(all, fmt.Sprintf("%s: %s is not a released version; require one, "+
				"or add the module with a reason to pseudoVersions in %s", m.path, m.version, policyFile))
		}
	}
	for _, path := range allowed {
		if !needed[path] {
			all = append(all, fmt.Sprintf("%s: not linked with a pseudo-version any more; "+
				"remove it from pseudoVersions in %s", path, policyFile))
		}
	}
	return all
}

// missingReasons returns a sentence for each row without a reason.
func (p policy) missingReasons() (all []string) {
	need := func(reason, row string) {
		if strings.TrimSpace(reason) == "" {
			all = append(all, fmt.Sprintf("%s: %s has no reason", policyFile, row))
		}
	}
	for _, e := range p.LicenseExceptions {
		need(e.Reason, "the exception for "+e.License)
	}
	for _, d := range p.DeniedModules {
		need(d.Reason, d.Module)
	}
	for _, e := range p.PseudoVersions {
		need(e.Reason, "pseudoVersions with "+strings.Join(e.Modules, ", "))
	}
	return all
}

// within reports whether the module is the given one, another major version of it, or below its path.
func within(path, prefix string) bool { return path == prefix || strings.HasPrefix(path, prefix+"/") }
