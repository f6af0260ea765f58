package linuxcmd

import (
	"path"
	"regexp"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
)

// versionPattern matches the name of an RPM package with a version of at least two numbers, and possibly a release, of
// which each can contain stars. In java-17-*, for example, 17 belongs to the name.
var versionPattern = regexp.MustCompile(`^[^*]+-[0-9][^-]*\.[^-]*(-[0-9*][^-]*)?$`)

// nameScript queries a package, which can have a version or an architecture, or else a virtual package.
const nameScript = `rpm -q -- "$1"||rpm -q --whatprovides -- "$1"`

// Query returns the command that queries a package, and the version to look for. A name may contain a version in the
// manager's notation: after an equals sign, or within the name, where a star matches any characters. The query is nil
// for other names with a star, and for those with a suite, groups of dnf (@core) and tasks of apt (ssh-server^): only
// the package manager knows which packages they select.
//
// Only without -a and --whatprovides, rpm splits its argument into a name, a version and a release (rpm(8)). The latter
// two can contain stars.
func (m PackageManager) Query(name string) (query Command, version string) {
	bare, version, pinned := strings.Cut(name, "=")
	series := m.status == nil && !pinned && versionPattern.MatchString(name)
	selects := strings.Contains(name, "/") || strings.HasPrefix(name, "@") || strings.HasSuffix(name, "^")
	switch {
	case selects || strings.Contains(bare, "*") && !series:
		return nil, ""
	case m.status != nil:
		return m.Status(bare), version
	case pinned:
		return Command{"rpm", "-q", "--", bare + "-" + version}, version
	default:
		return Command{"sh", "-c", nameScript, "sh", name}, version
	}
}

// Installed reports whether the output of a successful Query is that of an installed package with the version.
func (m PackageManager) Installed(out, version string) bool {
	if m.status == nil {
		return strings.TrimSpace(out) != ""
	}
	return installed(out, version)
}

// installed parses the output of dpkg-query(1), one line for each architecture. An empty version matches any version,
// and a star in it matches any characters, as in apt-get(8).
func installed(out, version string) bool {
	for line := range strings.Lines(out) {
		status, is, _ := strings.Cut(strings.TrimSpace(line), " ")
		if same, err := path.Match(version, is); status == "installed" && (version == "" || err == nil && same) {
			return true
		}
	}
	return false
}

// Satisfied returns the shell condition that no package is missing and none is upgraded. It is empty if no query can
// determine that.
func (m PackageManager) Satisfied(p machine.PackagesConfig) string {
	if p.Upgrade {
		return ""
	}
	conditions := make([]string, len(p.Install))
	for i, name := range p.Install {
		query, version := m.Query(name)
		if query == nil {
			return ""
		}
		lines := "."
		if m.status != nil {
			lines = "^installed "
		}
		if m.status != nil && version != "" {
			lines += strings.ReplaceAll(regexp.QuoteMeta(version), `\*`, ".*") + "$"
		}
		conditions[i] = "_found=$(" + query.String() + " 2>/dev/null)&&echo \"$_found\"|grep -Eq " + action.Quote(lines)
	}
	return strings.Join(conditions, "&&")
}
