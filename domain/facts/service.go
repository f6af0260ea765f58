package facts

import "github.com/machineadm/machineadm/domain/document"

// Service is a metadata service whose facts a program on the machine can read without a cloud's agent.
type Service string

// The metadata services. The service of Oracle Cloud is that of version 2.
const (
	ServiceNone Service = ""
	ServiceEC2  Service = "EC2"
	ServiceOCI  Service = "OCI"
)

// Services returns the metadata services.
func Services() []Service { return []Service{ServiceEC2, ServiceOCI} }

// Path returns the path of the fact below the address of the service, or empty if the service does not provide it. The
// values are those of InstanceData; shortHostname is the first label. The services also require headers. Sources: EC2
// user guide, "Instance metadata categories"; Oracle Cloud Infrastructure, "Getting Instance Metadata"; cloud-init's
// DataSourceOracle, which uses the id as the instance ID.
func (s Service) Path(f document.Fact) string {
	const ec2, oci = "/latest/meta-data/", "/opc/v2/instance/"
	switch {
	case s == ServiceOCI && f == document.FactInstanceID:
		return oci + "id"
	case s != ServiceEC2:
		return ""
	case f == document.FactInstanceID:
		return ec2 + "instance-id"
	case f == document.FactZone:
		return ec2 + "placement/availability-zone"
	case f == document.FactRegion:
		return ec2 + "placement/region"
	case f == document.FactHostname || f == document.FactShortHostname || f == document.FactFQDN:
		return ec2 + "local-hostname"
	default:
		return ""
	}
}
