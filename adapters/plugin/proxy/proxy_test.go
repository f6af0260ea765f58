package proxy_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/proxy"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestExpand(t *testing.T) {
	cases := map[string]struct {
		reason, distribution string
		http, https          string
		noProxy              []string
		want                 string
	}{
		"ubuntu": {
			reason:       "both cases for programs, apt's own file, a drop-in without the password for the services",
			distribution: "ubuntu",
			http:         "http://u:p$1@proxy:3128", noProxy: []string{"localhost", "10.0.0.0/8"},
			want: `
trust: write /etc/machineadm/proxy.env (0600)
| HTTP_PROXY="http://u:p\$1@proxy:3128"
| http_proxy="http://u:p\$1@proxy:3128"
| HTTPS_PROXY=""
| https_proxy=""
| NO_PROXY="localhost,10.0.0.0/8"
| no_proxy="localhost,10.0.0.0/8"
trust: write /etc/apt/apt.conf.d/90machineadm-proxy (0600)
| Acquire::http::Proxy "http://u:p$1@proxy:3128";
unit: configure unit containerd.service (restart on [ProxyConfig])
| 50-machineadm-proxy.conf
| [Service]
| EnvironmentFile=-/etc/machineadm/proxy.env
unit: configure unit kubelet.service
| 50-machineadm-proxy.conf
| [Service]
| EnvironmentFile=-/etc/machineadm/proxy.env`,
		},
		"fedora-coreos": {
			reason: "CRI-O, and no apt", distribution: "fedora-coreos", https: "http://proxy",
			want: `
trust: write /etc/machineadm/proxy.env (0600)
| HTTP_PROXY=""
| http_proxy=""
| HTTPS_PROXY="http://proxy"
| https_proxy="http://proxy"
| NO_PROXY=""
| no_proxy=""
unit: configure unit crio.service (restart on [ProxyConfig])
| 50-machineadm-proxy.conf
| [Service]
| EnvironmentFile=-/etc/machineadm/proxy.env
unit: configure unit kubelet.service
| 50-machineadm-proxy.conf
| [Service]
| EnvironmentFile=-/etc/machineadm/proxy.env`,
		},
		"quotation mark": {
			reason: "apt could not read it", distribution: "debian", http: `http://proxy/"`,
			want: "error: doc.httpProxy: apt cannot read a quotation mark or a backslash in the address; " +
				"write them as %22 and %5C",
		},
		"none": {reason: "exceptions without a proxy need nothing", distribution: "ubuntu", noProxy: []string{"localhost"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := machine.ProxyConfig{
				HTTPProxy: secret.FromString(tc.http), HTTPSProxy: secret.FromString(tc.https),
				NoProxy: tc.noProxy,
			}
			actions, r := plugintest.Expand(t, proxy.New(), plugintest.Target(t, tc.distribution), c)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	plugintest.RefusesOtherKinds(t, proxy.New(), plugintest.Target(t, "ubuntu"))
}

func TestConfiguredRuntime(t *testing.T) {
	c := machine.ProxyConfig{HTTPProxy: secret.FromString("http://proxy")}
	actions, _ := plugintest.Expand(t, proxy.New(), plugintest.Target(t, "fedora-coreos"), c, machine.ContainerdConfig{})
	if got := plugintest.Text(actions, nil); !strings.Contains(got, "unit containerd.service (restart") ||
		strings.Contains(got, "crio") {
		t.Errorf("the runtime that is configured does not get the proxy:\n%s", got)
	}
}
