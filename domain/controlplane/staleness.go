package controlplane

import (
	"cmp"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/domain/node"
)

// Class is how a difference between a machine and the desired control plane is corrected.
type Class string

// The classes.
const (
	// ClassReplace means that the machine is replaced.
	ClassReplace Class = "Replace"
	// ClassInPlace means that a replacement would not help: the machine itself has to change.
	ClassInPlace Class = "InPlace"
)

// Field is what differs.
type Field string

// The fields, in the order of Differences.
const (
	FieldVersion        Field = "Version"
	FieldBootstrap      Field = "Bootstrap"
	FieldContent        Field = "Content"
	FieldInfrastructure Field = "Infrastructure"
	FieldRolloutAfter   Field = "RolloutAfter"
	FieldCertificates   Field = "Certificates"
	FieldKubelet        Field = "Kubelet"
)

// Difference is a difference between a machine and the desired control plane.
type Difference struct {
	Field Field
	Class Class
	// Message describes the difference on one line.
	Message string
}

// Differences returns how the machine differs from the desired control plane, the version first. It is empty for a
// machine that is up to date.
func Differences(d Desired, m Machine, now time.Time) []Difference {
	all := templateDifferences(d.Template, m)
	if after := d.RolloutAfter; !after.IsZero() && !now.Before(after) && m.CreatedAt.Before(after) {
		all = append(all, Difference{
			FieldRolloutAfter, ClassReplace, "created before spec.rollout.after (" + after.UTC().Format(time.RFC3339) + ")",
		})
	}
	if at := m.expiryRollout(d); !at.IsZero() && !now.Before(at) {
		all = append(all, Difference{
			FieldCertificates, ClassReplace, "certificates expire at " + m.CertificatesExpireAt.UTC().Format(time.RFC3339),
		})
	}
	if k := m.KubeletVersion; k != "" && m.Template.Version != "" && !sameRelease(k, m.Template.Version) {
		all = append(all, Difference{
			FieldKubelet, ClassInPlace, fmt.Sprintf("kubelet has version %s instead of %s", versionText(k), m.Template.Version),
		})
	}
	return all
}

// sameRelease compares versions without the suffixes of distributions, such as -eks.
func sameRelease(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := node.ParseVersion(a)
	y, okY := node.ParseVersion(b)
	return okX && okY && x == y
}

// templateDifferences returns what a new machine would differ in.
func templateDifferences(t Template, m Machine) []Difference {
	var all []Difference
	add := func(f Field, message string) { all = append(all, Difference{f, ClassReplace, message}) }
	if v := cmp.Or(m.Template.Version, m.KubeletVersion, t.Version); v != t.Version {
		add(FieldVersion, fmt.Sprintf("version %s instead of %s", versionText(v), t.Version))
	}
	if differ(t.Bootstrap, m.Template.Bootstrap) {
		add(FieldBootstrap, "created from another bootstrap configuration")
	}
	if differ(t.Content, m.Template.Content) {
		add(FieldContent, "the content of Secrets or ConfigMaps of its bootstrap configuration changed")
	}
	if differ(t.Infrastructure, m.Template.Infrastructure) {
		add(FieldInfrastructure, fmt.Sprintf("created from the infrastructure template %s instead of %s",
			m.Template.Infrastructure, t.Infrastructure))
	}
	return all
}

// differ compares two digests. An unknown one is not compared.
func differ(a, b string) bool { return a != "" && b != "" && a != b }

// expiryRollout returns when the machine is replaced before its certificates expire, or the zero time. It is not before
// half of their lifetime: otherwise certificates with a short lifetime would roll out without an end.
func (m Machine) expiryRollout(d Desired) time.Time {
	if d.RolloutBeforeExpiry <= 0 || m.CertificatesExpireAt.IsZero() {
		return time.Time{}
	}
	early := m.CertificatesExpireAt.Add(-d.RolloutBeforeExpiry)
	if half := m.CreatedAt.Add(m.CertificatesExpireAt.Sub(m.CreatedAt) / 2); early.Before(half) {
		return half
	}
	return early
}

// outdated reports whether the machine is to be replaced.
func outdated(d Desired, m Machine, now time.Time) bool {
	for _, difference := range Differences(d, m, now) {
		if difference.Class == ClassReplace {
			return true
		}
	}
	return false
}

// nextRollout returns the delay until the next machine becomes outdated by the time alone, or zero.
func nextRollout(d Desired, machines []Machine, now time.Time) time.Duration {
	var next time.Duration
	consider := func(at time.Time) {
		if delay := at.Sub(now); !at.IsZero() && delay > 0 && (next == 0 || delay < next) {
			next = delay
		}
	}
	consider(d.RolloutAfter)
	for _, m := range machines {
		consider(m.expiryRollout(d))
	}
	return next
}
