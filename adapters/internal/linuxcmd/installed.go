package linuxcmd

import (
	"path"
	"regexp"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
)

// Query returns the command that queries a package, and the version to look for. A name may contain a version in the
// manager's notation: after an equals sign, or within the name, where a star matches any characters.
func (m PackageManager) Query(name string) (query Command, version string) {
	bare, version, pinned := strings.Cut(name, "=")
	switch {
	case m.status != nil:
		bare, _, _ = strings.Cut(bare, "/") // A name may contain a suite, too.
		return m.Status(bare), version
	case pinned:
		return Command{"rpm", "-qa", "--", bare + "-" + version + "*"}, version
	case strings.Contains(name, "*"):
		return Command{"rpm", "-qa", "--", name}, version
	default:
		return Command{"rpm", "-q", "--whatprovides", "--", name}, version
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

// OnlyInstalls reports whether the document has no effect on a machine that has its packages.
func OnlyInstalls(p machine.PackagesConfig) bool { return len(p.Install) > 0 && !p.Upgrade }

// HasPackages returns the shell condition that Installed is true for all packages.
func (m PackageManager) HasPackages(names []string) string {
	conditions := make([]string, len(names))
	for i, name := range names {
		query, version := m.Query(name)
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
