package containerd

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"strconv"

	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// endpoint is a host in hosts.toml (containerd's docs/hosts.md); the server's own fields are at the top.
type endpoint struct {
	Capabilities []string          `toml:"capabilities,omitempty"`
	CA           string            `toml:"ca,omitempty"`
	Client       [][2]string       `toml:"client,omitempty"`
	SkipVerify   bool              `toml:"skip_verify,omitempty"`
	OverridePath bool              `toml:"override_path,omitempty"`
	Header       map[string]string `toml:"header,omitempty"`
}

// server is the top of hosts.toml. Without Server containerd asks the registry itself.
type server struct {
	Server     string      `toml:"server,omitempty"`
	CA         string      `toml:"ca,omitempty"`
	Client     [][2]string `toml:"client,omitempty"`
	SkipVerify bool        `toml:"skip_verify,omitempty"`
}

// registries returns what writes hosts.toml, and certificates next to it, for each registry.
func registries(all []machine.Registry, t osprofile.Target, at report.Path) ([]action.Operation, report.Report, error) {
	var operations []action.Operation
	var r report.Report
	seen := map[string]string{}
	for i, reg := range all {
		directory := hostsDirectory(reg.Host, t)
		if other, taken := seen[directory]; taken {
			r = append(r, report.Errorf(at.Index(i).Field("host"),
				"containerd for Windows looks for %q and %q in the same directory", reg.Host, other).To("remove one of them"))
		}
		seen[directory] = reg.Host
		created, found, err := hosts(reg, t, at.Index(i))
		if err != nil {
			return nil, nil, fmt.Errorf("expand containerd: %s: %w", reg.Host, err)
		}
		operations = append(operations, created...)
		r = append(r, found...)
	}
	return operations, r, nil
}

func hosts(reg machine.Registry, t osprofile.Target, at report.Path) ([]action.Operation, report.Report, error) {
	place := func(name string) string { return expand.Place(t, path.Join(hostsDirectory(reg.Host, t), name)) }
	top := server{Server: reg.Server}
	var operations []action.Operation
	top.CA, top.Client, top.SkipVerify, operations = certificates(place("server"), reg.TLS)
	text, err := toml.Marshal(top)
	if err != nil {
		return nil, nil, err
	}
	r := append(twice(reg.Mirrors, at.Field("mirrors")), withoutHost(reg, at)...)
	secret := false
	for i, m := range reg.Mirrors {
		e, files := endpointOf(m, place("mirror-"+strconv.Itoa(i+1)))
		table, err := hostTable(m.URL, e)
		if err != nil {
			return nil, nil, err
		}
		text = append(append(text, '\n'), table...)
		operations = append(operations, files...)
		secret = secret || len(m.Header) > 0
	}
	write := expand.File(place("hosts.toml"), string(text))
	if secret {
		write = expand.SecretFile(place("hosts.toml"), text)
	}
	return append(operations, write), r, nil
}

// hostTable encodes one table [host."URL"]. All at once would sort them, and containerd tries hosts in the order of the
// file.
func hostTable(address string, e endpoint) ([]byte, error) {
	table, err := toml.Marshal(map[string]map[string]endpoint{"host": {address: e}})
	return bytes.TrimPrefix(table, []byte("[host]\n")), err
}

// twice finds repeated mirrors, which TOML does not permit.
func twice(mirrors []machine.RegistryEndpoint, at report.Path) report.Report {
	var r report.Report
	firsts := map[string]int{}
	for i, m := range mirrors {
		if first, seen := firsts[m.URL]; seen {
			r = append(r, report.Errorf(at.Index(i).Field("url"), "element %d is already this mirror", first).To(
				"remove one of them"))
			continue
		}
		firsts[m.URL] = i
	}
	return r
}

// withoutHost finds credentials without the host that they are for.
func withoutHost(reg machine.Registry, at report.Path) report.Report {
	if reg.Host != "_default" || reg.Auth == nil || reg.Server != "" {
		return nil
	}
	return report.Report{report.Errorf(at.Field("auth"), "credentials for all registries would be sent to any of them").
		To("name the server, or give each registry its credentials")}
}

func endpointOf(m machine.RegistryEndpoint, prefix string) (endpoint, []action.Operation) {
	e := endpoint{Capabilities: m.Capabilities, OverridePath: m.OverridePath, Header: m.Header}
	if len(e.Capabilities) == 0 {
		e.Capabilities = []string{"pull", "resolve"}
	}
	var files []action.Operation
	e.CA, e.Client, e.SkipVerify, files = certificates(prefix, m.TLS)
	return e, files
}

func certificates(prefix string, t *machine.RegistryTLS) (ca string, client [][2]string, skip bool,
	files []action.Operation,
) {
	if t == nil {
		return "", nil, false, nil
	}
	if len(t.CA) > 0 {
		ca = prefix + "-ca.pem"
		files = append(files, expand.File(ca, string(t.CA)))
	}
	if len(t.Certificate) > 0 {
		client = [][2]string{{prefix + "-client.pem", prefix + "-client-key.pem"}}
		files = append(files, expand.File(client[0][0], string(t.Certificate)), expand.SecretFile(client[0][1],
			t.Key.Reveal()))
	}
	return ca, client, t.InsecureSkipVerify, files
}

// credentials returns the registries' and mirrors' credentials by the host that containerd will be talking to.
func credentials(all []machine.Registry) map[string]registryConfig {
	configs := map[string]registryConfig{}
	for _, reg := range all {
		add(configs, upstream(reg), reg.Auth)
		for _, m := range reg.Mirrors {
			add(configs, hostOf(m.URL), m.Auth)
		}
	}
	return configs
}

func add(configs map[string]registryConfig, host string, a *machine.RegistryAuth) {
	if a != nil {
		configs[host] = registryConfig{Auth: auth{
			Username: a.Username, Password: string(a.Password.Reveal()), IdentityToken: string(a.Token.Reveal()),
		}}
	}
}

// upstream returns the host that serves the registry's images. That of docker.io has another name, which containerd
// knows.
func upstream(reg machine.Registry) string {
	switch {
	case reg.Server != "":
		return hostOf(reg.Server)
	case reg.Host == "docker.io":
		return "registry-1.docker.io"
	default:
		return reg.Host
	}
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
