package machine

import (
	"net/url"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// CgroupDriver says who manages control groups.
type CgroupDriver string

// The cgroup drivers. Empty means systemd.
const (
	CgroupDriverSystemd  CgroupDriver = "systemd"
	CgroupDriverCgroupfs CgroupDriver = "cgroupfs"
)

// RegistryTLS says how to trust a registry and how to be known to it.
type RegistryTLS struct {
	// CA is a PEM bundle.
	CA []byte
	// Certificate and Key are the client's, PEM.
	Certificate []byte
	Key         secret.Value
	// InsecureSkipVerify accepts any certificate.
	InsecureSkipVerify bool
}

// RegistryAuth holds the credentials for a registry.
type RegistryAuth struct {
	Username string
	Password secret.Value
	// Token is an identity or bearer token, in place of a password.
	Token secret.Value
}

// RegistryEndpoint is a host that serves a registry's images.
type RegistryEndpoint struct {
	// URL is http or https, with an optional path.
	URL string
	// Capabilities are pull, resolve and push; none means pull and resolve.
	Capabilities []string
	// OverridePath says that the URL's path is the API root, so that /v2 is not appended.
	OverridePath bool
	// Header holds values that are sent with each request.
	Header map[string]string
	TLS    *RegistryTLS
	Auth   *RegistryAuth
}

// Registry says from where the images of one registry are pulled.
type Registry struct {
	// Host is the registry as image names have it, such as docker.io or registry.example:5000; _default stands for all
	// others.
	Host string
	// Server is the upstream URL; empty means https://Host.
	Server string
	// Mirrors are tried in their order, before the server.
	Mirrors []RegistryEndpoint
	// TLS and Auth are for the server itself.
	TLS  *RegistryTLS
	Auth *RegistryAuth
}

// Runtime is an OCI runtime that a RuntimeClass may name.
type Runtime struct {
	Name string
	// Type is the shim, such as io.containerd.runc.v2 (containerd), or oci or vm (CRI-O).
	Type string
	// Path is the runtime's binary; empty means the one on PATH.
	Path string
	// Options are the runtime's own settings.
	Options map[string]string
}

// ContainerdConfig configures containerd.
type ContainerdConfig struct {
	// Version is that of containerd's configuration file: 2 (containerd 1.x), 3 (2.x) or 4 (2.3 and newer). 0 takes the
	// operating system's.
	Version int
	// SandboxImage is the pause image.
	SandboxImage string
	CgroupDriver CgroupDriver
	Registries   []Registry
	Runtimes     []Runtime
	// DefaultRuntime names one of Runtimes, or runc.
	DefaultRuntime string
	// Proxy is for containerd alone; nil takes the machine's.
	Proxy *ProxyConfig
	// RawTOML is merged into the configuration as a drop-in, for settings that have no field here.
	RawTOML string
}

// Kind returns KindContainerd.
func (ContainerdConfig) Kind() document.Kind { return KindContainerd }

// Check finds versions, registries and runtimes that containerd refuses.
func (c ContainerdConfig) Check(p report.Path) report.Report {
	var r report.Report
	if !slices.Contains([]int{0, 2, 3, 4}, c.Version) {
		r = append(r, report.Errorf(p.Field("version"), "containerd has no configuration version %d", c.Version).To("use 2, 3 or 4"))
	}
	r = append(r, checkWord(p.Field("sandboxImage"), c.SandboxImage)...)
	r = append(r, checkCgroupDriver(p.Field("cgroupDriver"), c.CgroupDriver)...)
	r = append(r, checkRegistries(p.Field("registries"), c.Registries)...)
	r = append(r, checkRuntimes(p, c.Runtimes, c.DefaultRuntime)...)
	if c.Proxy != nil {
		r = append(r, c.Proxy.Check(p.Field("proxy"))...)
	}
	return r
}

// CRIOConfig configures CRI-O.
type CRIOConfig struct {
	// PauseImage is the pause image.
	PauseImage     string
	CgroupDriver   CgroupDriver
	Registries     []Registry
	Runtimes       []Runtime
	DefaultRuntime string
	// Proxy is for CRI-O alone; nil takes the machine's.
	Proxy *ProxyConfig
	// RawTOML is added as a drop-in.
	RawTOML string
}

// Kind returns KindCRIO.
func (CRIOConfig) Kind() document.Kind { return KindCRIO }

// Check finds registries and runtimes that CRI-O refuses.
func (c CRIOConfig) Check(p report.Path) report.Report {
	r := checkWord(p.Field("pauseImage"), c.PauseImage)
	r = append(r, checkCgroupDriver(p.Field("cgroupDriver"), c.CgroupDriver)...)
	r = append(r, checkRegistries(p.Field("registries"), c.Registries)...)
	r = append(r, checkRuntimes(p, c.Runtimes, c.DefaultRuntime)...)
	if c.Proxy != nil {
		r = append(r, c.Proxy.Check(p.Field("proxy"))...)
	}
	return r
}

func checkCgroupDriver(p report.Path, d CgroupDriver) report.Report {
	if d == "" || d == CgroupDriverSystemd || d == CgroupDriverCgroupfs {
		return nil
	}
	return report.Report{report.Errorf(p, "%q is no cgroup driver", d).To("use systemd or cgroupfs")}
}

func checkRegistries(p report.Path, registries []Registry) report.Report {
	var r report.Report
	seen := map[string]int{}
	for i, reg := range registries {
		at := p.Index(i)
		if !registryPattern.MatchString(reg.Host) {
			r = append(r, report.Errorf(at.Field("host"), "%q is no registry's host", reg.Host).
				To("write it as image names have it, such as registry.example:5000"))
		}
		if first, dup := seen[reg.Host]; dup {
			r = append(r, report.Errorf(at.Field("host"), "%q already stands at %s", reg.Host, p.Index(first)))
		}
		seen[reg.Host] = i
		if reg.Server != "" {
			r = append(r, checkRegistryURL(at.Field("server"), reg.Server)...)
		}
		r = append(r, checkRegistryTLS(at.Field("tls"), reg.TLS)...)
		for j, m := range reg.Mirrors {
			r = append(r, m.check(at.Field("mirrors").Index(j))...)
		}
	}
	return r
}

func (e RegistryEndpoint) check(p report.Path) report.Report {
	r := checkRegistryURL(p.Field("url"), e.URL)
	for i, c := range e.Capabilities {
		if !slices.Contains([]string{"pull", "resolve", "push"}, c) {
			r = append(r, report.Errorf(p.Field("capabilities").Index(i), "%q is no capability", c).To("use pull, resolve or push"))
		}
	}
	for k, v := range e.Header {
		r = append(r, checkLine(p.Field("header").Key(k), k+v)...)
	}
	return append(r, checkRegistryTLS(p.Field("tls"), e.TLS)...)
}

func checkRegistryURL(p report.Path, raw string) report.Report {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || strings.ContainsAny(raw, " \t\r\n") {
		return report.Report{report.Errorf(p, "%q is no URL of a registry", raw).To("write https://host[:port][/path]")}
	}
	if u.User != nil {
		return report.Report{report.Errorf(p, "credentials do not belong into the URL").To("use auth")}
	}
	return nil
}

func checkRegistryTLS(p report.Path, t *RegistryTLS) report.Report {
	if t == nil {
		return nil
	}
	var r report.Report
	if len(t.CA) > 0 {
		r = append(r, checkCertificates(p.Field("ca"), t.CA)...)
	}
	if (len(t.Certificate) == 0) != t.Key.IsZero() {
		r = append(r, report.Errorf(p, "a client certificate needs its key, and a key its certificate"))
	}
	return r
}

func checkRuntimes(p report.Path, runtimes []Runtime, def string) report.Report {
	var r report.Report
	names := []string{"", "runc", "crun"}
	for i, rt := range runtimes {
		at := p.Field("runtimes").Index(i)
		if !runtimePattern.MatchString(rt.Name) {
			r = append(r, report.Errorf(at.Field("name"), "%q is no runtime's name", rt.Name))
		}
		if rt.Path != "" {
			r = append(r, checkPath(at.Field("path"), rt.Path)...)
		}
		names = append(names, rt.Name)
	}
	if !slices.Contains(names, def) {
		r = append(r, report.Errorf(p.Field("defaultRuntime"), "%q is none of the runtimes", def))
	}
	return r
}
