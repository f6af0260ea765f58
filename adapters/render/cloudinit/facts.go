package cloudinit

import "github.com/machineadm/machineadm/domain/document"

// shortHostname is the first label of the host name, and awsHostname the name that the platform gives, which is the private
// DNS name: AWS's cloud provider finds nodes by that, all others by the first label.
const (
	shortHostname = "cloud-init query v1.local_hostname"
	awsHostname   = "cloud-init query ds.meta_data.local_hostname"
)

func hostnameCommand(platform string) string {
	switch platform {
	case "aws":
		return awsHostname
	case "":
		return `if [ "$(cloud-init query v1.cloud_name)" = aws ];then ` + awsHostname + ";else " + shortHostname + ";fi"
	default:
		return shortHostname
	}
}

// facts returns the shell command that prints a fact, or fails. The standard keys are the same on every platform; the
// addresses have none, and each platform's own are tried before the machine's first address. A platform of which cloud-init
// does not know the public address fails the bootstrap.
// Source: cloud-init's documentation, "Instance metadata".
func facts(platform string) func(document.Fact) (string, bool) {
	return func(f document.Fact) (string, bool) { return factCommand(f, platform) }
}

func factCommand(f document.Fact, platform string) (string, bool) {
	switch f {
	case document.FactHostname:
		return hostnameCommand(platform), true
	case document.FactInstanceID:
		return "cloud-init query v1.instance_id", true
	case document.FactRegion:
		return "cloud-init query v1.region", true
	case document.FactZone:
		return "cloud-init query v1.availability_zone", true
	case document.FactPrivateIPv4:
		return firstOf("ds.meta_data.local_ipv4", "ds.ec2_metadata.local_ipv4", "ds.meta_data.private_ipv4") +
			"ip -4 -o addr show scope global|awk '{sub(\"/.*\",\"\",$4);print $4;exit}'", true
	case document.FactPublicIPv4:
		return firstOf("ds.meta_data.public_ipv4", "ds.ec2_metadata.public_ipv4") + "false", true
	default:
		return "", false
	}
}

// firstOf tries each key of the instance's data in turn.
func firstOf(keys ...string) string {
	script := ""
	for _, k := range keys {
		script += "cloud-init query " + k + " 2>/dev/null||"
	}
	return script
}
