package controlplane

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/node"
)

// VersionCount is a version and the number of machines that have it.
type VersionCount struct {
	Version string
	Count   int
}

// Counters are the numbers of machines in the status.
type Counters struct {
	Replicas, UpToDate int
	// Versions are ordered from old to new.
	Versions []VersionCount
}

// Count counts the machines, also those that are being deleted. A machine that was created without a version has that
// of its kubelet.
func Count(d Desired, o Observed, now time.Time) Counters {
	c := Counters{Replicas: len(o.Machines)}
	counts := map[string]int{}
	for _, m := range o.Machines {
		if len(Differences(d, m, now)) == 0 {
			c.UpToDate++
		}
		if v := cmp.Or(m.Template.Version, m.KubeletVersion); v != "" {
			counts[versionText(v)]++
		}
	}
	for version, n := range counts {
		c.Versions = append(c.Versions, VersionCount{version, n})
	}
	slices.SortFunc(c.Versions, func(a, b VersionCount) int { return compareVersions(a.Version, b.Version) })
	return c
}

// compareVersions orders versions from old to new. A pre-release is older than its release. Text that is not a version
// comes first.
func compareVersions(a, b string) int {
	x, _ := node.ParseVersion(a)
	y, _ := node.ParseVersion(b)
	switch {
	case x.Less(y):
		return -1
	case y.Less(x):
		return 1
	}
	return cmp.Or(-compare(strings.Contains(a, "-"), strings.Contains(b, "-")), cmp.Compare(a, b))
}
