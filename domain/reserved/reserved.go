// Package reserved lists the names of Secrets that a controller trusts. The author of a Secret with such a name
// controls what that controller uses, so the controller writes no Secret of a reserved name for an object whose name a
// user chooses.
package reserved

import (
	"fmt"
	"regexp"
	"strings"
)

const (
	// StoredSuffix ends the name of the Secret that hands a configuration to a storage; one for another storage has a
	// hash after it.
	StoredSuffix = "-stored"
	// ServedPrefix begins the names of the Secrets that the endpoint serves.
	ServedPrefix = "stored-"
)

// Name is a pattern of names of Secrets, and the use of such Secrets.
type Name struct {
	// Suffix ends the names; Exact is the one name; Pattern is a regular expression of the whole name. One of them is set.
	Suffix, Exact, Pattern string
	// Use is what the controllers take such a Secret for.
	Use string
	// Reader is the controller that reads it.
	Reader string
	// Kind is the kind of plugins whose documents such a Secret holds; empty for another use.
	Kind string
}

// String returns the pattern as people write it, such as <name>-kubeconfig.
func (n Name) String() string {
	switch {
	case n.Exact != "":
		return n.Exact
	case n.Suffix != "":
		return "<name>" + n.Suffix
	default:
		return n.Pattern
	}
}

func (n Name) matches(name string) bool {
	switch {
	case n.Exact != "":
		return name == n.Exact
	case n.Suffix != "":
		return strings.HasSuffix(name, n.Suffix)
	default:
		return regexp.MustCompile(`\A(?:` + n.Pattern + `)\z`).MatchString(name)
	}
}

// Names returns all reserved names. Cluster API's are the purposes of its package util/secret.
func Names() []Name {
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
		{Pattern: `.+` + StoredSuffix + `-[0-9a-f]{8}`, Use: "a stored configuration", Reader: own},
		{Pattern: ServedPrefix + `[0-9a-f]{16}-[0-9]+`, Use: "an object that the endpoint serves", Reader: own},
	}
	names = append(names, ofProviders()...)
	for _, kind := range []string{
		"ContainerdConfig", "ControlPlaneConfig", "HardeningConfig", "SysctlConfig", "TimeSyncConfig", "TrustedCAsConfig",
	} {
		names = append(names, Name{Suffix: PluginSuffix(kind), Use: "the documents of a " + kind, Reader: own, Kind: kind})
	}
	return names
}

// ofProviders returns the names by which single providers of Cluster API find Secrets. They use a Secret that exists,
// whatever its origin.
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

// PluginSuffix returns what ends the name of the Secret with the documents of a plugin of the kind.
func PluginSuffix(kind string) string { return "-" + strings.ToLower(kind) }

// Find returns the reservation of a name; false if the name is free.
func Find(name string) (Name, bool) {
	for _, n := range Names() {
		if n.matches(name) {
			return n, true
		}
	}
	return Name{}, false
}

// CheckDocuments returns why a Secret of the name must not hold the documents of a plugin of the kind; empty if it may.
func CheckDocuments(name, kind string) string {
	if n, taken := Find(name); !taken || n.Kind == kind && kind != "" {
		return ""
	}
	return Check(name)
}

// Check returns why a Secret of the name must not be written for an object whose name a user chooses; empty if it may.
func Check(name string) string {
	n, taken := Find(name)
	if !taken {
		return ""
	}
	return fmt.Sprintf("the name %q is reserved for %s (%s)", name, n.Use, n)
}
