package machine

import (
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// Sysctl is one kernel parameter.
type Sysctl struct {
	// Name is a kernel parameter, with dots or slashes as in sysctl.d(5), such as vm.max_map_count.
	Name string `json:"name"`
	// Value is the value of the parameter, such as 262144.
	Value string `json:"value"`
}

// SysctlConfig sets kernel parameters, immediately and at each boot.
type SysctlConfig struct {
	// Settings are the parameters, sorted by name.
	Settings []Sysctl `json:"settings,omitempty"`
}

// Kind returns KindSysctl.
func (SysctlConfig) Kind() document.Kind { return KindSysctl }

// Check returns error findings for names and values that cannot be written to a file of sysctl.d(5).
func (c SysctlConfig) Check(p report.Path) report.Report {
	var r report.Report
	seen := map[string]bool{}
	for i, s := range c.Settings {
		at := p.Field("settings").Index(i)
		if seen[dotted(s.Name)] {
			r = append(r, report.Errorf(at, "the kernel parameter is set twice").To("keep one of them"))
		}
		seen[dotted(s.Name)] = true
		if !sysctlPattern.MatchString(s.Name) {
			r = append(r, report.Errorf(at.Field("name"), "%q is not the name of a kernel parameter", s.Name).To(
				"write it as vm.max_map_count"))
		}
		if s.Value == "" {
			r = append(r, report.Errorf(at.Field("value"), "the value is empty").To("set it, or remove the entry"))
		}
		if strings.TrimSpace(s.Value) != s.Value {
			r = append(r, report.Errorf(at.Field("value"), "the value begins or ends with a space, which sysctl.d(5) removes").
				To("remove the blank"))
		}
		r = append(r, checkLine(at.Field("value"), s.Value)...)
	}
	return r
}

// dotted returns a parameter's name with dots, as sysctl.d(5) reads it: the first separator determines which form is
// used.
func dotted(name string) string {
	if i := strings.IndexAny(name, "./"); i >= 0 && name[i] == '/' {
		return strings.NewReplacer(".", "/", "/", ".").Replace(name)
	}
	return name
}

// KernelModule is a module to load at boot, with its options.
type KernelModule struct {
	// Name is the name of the module, such as br_netfilter.
	Name string `json:"name"`
	// Options are parameters of the module, such as numdummies=2.
	Options []string `json:"options,omitempty"`
}

// KernelModulesConfig loads kernel modules, immediately and at each boot.
type KernelModulesConfig struct {
	// Modules are loaded in this order.
	Modules []KernelModule `json:"modules,omitempty"`
}

// Kind returns KindKernelModules.
func (KernelModulesConfig) Kind() document.Kind { return KindKernelModules }

// Check returns error findings for invalid module names.
func (c KernelModulesConfig) Check(p report.Path) report.Report {
	var r report.Report
	for i, m := range c.Modules {
		at := p.Field("modules").Index(i)
		if !modulePattern.MatchString(m.Name) {
			r = append(r, report.Errorf(at.Field("name"), "%q is not the name of a kernel module", m.Name).To(
				"write it as br_netfilter"))
		}
		for j, o := range m.Options {
			r = append(r, checkItem(at.Field("options").Index(j), o)...)
			if strings.HasSuffix(o, `\`) {
				r = append(r, report.Errorf(at.Field("options").Index(j),
					"a backslash at the end joins the next line of modprobe.d(5)"))
			}
		}
	}
	return r
}
