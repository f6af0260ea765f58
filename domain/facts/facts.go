// Package facts defines where a machine finds its own facts, which replace the facts in files. Formats generate shell
// commands from these tables, and the agent uses the same tables, so that both find the same values.
package facts

import "github.com/machineadm/machineadm/domain/document"

// AWS is cloud-init's name of the cloud whose nodes are found by their private DNS names; all other clouds' are found
// by the first label.
const AWS = "aws"

// CloudName is the path of cloud-init's name of the cloud in the instance's data.
const CloudName = "v1.cloud_name"

// InstanceData returns the paths of the fact in cloud-init's instance data on a cloud, in the order in which they are
// tried; none if there is none. The elements of a path are separated by dots; an underscore also matches a hyphen. The
// keys of v1 are the same on every cloud. The addresses have none, and are where each data source stores them. Source:
// cloud-init's documentation, "Instance metadata".
func InstanceData(f document.Fact, cloud string) []string {
	switch f {
	case document.FactHostname:
		if cloud == AWS {
			return []string{"ds.meta_data.local_hostname"}
		}
		return []string{"v1.local_hostname"}
	case document.FactInstanceID:
		return []string{"v1.instance_id"}
	case document.FactRegion:
		return []string{"v1.region"}
	case document.FactZone:
		return []string{"v1.availability_zone"}
	case document.FactPrivateIPv4:
		return []string{"ds.meta_data.local_ipv4", "ds.ec2_metadata.local_ipv4", "ds.meta_data.private_ipv4"}
	case document.FactPublicIPv4:
		return []string{"ds.meta_data.public_ipv4", "ds.ec2_metadata.public_ipv4"}
	default:
		return nil
	}
}

// Absent returns the texts that the instance data contain, apart from an empty one, for a value that the cloud does not
// provide: those of Python and JSON.
func Absent() []string { return []string{"None", "null"} }

// Variables returns the names of the variables with the fact in the environment file of afterburn or of a fork of it,
// in the order in which they are tried. The file's prefix and the platform's name come before a name:
// AFTERBURN_AWS_HOSTNAME; that of one platform ends in _CLASSIC. A name is the whole rest: PUBLIC_HOSTNAME differs from
// HOSTNAME. Source: afterburn's docs/usage/attributes.md.
func Variables(f document.Fact) []string {
	switch f {
	case document.FactHostname:
		return []string{"HOSTNAME", "LOCAL_HOSTNAME"}
	case document.FactInstanceID:
		return []string{"INSTANCE_ID"}
	case document.FactRegion:
		return []string{"REGION", "REGION_ID", "REGION_CODE", "INSTANCE_REGION"}
	case document.FactZone:
		return []string{"AVAILABILITY_ZONE", "ZONE", "ZONE_ID"}
	case document.FactPrivateIPv4:
		return []string{
			"IPV4_LOCAL", "IPV4_PRIVATE", "IPV4_PRIVATE_0", "PRIVATE_IPV4", "PRIVATE_IPV4_0", "LOCAL_IPV4", "IP_LOCAL_0",
			"IPV4_DYNAMIC",
		}
	case document.FactPublicIPv4:
		return []string{
			"IPV4_PUBLIC", "IPV4_PUBLIC_0", "PUBLIC_IPV4", "PUBLIC_IPV4_0", "EIPV4", "IP_EXTERNAL_0",
			"IPV4_VIRTUAL",
		}
	default:
		return nil
	}
}

// Platform is an extended regular expression for the text between the file's prefix and the name: Flatcar's name of AWS
// has a digit.
const Platform = "[A-Z0-9]+_(CLASSIC_)?"

// Own is a fact that the running system itself provides.
type Own int

// The facts of the running system.
const (
	// OwnNothing means that only the platform knows.
	OwnNothing Own = iota
	// OwnHostname is the kernel's name of the machine, unless it is NoHostname.
	OwnHostname
	// OwnAddress is the first IPv4 address of the first interface that has one that is valid beyond its link. It need not
	// be private.
	OwnAddress
)

// NoHostname is the kernel's host name of a machine without a name.
const NoHostname = "localhost"

// Otherwise returns the fact of the running system that replaces a fact that the platform does not provide. cloud-init
// names every machine, so that where it ran a machine's name is that or none.
func Otherwise(f document.Fact, cloudInit bool) Own {
	switch {
	case f == document.FactHostname && !cloudInit:
		return OwnHostname
	case f == document.FactPrivateIPv4:
		return OwnAddress
	default:
		return OwnNothing
	}
}
