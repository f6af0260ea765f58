package convert

import (
	"maps"
	"slices"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

func (c *converter) runtimes(m *v1alpha1.MachineSpec, p report.Path) {
	c.containerd(m.Containerd, p.Field("containerd"))
	if s := m.CRIO; s != nil {
		at := p.Field("crio")
		c.add(at, machine.CRIOConfig{
			PauseImage: s.PauseImage, CgroupDriver: machine.CgroupDriver(s.CgroupDriver),
			Registries: c.registries(s.Registries, at.Field("registries")), Runtimes: runtimes(s.Runtimes),
			DefaultRuntime: s.DefaultRuntime, Proxy: c.runtimeProxy(s.Proxy, at.Field("proxy")), RawTOML: s.RawTOML,
		})
	}
}

func (c *converter) containerd(s *v1alpha1.ContainerdConfigSpec, p report.Path) {
	if s == nil {
		return
	}
	c.Target.ContainerdVersion = int(s.Version)
	c.add(p, machine.ContainerdConfig{
		Version: int(s.Version), SandboxImage: s.SandboxImage, CgroupDriver: machine.CgroupDriver(s.CgroupDriver),
		Registries: c.registries(s.Registries, p.Field("registries")), Runtimes: runtimes(s.Runtimes),
		DefaultRuntime: s.DefaultRuntime, Proxy: c.runtimeProxy(s.Proxy, p.Field("proxy")), RawTOML: s.RawTOML,
	})
}

func (c *converter) runtimeProxy(s *v1alpha1.ProxyConfigSpec, p report.Path) *machine.ProxyConfig {
	if s == nil {
		return nil
	}
	proxy := c.proxy(s, p)
	return &proxy
}

func runtimes(list []v1alpha1.Runtime) []machine.Runtime {
	var out []machine.Runtime
	for _, r := range list {
		out = append(out, machine.Runtime{Name: r.Name, Type: r.Type, Path: r.Path, Options: maps.Clone(r.Options)})
	}
	return out
}

func (c *converter) registries(list []v1alpha1.Registry, p report.Path) []machine.Registry {
	var out []machine.Registry
	for i, r := range list {
		at := p.Index(i)
		reg := machine.Registry{
			Host: r.Host, Server: r.Server, TLS: c.tls(r.TLS, at.Field("tls")), Auth: c.auth(r.Auth, at.Field("auth")),
		}
		for j, m := range r.Mirrors {
			reg.Mirrors = append(reg.Mirrors, c.mirror(m, at.Field("mirrors").Index(j)))
		}
		out = append(out, reg)
	}
	return out
}

func (c *converter) mirror(m v1alpha1.RegistryEndpoint, p report.Path) machine.RegistryEndpoint {
	return machine.RegistryEndpoint{
		URL: m.URL, Capabilities: slices.Clone(m.Capabilities), OverridePath: m.OverridePath, Header: maps.Clone(m.Header),
		TLS: c.tls(m.TLS, p.Field("tls")), Auth: c.auth(m.Auth, p.Field("auth")),
	}
}

func (c *converter) tls(t *v1alpha1.RegistryTLS, p report.Path) *machine.RegistryTLS {
	if t == nil {
		return nil
	}
	return &machine.RegistryTLS{
		CA: c.content(p.Field("ca"), t.CA), Certificate: c.content(p.Field("certificate"), t.Certificate),
		Key: c.secretFrom(p.Field("key"), t.Key), InsecureSkipVerify: t.InsecureSkipVerify,
	}
}

func (c *converter) auth(a *v1alpha1.RegistryAuth, p report.Path) *machine.RegistryAuth {
	if a == nil {
		return nil
	}
	return &machine.RegistryAuth{
		Username: a.Username, Password: line(c.secretFrom(p.Field("password"), a.Password)),
		Token: line(c.secretFrom(p.Field("token"), a.Token)),
	}
}
