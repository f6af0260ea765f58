package bottlerocket

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// containerd renders mirrors and credentials; the rest of containerd's configuration is Bottlerocket's own.
func (s *settings) containerd(at report.Path, c machine.ContainerdConfig) {
	const own = "Bottlerocket's containerd has a configuration of its own"
	refused := map[string]bool{
		"version": c.Version != 0, "cgroupDriver": c.CgroupDriver == machine.CgroupDriverCgroupfs,
		"runtimes": len(c.Runtimes) > 0, "defaultRuntime": c.DefaultRuntime != "", "rawTOML": c.RawTOML != "",
	}
	for _, field := range sortedKeys(refused) {
		if refused[field] {
			s.instead(at.Field(field), "leave it out; container-runtime in a snippet has some settings", own)
		}
	}
	if c.Proxy != nil {
		s.instead(at.Field("proxy"), "use spec.machine.proxy", "Bottlerocket has one proxy for all")
	}
	if c.SandboxImage != "" {
		s.instead(at.Field("sandboxImage"), "leave it out", "Bottlerocket's image contains the pause image")
	}
	for i, r := range c.Registries {
		s.registry(at.Field("registries").Index(i), r)
	}
}

// registry renders the sources of a registry's images. After the mirrors containerd asks the registry itself. Since
// core-kit 13.1.0 of February 2026, they are sorted by URL (core-kit: sources/api/thar-be-registries; issue 898).
func (s *settings) registry(at report.Path, r machine.Registry) {
	s.registryTLS(at.Field("tls"), r.TLS)
	s.credentials(at.Field("auth"), r.Host, r.Auth)
	var endpoints []string
	for i, m := range r.Mirrors {
		where := at.Field("mirrors").Index(i)
		endpoints = append(endpoints, root(m))
		s.mirror(where, m)
	}
	if r.Server != "" {
		endpoints = append(endpoints, r.Server)
		itself := r.Host
		if itself == wildcard {
			itself = "each registry"
		}
		s.warn(at.Field("server"), "Bottlerocket asks %s itself after this server", itself)
	}
	if len(endpoints) == 0 {
		return
	}
	if !slices.IsSorted(endpoints) {
		s.findings = append(s.findings, report.Warningf(at.Field("mirrors"), "Bottlerocket since February 2026 does not "+
			"keep the order of mirrors and server: it tries them sorted by URL").
			To("list one, or use names that sort in your order"))
	}
	items := make([]any, len(endpoints))
	for i, e := range endpoints {
		items[i] = e
	}
	host := r.Host
	if host == wildcard {
		host = "*"
	}
	s.add(at, map[string]any{"registry": host, "endpoint": items}, "container-registry", "mirrors")
}

// wildcard matches all registries without settings of their own.
const wildcard = "_default"

// root returns the address of the API: containerd takes a path in an endpoint for it, and appends nothing
// (containerd/pkg/cri/server/image_pull.go: registryHosts).
func root(m machine.RegistryEndpoint) string {
	u, err := url.Parse(m.URL)
	if err != nil || m.OverridePath || strings.Trim(u.Path, "/") == "" {
		return m.URL
	}
	return strings.TrimSuffix(m.URL, "/") + "/v2"
}

func (s *settings) mirror(at report.Path, m machine.RegistryEndpoint) {
	s.registryTLS(at.Field("tls"), m.TLS)
	if len(m.Header) > 0 {
		s.instead(at.Field("header"), "leave it out", "Bottlerocket sends mirrors no headers")
	}
	given := slices.Sorted(slices.Values(m.Capabilities))
	if len(given) > 0 && !slices.Equal(given, []string{"pull", "resolve"}) {
		s.instead(at.Field("capabilities"), "leave it out, or write pull and resolve",
			"Bottlerocket's mirrors pull and resolve")
	}
	if u, err := url.Parse(m.URL); err == nil {
		if m.OverridePath && strings.Trim(u.Path, "/") == "" {
			s.instead(at.Field("overridePath"), "leave it out, or give the url a path",
				"Bottlerocket requests a mirror without a path at /v2")
		}
		s.credentials(at.Field("auth"), u.Host, m.Auth)
	}
}

func (s *settings) registryTLS(at report.Path, t *machine.RegistryTLS) {
	if t != nil {
		s.instead(at, "use spec.machine.trustedCAs for its CA", "Bottlerocket has no TLS settings for a single registry")
	}
}

func (s *settings) credentials(at report.Path, host string, a *machine.RegistryAuth) {
	if a == nil {
		return
	}
	row := map[string]any{"registry": host}
	if a.Username != "" {
		row["username"] = a.Username
	}
	if !a.Password.IsZero() {
		row["password"] = string(a.Password.Reveal())
	}
	if !a.Token.IsZero() {
		row["identitytoken"] = string(a.Token.Reveal())
	}
	if !s.twice(at, row) {
		s.add(at, row, "container-registry", "credentials")
	}
}

// twice reports whether there are credentials for the host already; Bottlerocket makes one table of containerd's for
// each.
func (s *settings) twice(at report.Path, row map[string]any) bool {
	rows, _ := s.table([]string{"container-registry"})["credentials"].([]map[string]any)
	for _, other := range rows {
		if hub(other["registry"]) != hub(row["registry"]) {
			continue
		}
		same := maps.Clone(other)
		same["registry"] = row["registry"]
		if !maps.Equal(same, row) {
			s.instead(at, "give the same", "%v has other credentials already", row["registry"])
		}
		return true
	}
	return false
}

// hub is docker.io for both of its names.
func hub(registry any) any {
	if registry == "registry-1.docker.io" {
		return "docker.io"
	}
	return registry
}
