package osprofile

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/pattern"
	"github.com/machineadm/machineadm/domain/report"
)

var (
	// idPattern matches an ID of os-release(5), as spec.os.distribution requires it.
	idPattern      = pattern.Of(64, `^[a-z0-9][A-Za-z0-9._-]*$`)
	releasePattern = pattern.Of(64, `^[0-9A-Za-z][0-9A-Za-z._+-]*$`)
	minorPattern   = regexp.MustCompile(`^[0-9]{1,4}\.[0-9]{1,4}$`)
	wordPattern    = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)
	unitPattern    = regexp.MustCompile(`^[A-Za-z0-9:_.@\\-]+\.(service|timer)$`)
	prefixPattern  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// Families returns all families.
func Families() []Family {
	return []Family{
		FamilyFlatcar, FamilyCoreOS, FamilyDebian, FamilyRHEL, FamilySUSE, FamilyPhoton, FamilyTalos,
		FamilyBottlerocket, FamilyWindows,
	}
}

// Check returns error findings for missing, unknown and contradictory values of the profile. at is the path of the
// profile.
func (p Profile) Check(at report.Path) report.Report {
	c := profileCheck{profile: p}
	c.words(at)
	c.formats(at.Field("formats"))
	c.runtimePackages(at.Field("runtimePackages"))
	c.containerd(at.Field("containerdConfig"))
	c.kubernetes(at.Field("kubernetesRanges"))
	c.paths(at)
	c.provision(at)
	c.trust(at.Field("trust"))
	c.metadata(at.Field("metadata"))
	return c.found
}

type profileCheck struct {
	profile Profile
	found   report.Report
}

func (c *profileCheck) errorf(at report.Path, format string, args ...any) {
	c.found = append(c.found, report.Errorf(at, format, args...))
}

// oneOf adds a finding unless the value is one of the words.
func oneOf[T ~string](c *profileCheck, at report.Path, value T, words ...T) {
	if !slices.Contains(words, value) {
		c.found = append(c.found, report.Errorf(at, "%q is not a known value", value).To("use one of %q", words))
	}
}

func (c *profileCheck) words(at report.Path) {
	p := c.profile
	if !idPattern.MatchString(p.ID) {
		c.errorf(at.Field("id"), "%q is not the name of a distribution; it has lower-case letters, digits, dots, "+
			"underscores and hyphens", p.ID)
	}
	c.line(at.Field("name"), p.Name)
	c.since(at.Field("defaultRelease"), p.DefaultRelease)
	for _, name := range slices.Sorted(maps.Keys(p.Codenames)) {
		if !wordPattern.MatchString(name) || !releasePattern.MatchString(p.Codenames[name]) {
			c.errorf(at.Field("codenames").Key(name), "%q is not the number of a release", p.Codenames[name])
		}
	}
	oneOf(c, at.Field("family"), p.Family, Families()...)
	oneOf(c, at.Field("shell"), p.Shell, ShellPOSIX, ShellPowerShell, ShellNone)
	oneOf(c, at.Field("packageManager"), p.PackageManager,
		PackageManagerNone, PackageManagerAPT, PackageManagerDNF, PackageManagerYUM, PackageManagerTDNF, PackageManagerZypper)
	for i, daemon := range p.TimeDaemons {
		oneOf(c, at.Field("timeDaemons").Index(i), daemon, machine.TimeDaemonTimesyncd, machine.TimeDaemonChronyd,
			machine.TimeDaemonNTPD, machine.TimeDaemonW32Time)
	}
	oneOf(c, at.Field("containerRuntime"), p.ContainerRuntime, RuntimeContainerd, RuntimeCRIO)
	for i, unit := range p.Updaters {
		if !unitPattern.MatchString(unit) {
			c.errorf(at.Field("updaters").Index(i), "%q is neither a service nor a timer", unit)
		}
	}
	for i, source := range p.Sources {
		c.line(at.Field("sources").Index(i), source)
	}
	if p.SudoGroup != "" && !wordPattern.MatchString(p.SudoGroup) {
		c.errorf(at.Field("sudoGroup"), "%q is not the name of a group", p.SudoGroup)
	}
}

// line adds a finding if the text is empty or has several lines.
func (c *profileCheck) line(at report.Path, text string) {
	if strings.TrimSpace(text) == "" || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		c.errorf(at, "%q is not one line of text", text)
	}
}

func (c *profileCheck) formats(at report.Path) {
	p := c.profile
	if len(p.Formats) == 0 {
		c.errorf(at, "no format is given that the system reads")
	}
	seen := map[delivery.Format]bool{}
	for i, f := range p.Formats {
		where := at.Index(i)
		// Only the renderers know which formats exist; an unknown name is reported when it is used.
		if !idPattern.MatchString(string(f.Format)) {
			c.errorf(where.Field("format"), "%q is not the name of a format", f.Format)
		}
		if seen[f.Format] {
			c.errorf(where.Field("format"), "%s is listed twice", f.Format)
		}
		seen[f.Format] = true
		if i == 0 && f.Format == delivery.FormatButane {
			c.errorf(where.Field("format"), "no machine boots Butane, and the first format is the default")
		}
		if f.Source != "" {
			c.line(where.Field("source"), f.Source)
		}
		c.versions(where.Field("versions"), f.Versions)
	}
	if seen[delivery.FormatButane] != (p.ButaneVariant != "") {
		c.errorf(at, "Butane needs its variant, and a variant is for Butane")
	}
}

// versions adds findings for versions that are not sorted by release. The lookup takes the last version whose release
// is old enough.
func (c *profileCheck) versions(at report.Path, versions []FormatVersion) {
	for i, v := range versions {
		where := at.Index(i)
		c.since(where.Field("since"), v.Since)
		if !versionPattern.MatchString(v.Version) {
			c.errorf(where.Field("version"), "%q is not a version", v.Version)
		}
		if i == 0 {
			continue
		}
		if before := versions[i-1]; CompareReleases(before.Since, v.Since) >= 0 {
			c.errorf(where.Field("since"), "release %q must not follow %q; sort the releases in ascending order",
				v.Since, before.Since)
		} else if CompareReleases(before.Version, v.Version) >= 0 {
			c.errorf(where.Field("version"), "version %s must not follow %s; sort the versions in ascending order", v.Version,
				before.Version)
		}
	}
}

func (c *profileCheck) since(at report.Path, release string) {
	if release != "" && !releasePattern.MatchString(release) {
		c.errorf(at, "%q is not a release", release)
	}
}

func (c *profileCheck) runtimePackages(at report.Path) {
	list := c.profile.RuntimePackages
	for i, p := range list {
		where := at.Index(i)
		c.since(where.Field("since"), p.Since)
		if p.Name != "" && !wordPattern.MatchString(p.Name) {
			c.errorf(where.Field("name"), "%q is not the name of a package", p.Name)
		}
		if p.Version != "" && !minorPattern.MatchString(p.Version) {
			c.errorf(where.Field("version"), "%q is not a minor version such as 1.7", p.Version)
		}
		if i > 0 && CompareReleases(list[i-1].Since, p.Since) >= 0 {
			c.errorf(where.Field("since"), "the packages are not in the order of their releases")
		}
	}
	if len(list) > 0 && c.profile.PackageManager == PackageManagerNone {
		c.errorf(at, "packages are listed, and there is no package manager")
	}
}

func (c *profileCheck) containerd(at report.Path) {
	list := c.profile.ContainerdConfig
	for i, v := range list {
		where := at.Index(i)
		c.since(where.Field("since"), v.Since)
		if v.Version < 2 || v.Version > 4 {
			c.errorf(where.Field("version"), "containerd's configuration has no version %s that is known; there are 2 to 4",
				strconv.Itoa(v.Version))
		}
		if i > 0 && (CompareReleases(list[i-1].Since, v.Since) >= 0 || list[i-1].Version >= v.Version) {
			c.errorf(where, "the versions are not in the order of their releases")
		}
	}
}

func (c *profileCheck) kubernetes(at report.Path) {
	list := c.profile.KubernetesRanges
	for i, r := range list {
		where := at.Index(i)
		for _, v := range []struct{ field, version string }{
			{"release", r.Release}, {"oldest", r.Oldest}, {"newest", r.Newest},
		} {
			if !minorPattern.MatchString(v.version) {
				c.errorf(where.Field(v.field), "%q is not a minor version such as 1.36", v.version)
			}
		}
		if CompareReleases(r.Oldest, r.Newest) > 0 {
			c.errorf(where.Field("newest"), "%s is older than %s", r.Newest, r.Oldest)
		}
		if i > 0 && CompareReleases(list[i-1].Release, r.Release) >= 0 {
			c.errorf(where.Field("release"), "the ranges are not in the order of their releases")
		}
	}
}

// namedPath is a path in a profile and the field that contains it.
type namedPath struct {
	at   report.Path
	path string
}

func (p Profile) allPaths(at report.Path) []namedPath {
	var all []namedPath
	lists := []struct {
		field string
		paths []string
	}{{"readOnly", p.ReadOnly}, {"writable", p.Writable}, {"noExec", p.NoExec}}
	for _, l := range lists {
		for i, s := range l.paths {
			all = append(all, namedPath{at.Field(l.field).Index(i), s})
		}
	}
	single := []namedPath{
		{at.Field("binDir"), p.BinDir},
		{at.Field("kubeletEnvironment"), p.KubeletEnvironment},
		{at.Field("trust").Field("directory"), p.Trust.Directory},
	}
	if p.Metadata != nil {
		single = append(single, namedPath{at.Field("metadata").Field("file"), p.Metadata.File})
	}
	return append(all, slices.DeleteFunc(single, func(n namedPath) bool { return n.path == "" })...)
}

// paths adds findings for paths that are relative or not clean, and for directories of files that are read-only.
func (c *profileCheck) paths(at report.Path) {
	p := c.profile
	for _, n := range p.allPaths(at) {
		slashes := strings.ReplaceAll(n.path, `\`, "/")
		if p.Family != FamilyWindows {
			slashes = n.path
		}
		if !p.IsAbs(n.path) || path.Clean(slashes) != slashes || strings.ContainsFunc(n.path, func(r rune) bool {
			return r < ' '
		}) {
			c.errorf(n.at, "%q is not absolute and clean", n.path)
		}
	}
	for _, n := range []namedPath{
		{at.Field("binDir"), p.BinDir},
		{at.Field("kubeletEnvironment"), p.KubeletEnvironment},
		{at.Field("trust").Field("directory"), p.Trust.Directory},
	} {
		if n.path != "" && !p.CanWrite(n.path) {
			c.errorf(n.at, "%s cannot be written according to readOnly and writable", n.path)
		}
	}
	if p.BinDir != "" && !p.CanExec(p.BinDir) {
		c.errorf(at.Field("binDir"), "no program in %s can be started according to noExec", p.BinDir)
	}
}

func (c *profileCheck) provision(at report.Path) {
	p := c.profile
	oneOf(
		c, at.Field("provision"), p.Provision,
		machine.ProvisionImage, machine.ProvisionSysext, machine.ProvisionPackage, machine.ProvisionDownload,
	)
	if p.Provision == machine.ProvisionPackage && p.PackageManager == PackageManagerNone {
		c.errorf(at.Field("provision"), "packages are to be installed, and there is no package manager")
	}
	if p.Provision == machine.ProvisionDownload && p.BinDir == "" {
		c.errorf(at.Field("binDir"), "programs are to be downloaded, and there is no place for them")
	}
	architectures := at.Field("sysextArchitectures")
	for _, name := range slices.Sorted(maps.Keys(p.SysextArch)) {
		oneOf(c, architectures.Key(name), name, "amd64", "arm64")
		if !wordPattern.MatchString(p.SysextArch[name]) {
			c.errorf(architectures.Key(name), "%q is not an architecture", p.SysextArch[name])
		}
	}
}

func (c *profileCheck) trust(at report.Path) {
	t := c.profile.Trust
	if t == (Trust{}) {
		return
	}
	if t.Directory == "" {
		c.errorf(at.Field("directory"), "there is no directory for certificates")
	}
	if !strings.HasPrefix(t.Extension, ".") || !wordPattern.MatchString(t.Extension[1:]) {
		c.errorf(at.Field("extension"), "%q is not the extension of a file name, such as .crt", t.Extension)
	}
	c.line(at.Field("command"), t.Command)
}

func (c *profileCheck) metadata(at report.Path) {
	m := c.profile.Metadata
	if m == nil {
		return
	}
	if !unitPattern.MatchString(m.Unit) {
		c.errorf(at.Field("unit"), "%q is neither a service nor a timer", m.Unit)
	}
	if m.File == "" {
		c.errorf(at.Field("file"), "there is no file of facts")
	}
	if !prefixPattern.MatchString(m.Prefix) {
		c.errorf(at.Field("prefix"), "%q does not begin a variable's name", m.Prefix)
	}
}
