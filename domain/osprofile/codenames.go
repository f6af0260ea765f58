package osprofile

import (
	"maps"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
)

// ubuntuCodenames returns the releases since 18.04 (package distro-info-data 0.58+deb12u7, 2026-11: ubuntu.csv).
func ubuntuCodenames() map[string]string {
	return map[string]string{
		"bionic": "18.04", "cosmic": "18.10", "disco": "19.04", "eoan": "19.10", "focal": "20.04", "groovy": "20.10",
		"hirsute": "21.04", "impish": "21.10", "jammy": "22.04", "kinetic": "22.10", "lunar": "23.04", "mantic": "23.10",
		"noble": "24.04", "oracular": "24.10", "plucky": "25.04", "questing": "25.10", "resolute": "26.04",
		"stonking": "26.10",
	}
}

// debianCodenames returns the releases since 10 (package distro-info-data 0.58+deb12u7, 2026-11: debian.csv).
func debianCodenames() map[string]string {
	return map[string]string{
		"buster": "10", "bullseye": "11", "bookworm": "12", "trixie": "13", "forky": "14", "duke": "15",
	}
}

// ParseRelease returns the number of a release, which the user may have written as its codename. An unknown codename is
// an error finding, because it cannot be compared with releases, and so is a number that no release of the distribution
// has. at is the path of the version.
func (p Profile) ParseRelease(version string, at report.Path) (string, report.Report) {
	if number, known := p.Codenames[strings.ToLower(version)]; known {
		return number, nil
	}
	if len(p.Codenames) == 0 || version == "" || version[0] >= '0' && version[0] <= '9' {
		return version, p.checkShape(version, at)
	}
	names := slices.SortedFunc(maps.Keys(p.Codenames), func(a, b string) int {
		return CompareReleases(p.Codenames[a], p.Codenames[b])
	})
	return "", report.Report{report.Errorf(at, "%q is not a known release of %s", version, p.Name).
		To("write its number, such as %s, or one of the names %s", p.Codenames[names[len(names)-1]],
			strings.Join(names, ", "))}
}
