package node

import (
	"fmt"
	"strconv"
	"strings"
)

// maxSkew is the maximum number of minor versions by which kubelet may be older than the API server
// (kubernetes.io/releases/version-skew-policy).
const maxSkew = 3

// Version is a Kubernetes version without pre-release and build suffixes.
type Version struct{ Major, Minor, Patch int }

// ParseVersion parses a version such as v1.36.3 or 1.36.3+build. It is false for other text.
func ParseVersion(s string) (Version, bool) {
	if !strings.HasPrefix(s, "v") {
		s = "v" + s
	}
	text, ok := versionNumbers(s)
	if !ok {
		return Version{}, false
	}
	var numbers [3]int
	for i := range numbers {
		n, err := strconv.Atoi(text[i])
		if err != nil {
			return Version{}, false
		}
		numbers[i] = n
	}
	return Version{Major: numbers[0], Minor: numbers[1], Patch: numbers[2]}, true
}

// Less reports whether v is older than other. Releases of operating systems may have any number of parts; they are
// compared by osprofile.CompareReleases.
func (v Version) Less(other Version) bool {
	if v.Major != other.Major {
		return v.Major < other.Major
	}
	if v.Minor != other.Minor {
		return v.Minor < other.Minor
	}
	return v.Patch < other.Patch
}

// String returns the version with a leading v.
func (v Version) String() string { return fmt.Sprintf("v%d.%d.%d", v.Major, v.Minor, v.Patch) }

// CheckSkew returns why a node of the version cannot join a control plane, and the remedy, or empty if it can.
// controlPlane is the version of the oldest API server. Patch versions are ignored, and versions that cannot be parsed
// pass.
func CheckSkew(node, controlPlane string) string {
	n, okNode := ParseVersion(node)
	c, okControlPlane := ParseVersion(controlPlane)
	switch {
	case !okNode || !okControlPlane || n.Major != c.Major:
		return ""
	case n.Minor > c.Minor:
		return fmt.Sprintf("%s is newer than %s, the oldest version of the control plane; use this version, or upgrade the "+
			"control plane first", node, controlPlane)
	case c.Minor-n.Minor > maxSkew:
		return fmt.Sprintf("%s is more than %d minor versions older than %s, the version of the control plane; use a newer "+
			"version", node, maxSkew, controlPlane)
	default:
		return ""
	}
}

// CheckUpgrade returns the reason why a control plane with machines of one version must not get machines of the other,
// or empty if it may. kubeadm upgrades by one minor version at a time and does not downgrade. Patch versions are free,
// and versions that cannot be parsed pass.
func CheckUpgrade(from, to string) string {
	f, okFrom := ParseVersion(from)
	t, okTo := ParseVersion(to)
	switch {
	case !okFrom || !okTo:
		return ""
	case t.Major < f.Major || t.Major == f.Major && t.Minor < f.Minor:
		return fmt.Sprintf("%s is older than %s, the version of a machine, and a control plane cannot be downgraded", to,
			from)
	case t.Major != f.Major || t.Minor > f.Minor+1:
		return fmt.Sprintf("%s is more than one minor version newer than %s, the version of a machine", to, from)
	default:
		return ""
	}
}
