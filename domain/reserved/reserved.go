// Package reserved lists the names of Secrets that controllers trust, such as <cluster>-kubeconfig. Users choose the
// names of configurations and thereby of data Secrets, so machineadm writes no data Secret with a reserved name.
package reserved

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const (
	// StoredSuffix is the suffix of the Secret that requests a storage to store a configuration. For further storages a
	// hash follows.
	StoredSuffix = "-stored"
	// ServedPrefix is the prefix of the Secrets that the endpoint serves.
	ServedPrefix = "stored-"
)

var (
	besidePattern = regexp.MustCompile(`^.+` + StoredSuffix + `-[0-9a-f]{8}$`)
	servedPattern = regexp.MustCompile(`^` + ServedPrefix + `[0-9a-f]{16}-[0-9]+$`)
)

// Name is a pattern of reserved names, and the purpose of such Secrets.
type Name struct {
	// One of these is set: the suffix of the names, the exact name, or a pattern of the whole name.
	Suffix, Exact string
	Pattern       *regexp.Regexp
	// Use describes the purpose of such a Secret.
	Use string
	// Reader is the controller that reads the Secret.
	Reader string
	// Kind is the kind of plugins whose documents the Secret contains, or empty for other purposes.
	Kind string
}

// String returns the pattern for messages, such as <name>-kubeconfig.
func (n Name) String() string {
	switch {
	case n.Exact != "":
		return n.Exact
	case n.Suffix != "":
		return "<name>" + n.Suffix
	default:
		return strings.Trim(n.Pattern.String(), "^$")
	}
}

func (n Name) matches(name string) bool {
	switch {
	case n.Exact != "":
		return name == n.Exact
	case n.Suffix != "":
		return strings.HasSuffix(name, n.Suffix)
	default:
		return n.Pattern.MatchString(name)
	}
}

// all are the reserved names: each reconciliation looks for one.
var all = sync.OnceValue(list) //nolint:gochecknoglobals // they never vary

// Names returns all reserved names. Cluster API's are the purposes of its package util/secret.
func Names() []Name { return slices.Clone(all()) }

func list() []Name {
	const core, own = "Cluster API and all of its providers", "machineadm"
	names := []Name{
		{Exact: "machineadm-endpoint-key", Use: "the signing key of the endpoint", Reader: own},
		{Exact: "machineadm-endpoint-cert", Use: "the TLS key of the endpoint", Reader: own},
		{Exact: "machineadm-endpoint-ca", Use: "the certificate authority of the endpoint", Reader: "cert-manager"},
		{Suffix: "-kubeconfig", Use: "the kubeconfig of a cluster", Reader: core},
		{Suffix: "-ca", Use: "the certificate authority of a cluster", Reader: core},
		{Suffix: "-etcd", Use: "the certificate authority of a cluster's etcd", Reader: core},
		{Suffix: "-sa", Use: "the key of a cluster's service accounts", Reader: core},
		{Suffix: "-proxy", Use: "the certificate authority of a cluster's front proxy", Reader: core},
		{Suffix: "-apiserver-etcd-client", Use: "the client certificate for a cluster's etcd", Reader: core},
		{Suffix: StoredSuffix, Use: "a stored configuration", Reader: own},
		{Pattern: besidePattern, Use: "a stored configuration", Reader: own},
		{Pattern: servedPattern, Use: "an object that the endpoint serves", Reader: own},
	}
	names = append(names, ofProviders()...)
	for _, kind := range []string{
		"ContainerdConfig", "ControlPlaneConfig", "HardeningConfig", "SysctlConfig", "TimeSyncConfig", "TrustedCAsConfig",
	} {
		names = append(names, Name{Suffix: PluginSuffix(kind), Use: "the documents of a " + kind, Reader: own, Kind: kind})
	}
	return names
}

// ofProviders returns the names that individual Cluster API providers trust. They use an existing Secret without
// checking its owner.
func ofProviders() []Name {
	const talos, light = "Talos's providers", "the providers of K3s, RKE2 and Canonical Kubernetes"
	return []Name{
		{Suffix: "-talos", Use: "the secrets of a Talos cluster", Reader: talos + ", machineadm"},
		{Suffix: "-talosconfig", Use: "the client configuration of a Talos cluster", Reader: talos + ", machineadm"},
		{Suffix: "-bootstrap-data", Use: "the bootstrap data of a machine with a TalosConfig", Reader: talos},
		{Suffix: "-token", Use: "the join token of a cluster", Reader: light + ", k0smotron and Kairos"},
		{Suffix: "-cca", Use: "the certificate authority of a cluster's clients", Reader: light},
		{Suffix: "-jointoken", Use: "the join token of a MicroK8s cluster", Reader: "the providers of MicroK8s"},
		{Suffix: "-metadata", Use: "the metadata of a Metal3Machine", Reader: "Metal3"},
		{Suffix: "-networkdata", Use: "the network configuration of a Metal3Machine", Reader: "Metal3"},
	}
}

// PluginSuffix returns the suffix of the Secret with the documents of a plugin of the kind.
func PluginSuffix(kind string) string { return "-" + strings.ToLower(kind) }

// Find returns the pattern that matches the name. It is false if the name is not reserved.
func Find(name string) (Name, bool) {
	for _, n := range all() {
		if n.matches(name) {
			return n, true
		}
	}
	return Name{}, false
}

// CheckDocuments returns the reason why a Secret with the name must not contain the documents of a plugin of the kind,
// or empty if it may.
func CheckDocuments(name, kind string) string {
	if n, taken := Find(name); !taken || n.Kind == kind && kind != "" {
		return ""
	}
	return Check(name)
}

// Check returns the reason why machineadm must not write a Secret with the name for an object whose name a user
// chooses, or empty if it may.
func Check(name string) string {
	n, taken := Find(name)
	if !taken {
		return ""
	}
	return fmt.Sprintf("the name %q is reserved for %s (%s)", name, n.Use, n)
}
