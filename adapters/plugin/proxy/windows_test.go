package proxy_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/proxy"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestWindows(t *testing.T) {
	cases := map[string]struct {
		reason string
		config machine.ProxyConfig
		want   string
	}{
		"both": {
			reason: "WinHTTP knows neither networks nor IPv6, and wildcards in place of leading dots",
			config: machine.ProxyConfig{
				HTTPProxy: secret.FromString("http://a.example:1"), HTTPSProxy: secret.FromString("http://b.example:2"),
				NoProxy: []string{"10.0.0.0/8", ".c.example", "d", "::1"},
			},
			want: `
trust: run set the proxy
| [Environment]::SetEnvironmentVariable('HTTP_PROXY', 'http://a.example:1', 'Machine')
| [Environment]::SetEnvironmentVariable('HTTPS_PROXY', 'http://b.example:2', 'Machine')
| [Environment]::SetEnvironmentVariable('NO_PROXY', '10.0.0.0/8,.c.example,d,::1', 'Machine')
| $environment = @('HTTP_PROXY=http://a.example:1', 'HTTPS_PROXY=http://b.example:2', ` +
				`'NO_PROXY=10.0.0.0/8,.c.example,d,::1')
| foreach ($service in @('containerd', 'kubelet')) {
| $key = 'HKLM:\SYSTEM\CurrentControlSet\Services\' + $service
| if (Test-Path -LiteralPath $key) {
| Set-ItemProperty -LiteralPath $key -Name Environment -Type MultiString -Value $environment
| }
| }
| netsh.exe winhttp set proxy 'proxy-server=http=a.example:1;https=b.example:2' 'bypass-list=<local>;*.c.example;d'
unit: configure unit containerd.service (restart on [ProxyConfig])`,
		},
		"password": {
			reason: "the environment is for every user",
			config: machine.ProxyConfig{HTTPProxy: secret.FromString("http://u:c4n4ry@a.example:1")},
			want: "error: doc.httpProxy: every Windows user can read the proxy's address, and it contains a password; use a " +
				"proxy without a password",
		},
		"characters": {
			reason: "a semicolon ends an entry", config: machine.ProxyConfig{
				HTTPProxy: secret.FromString("http://a.example:1"),
				NoProxy:   []string{"a;b"},
			},
			want: "error: doc.noProxy[0]: WinHTTP supports only ASCII without blanks, quotation marks, " +
				"backslashes and semicolons",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, proxy.New(), plugintest.Target(t, "windows-server-2022"), tc.config)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
}
