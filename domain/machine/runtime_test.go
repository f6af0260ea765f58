package machine_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestRuntimeCheck(t *testing.T) {
	crio := func(c machine.CRIOConfig) document.Value { return c }
	hold(t, map[string]verdict{
		"nothing":        {value: machine.ContainerdConfig{}},
		"version":        {value: machine.ContainerdConfig{Version: 1}, want: []string{"version"}},
		"sandbox":        {value: machine.ContainerdConfig{SandboxImage: "registry.example/pause:3.10@sha256:0"}},
		"sandbox, blank": {value: machine.ContainerdConfig{SandboxImage: "a b"}, want: []string{"sandboxImage"}},
		"cgroups":        {value: machine.ContainerdConfig{CgroupDriver: "v2"}, want: []string{"cgroupDriver"}},
		"default": {value: machine.ContainerdConfig{
			DefaultRuntime: "kata",
			Runtimes:       []machine.Runtime{{Name: "kata"}},
		}},
		"default unknown": {value: machine.ContainerdConfig{DefaultRuntime: "kata"}, want: []string{"defaultRuntime"}},
		"runtimes twice": {
			value: machine.ContainerdConfig{Runtimes: []machine.Runtime{{Name: "a"}, {Name: "a"}}},
			want:  []string{"runtimes[1].name"},
		},
		"runtime": {value: machine.ContainerdConfig{Runtimes: []machine.Runtime{{
			Name: "A", Path: "x",
			Options: map[string]string{"a b": "\x00"},
		}}}, want: []string{"runtimes[0].name", "runtimes[0].path", `runtimes[0].options["a b"]`}},
		"toml":        {value: machine.ContainerdConfig{RawTOML: "x = \"é\"\n"}},
		"toml, bytes": {value: machine.ContainerdConfig{RawTOML: "\xff"}, want: []string{"rawTOML"}},
		"proxy": {
			value: machine.ContainerdConfig{Proxy: &machine.ProxyConfig{HTTPProxy: secret.FromString("x")}},
			want:  []string{"proxy.httpProxy"},
		},
		"crio": {value: crio(machine.CRIOConfig{
			PauseImage: "pause", CgroupDriver: machine.CgroupDriverSystemd,
			DefaultRuntime: "crun",
		})},
		"crio, bad": {
			value: crio(machine.CRIOConfig{
				PauseImage: "a b", CgroupDriver: "x", DefaultRuntime: "x", RawTOML: "\x00",
				Proxy: &machine.ProxyConfig{NoProxy: []string{""}},
			}),
			want: []string{"pauseImage", "cgroupDriver", "defaultRuntime", "rawTOML", "proxy.noProxy[0]"},
		},
	})
}

func TestRegistryCheck(t *testing.T) {
	key := secret.FromString("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
	of := func(r ...machine.Registry) document.Value { return machine.ContainerdConfig{Registries: r} }
	mirror := func(e machine.RegistryEndpoint) document.Value {
		return of(machine.Registry{Host: "docker.io", Mirrors: []machine.RegistryEndpoint{e}})
	}
	tls := func(t machine.RegistryTLS) document.Value {
		return mirror(machine.RegistryEndpoint{URL: "https://m", TLS: &t})
	}
	auth := func(a machine.RegistryAuth) document.Value { return of(machine.Registry{Host: "docker.io", Auth: &a}) }
	m0 := "registries[0].mirrors[0]"
	hold(t, map[string]verdict{
		"hosts": {value: of(machine.Registry{Host: "docker.io"}, machine.Registry{
			Host:   "r.example:5000",
			Server: "https://r.example:5000/v2",
		}, machine.Registry{Host: "_default"})},
		"longest host": {value: of(machine.Registry{Host: strings.Repeat("a", 255)})},
		"long host":    {value: of(machine.Registry{Host: strings.Repeat("a", 5000)}), want: []string{"registries[0].host"}},
		"twice": {
			value: of(machine.Registry{Host: "a"}, machine.Registry{Host: "a"}),
			want:  []string{"registries[1].host"},
		},
		"path": {
			reason: "it becomes the name of a directory", value: of(machine.Registry{Host: "../x"}),
			want: []string{"registries[0].host"},
		},
		"scheme": {value: of(machine.Registry{Host: "https://x"}), want: []string{"registries[0].host"}},
		"server": {value: of(machine.Registry{Host: "x", Server: "x"}), want: []string{"registries[0].server"}},
		"mirror": {value: mirror(machine.RegistryEndpoint{URL: "http://m:5000/p", Capabilities: []string{
			"pull",
			"push",
		}, Header: map[string]string{"X-A": `"quoted" \ é`}})},
		"credentials": {value: mirror(machine.RegistryEndpoint{URL: "https://u:p@m"}), want: []string{m0 + ".url"}},
		"capability": {
			value: mirror(machine.RegistryEndpoint{URL: "https://m", Capabilities: []string{"delete"}}),
			want:  []string{m0 + ".capabilities[0]"},
		},
		"headers": {
			reason: "in the order of their names",
			value: mirror(machine.RegistryEndpoint{URL: "https://m", Header: map[string]string{
				"b": "\n", "a b": "",
				"c": "ok",
			}}), want: []string{m0 + `.header["a b"]`, m0 + `.header["b"]`},
		},
		"tls":        {value: tls(machine.RegistryTLS{CA: []byte(testCA), Certificate: []byte(testCA), Key: key})},
		"no ca":      {value: tls(machine.RegistryTLS{CA: []byte("x")}), want: []string{m0 + ".tls.ca"}},
		"key alone":  {value: tls(machine.RegistryTLS{Key: key}), want: []string{m0 + ".tls"}},
		"cert alone": {value: tls(machine.RegistryTLS{Certificate: []byte(testCA)}), want: []string{m0 + ".tls"}},
		"swapped": {
			value: tls(machine.RegistryTLS{Certificate: key.Reveal(), Key: secret.FromString(testCA)}),
			want:  []string{m0 + ".tls.certificate", m0 + ".tls.key"},
		},
		"password": {value: auth(machine.RegistryAuth{Username: "u", Password: secret.FromString("p")})},
		"token":    {value: auth(machine.RegistryAuth{Token: secret.FromString("t")})},
		"neither":  {value: auth(machine.RegistryAuth{Username: "u"}), want: []string{"registries[0].auth"}},
		"both": {value: auth(machine.RegistryAuth{
			Username: "u", Password: secret.FromString("p"),
			Token: secret.FromString("t"),
		}), want: []string{"registries[0].auth"}},
		"colon in name": {
			value: auth(machine.RegistryAuth{Username: "u:x", Password: secret.FromString("p")}),
			want:  []string{"registries[0].auth.username"},
		},
	})
}
