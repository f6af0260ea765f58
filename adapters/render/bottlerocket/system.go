package bottlerocket

import (
	"encoding/base64"
	"strings"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// host renders the host's name; Bottlerocket supports only UTC and English.
func (s *settings) host(at report.Path, h machine.HostConfig) {
	if h.Hostname != "" {
		s.set(at.Field("hostname"), h.Hostname, "network", "hostname")
	}
	refused := map[string]bool{
		"randomHostname": h.RandomHostname, "timeZone": h.TimeZone != "", "locale": h.Locale != "",
		"uiLanguage": h.UILanguage != "",
		"keyboard":   h.Keyboard != "",
	}
	for _, field := range sortedKeys(refused) {
		if refused[field] {
			s.instead(at.Field(field), "leave it out", "Bottlerocket has no setting for it")
		}
	}
}

// timeSync renders the time servers. Bottlerocket's chronyd uses each of them as a pool, which also works for one
// server.
func (s *settings) timeSync(at report.Path, c machine.TimeSyncConfig) {
	if c.Daemon != machine.TimeDaemonAuto && c.Daemon != machine.TimeDaemonChronyd {
		s.instead(at.Field("daemon"), "leave it out", "Bottlerocket has chronyd and no %s", c.Daemon)
		return
	}
	if c.Disabled() {
		s.instead(at.Field("enabled"), "leave it out", "Bottlerocket has no setting that disables chronyd")
		return
	}
	var servers []any
	for _, name := range append(append([]string{}, c.Servers...), c.Pools...) {
		servers = append(servers, name)
	}
	s.set(at, servers, "ntp", "time-servers")
}

// sysctls renders kernel parameters. Bottlerocket ignores one that cannot be set, which is what a leading hyphen
// requests for (sysctl.d(5); core-kit: sources/api/corndog). In a name with dots and slashes, the separator that comes
// first separates, and the other one is a dot within a part, such as the name of an interface. Bottlerocket separates
// at both.
func (s *settings) sysctls(at report.Path, c machine.SysctlConfig) {
	for i, setting := range c.Settings {
		if strings.Contains(setting.Name, ".") && strings.Contains(setting.Name, "/") {
			s.instead(at.Field("settings").Index(i).Field("name"),
				"use a name without a dot for the interface, or set it in a bootstrap container, which a snippet names in "+
					"bootstrap-containers",
				"Bottlerocket cannot set %q: it separates the name at dots and at slashes", setting.Name)
			continue
		}
		s.set(at.Field("settings").Index(i), setting.Value, "kernel", "sysctl", strings.TrimPrefix(setting.Name, "-"))
	}
}

func (s *settings) modules(at report.Path, c machine.KernelModulesConfig) {
	at = at.Field("modules")
	for i, m := range c.Modules {
		if len(m.Options) > 0 {
			s.instead(at.Index(i).Field("options"), "set boot.kernel-parameters in a snippet, as MODULE.OPTION",
				"Bottlerocket gives kernel modules no options when it loads them")
			continue
		}
		if s.set(at.Index(i), true, "kernel", "modules", m.Name, "allowed") {
			s.set(at.Index(i), true, "kernel", "modules", m.Name, "autoload")
		}
	}
}

// kernelArguments renders arguments as lists of values by name, which is empty for a name alone. Bottlerocket reboots
// during the first boot if they change (bottlerocket.dev: settings.boot).
func (s *settings) kernelArguments(at report.Path, a machine.KernelArguments) {
	for i := range a.ShouldNotExist {
		s.instead(at.Field("shouldNotExist").Index(i), "leave it out", "Bottlerocket only adds kernel arguments")
	}
	parameters := map[string]any{}
	for _, argument := range a.ShouldExist {
		name, value, hasValue := strings.Cut(argument, "=")
		values, _ := parameters[name].([]any)
		if hasValue {
			values = append(values, value)
		}
		parameters[name] = append([]any{}, values...)
	}
	if len(parameters) > 0 && s.set(at.Field("shouldExist"), parameters, "boot", "kernel-parameters") {
		s.set(at.Field("shouldExist"), true, "boot", "reboot-to-reconcile")
	}
}

func (s *settings) trust(at report.Path, c machine.TrustedCAsConfig) {
	for i, ca := range c.CAs {
		if s.set(at.Index(i), base64.StdEncoding.EncodeToString(ca.PEM), "pki", ca.Name, "data") {
			s.set(at.Index(i), true, "pki", ca.Name, "trusted")
		}
	}
}

// proxy renders the HTTPS proxy, the only one that Bottlerocket supports. It adds the API server, the cluster's domain
// and the machine itself to what is reached directly.
func (s *settings) proxy(at report.Path, c machine.ProxyConfig) {
	https := c.HTTPSProxy
	if https.IsZero() {
		s.instead(at.Field("httpProxy"), "give httpsProxy", "Bottlerocket supports a proxy only for HTTPS")
		return
	}
	s.set(at.Field("httpsProxy"), string(https.Reveal()), "network", "https-proxy")
	switch {
	case c.HTTPProxy.IsZero():
	case c.HTTPProxy.Equal(https):
		s.warn(at.Field("httpProxy"), "Bottlerocket supports a proxy only for HTTPS; plain HTTP uses no proxy")
	default:
		s.instead(at.Field("httpProxy"), "leave it out", "Bottlerocket supports a proxy only for HTTPS")
	}
	if len(c.NoProxy) == 0 {
		return
	}
	var direct []any
	for _, name := range c.NoProxy {
		direct = append(direct, name)
	}
	s.set(at.Field("noProxy"), direct, "network", "no-proxy")
}

// updates finds settings of updates: Bottlerocket does not update itself.
func (s *settings) updates(at report.Path, c machine.OSUpdatesConfig) {
	if c.Enabled {
		s.instead(at, "leave it out, and install the Bottlerocket update operator into the cluster",
			"Bottlerocket does not update by itself")
	}
}
