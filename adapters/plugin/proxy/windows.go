package proxy

import (
	_ "embed"
	"net/url"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// servicesScript sets $environment for the services of containerd and kubelet.
//
//go:embed services.ps1
var servicesScript string

// windows sets the machine's environment, that of the services which pull images, and the proxy of WinHTTP, which
// Windows's own services use. All are read by every user, so that an address with a password is an error finding.
func windows(c machine.ProxyConfig, e ports.Expansion) ([]action.Action, report.Report) {
	at := e.Document.Source.Path
	r := append(readable(c.HTTPProxy, at.Field("httpProxy")), readable(c.HTTPSProxy, at.Field("httpsProxy"))...)
	for i, host := range c.NoProxy {
		r = append(r, plain(host, at.Field("noProxy").Index(i))...)
	}
	if r.HasErrors() {
		return nil, r
	}
	http, https, none := string(c.HTTPProxy.Reveal()), string(c.HTTPSProxy.Reveal()), strings.Join(c.NoProxy, ",")
	var lines, assignments []string
	for _, v := range [][2]string{{"HTTP_PROXY", http}, {"HTTPS_PROXY", https}, {"NO_PROXY", none}} {
		lines = append(lines, "[Environment]::SetEnvironmentVariable('"+v[0]+"', "+expand.PowerShell(v[1])+", 'Machine')")
		assignments = append(assignments, expand.PowerShell(v[0]+"="+v[1]))
	}
	text := strings.Join(lines, "\n") + "\n$environment = @(" + strings.Join(assignments, ", ") + ")\n" +
		script.Strip(servicesScript) +
		"netsh.exe winhttp set proxy " + expand.PowerShell("proxy-server="+servers(http, https)) + bypass(c.NoProxy) + "\n"
	set := action.RunCommand{Name: "set the proxy", Script: text, When: document.PhaseTrust}
	return action.Of(set, expand.Restarted(expand.RuntimeUnit(e.Target, e.Others), machine.KindProxy)), nil
}

// servers returns the proxies as WinHTTP has them: http=host:port;https=host:port.
func servers(http, https string) string {
	var list []string
	for _, p := range [][2]string{{"http", http}, {"https", https}} {
		if u, err := url.Parse(p[1]); err == nil && p[1] != "" {
			list = append(list, p[0]+"="+u.Host)
		}
	}
	return strings.Join(list, ";")
}

// bypass returns what WinHTTP reaches directly. It knows names with wildcards, and neither networks nor addresses of
// IPv6 without brackets: those are for programs that read the environment.
func bypass(hosts []string) string {
	list := []string{"<local>"}
	for _, host := range hosts {
		if strings.Contains(host, "/") || strings.Count(host, ":") > 1 {
			continue
		}
		if strings.HasPrefix(host, ".") {
			host = "*" + host
		}
		list = append(list, host)
	}
	return " " + expand.PowerShell("bypass-list="+strings.Join(list, ";"))
}

// readable finds text that must not be readable by every user.
func readable(address secret.Value, at report.Path) report.Report {
	u, err := url.Parse(string(address.Reveal()))
	if err == nil && u.User != nil {
		return report.Report{report.Errorf(at, "every Windows user can read the proxy's address, and it contains a password").
			To("use a proxy without a password")}
	}
	return plain(string(address.Reveal()), at)
}

// plain finds what the command line of netsh would change.
func plain(s string, at report.Path) report.Report {
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`"\;`, r) }) {
		return report.Report{report.Errorf(at,
			"WinHTTP supports only ASCII without blanks, quotation marks, backslashes and semicolons")}
	}
	return nil
}
