package machine

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// CRIOConfig configures CRI-O.
type CRIOConfig struct {
	// PauseImage is the pause image, such as registry.k8s.io/pause:3.10. Default: that of CRI-O.
	PauseImage string `json:"pauseImage,omitempty"`
	// CgroupDriver is systemd or cgroupfs. Default: systemd.
	CgroupDriver CgroupDriver `json:"cgroupDriver,omitempty"`
	// Registries configure how images are pulled, one entry for each registry.
	Registries []Registry `json:"registries,omitempty"`
	// Runtimes are OCI runtimes besides the default one.
	Runtimes []Runtime `json:"runtimes,omitempty"`
	// DefaultRuntime is the name of one of Runtimes. Default: that of CRI-O.
	DefaultRuntime string `json:"defaultRuntime,omitempty"`
	// Proxy is the proxy of CRI-O. Default: the proxy of the machine.
	Proxy *ProxyConfig `json:"proxy,omitempty"`
	// RawTOML is written as a drop-in, for settings without a field.
	RawTOML string `json:"rawTOML,omitempty"`
}

// Kind returns KindCRIO.
func (CRIOConfig) Kind() document.Kind { return KindCRIO }

// Check returns error findings for registries and runtimes that CRI-O does not accept.
func (c CRIOConfig) Check(p report.Path) report.Report {
	r := checkWord(p.Field("pauseImage"), c.PauseImage)
	r = append(r, checkCgroupDriver(p.Field("cgroupDriver"), c.CgroupDriver)...)
	r = append(r, checkRegistries(p.Field("registries"), c.Registries)...)
	r = append(r, checkRuntimes(p, c.Runtimes, c.DefaultRuntime)...)
	r = append(r, checkText(p.Field("rawTOML"), c.RawTOML)...)
	if c.Proxy != nil {
		r = append(r, c.Proxy.Check(p.Field("proxy"))...)
	}
	return r
}
