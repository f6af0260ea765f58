package containerd_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/containerd"
	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestExpandMainFile(t *testing.T) {
	cases := map[string]struct {
		reason, distribution string
		config               machine.ContainerdConfig
		want                 string
	}{
		"version 2": {
			reason: "the one CRI plugin of containerd 1.x, and the imports of image-builder's file", distribution: "ubuntu",
			config: machine.ContainerdConfig{
				Version: 2, SandboxImage: "registry.example/pause:3.10", CgroupDriver: machine.CgroupDriverCgroupfs,
				DefaultRuntime: "crun",
			},
			want: `
file: write /etc/containerd/config.toml (0644)
| version = 2
| imports = ['/etc/containerd/conf.d/*.toml']
| 
| [plugins]
| [plugins.'io.containerd.grpc.v1.cri']
| sandbox_image = 'registry.example/pause:3.10'
| 
| [plugins.'io.containerd.grpc.v1.cri'.registry]
| config_path = '/etc/containerd/certs.d'
| 
| [plugins.'io.containerd.grpc.v1.cri'.containerd]
| default_runtime_name = 'crun'
| 
| [plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes]
| [plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes.crun]
| runtime_type = 'io.containerd.runc.v2'
| 
| [plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes.crun.options]
| BinaryName = 'crun'
| SystemdCgroup = false
| 
| [plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes.runc]
| runtime_type = 'io.containerd.runc.v2'
| 
| [plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes.runc.options]
| SystemdCgroup = false
unit: enable unit containerd.service (restart on [ContainerdConfig TrustedCAsConfig ProxyConfig])`,
		},
		"version 3 on Flatcar": {
			reason: "the two plugins of 2.x, and a unit that reads our file", distribution: "flatcar",
			config: machine.ContainerdConfig{
				SandboxImage: "registry.example/pause:3.10",
				Proxy:        &machine.ProxyConfig{HTTPSProxy: secret.FromString("http://proxy:3128"), NoProxy: []string{"a"}},
			},
			want: `
file: write /etc/containerd/config.toml (0644)
| version = 3
| imports = ['/etc/containerd/conf.d/*.toml']
| oom_score = -999
| 
| [plugins]
| [plugins.'io.containerd.cri.v1.images']
| [plugins.'io.containerd.cri.v1.images'.pinned_images]
| sandbox = 'registry.example/pause:3.10'
| 
| [plugins.'io.containerd.cri.v1.images'.registry]
| config_path = '/etc/containerd/certs.d'
| 
| [plugins.'io.containerd.cri.v1.runtime']
| [plugins.'io.containerd.cri.v1.runtime'.containerd]
| default_runtime_name = 'runc'
| 
| [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes]
| [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
| runtime_type = 'io.containerd.runc.v2'
| 
| [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
| SystemdCgroup = true
file: write /etc/machineadm/containerd-proxy.env (0600)
| HTTP_PROXY=""
| http_proxy=""
| HTTPS_PROXY="http://proxy:3128"
| https_proxy="http://proxy:3128"
| NO_PROXY="a"
| no_proxy="a"
unit: enable unit containerd.service (restart on [ContainerdConfig TrustedCAsConfig ProxyConfig])
| 10-machineadm-config.conf
| [Service]
| Environment=CONTAINERD_CONFIG=/etc/containerd/config.toml
| 60-machineadm-own-proxy.conf
| [Service]
| EnvironmentFile=-/etc/machineadm/containerd-proxy.env`,
		},
		"runtimes and own TOML": {
			reason: "options have the shim's types; own tables are merged, own values win", distribution: "debian",
			config: machine.ContainerdConfig{
				Version:        4,
				DefaultRuntime: "kata",
				Runtimes: []machine.Runtime{
					{
						Name: "kata", Type: "io.containerd.kata.v2", Path: "/opt/kata/shim",
						Options: map[string]string{"ConfigPath": "/etc/kata.toml"},
					},
					{Name: "quick", Path: "/opt/bin/crun", Options: map[string]string{"NoPivotRoot": "true", "IoUid": "7"}},
				},
				RawTOML: "version = 4\noom_score = " +
					"-5\n[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]\nsnapshotter = 'native'\n",
			},
			want: `
file: write /etc/containerd/config.toml (0644)
| imports = ['/etc/containerd/conf.d/*.toml']
| oom_score = -5
| version = 4
| 
| [plugins]
| [plugins.'io.containerd.cri.v1.images']
| [plugins.'io.containerd.cri.v1.images'.registry]
| config_path = '/etc/containerd/certs.d'
| 
| [plugins.'io.containerd.cri.v1.runtime']
| [plugins.'io.containerd.cri.v1.runtime'.containerd]
| default_runtime_name = 'kata'
| 
| [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes]
| [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.kata]
| runtime_path = '/opt/kata/shim'
| runtime_type = 'io.containerd.kata.v2'
| 
| [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.kata.options]
| ConfigPath = '/etc/kata.toml'
| 
| [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.quick]
| runtime_type = 'io.containerd.runc.v2'
| 
| [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.quick.options]
| BinaryName = '/opt/bin/crun'
| IoUid = 7
| NoPivotRoot = true
| SystemdCgroup = true
| 
| [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
| runtime_type = 'io.containerd.runc.v2'
| snapshotter = 'native'
| 
| [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
| SystemdCgroup = true
unit: enable unit containerd.service (restart on [ContainerdConfig TrustedCAsConfig ProxyConfig])`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, containerd.New(), plugintest.Target(t, tc.distribution), tc.config)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	plugintest.RefusesOtherKinds(t, containerd.New(), plugintest.Target(t, "ubuntu"))
}

func TestExpandRegistries(t *testing.T) {
	c := machine.ContainerdConfig{Version: 2, Registries: []machine.Registry{{
		Host: "docker.io",
		Auth: &machine.RegistryAuth{Token: secret.FromString("identity")},
		Mirrors: []machine.RegistryEndpoint{{
			URL: "https://z.example:5000/v2/hub", OverridePath: true, Capabilities: []string{"pull"},
			Auth:   &machine.RegistryAuth{Username: "ada", Password: secret.FromString(`pa"s\s`)},
			Header: map[string]string{"X-Team": "a\tb"},
			TLS:    &machine.RegistryTLS{CA: []byte("CA\n"), Certificate: []byte("CERT\n"), Key: secret.FromString("KEY\n")},
		}, {
			URL: "http://a.example", TLS: &machine.RegistryTLS{InsecureSkipVerify: true},
		}},
	}, {
		Host: "registry.example:5000", Server: "https://upstream.example", TLS: &machine.RegistryTLS{CA: []byte("CA\n")},
	}}}
	want := `
file: write /etc/containerd/config.toml (0600)
| version = 2
| imports = ['/etc/containerd/conf.d/*.toml']
| 
| [plugins]
| [plugins.'io.containerd.grpc.v1.cri']
| [plugins.'io.containerd.grpc.v1.cri'.registry]
| config_path = '/etc/containerd/certs.d'
| 
| [plugins.'io.containerd.grpc.v1.cri'.registry.configs]
| [plugins.'io.containerd.grpc.v1.cri'.registry.configs.'registry-1.docker.io']
| [plugins.'io.containerd.grpc.v1.cri'.registry.configs.'registry-1.docker.io'.auth]
| identitytoken = 'identity'
| 
| [plugins.'io.containerd.grpc.v1.cri'.registry.configs.'z.example:5000']
| [plugins.'io.containerd.grpc.v1.cri'.registry.configs.'z.example:5000'.auth]
| username = 'ada'
| password = 'pa"s\s'
| 
| [plugins.'io.containerd.grpc.v1.cri'.containerd]
| default_runtime_name = 'runc'
| 
| [plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes]
| [plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes.runc]
| runtime_type = 'io.containerd.runc.v2'
| 
| [plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes.runc.options]
| SystemdCgroup = true
file: write /etc/containerd/certs.d/docker.io/mirror-1-ca.pem (0644)
| CA
file: write /etc/containerd/certs.d/docker.io/mirror-1-client.pem (0644)
| CERT
file: write /etc/containerd/certs.d/docker.io/mirror-1-client-key.pem (0600)
| KEY
file: write /etc/containerd/certs.d/docker.io/hosts.toml (0600)
| 
| [host.'https://z.example:5000/v2/hub']
| capabilities = ['pull']
| ca = '/etc/containerd/certs.d/docker.io/mirror-1-ca.pem'
| client = [['/etc/containerd/certs.d/docker.io/mirror-1-client.pem', ` +
		`'/etc/containerd/certs.d/docker.io/mirror-1-client-key.pem']]
| override_path = true
| 
| [host.'https://z.example:5000/v2/hub'.header]
| X-Team = "a\tb"
| 
| [host.'http://a.example']
| capabilities = ['pull', 'resolve']
| skip_verify = true
file: write /etc/containerd/certs.d/registry.example:5000/server-ca.pem (0644)
| CA
file: write /etc/containerd/certs.d/registry.example:5000/hosts.toml (0644)
| server = 'https://upstream.example'
| ca = '/etc/containerd/certs.d/registry.example:5000/server-ca.pem'
unit: enable unit containerd.service (restart on [ContainerdConfig TrustedCAsConfig ProxyConfig])`
	actions, r := plugintest.Expand(t, containerd.New(), plugintest.Target(t, "ubuntu"), c)
	plugintest.Check(t, "mirrors keep their order; credentials and keys are for root alone", want, actions, r)
}

func TestExpandRefuses(t *testing.T) {
	mirror := machine.RegistryEndpoint{URL: "https://a.example"}
	cases := map[string]struct {
		reason string
		config machine.ContainerdConfig
		want   string
	}{
		"broken TOML": {
			reason: "the position is reported, the text is not: it may contain a password",
			config: machine.ContainerdConfig{RawTOML: "a = 1\n[b\npassword = 'x'"},
			want:   "error: doc.rawTOML (line 2, column 3): this is not TOML",
		},
		"other version": {
			reason: "sections of another version would be ignored", config: machine.ContainerdConfig{
				Version: 3,
				RawTOML: "version = 2",
			},
			want: "error: doc.rawTOML: it has version 2, but the configuration has version 3; write it in " +
				"version 3, or set version",
		},
		"mirror twice": {
			reason: "TOML has no table twice",
			config: machine.ContainerdConfig{Registries: []machine.Registry{{
				Host:    "a",
				Mirrors: []machine.RegistryEndpoint{mirror, mirror},
			}}},
			want: "error: doc.registries[0].mirrors[1].url: element 0 is already this mirror; remove one of them",
		},
		"credentials for all": {
			reason: "a password must not be sent to whatever host an image names",
			config: machine.ContainerdConfig{Registries: []machine.Registry{{
				Host: "_default",
				Auth: &machine.RegistryAuth{Username: "a"},
			}}},
			want: "error: doc.registries[0].auth: credentials for all registries would be sent to any of them; " +
				"name the server, or give each registry its credentials",
		},
		"option": {
			reason: "containerd would not start",
			config: machine.ContainerdConfig{Runtimes: []machine.Runtime{{Name: "a", Options: map[string]string{
				"IoUid":       "x",
				"NoPivotRoot": "maybe",
			}}}},
			want: `
error: doc.runtimes[0].options["IoUid"]: runc's option IoUid is not "x"; give a number
error: doc.runtimes[0].options["NoPivotRoot"]: runc's option NoPivotRoot is not "maybe"; give true or false`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, containerd.New(), plugintest.Target(t, "ubuntu"), tc.config)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
}
