package machine

import (
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// ContainerdConfig configures containerd.
type ContainerdConfig struct {
	// Version is the version of the configuration file: 2 (containerd 1.x), 3 (2.x) or 4 (2.3 and newer). Default: that
	// of the operating system.
	Version int `json:"version,omitempty"`
	// SandboxImage is the pause image, such as registry.k8s.io/pause:3.10. Default: that of containerd.
	SandboxImage string `json:"sandboxImage,omitempty"`
	// CgroupDriver is systemd or cgroupfs. Default: systemd.
	CgroupDriver CgroupDriver `json:"cgroupDriver,omitempty"`
	// Registries configure how images are pulled, one entry for each registry.
	Registries []Registry `json:"registries,omitempty"`
	// Runtimes are OCI runtimes besides runc.
	Runtimes []Runtime `json:"runtimes,omitempty"`
	// DefaultRuntime is the name of one of Runtimes, or runc. Default: runc.
	DefaultRuntime string `json:"defaultRuntime,omitempty"`
	// Proxy is the proxy of containerd. Default: the proxy of the machine.
	Proxy *ProxyConfig `json:"proxy,omitempty"`
	// RawTOML is merged into the configuration as a drop-in, for settings without a field.
	RawTOML string `json:"rawTOML,omitempty"`
}

// Kind returns KindContainerd.
func (ContainerdConfig) Kind() document.Kind { return KindContainerd }

// Check returns error findings for versions, registries and runtimes that containerd does not accept.
func (c ContainerdConfig) Check(p report.Path) report.Report {
	var r report.Report
	if !slices.Contains([]int{0, 2, 3, 4}, c.Version) {
		r = append(r, report.Errorf(p.Field("version"), "containerd does not support configuration version %d", c.Version).
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
