package containerd_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/containerd"
	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/domain/machine"
)

func TestWindows(t *testing.T) {
	cases := map[string]struct {
		reason string
		config machine.ContainerdConfig
		want   string
	}{
		"registry with a port": {
			reason: "Windows has no colons in names; containerd's own runtimes stay, and its directories of CNI do not",
			config: machine.ContainerdConfig{Registries: []machine.Registry{{
				Host: "a.example:5000", Mirrors: []machine.RegistryEndpoint{{URL: "https://b.example"}},
			}}},
			want: `
file: write C:\Program Files\containerd\config.toml (0644)
| version = 2
| imports = ['C:\Program Files\containerd\conf.d\*.toml']
| 
| [plugins]
| [plugins.'io.containerd.grpc.v1.cri']
| [plugins.'io.containerd.grpc.v1.cri'.registry]
| config_path = 'C:\ProgramData\containerd\certs.d'
| 
| [plugins.'io.containerd.grpc.v1.cri'.cni]
| bin_dir = 'C:/opt/cni/bin'
| conf_dir = 'C:/etc/cni/net.d'
file: write C:\ProgramData\containerd\certs.d\a.example5000\hosts.toml (0644)
| 
| [host.'https://b.example']
| capabilities = ['pull', 'resolve']
unit: enable unit containerd.service (restart on [ContainerdConfig TrustedCAsConfig ProxyConfig])`,
		},
		"runtimes": {
			reason: "the shim is Windows's", config: machine.ContainerdConfig{
				Version:  3,
				Runtimes: []machine.Runtime{{Name: "isolated"}},
			},
			want: `
file: write C:\Program Files\containerd\config.toml (0644)
| version = 3
| imports = ['C:\Program Files\containerd\conf.d\*.toml']
| 
| [plugins]
| [plugins.'io.containerd.cri.v1.images']
| [plugins.'io.containerd.cri.v1.images'.registry]
| config_path = 'C:\ProgramData\containerd\certs.d'
| 
| [plugins.'io.containerd.cri.v1.runtime']
| [plugins.'io.containerd.cri.v1.runtime'.cni]
| bin_dir = 'C:/opt/cni/bin'
| conf_dir = 'C:/etc/cni/net.d'
| 
| [plugins.'io.containerd.cri.v1.runtime'.containerd]
| default_runtime_name = 'runhcs-wcow-process'
| 
| [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes]
| [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.isolated]
| runtime_type = 'io.containerd.runhcs.v1'
unit: enable unit containerd.service (restart on [ContainerdConfig TrustedCAsConfig ProxyConfig])`,
		},
		"registries of one directory": {
			reason: "one would take the other's place",
			config: machine.ContainerdConfig{Registries: []machine.Registry{{Host: "a.example:5000"}, {Host: "A.example5000"}}},
			want: `
error: doc.registries[1].host: containerd for Windows looks for "A.example5000" and "a.example:5000" in the same ` +
				`directory; remove one of them`,
		},
		"Linux's settings": {
			reason: "nothing is left out in silence",
			config: machine.ContainerdConfig{
				CgroupDriver: machine.CgroupDriverSystemd, DefaultRuntime: "crun", Proxy: &machine.ProxyConfig{},
				Runtimes: []machine.Runtime{{Name: "a", Type: "io.containerd.runc.v2", Path: `C:\runc.exe`}},
			},
			want: `
error: doc.cgroupDriver: Windows has no control groups; leave it out
error: doc.proxy: Windows services do not support a proxy of their own; use machine.proxy
error: doc.defaultRuntime: crun does not support Windows; leave it out
error: doc.runtimes[0].type: io.containerd.runc.v2 is not a Windows shim; use io.containerd.runhcs.v1
error: doc.runtimes[0]: the Windows shim supports neither a path nor text options; use rawTOML`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, containerd.New(), plugintest.Target(t, "windows-server-2022"), tc.config)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
}
