package talos

import (
	"slices"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/config/types/network"
	"github.com/siderolabs/talos/pkg/machinery/config/types/runtime"
	"github.com/siderolabs/talos/pkg/machinery/config/types/security"
	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// The releases that moved something out of the v1alpha1 document (siderolabs/talos: pkg/machinery/config/types of each
// tag).
const (
	sinceDocuments   = "1.12" // HostnameConfig, TimeSyncConfig, Registry…Config, Layer2VIPConfig
	sinceEnvironment = "1.13" // EnvironmentConfig
	sinceEmpty       = "1.13" // an argument's empty value is none
)

// sysctls keeps the names: Talos reads dots and slashes as sysctl.d(5) does (pkg/machinery/kernel, Param.Path).
func (b *build) sysctls(at report.Path, c machine.SysctlConfig) {
	settings := map[string]string{}
	for i, s := range c.Settings {
		if strings.HasPrefix(s.Name, "-") || strings.Contains(s.Name, "*") {
			b.find(report.Errorf(at.Field("settings").Index(i).Field("name"),
				"Talos knows no patterns and no parameters that may fail").To("name each parameter"))
			continue
		}
		settings[s.Name] = s.Value
	}
	if len(settings) > 0 {
		b.config.MachineConfig.MachineSysctls = settings
	}
}

func (b *build) modules(c machine.KernelModulesConfig) {
	if len(c.Modules) == 0 {
		return
	}
	kernel := &v1alpha1.KernelConfig{}
	for _, m := range c.Modules {
		kernel.KernelModules = append(kernel.KernelModules, &v1alpha1.KernelModuleConfig{
			ModuleName:       m.Name,
			ModuleParameters: m.Options,
		})
	}
	b.config.MachineConfig.MachineKernel = kernel
}

func (b *build) time(at report.Path, c machine.TimeSyncConfig) {
	if c.Daemon != machine.TimeDaemonAuto {
		b.find(report.Errorf(at.Field("daemon"), "Talos keeps the time itself").To("leave it out"))
	}
	servers := slices.Concat(c.Servers, c.Pools)
	if len(servers) == 0 && !c.Disabled() {
		return
	}
	if !b.contract.since(sinceDocuments) {
		b.legacyTime(servers, c.Disabled())
		return
	}
	d := network.NewTimeSyncConfigV1Alpha1()
	if c.Disabled() {
		d.TimeEnabled = new(false)
	}
	if len(servers) > 0 {
		d.TimeNTP = &network.NTPConfig{Servers: servers}
	}
	b.add(d)
}

// trust adds one document for each bundle. Every release that is written for has them. The library takes an empty
// bundle, which trusts nothing that anybody asked for.
func (b *build) trust(at report.Path, c machine.TrustedCAsConfig) {
	for i, ca := range c.CAs {
		if len(strings.TrimSpace(string(ca.PEM))) == 0 {
			b.find(report.Errorf(at.Field("trustedCAs").Index(i).Field("content"), "the text contains no certificate").
				To("write PEM blocks of the type CERTIFICATE"))
			continue
		}
		d := security.NewTrustedRootsConfigV1Alpha1()
		d.MetaName, d.Certificates = ca.Name, string(ca.PEM)
		b.add(d)
	}
}

// proxy sets the variables that Talos gives its services, containerd and kubelet among them.
func (b *build) proxy(c machine.ProxyConfig) {
	env := map[string]string{}
	for name, value := range map[string]string{
		"http_proxy":  string(c.HTTPProxy.Reveal()),
		"https_proxy": string(c.HTTPSProxy.Reveal()),
		"no_proxy":    strings.Join(c.NoProxy, ","),
	} {
		if value != "" {
			env[name] = value
		}
	}
	switch {
	case len(env) == 0:
	case b.contract.since(sinceEnvironment):
		d := runtime.NewEnvironmentV1Alpha1()
		d.EnvironmentVariables = env
		b.add(d)
	default:
		b.legacyEnvironment(env)
	}
}

// host finds settings that Talos does not support. node renders the name.
func (b *build) host(at report.Path, c machine.HostConfig) {
	if c.TimeZone != "" && c.TimeZone != "UTC" && c.TimeZone != "Etc/UTC" {
		b.find(report.Errorf(at.Field("timeZone"), "Talos always uses UTC").To("leave it out"))
	}
	for _, f := range []struct{ field, value string }{
		{"locale", c.Locale},
		{"uiLanguage", c.UILanguage},
		{"keyboard", c.Keyboard},
	} {
		if f.value != "" {
			b.find(report.Errorf(at.Field(f.field), "Talos has no locale, language and keyboard settings").To("leave it out"))
		}
	}
}

// provision finds ways to bring Kubernetes that Talos does not know: it fetches kubelet and the rest as images.
func (b *build) provision(at report.Path, c machine.KubernetesConfig) {
	if c.Provision != machine.ProvisionAuto && c.Provision != machine.ProvisionImage {
		b.find(report.Errorf(at.Field("provision"), "Talos installs Kubernetes itself, from container images").
			To("leave it out"))
	}
	if len(c.Artifacts) > 0 {
		b.find(report.Errorf(at.Field("artifacts"), "Talos fetches images and no files").To("leave them out"))
	}
	if len(c.Packages) > 0 {
		b.find(report.Errorf(at.Field("packages"), "Talos has no packages").To("leave them out"))
	}
}

func (b *build) updates(at report.Path, c machine.OSUpdatesConfig) {
	if c.Enabled {
		b.find(report.Errorf(at.Field("enabled"), "Talos does not update itself").To(
			"leave it out, and upgrade Talos through its API"))
	}
}
