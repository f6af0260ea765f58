// Package facts defines where a machine finds the values of facts. Renderers generate shell commands from these tables,
// and the agent reads them directly, so that both find the same values.
package facts

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
)

// CloudName is the path of the cloud's name in cloud-init's instance data.
const CloudName = "v1.cloud_name"

// FullNameClouds returns cloud-init's names of the clouds whose providers find nodes by their private DNS names. Those
// of other clouds use the first label of the host name.
func FullNameClouds() []string { return []string{"aws", "outscale"} }

// FullNamePlatforms returns the names of the same clouds in the variables of afterburn. Flatcar's name of AWS is EC2.
func FullNamePlatforms() []string { return []string{"AWS", "EC2"} }

// InstanceData returns the paths of the fact in cloud-init's instance data on a cloud, in the order in which they are
// tried, or none if there is none. The elements of a path are separated by dots; an underscore also matches a hyphen.
// The keys below v1 are the same on every cloud. There are none for addresses, so their paths depend on the data
// source. Source: cloud-init's documentation, "Instance metadata".
func InstanceData(f document.Fact, cloud string) []string {
	const fullName, shortName = "ds.meta_data.local_hostname", "v1.local_hostname"
	if path, ok := f.MetadataPath(); ok {
		return []string{"ds.meta_data." + path}
	}
	switch f {
	case document.FactHostname:
		if slices.Contains(FullNameClouds(), cloud) {
			return []string{fullName}
		}
		return []string{shortName}
	case document.FactShortHostname:
		return []string{shortName}
	case document.FactFQDN:
		return []string{fullName}
	case document.FactInstanceID:
		return []string{"v1.instance_id"}
	case document.FactRegion:
		return []string{"v1.region", "ds.meta_data.region_id"} // The second is that of Alibaba Cloud.
	case document.FactZone:
		return []string{"v1.availability_zone", "ds.meta_data.zone_id"} // The second is that of Alibaba Cloud.
	case document.FactPrivateIPv4:
		return []string{"ds.meta_data.local_ipv4", "ds.ec2_metadata.local_ipv4", "ds.meta_data.private_ipv4"}
	case document.FactPublicIPv4:
		return []string{"ds.meta_data.public_ipv4", "ds.ec2_metadata.public_ipv4"}
	case document.FactIPv6: // Only the running system provides it.
		fallthrough
	default:
		return nil
	}
}

// EmptyValues returns the texts that mean a missing value in instance data, besides the empty text: None of Python and
// null of JSON.
func EmptyValues() []string { return []string{"None", "null"} }

// Variables returns the names of the variables that contain the fact in the environment file of afterburn or a fork, in
// the order in which they are tried. In the file, a prefix and the name of the platform precede the name, as in
// AFTERBURN_AWS_HOSTNAME. The name of one platform ends in _CLASSIC. Names match completely: PUBLIC_HOSTNAME is not
// HOSTNAME. Sources: afterburn's docs/usage/attributes.md of 5.10.0; the variables of CUSTOM are those of the providers
// for Proxmox (pkg/ignition/enrich.go, 2026-11) and vSphere (templates for Flatcar, 2026-11).
func Variables(f document.Fact) []string {
	switch f {
	case document.FactHostname, document.FactShortHostname, document.FactFQDN:
		return []string{"HOSTNAME", "LOCAL_HOSTNAME"}
	case document.FactInstanceID:
		return []string{"INSTANCE_UUID", "INSTANCE_ID"}
	case document.FactRegion:
		return []string{"REGION", "REGION_ID", "INSTANCE_REGION"}
	case document.FactZone:
		// AVAILABILITY_DOMAIN of Oracle Cloud is another name than that of cloud-init (DataSourceOracle.py: ociAdName).
		return []string{"AVAILABILITY_ZONE", "ZONE", "ZONE_ID"}
	case document.FactPrivateIPv4:
		return []string{
			"IPV4_LOCAL", "IPV4_PRIVATE", "IPV4_PRIVATE_0", "PRIVATE_IPV4", "PRIVATE_IPV4_0", "LOCAL_IPV4", "IP_LOCAL_0",
			"IPV4_DYNAMIC", "IPV4",
		}
	case document.FactPublicIPv4:
		return []string{
			"IPV4_PUBLIC", "IPV4_PUBLIC_0", "PUBLIC_IPV4", "PUBLIC_IPV4_0", "EIPV4", "IP_EXTERNAL_0",
			"IPV4_VIRTUAL",
		}
	case "metadata.uuid": // cloud-init has it on OpenStack.
		return []string{"INSTANCE_UUID"}
	case "metadata.provider_id": // cloud-init has it on Proxmox.
		return []string{"PROVIDER_ID"}
	case document.FactIPv6: // Only the running system provides it.
		fallthrough
	default:
		return nil
	}
}

// IgnoredVariables returns the ends of the variables that do not provide the fact, because cloud-init provides another
// value: that of the API. The API of OpenStack does not use the ID in the style of EC2, that of Vultr uses a UUID, and
// Scaleway's zone is fr-par-1 there instead of par1. Vultr's REGION_CODE is not a variable of any fact, because
// cloud-init's region is a country. Sources: docs/usage/attributes.md and src/providers of afterburn 5.10.0;
// sources/helpers/vultr.py of cloud-init 25.1.
func IgnoredVariables(f document.Fact) []string {
	switch f {
	case document.FactInstanceID:
		return []string{"OPENSTACK_INSTANCE_ID", "VULTR_INSTANCE_ID"}
	case document.FactZone:
		return []string{"SCALEWAY_ZONE_ID"}
	case document.FactHostname, document.FactShortHostname, document.FactFQDN, document.FactPrivateIPv4,
		document.FactPublicIPv4, document.FactIPv6, document.FactRegion:
		fallthrough
	default:
		return nil
	}
}

// Platform is an extended regular expression for the text between the file's prefix and the name: Flatcar's name of AWS
// has a digit.
const Platform = "[A-Z0-9]+_(CLASSIC_)?"

// File is an environment file with facts, and the prefix of its variables.
type File struct{ Path, Prefix string }

// ProviderFiles returns the files that infrastructure providers write on machines whose platform afterburn does not
// know. Sources: templates for Flatcar of the provider for vSphere; pkg/ignition/enrich.go of the one for Proxmox.
func ProviderFiles() []File {
	return []File{{"/run/metadata/coreos", "COREOS_"}, {"/etc/proxmox-env", "COREOS_"}}
}

// Shorten returns the value of a variable in the form of the fact, or empty if it does not have that form: a host name,
// or an IPv4 address without the length of the prefix, which is in the variables of Akamai. Values of other facts stay
// the same. full means that the platform is one of FullNamePlatforms.
func Shorten(f document.Fact, value string, full bool) string {
	label, _, qualified := strings.Cut(value, ".")
	switch {
	case f == document.FactShortHostname || f == document.FactHostname && !full:
		return label
	case f == document.FactFQDN && !qualified:
		return ""
	case f == document.FactPrivateIPv4 || f == document.FactPublicIPv4:
		address := strings.TrimRight(value, "0123456789")
		if short, found := strings.CutSuffix(address, "/"); found && address != value {
			return short
		}
		return value
	default:
		return value
	}
}

// SystemFact is a source of a fact in the running system.
type SystemFact int

// The facts of the running system.
const (
	// SystemNone means that the running system does not provide the fact.
	SystemNone SystemFact = iota
	// SystemHostname is the first label of the kernel's name of the machine, unless the name is NoHostname.
	SystemHostname
	// SystemFQDN is the kernel's name of the machine, if it contains a domain.
	SystemFQDN
	// SystemAddress is the first IPv4 address with global scope, of the first interface that has one. It need not be
	// private.
	SystemAddress
	// SystemIPv6 is an IPv6 address with global scope that is neither temporary nor deprecated: of the first interface
	// that has one the first in the order of its text.
	SystemIPv6
)

// ValueCharacters are the characters of a bracket expression that matches the characters of a fact's value. None of
// them is special in a shell, a unit of systemd, an environment file, YAML, JSON, or a list of labels.
const ValueCharacters = "A-Za-z0-9._:/+-"

// MaxValue is the maximum length of a value in bytes. Resource IDs of Azure have up to a few hundred.
const MaxValue = 1024

// IsValue reports whether a text is the value of a fact. Metadata services and networks provide the values, so a text
// with other characters could break out of its place in a file, and ends the bootstrap instead. A leading dash would
// make the value an option of a program.
func IsValue(s string) bool {
	if s == "" || s[0] == '-' || len(s) > MaxValue {
		return false
	}
	for _, c := range []byte(s) {
		isAlphanumeric := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !isAlphanumeric && !strings.ContainsRune("._:/+-", rune(c)) {
			return false
		}
	}
	return true
}

// NoHostname is the kernel's host name of a machine without a name.
const NoHostname = "localhost"

// Fallback returns the source in the running system for a fact that the platform does not provide. If cloud-init ran,
// there is none for the host name, because cloud-init sets the name of every machine.
func Fallback(f document.Fact, cloudInit bool) SystemFact {
	switch {
	case (f == document.FactHostname || f == document.FactShortHostname) && !cloudInit:
		return SystemHostname
	case f == document.FactFQDN && !cloudInit:
		return SystemFQDN
	case f == document.FactIPv6:
		return SystemIPv6
	case f == document.FactPrivateIPv4:
		return SystemAddress
	default:
		return SystemNone
	}
}
