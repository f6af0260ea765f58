package machine

import (
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// ContainerdConfig configures containerd.
type ContainerdConfig struct {
	// Version is that of containerd's configuration file: 2 (containerd 1.x), 3 (2.x) or 4 (2.3 and newer). 0 takes the
	// operating system's.
	Version int `json:"version,omitempty"`
	// SandboxImage is the pause image.
	SandboxImage string       `json:"sandboxImage,omitempty"`
	CgroupDriver CgroupDriver `json:"cgroupDriver,omitempty"`
	Registries   []Registry   `json:"registries,omitempty"`
	Runtimes     []Runtime    `json:"runtimes,omitempty"`
	// DefaultRuntime names one of Runtimes, or runc.
	DefaultRuntime string `json:"defaultRuntime,omitempty"`
	// Proxy is for containerd alone; nil takes the machine's.
	Proxy *ProxyConfig `json:"proxy,omitempty"`
	// RawTOML is merged into the configuration as a drop-in, for settings that have no field here.
	RawTOML string `json:"rawTOML,omitempty"`
}

// Kind returns KindContainerd.
func (ContainerdConfig) Kind() document.Kind { return KindContainerd }

// Check finds versions, registries and runtimes that containerd refuses.
func (c ContainerdConfig) Check(p report.Path) report.Report {
	var r report.Report
	if !slices.Contains([]int{0, 2, 3, 4}, c.Version) {
		r = append(r, report.Errorf(p.Field("version"), "containerd has no configuration version %d", c.Version).
			To("use 2, 3 or 4"))
	}
	r = append(r, checkWord(p.Field("sandboxImage"), c.SandboxImage)...)
	r = append(r, checkCgroupDriver(p.Field("cgroupDriver"), c.CgroupDriver)...)
	r = append(r, checkRegistries(p.Field("registries"), c.Registries)...)
	r = append(r, checkRuntimes(p, c.Runtimes, c.DefaultRuntime)...)
	r = append(r, checkText(p.Field("rawTOML"), c.RawTOML)...)
	if c.Proxy != nil {
		r = append(r, c.Proxy.Check(p.Field("proxy"))...)
	}
	return r
}
