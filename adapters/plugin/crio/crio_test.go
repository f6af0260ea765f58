package crio_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/crio"
	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestExpand(t *testing.T) {
	cases := map[string]struct {
		reason string
		config machine.CRIOConfig
		want   string
	}{
		"nothing given": {
			reason: "the cgroup manager is kubelet's, all else the image's",
			want: `
file: write /etc/crio/crio.conf.d/50-machineadm.conf (0644)
| [crio]
| [crio.runtime]
| cgroup_manager = 'systemd'
| conmon_cgroup = 'pod'
unit: enable unit crio.service (restart on [CRIOConfig TrustedCAsConfig ProxyConfig])`,
		},
		"runtimes, image, proxy and own TOML": {
			reason: "own TOML stays as it is, in a drop-in that comes later",
			config: machine.CRIOConfig{
				PauseImage: "registry.example/pause:3.10", CgroupDriver: machine.CgroupDriverCgroupfs, DefaultRuntime: "crun",
				Runtimes: []machine.Runtime{{Name: "kata", Type: "vm", Path: "/opt/kata", Options: map[string]string{
					"privileged_without_host_devices": "true", "runtime_root": "/run/kata",
				}}},
				Proxy:   &machine.ProxyConfig{HTTPProxy: secret.FromString("http://proxy")},
				RawTOML: "# mine\n[crio.api]\ngrpc_max_send_msg_size=1",
			},
			want: `
file: write /etc/crio/crio.conf.d/50-machineadm.conf (0644)
| [crio]
| [crio.runtime]
| cgroup_manager = 'cgroupfs'
| conmon_cgroup = 'pod'
| default_runtime = 'crun'
| 
| [crio.runtime.runtimes]
| [crio.runtime.runtimes.kata]
| privileged_without_host_devices = true
| runtime_path = '/opt/kata'
| runtime_root = '/run/kata'
| runtime_type = 'vm'
| 
| [crio.image]
| pause_image = 'registry.example/pause:3.10'
file: write /etc/crio/crio.conf.d/90-machineadm-user.conf (0644)
| # mine
| [crio.api]
| grpc_max_send_msg_size=1
file: write /etc/machineadm/crio-proxy.env (0600)
| HTTP_PROXY="http://proxy"
| http_proxy="http://proxy"
| HTTPS_PROXY=""
| https_proxy=""
| NO_PROXY=""
| no_proxy=""
unit: enable unit crio.service (restart on [CRIOConfig TrustedCAsConfig ProxyConfig])
| 60-machineadm-own-proxy.conf
| [Service]
| EnvironmentFile=-/etc/machineadm/crio-proxy.env`,
		},
		"registries": {
			reason: "mirrors in their order; certificates and credentials by host, for root alone where they are secret",
			config: machine.CRIOConfig{Registries: []machine.Registry{{
				Host: "docker.io", Auth: &machine.RegistryAuth{Token: secret.FromString("identity")},
				Mirrors: []machine.RegistryEndpoint{{
					URL: "https://z.example:5000/v2/hub", OverridePath: true, Capabilities: []string{"pull"},
					Auth: &machine.RegistryAuth{Username: "ada", Password: secret.FromString("pw")},
					TLS:  &machine.RegistryTLS{CA: []byte("CA\n"), Certificate: []byte("CERT\n"), Key: secret.FromString("KEY\n")},
				}, {
					URL: "http://a.example",
				}},
			}, {
				Host: "registry.example:5000", Server: "https://upstream.example",
				TLS: &machine.RegistryTLS{InsecureSkipVerify: true},
			}}},
			want: `
file: write /etc/crio/crio.conf.d/50-machineadm.conf (0644)
| [crio]
| [crio.runtime]
| cgroup_manager = 'systemd'
| conmon_cgroup = 'pod'
| 
| [crio.image]
| global_auth_file = '/etc/crio/machineadm-auth.json'
file: write /etc/containers/registries.conf.d/50-machineadm.conf (0644)
| [[registry]]
| prefix = 'docker.io'
| location = 'docker.io'
| 
| [[registry.mirror]]
| location = 'z.example:5000/hub'
| pull-from-mirror = 'digest-only'
| 
| [[registry.mirror]]
| location = 'a.example'
| insecure = true
| 
| [[registry]]
| prefix = 'registry.example:5000'
| location = 'upstream.example'
| insecure = true
file: write /etc/containers/certs.d/z.example:5000/ca.crt (0644)
| CA
file: write /etc/containers/certs.d/z.example:5000/client.cert (0644)
| CERT
file: write /etc/containers/certs.d/z.example:5000/client.key (0600)
| KEY
file: write /etc/crio/machineadm-auth.json (0600)
| {"auths":{"docker.io":{"auth":"Og==","identitytoken":"identity"},"z.example:5000":{"auth":"YWRhOnB3"}}}
unit: enable unit crio.service (restart on [CRIOConfig TrustedCAsConfig ProxyConfig])`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, crio.New(), plugintest.Target(t, "fedora-coreos"), tc.config)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	plugintest.RefusesOtherKinds(t, crio.New(), plugintest.Target(t, "fedora-coreos"))
}

func TestExpandRefuses(t *testing.T) {
	mirrors := func(m ...machine.RegistryEndpoint) machine.CRIOConfig {
		return machine.CRIOConfig{Registries: []machine.Registry{{Host: "a.example", Mirrors: m}}}
	}
	cases := map[string]struct {
		reason string
		config machine.CRIOConfig
		want   string
	}{
		"all registries": {
			reason: "there is no word for it", config: machine.CRIOConfig{Registries: []machine.Registry{{Host: "_default"}}},
			want: "error: doc.registries[0].host: containers/image has no settings for all registries; name each registry",
		},
		"header": {
			reason: "it would not be sent", config: mirrors(machine.RegistryEndpoint{
				URL:    "https://b.example",
				Header: map[string]string{"A": "b"},
			}),
			want: "error: doc.registries[0].mirrors[0].header: CRI-O cannot send custom headers; use auth, or " +
				"a mirror that needs none",
		},
		"path": {
			reason: "the API's root would be another", config: mirrors(machine.RegistryEndpoint{URL: "https://b.example/hub"}),
			want: "error: doc.registries[0].mirrors[0].url: CRI-O uses the path /v2 of every registry, but this " +
				"path is another; use a " +
				"registry without a path",
		},
		"push": {
			reason: "a mirror that is never used", config: mirrors(machine.RegistryEndpoint{
				URL:          "https://b.example",
				Capabilities: []string{"push", "resolve"},
			}),
			want: "error: doc.registries[0].mirrors[0].capabilities: CRI-O uses mirrors for nothing but pulling; add " +
				"pull, or remove the mirror",
		},
		"two passwords": {
			reason: "one of them would be lost",
			config: mirrors(
				machine.RegistryEndpoint{URL: "https://b.example", Auth: &machine.RegistryAuth{Username: "a"}},
				machine.RegistryEndpoint{
					URL: "https://b.example/v2/x", OverridePath: true,
					Auth: &machine.RegistryAuth{Username: "b"},
				},
			),
			want: "error: doc.registries[0].mirrors[1]: b.example already has other certificates or credentials; give " +
				"them once for each host",
		},
		"broken TOML": {
			reason: "CRI-O would not start", config: machine.CRIOConfig{RawTOML: "[crio"},
			want: "error: doc.rawTOML (line 1, column 5): this is not TOML",
		},
		"options": {
			reason: "values of the wrong type stop CRI-O",
			config: machine.CRIOConfig{Runtimes: []machine.Runtime{{Name: "a", Options: map[string]string{
				"no_sync_log": "x",
				"monitor_env": "A=b",
			}}}},
			want: `
error: doc.runtimes[0].options["monitor_env"]: monitor_env is not "A=b"; it is not a single value; write it in rawTOML
error: doc.runtimes[0].options["no_sync_log"]: no_sync_log is not "x"; give true or false`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, crio.New(), plugintest.Target(t, "fedora-coreos"), tc.config)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
}
