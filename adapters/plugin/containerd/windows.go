package containerd

import (
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// The shim on Windows, and containerd's name of the runtime for process-isolated containers (config_windows.go of the
// CRI plugin).
const (
	runhcs        = "io.containerd.runhcs.v1"
	runhcsProcess = "runhcs-wcow-process"
)

// windowsRuntimes returns the runtimes of the document; without any, containerd's own stay as they are. Windows has no
// control groups and no runc, so that naming either is an error finding, and the options of its shim are structures,
// which need RawTOML.
func windowsRuntimes(c machine.ContainerdConfig, at report.Path) (map[string]runtime, report.Report) {
	all := map[string]runtime{}
	var r report.Report
	if c.CgroupDriver != "" {
		r = append(r, report.Errorf(at.Field("cgroupDriver"), "Windows has no control groups").To("leave it out"))
	}
	if c.Proxy != nil {
		r = append(r, report.Errorf(at.Field("proxy"), "Windows services do not support a proxy of their own").
			To("use machine.proxy"))
	}
	if c.DefaultRuntime == "runc" || c.DefaultRuntime == "crun" {
		r = append(r, report.Errorf(at.Field("defaultRuntime"), "%s does not support Windows", c.DefaultRuntime).
			To("leave it out"))
	}
	for i, rt := range c.Runtimes {
		field := at.Field("runtimes").Index(i)
		if rt.Type != "" && rt.Type != runhcs {
			r = append(r, report.Errorf(field.Field("type"), "%s is not a Windows shim", rt.Type).To("use %s", runhcs))
		}
		if rt.Path != "" || len(rt.Options) > 0 {
			r = append(r, report.Errorf(field, "the Windows shim supports neither a path nor text options").To("use rawTOML"))
		}
		all[rt.Name] = runtime{RuntimeType: runhcs}
	}
	return all, r
}

// hostsDirectory returns the directory of a registry. Windows has no colons in names, and containerd leaves them out
// (core/remotes/docker/config/config_windows.go). Its names are also not case-sensitive.
func hostsDirectory(host string, t osprofile.Target) string {
	if expand.IsWindows(t) {
		host = strings.ToLower(strings.ReplaceAll(host, ":", ""))
	}
	return HostsDirectory + "/" + host
}
