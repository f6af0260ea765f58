package convert

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// machine converts spec.machine. Documents of one phase are applied in this order: the user's files and units come
// after the documents of other groups.
func (c *converter) machine(m *v1alpha1.MachineSpec, p report.Path) {
	if m == nil {
		return
	}
	c.storage(m.StorageSpec, p)
	c.trustedCAs(m.TrustedCAs, p.Field("trustedCAs"))
	if m.Proxy != nil {
		c.add(p.Field("proxy"), c.proxy(m.Proxy, p.Field("proxy")))
	}
	c.identity(m, p)
	c.accounts(m, p)
	c.software(m, p)
	c.kernel(m, p)
	c.runtimes(m, p)
	for i, d := range m.Directories {
		c.directory(d, p.Field("directories").Index(i))
	}
	for i, l := range m.Links {
		c.add(p.Field("links").Index(i), machine.Link{Path: l.Path, Target: l.Target})
	}
	for i, f := range m.Files {
		c.file(f, p.Field("files").Index(i))
	}
	if m.OSUpdates != nil {
		c.add(p.Field("osUpdates"), machine.OSUpdatesConfig{Enabled: m.OSUpdates.Enabled})
	}
	for i, u := range m.Units {
		c.unit(u, p.Field("units").Index(i))
	}
	c.commands(m.BootCommands, p.Field("bootCommands"), document.PhaseBoot)
	c.commands(m.PreCommands, p.Field("preCommands"), document.PhasePre)
	c.commands(m.PostCommands, p.Field("postCommands"), document.PhasePost)
}

func (c *converter) trustedCAs(cas []v1alpha1.TrustedCA, p report.Path) {
	var doc machine.TrustedCAsConfig
	for i, ca := range cas {
		if got, ok := c.text(p.Index(i), "content", ca.Content, ca.ContentFrom); ok {
			c.mapPath(p.Field("trustedCAs").Index(len(doc.CAs)), p.Index(i))
			doc.CAs = append(doc.CAs, machine.TrustedCA{Name: ca.Name, PEM: got.bytes})
		}
	}
	if len(doc.CAs) > 0 {
		c.add(p, doc)
	}
}

func (c *converter) proxy(s *v1alpha1.ProxyConfigSpec, p report.Path) machine.ProxyConfig {
	return machine.ProxyConfig{
		HTTPProxy:  c.secretText(p, "httpProxy", s.HTTPProxy, s.HTTPProxyFrom),
		HTTPSProxy: c.secretText(p, "httpsProxy", s.HTTPSProxy, s.HTTPSProxyFrom),
		NoProxy:    slices.Clone(s.NoProxy),
	}
}

// secretText returns a confidential text that is given literally or from a Secret. It removes a final line break, which
// editors and echo leave in Secrets.
func (c *converter) secretText(p report.Path, name, literal string, from *v1alpha1.SecretSource) secret.Value {
	if from == nil {
		return secret.FromString(literal)
	}
	c.mapPath(p.Field(name), p.Field(name+"From"))
	if literal != "" {
		c.found(report.Errorf(p.Field(name+"From"), "%s is given as well", name).To("remove one of them"))
	}
	return line(c.secretFrom(p.Field(name+"From"), from))
}

func line(v secret.Value) secret.Value {
	return secret.FromString(strings.TrimSuffix(strings.TrimSuffix(string(v.Reveal()), "\n"), "\r"))
}

// identity converts the host name and the other fields that identify the machine.
func (c *converter) identity(m *v1alpha1.MachineSpec, p report.Path) {
	if h := m.Host; h != nil {
		c.add(p.Field("host"), machine.HostConfig{
			Hostname: h.Hostname, RandomHostname: h.RandomHostname, TimeZone: h.TimeZone,
			Locale: h.Locale, UILanguage: h.UILanguage, Keyboard: h.Keyboard,
		})
	}
	if j := m.DomainJoin; j != nil {
		at := p.Field("domainJoin")
		c.mapPath(at.Field("password"), at.Field("passwordFrom"))
		c.mapPath(at.Field("provisioningData"), at.Field("provisioningDataFrom"))
		c.add(at, machine.DomainJoin{
			Domain: j.Domain, OrganizationalUnit: j.OrganizationalUnit, Username: j.Username,
			Password:         line(c.secretFrom(at.Field("passwordFrom"), j.PasswordFrom)),
			ProvisioningData: c.secretFrom(at.Field("provisioningDataFrom"), j.ProvisioningDataFrom),
		})
	}
}

func (c *converter) accounts(m *v1alpha1.MachineSpec, p report.Path) {
	for i, g := range m.Groups {
		c.add(p.Field("groups").Index(i), machine.Group{Name: g.Name, GID: number(g.GID), System: g.System})
	}
	for i, u := range m.Users {
		c.user(u, p.Field("users").Index(i))
	}
}

func number[N int32 | int64](n *N) *int {
	if n == nil {
		return nil
	}
	i := int(*n)
	return &i
}

func (c *converter) user(u v1alpha1.UserSpec, p report.Path) {
	c.mapPath(p.Field("passwordHash"), p.Field("passwd"))
	c.mapPath(p.Field("password"), p.Field("passwordFrom"))
	c.mapPath(p.Field("unlocked"), p.Field("lockPassword"))
	hash := c.secretText(p, "passwd", u.Passwd, u.PasswdFrom)
	unlocked := !hash.IsZero()
	if u.LockPassword != nil {
		unlocked = !*u.LockPassword
	}
	c.add(p, machine.User{
		Name: u.Name, UID: number(u.UID), Comment: u.Gecos, PrimaryGroup: u.PrimaryGroup, Groups: slices.Clone(u.Groups),
		Home: u.HomeDir, NoCreateHome: u.NoCreateHome, Shell: u.Shell, System: u.System,
		PasswordHash: hash, Unlocked: unlocked, Inactive: u.Inactive,
		Password:          line(c.secretFrom(p.Field("passwordFrom"), u.PasswordFrom)),
		SSHAuthorizedKeys: slices.Clone(u.SSHAuthorizedKeys), Sudo: u.Sudo,
	})
}

func (c *converter) software(m *v1alpha1.MachineSpec, p report.Path) {
	if s := m.Packages; s != nil {
		c.add(p.Field("packages"), machine.PackagesConfig{
			Install: slices.Clone(s.Install), Update: s.Update,
			Upgrade: s.Upgrade,
		})
		for i, repository := range s.Repositories {
			c.repository(repository, p.Field("packages").Field("repositories").Index(i))
		}
	}
	if s := m.Kubernetes; s != nil {
		doc := machine.KubernetesConfig{Provision: machine.Provision(s.Provision), Packages: slices.Clone(s.Packages)}
		for _, a := range s.Artifacts {
			doc.Artifacts = append(doc.Artifacts, machine.Artifact{Name: a.Name, URL: a.URL, SHA256: a.SHA256, SHA512: a.SHA512})
		}
		c.add(p.Field("kubernetes"), doc)
	}
}

func (c *converter) repository(r v1alpha1.PackageRepository, p report.Path) {
	if key, ok := c.text(p, "signingKey", r.SigningKey, r.SigningKeyFrom); ok {
		c.add(p, machine.PackageRepository{
			Name: r.Name, URL: r.URL, Suite: r.Suite, Components: slices.Clone(r.Components), SigningKey: string(key.bytes),
		})
	}
}

func (c *converter) kernel(m *v1alpha1.MachineSpec, p report.Path) {
	c.sysctls(m.Sysctls, p.Field("sysctls"))
	if len(m.KernelModules) > 0 {
		var doc machine.KernelModulesConfig
		for _, k := range m.KernelModules {
			doc.Modules = append(doc.Modules, machine.KernelModule{Name: k.Name, Options: slices.Clone(k.Options)})
		}
		at := p.Field("kernelModules")
		c.mapPath(at.Field("modules"), at)
		c.add(at, doc)
	}
	if a := m.KernelArguments; a != nil {
		c.add(p.Field("kernelArguments"), machine.KernelArguments{
			ShouldExist: slices.Clone(a.ShouldExist), ShouldNotExist: slices.Clone(a.ShouldNotExist),
		})
	}
	c.timeSync(m.TimeSync, p.Field("timeSync"))
}

func (c *converter) sysctls(settings map[string]string, p report.Path) {
	if len(settings) == 0 {
		return
	}
	var doc machine.SysctlConfig
	for i, name := range slices.Sorted(maps.Keys(settings)) {
		at := p.Field("settings").Index(i)
		for _, field := range []report.Path{at, at.Field("name"), at.Field("value")} {
			c.mapPath(field, p.Key(name))
		}
		doc.Settings = append(doc.Settings, machine.Sysctl{Name: name, Value: settings[name]})
	}
	c.add(p, doc)
}

func (c *converter) timeSync(t *v1alpha1.TimeSyncConfigSpec, p report.Path) {
	if t == nil {
		return
	}
	doc := machine.TimeSyncConfig{
		Daemon: machine.TimeDaemon(t.Daemon), Servers: slices.Clone(t.Servers), Pools: slices.Clone(t.Pools),
	}
	if t.Enabled != nil {
		doc.Enabled = new(*t.Enabled)
	}
	c.add(p, doc)
}

func (c *converter) commands(scripts []string, p report.Path, phase document.Phase) {
	for i, script := range scripts {
		c.mapPath(p.Index(i).Field("script"), p.Index(i))
		c.add(p.Index(i), machine.Command{Phase: phase, Script: script})
	}
}

// maxUnit is the maximum length in bytes of a unit file or drop-in, without the values of facts.
const maxUnit = 256 << 10

func (c *converter) unit(u v1alpha1.UnitSpec, p report.Path) {
	doc := machine.Unit{Name: u.Name, Masked: u.Mask}
	doc.Content = c.valueOf(p, "contents", u.Contents, "parts", u.Parts, maxUnit)
	if u.Enabled != nil {
		enabled := *u.Enabled
		doc.Enabled = &enabled
	}
	for i, d := range u.DropIns {
		text := c.valueOf(p.Field("dropIns").Index(i), "contents", d.Contents, "parts", d.Parts, maxUnit)
		doc.DropIns = append(doc.DropIns, machine.DropIn{Name: d.Name, Content: text})
	}
	c.add(p, doc)
}

// file converts a file. It leaves out a file whose optional content is missing.
func (c *converter) file(f v1alpha1.FileSpec, p report.Path) {
	doc := machine.File{Path: f.Path, Mode: c.mode(p.Field("permissions"), f.Permissions), Append: f.Append}
	doc.Owner = c.owner(p.Field("owner"), f.Owner)
	if len(f.Parts) > 0 {
		if f.Content != "" || f.ContentFrom != nil {
			c.found(report.Errorf(p.Field("parts"), "content or contentFrom is given as well").To("make it one of the parts"))
		}
		doc.Content, doc.Secret = c.parts(f.Parts, p.Field("parts"))
		c.add(p, doc)
		return
	}
	got, ok := c.text(p, "content", f.Content, f.ContentFrom)
	if !ok {
		return
	}
	doc.Content, doc.Secret = document.Literal(c.decode(p.Field("content"), f.Encoding, got.bytes)), got.secret
	c.add(p, doc)
}

func (c *converter) directory(d v1alpha1.DirectorySpec, p report.Path) {
	c.add(p, machine.Directory{
		Path: d.Path, Mode: c.mode(p.Field("permissions"), d.Permissions), Owner: c.owner(p.Field("owner"), d.Owner),
	})
}

// owner splits "user:group".
func (c *converter) owner(p report.Path, text string) machine.Owner {
	c.mapPath(p.Field("user"), p)
	c.mapPath(p.Field("group"), p)
	user, group, _ := strings.Cut(text, ":")
	return machine.Owner{User: user, Group: group}
}

// mode parses octal digits. It refuses mode 0, which means "not set" in the domain.
func (c *converter) mode(p report.Path, digits string) machine.Mode {
	if digits == "" {
		return machine.ModeUnset
	}
	n, err := strconv.ParseUint(digits, 8, 16)
	if err != nil || n == 0 || n > 0o7777 {
		c.found(report.Errorf(p, "%q are not permissions", digits).To("write octal digits such as 0644"))
		return machine.ModeUnset
	}
	return machine.Mode(n)
}
