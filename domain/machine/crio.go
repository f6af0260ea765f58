package machine

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// CRIOConfig configures CRI-O.
type CRIOConfig struct {
	// PauseImage is the pause image.
	PauseImage     string       `json:"pauseImage,omitempty"`
	CgroupDriver   CgroupDriver `json:"cgroupDriver,omitempty"`
	Registries     []Registry   `json:"registries,omitempty"`
	Runtimes       []Runtime    `json:"runtimes,omitempty"`
	DefaultRuntime string       `json:"defaultRuntime,omitempty"`
	// Proxy is for CRI-O alone; nil takes the machine's.
	Proxy *ProxyConfig `json:"proxy,omitempty"`
	// RawTOML is added as a drop-in.
	RawTOML string `json:"rawTOML,omitempty"`
}

// Kind returns KindCRIO.
func (CRIOConfig) Kind() document.Kind { return KindCRIO }

// Check finds registries and runtimes that CRI-O refuses.
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
