package delivery

import (
	"maps"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/pattern"
	"github.com/machineadm/machineadm/domain/report"
)

// Metadata contains the labels and annotations that users add to the data Secret.
type Metadata struct {
	Labels, Annotations map[string]string
}

// The limits of the metadata. The API server accepts 256 KiB of annotations in all.
const (
	maxEntries         = 32
	maxAnnotationValue = 4096
	// maxShown is how much of an invalid key a finding contains.
	maxShown = 64
)

var (
	// prefixLabel and labelName are the patterns of the Kubernetes API for a label of a key's prefix, and for the rest of
	// the key. They allow fewer keys of annotations than the API server, which accepts a prefix with capital letters.
	prefixLabel = pattern.Of(63, `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	labelName   = pattern.Of(63, `^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`)
)

// maxPrefix is the maximum length of the prefix of a key.
const maxPrefix = 253

// reservedDomains are the domains of the labels and annotations that Kubernetes, Cluster API, clusterctl and machineadm
// trust, such as cluster.x-k8s.io/cluster-name.
func reservedDomains() []string {
	return []string{"cluster.x-k8s.io", "k8s.io", "kubernetes.io", "machineadm.io"}
}

// ReservedKey returns the domain that users may not use in the key of a label or an annotation, or an empty text if
// they may use the key. Capital letters make no difference.
func ReservedKey(key string) string {
	prefix, _, found := strings.Cut(strings.ToLower(key), "/")
	if !found {
		return ""
	}
	for _, domain := range reservedDomains() {
		if prefix == domain || strings.HasSuffix(prefix, "."+domain) {
			return domain
		}
	}
	return ""
}

// Allowed returns the metadata without reserved keys.
func (m Metadata) Allowed() Metadata {
	return Metadata{Labels: allowed(m.Labels), Annotations: allowed(m.Annotations)}
}

func allowed(entries map[string]string) map[string]string {
	out := map[string]string{}
	for key, value := range entries {
		if ReservedKey(key) == "" {
			out[key] = value
		}
	}
	return out
}

// Check returns error findings for keys and values that the API server refuses, and for reserved keys. A finding does
// not contain a value.
func (m Metadata) Check(p report.Path) report.Report {
	found := checkEntries("labels", m.Labels, "write at most 63 letters, digits, dots, dashes and underscores",
		func(value string) bool { return value == "" || labelName.MatchString(value) })
	return append(found, checkEntries("annotations", m.Annotations, "write at most 4096 bytes",
		func(value string) bool { return len(value) <= maxAnnotationValue })...).Below(p)
}

func checkEntries(p report.Path, entries map[string]string, remedy string, valid func(string) bool) report.Report {
	if len(entries) > maxEntries {
		return report.Report{report.Errorf(p, "%d keys are too many", len(entries)).To("use at most %d", maxEntries)}
	}
	var found report.Report
	if len(entries) == 0 {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		at := p.Key(key)
		if domain := ReservedKey(key); domain != "" {
			found = append(found, report.Errorf(at, "controllers trust keys of the domain %s", domain).
				To("use a domain of your own"))
			continue
		}
		if !isKey(key) {
			found = append(found, report.Errorf(at, "%q is not a key of metadata", report.Cut(key, maxShown)).
				To("write NAME or PREFIX/NAME with letters, digits, dots, dashes and underscores"))
			continue
		}
		if !valid(entries[key]) {
			found = append(found, report.Errorf(at, "the value is not valid").To("%s", remedy))
		}
	}
	return found
}

// isKey reports whether the API server accepts the key of a label.
func isKey(key string) bool {
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		return labelName.MatchString(key)
	}
	for label := range strings.SplitSeq(prefix, ".") {
		if !prefixLabel.MatchString(label) {
			return false
		}
	}
	return len(prefix) <= maxPrefix && labelName.MatchString(name)
}
