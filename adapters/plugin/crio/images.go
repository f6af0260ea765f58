package crio

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// registriesFile is containers-registries.conf(5), version 2.
type registriesFile struct {
	Registry []registry `toml:"registry"`
}

type registry struct {
	Prefix   string   `toml:"prefix"`
	Location string   `toml:"location"`
	Insecure bool     `toml:"insecure,omitempty"`
	Mirror   []mirror `toml:"mirror,omitempty"`
}

type mirror struct {
	Location string `toml:"location"`
	Insecure bool   `toml:"insecure,omitempty"`
	// PullFromMirror is digest-only for a mirror that cannot resolve tags.
	PullFromMirror string `toml:"pull-from-mirror,omitempty"`
}

// host has the settings of one host from all registries and mirrors.
type host struct {
	tls  *machine.RegistryTLS
	auth *machine.RegistryAuth
}

// images gathers the files of containers/image.
type images struct {
	file     registriesFile
	hosts    map[string]host
	findings report.Report
}

func imageFiles(all []machine.Registry, at report.Path) ([]action.Operation, report.Report, error) {
	if len(all) == 0 {
		return nil, nil, nil
	}
	g := images{hosts: map[string]host{}}
	for i, reg := range all {
		g.registry(reg, at.Index(i))
	}
	if g.findings.HasErrors() {
		return nil, g.findings, nil
	}
	content, err := toml.Marshal(g.file)
	if err != nil {
		return nil, nil, fmt.Errorf("expand crio: %w", err)
	}
	operations := append([]action.Operation{expand.File(RegistriesFile, string(content))}, g.certificates()...)
	auth, err := g.credentials()
	return append(operations, auth...), g.findings, err
}

func (g *images) registry(reg machine.Registry, at report.Path) {
	if reg.Host == "_default" {
		g.refuse(at.Field("host"), "containers/image has no settings for all registries", "name each registry")
		return
	}
	created := registry{Prefix: reg.Host, Location: reg.Host, Insecure: skips(reg.TLS)}
	if reg.Server != "" {
		location, plain := g.location(reg.Server, true, at.Field("server"))
		created.Location, created.Insecure = location, created.Insecure || plain
	}
	g.host(created.Location, host{tls: reg.TLS, auth: reg.Auth}, at)
	for i, m := range reg.Mirrors {
		created.Mirror = append(created.Mirror, g.mirror(m, at.Field("mirrors").Index(i)))
	}
	g.file.Registry = append(g.file.Registry, created)
}

func (g *images) mirror(m machine.RegistryEndpoint, at report.Path) mirror {
	if len(m.Header) > 0 {
		g.refuse(at.Field("header"), "CRI-O cannot send custom headers", "use auth, or a mirror that needs none")
	}
	if u, err := url.Parse(m.URL); err == nil && m.OverridePath && strings.Trim(u.Path, "/") == "" {
		g.refuse(at.Field("overridePath"), "CRI-O requests every registry at /v2, not at its root",
			"leave it out, or give the url a path")
	}
	location, plain := g.location(m.URL, m.OverridePath, at.Field("url"))
	g.host(location, host{tls: m.TLS, auth: m.Auth}, at)
	created := mirror{Location: location, Insecure: plain || skips(m.TLS)}
	if len(m.Capabilities) > 0 && !slices.Contains(m.Capabilities, "resolve") {
		created.PullFromMirror = "digest-only"
	}
	if len(m.Capabilities) > 0 && !slices.Contains(m.Capabilities, "pull") {
		g.refuse(at.Field("capabilities"), "CRI-O uses mirrors for nothing but pulling", "add pull, or remove the mirror")
	}
	return created
}

// location returns HOST[/NAMESPACE] for a URL, and whether it is not https. The API's root is /v2 on every host: a path
// before it is not supported, and a path after it is the namespace. Only a path that overrides the root contains one.
func (g *images) location(raw string, overrides bool, at report.Path) (location string, plain bool) {
	u, err := url.Parse(raw)
	if err != nil {
		g.refuse(at, "this is not a URL", "write https://host[:port]")
		return "", false
	}
	p := strings.Trim(u.Path, "/")
	rest, isRoot := strings.CutPrefix(p+"/", "v2/")
	if p != "" && (!isRoot || !overrides) {
		g.refuse(at, "CRI-O uses the path /v2 of every registry, but this path is another", "use a registry without a path")
	}
	return strings.TrimSuffix(u.Host+"/"+strings.Trim(rest, "/"), "/"), u.Scheme == "http"
}

// host notes certificates and credentials, which containers/image finds by the host, not by the mirror.
func (g *images) host(location string, h host, at report.Path) {
	name, _, _ := strings.Cut(location, "/")
	known := g.hosts[name]
	if clash(known, h) {
		g.refuse(at, name+" already has other certificates or credentials", "give them once for each host")
	}
	if h.tls == nil {
		h.tls = known.tls
	}
	if h.auth == nil {
		h.auth = known.auth
	}
	g.hosts[name] = h
}

func clash(a, b host) bool {
	tls := a.tls != nil && b.tls != nil && (!bytes.Equal(a.tls.CA, b.tls.CA) || !bytes.Equal(a.tls.Certificate,
		b.tls.Certificate))
	auth := a.auth != nil && b.auth != nil && (a.auth.Username != b.auth.Username ||
		!bytes.Equal(a.auth.Password.Reveal(), b.auth.Password.Reveal()) || !bytes.Equal(a.auth.Token.Reveal(),
		b.auth.Token.Reveal()))
	return tls || auth
}

func (g *images) refuse(at report.Path, message, remedy string) {
	g.findings = append(g.findings, report.Errorf(at, "%s", message).To("%s", remedy))
}

func skips(t *machine.RegistryTLS) bool { return t != nil && t.InsecureSkipVerify }

// certificates writes ca.crt, client.cert and client.key; containers/image recognizes them by their suffixes.
func (g *images) certificates() []action.Operation {
	var files []action.Operation
	for _, name := range slices.Sorted(maps.Keys(g.hosts)) {
		t, directory := g.hosts[name].tls, path.Join(CertsDirectory, name)
		if t != nil && len(t.CA) > 0 {
			files = append(files, expand.File(path.Join(directory, "ca.crt"), string(t.CA)))
		}
		if t != nil && len(t.Certificate) > 0 {
			files = append(files, expand.File(path.Join(directory, "client.cert"), string(t.Certificate)),
				expand.SecretFile(path.Join(directory, "client.key"), t.Key.Reveal()))
		}
	}
	return files
}

// authEntry is one of containers-auth.json(5).
type authEntry struct {
	Auth          string `json:"auth,omitempty"`
	IdentityToken string `json:"identitytoken,omitempty"`
}

func hasCredentials(all []machine.Registry) bool {
	return slices.ContainsFunc(all, func(reg machine.Registry) bool {
		return reg.Auth != nil || slices.ContainsFunc(reg.Mirrors, func(m machine.RegistryEndpoint) bool {
			return m.Auth != nil
		})
	})
}

func (g *images) credentials() ([]action.Operation, error) {
	entries := map[string]authEntry{}
	for name, h := range g.hosts {
		if h.auth != nil {
			pair := h.auth.Username + ":" + string(h.auth.Password.Reveal())
			entries[name] = authEntry{
				Auth: base64.StdEncoding.EncodeToString([]byte(pair)), IdentityToken: string(h.auth.Token.Reveal()),
			}
		}
	}
	if len(entries) == 0 {
		return nil, nil
	}
	content, err := json.Marshal(map[string]any{"auths": entries})
	if err != nil {
		return nil, fmt.Errorf("expand crio: %w", err)
	}
	return []action.Operation{expand.SecretFile(AuthFile, append(content, '\n'))}, nil
}
