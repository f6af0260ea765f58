package talos

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/config/types/cri"
	"github.com/siderolabs/talos/pkg/machinery/config/types/meta"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// wildcard is the host of a Registry for all registries without an entry.
const wildcard = "_default"

// registries collects the settings of registries and of the hosts that serve them.
type registries struct {
	mirrors []mirror
	hosts   []host
}

// mirror has the sources of one registry's images.
type mirror struct {
	name      string
	endpoints []machine.RegistryEndpoint
	// last reports whether only the endpoints are used.
	last bool
}

// host has the connection settings of a host.
type host struct {
	name string
	tls  *machine.RegistryTLS
	auth *machine.RegistryAuth
	at   report.Path
}

// registries renders mirrors, certificates and credentials. In Talos the latter two belong to hosts, not to mirrors.
func (b *build) registries(at report.Path, given []machine.Registry) {
	var all registries
	for i, reg := range given {
		b.registry(&all, at.Index(i), reg)
	}
	if b.contract.since(sinceDocuments) {
		b.registryDocuments(all)
		return
	}
	b.legacyRegistries(at, all)
}

func (b *build) registry(all *registries, at report.Path, reg machine.Registry) {
	m := mirror{name: reg.Host, endpoints: slices.Clone(reg.Mirrors)}
	if reg.Host == wildcard {
		m.name = "*"
	}
	upstream := cmp.Or(reg.Server, "https://"+upstreamHost(reg))
	// Talos gives containerd the TLS settings of a host only for the endpoints of mirrors and for registries without a
	// mirror (siderolabs/talos: GenerateHosts), and containerd looks for those of docker.io under this name.
	fallback := reg.TLS != nil && reg.Host != wildcard && (len(reg.Mirrors) > 0 || reg.Host != upstreamHost(reg))
	if fallback || reg.Server != "" && reg.Server != "https://"+reg.Host {
		m.endpoints, m.last = append(m.endpoints, b.lastEndpoint(upstream, reg.Mirrors)), true
	}
	b.checkTLS(at, upstream, reg.TLS)
	for i, e := range reg.Mirrors {
		b.mirrorEndpoint(at.Field("mirrors").Index(i), e)
		b.addHost(all, at.Field("mirrors").Index(i), hostOf(e.URL), e.TLS, e.Auth)
	}
	b.addHost(all, at, upstreamHost(reg), reg.TLS, reg.Auth)
	if len(m.endpoints) > 0 {
		all.mirrors = append(all.mirrors, m)
	}
}

// lastEndpoint returns the upstream as an endpoint. Talos before 1.12 has one flag for the paths of all endpoints: if
// all mirrors override their paths, the upstream gets the one that would be appended.
func (b *build) lastEndpoint(upstream string, mirrors []machine.RegistryEndpoint) machine.RegistryEndpoint {
	appended := func(e machine.RegistryEndpoint) bool { return !e.OverridePath }
	if b.contract.since(sinceDocuments) || len(mirrors) == 0 || slices.ContainsFunc(mirrors, appended) {
		return machine.RegistryEndpoint{URL: upstream}
	}
	return machine.RegistryEndpoint{URL: strings.TrimSuffix(upstream, "/") + "/v2", OverridePath: true}
}

// mirrorEndpoint finds settings of a mirror that Talos does not support.
func (b *build) mirrorEndpoint(at report.Path, e machine.RegistryEndpoint) {
	capabilities := slices.Clone(e.Capabilities)
	slices.Sort(capabilities)
	if len(capabilities) > 0 && !slices.Equal(capabilities, []string{"pull", "resolve"}) {
		b.find(report.Errorf(at.Field("capabilities"), "a mirror of Talos pulls and resolves").To("leave them out"))
	}
	if len(e.Header) > 0 {
		b.find(report.Errorf(at.Field("header"), "Talos sends no headers of its own to a mirror").To("use auth"))
	}
	b.checkTLS(at, e.URL, e.TLS)
}

// checkTLS finds TLS settings of a URL without TLS: Talos pulls no image from its host.
func (b *build) checkTLS(at report.Path, endpoint string, tls *machine.RegistryTLS) {
	if tls != nil && strings.HasPrefix(strings.ToLower(endpoint), "http:") {
		b.find(report.Errorf(at.Field("tls"), "Talos pulls no image from an http URL with TLS settings").To(
			"leave it out, or write https in the URL"))
	}
}

func (b *build) addHost(all *registries, at report.Path, name string, tls *machine.RegistryTLS,
	auth *machine.RegistryAuth,
) {
	if tls == nil && auth == nil {
		return
	}
	if name == "" {
		b.find(report.Errorf(at, "Talos supports certificates and credentials only for single hosts").To("name the registry"))
		return
	}
	h := host{name, tls, auth, at}
	for _, known := range all.hosts {
		if known.name == name && !(same(known.tls, tls, sameTLS) && same(known.auth, auth, sameAuth)) {
			b.find(report.Errorf(at, "Talos has one set of settings for %s, but %s has others", name, known.at).To(
				"use the same settings in both places"))
			return
		}
		if known.name == name {
			return
		}
	}
	all.hosts = append(all.hosts, h)
}

func same[T any](a, b *T, equal func(a, b T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return equal(*a, *b)
}

func sameTLS(a, b machine.RegistryTLS) bool {
	return slices.Equal(a.CA, b.CA) && slices.Equal(a.Certificate, b.Certificate) && a.Key.Equal(b.Key) &&
		a.InsecureSkipVerify == b.InsecureSkipVerify
}

func sameAuth(a, b machine.RegistryAuth) bool {
	return a.Username == b.Username && a.Password.Equal(b.Password) && a.Token.Equal(b.Token)
}

// upstreamHost is the host that serves a registry itself, or none for all others.
func upstreamHost(reg machine.Registry) string {
	switch {
	case reg.Server != "":
		return hostOf(reg.Server)
	case reg.Host == wildcard:
		return ""
	case reg.Host == "docker.io":
		return "registry-1.docker.io"
	default:
		return reg.Host
	}
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}

// registryDocuments adds a document for each mirror and host.
func (b *build) registryDocuments(all registries) {
	for _, m := range all.mirrors {
		d := cri.NewRegistryMirrorConfigV1Alpha1(m.name)
		for _, e := range m.endpoints {
			u, err := url.Parse(e.URL)
			if err != nil {
				continue // The registry's own check has refused it.
			}
			endpoint := cri.RegistryEndpoint{EndpointURL: meta.URL{URL: u}}
			if e.OverridePath {
				endpoint.EndpointOverridePath = new(true)
			}
			d.RegistryEndpoints = append(d.RegistryEndpoints, endpoint)
		}
		if m.last {
			d.RegistrySkipFallback = new(true)
		}
		b.add(d)
	}
	for _, h := range all.hosts {
		b.hostDocuments(h)
	}
}

func (b *build) hostDocuments(h host) {
	if h.auth != nil {
		d := cri.NewRegistryAuthConfigV1Alpha1(h.name)
		d.RegistryUsername, d.RegistryPassword = h.auth.Username, string(h.auth.Password.Reveal())
		d.RegistryIdentityToken = string(h.auth.Token.Reveal())
		b.add(d)
	}
	if h.tls == nil {
		return
	}
	d := cri.NewRegistryTLSConfigV1Alpha1(h.name)
	d.TLSCA = strings.TrimSpace(string(h.tls.CA))
	if len(h.tls.Certificate) > 0 {
		d.TLSClientIdentity = &meta.CertificateAndKey{Cert: string(h.tls.Certificate), Key: string(h.tls.Key.Reveal())}
	}
	if h.tls.InsecureSkipVerify {
		d.TLSInsecureSkipVerify = new(true)
	}
	b.add(d)
}
