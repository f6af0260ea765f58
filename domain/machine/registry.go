package machine

import (
	"encoding/pem"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// RegistryTLS configures TLS with a registry.
type RegistryTLS struct {
	// CA contains PEM certificates with which the registry's certificate is verified.
	CA []byte `json:"ca,omitempty"`
	// Certificate is the client certificate, in PEM.
	Certificate []byte `json:"certificate,omitempty"`
	// Key is the private key of the client certificate, in PEM.
	Key secret.Value `json:"key,omitempty"`
	// InsecureSkipVerify accepts any certificate.
	InsecureSkipVerify bool `json:"insecureSkipVerify,omitempty"`
}

// RegistryAuth contains the credentials for a registry.
type RegistryAuth struct {
	// Username is the name of the account.
	Username string `json:"username,omitempty"`
	// Password is the password of the account.
	Password secret.Value `json:"password,omitempty"`
	// Token is an identity or bearer token, in place of a password.
	Token secret.Value `json:"token,omitempty"`
}

// RegistryEndpoint is a host that serves a registry's images.
type RegistryEndpoint struct {
	// URL is http or https, with an optional path.
	URL string `json:"url"`
	// Capabilities are pull, resolve and push. Default: pull and resolve.
	Capabilities []string `json:"capabilities,omitempty"`
	// OverridePath makes the URL's path the root of the API: /v2 is not appended.
	OverridePath bool `json:"overridePath,omitempty"`
	// Header contains HTTP headers that are sent with each request.
	Header map[string]string `json:"header,omitempty"`
	// TLS configures the connection to the endpoint.
	TLS *RegistryTLS `json:"tls,omitempty"`
	// Auth contains the credentials for the endpoint.
	Auth *RegistryAuth `json:"auth,omitempty"`
}

// Registry configures from where the images of one registry are pulled.
type Registry struct {
	// Host is the registry as in image names, such as docker.io or registry.example:5000; _default is all others.
	Host string `json:"host"`
	// Server is the upstream URL. Default: https:// and Host.
	Server string `json:"server,omitempty"`
	// Mirrors are tried in this order, before the server.
	Mirrors []RegistryEndpoint `json:"mirrors,omitempty"`
	// TLS configures the connection to the server.
	TLS *RegistryTLS `json:"tls,omitempty"`
	// Auth contains the credentials for the server.
	Auth *RegistryAuth `json:"auth,omitempty"`
}

// headerPattern is a token of RFC 9110, section 5.6.2.
var headerPattern = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

func checkRegistries(p report.Path, registries []Registry) report.Report {
	var r report.Report
	seen := map[string]int{}
	for i, reg := range registries {
		if first, dup := seen[reg.Host]; dup {
			r = append(r, report.Errorf(p.Index(i).Field("host"), "%q is already the host of element %d", reg.Host, first))
		}
		seen[reg.Host] = i
		r = append(r, reg.check(p.Index(i))...)
	}
	return r
}

func (reg Registry) check(p report.Path) report.Report {
	var r report.Report
	if len(reg.Host) <= maxPathElement && !registryPattern.MatchString(reg.Host) {
		r = append(r, report.Errorf(p.Field("host"), "%q is not the host of a registry", reg.Host).
			To("write it as image names have it, such as registry.example:5000"))
	}
	if len(reg.Host) > maxPathElement {
		r = append(r, report.Errorf(p.Field("host"), "the host has %d bytes; it becomes a file name, which may have %d",
			len(reg.Host), maxPathElement).To("use the registry's host name"))
	}
	if reg.Server != "" {
		r = append(r, checkRegistryURL(p.Field("server"), reg.Server)...)
	}
	r = append(r, reg.TLS.check(p.Field("tls"))...)
	r = append(r, reg.Auth.check(p.Field("auth"))...)
	for i, m := range reg.Mirrors {
		r = append(r, m.check(p.Field("mirrors").Index(i))...)
	}
	return r
}

func (e RegistryEndpoint) check(p report.Path) report.Report {
	r := checkRegistryURL(p.Field("url"), e.URL)
	for i, c := range e.Capabilities {
		if !slices.Contains([]string{"pull", "resolve", "push"}, c) {
			r = append(r, report.Errorf(p.Field("capabilities").Index(i), "%q is not a capability", c).To(
				"use pull, resolve or push"))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Header)) {
		at := p.Field("header").Key(name)
		if !headerPattern.MatchString(name) {
			r = append(r, report.Errorf(at, "%q is not the name of an HTTP header", name).To("use letters, digits and dashes"))
		}
		r = append(r, checkLine(at, e.Header[name])...)
	}
	r = append(r, e.TLS.check(p.Field("tls"))...)
	return append(r, e.Auth.check(p.Field("auth"))...)
}

// checkRegistryURL returns findings that do not quote a URL with credentials.
func checkRegistryURL(p report.Path, raw string) report.Report {
	u, err := url.Parse(raw)
	switch {
	case err == nil && u.User != nil:
		return report.Report{report.Errorf(p, "the URL must not contain credentials").To("use auth")}
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || strings.ContainsAny(raw, " \t\r\n"):
		return report.Report{report.Errorf(p, "this is not a URL of a registry").To("write https://host[:port][/path]")}
	}
	return nil
}

func (t *RegistryTLS) check(p report.Path) report.Report {
	if t == nil {
		return nil
	}
	var r report.Report
	if len(t.CA) > 0 {
		r = append(r, checkCertificates(p.Field("ca"), t.CA)...)
	}
	if (len(t.Certificate) == 0) != t.Key.IsZero() {
		return append(r, report.Errorf(p, "certificate and key must be set together").To("set both, or neither"))
	}
	if len(t.Certificate) > 0 {
		r = append(r, checkCertificates(p.Field("certificate"), t.Certificate)...)
		r = append(r, checkPrivateKey(p.Field("key"), t.Key)...)
	}
	return r
}

func checkPrivateKey(p report.Path, key secret.Value) report.Report {
	block, _ := pem.Decode(key.Reveal())
	if block != nil && strings.HasSuffix(block.Type, "PRIVATE KEY") {
		return nil
	}
	return report.Report{report.Errorf(p, "this is not a private key").To("write a PEM block such as PRIVATE KEY")}
}

func (a *RegistryAuth) check(p report.Path) report.Report {
	switch {
	case a == nil:
		return nil
	case a.Token.IsZero() && (a.Username == "" || a.Password.IsZero()):
		return report.Report{report.Errorf(p, "neither username and password nor token is set").To("set one of them")}
	case !a.Token.IsZero() && (a.Username != "" || !a.Password.IsZero()):
		return report.Report{report.Errorf(p, "username and password exclude token").
			To("remove one of them")}
	case strings.ContainsRune(a.Username, ':'):
		return report.Report{report.Errorf(p.Field("username"), "a username must not contain a colon (RFC 7617)").
			To("remove the colon")}
	}
	return nil
}
