package infrastructure

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/report"
)

const (
	cloudInit     = delivery.FormatCloudInit
	ignition      = delivery.FormatIgnition
	ignitionV2    = delivery.FormatIgnitionV2
	talos         = delivery.FormatTalos
	bottlerocket  = delivery.FormatBottlerocket
	shell         = delivery.Format("shell")
	cloudbaseInit = delivery.FormatCloudbaseInit
	unattend      = delivery.FormatUnattend
)

// The size limits of platforms, in bytes.
const (
	ec2Bytes        = 16384
	azureBytes      = 65535
	novaBytes       = 65535
	linodeBytes     = 16384
	hcloudBytes     = 32 << 10
	dropletBytes    = 64 << 10
	ociBytes        = 32000
	vpcBytes        = 64 << 10
	gceBytes        = 256 << 10
	cloudStackBytes = 32 << 10
)

// entry is a kind and the constructor of its provider, which is called on lookup.
type entry struct {
	kind  string
	build func() Provider
}

// entries returns all known kinds. The sources name the provider's repository, the version that was read, and the
// function.
func entries() []entry {
	return []entry{
		{"AWSMachine", aws},
		{"AWSMachinePool", awsPool},
		{"AzureMachine", azure},
		{"AzureMachinePool", azure},
		{"CloudStackMachine", cloudStack},
		{"DevMachine", dev},
		{"DevMachinePool", dev},
		{"DockerMachine", docker},
		{"DockerMachinePool", docker},
		{"DOMachine", digitalOcean},
		{"GCPMachine", gcp},
		{"GCPMachinePool", gcp},
		{"HCloudMachine", hcloud},
		{"HetznerBareMetalMachine", hetznerBare},
		{"HostMachine", hosts},
		{"IBMPowerVSMachine", ibmPowerVS},
		{"IBMVPCMachine", ibmVPC},
		{"KubevirtMachine", kubevirt},
		{"LinodeMachine", linode},
		{"Metal3Machine", metal3},
		{"NutanixMachine", nutanix},
		{"OCIMachine", oci},
		{"OCIMachinePool", oci},
		{"OpenStackMachine", openStack},
		{"OpenStackServer", openStack},
		{"ProxmoxMachine", proxmox},
		{"TinkerbellMachine", tinkerbell},
		{"VCDMachine", cloudDirector},
		{"VSphereMachine", vsphere},
		{"VSphereVM", vsphere},
	}
}

// aws: the provider stores cloud-config in parts in Secrets Manager or Parameter Store, and Ignition in a bucket,
// unless the AWSMachine sets another way. The userdata of the instance is a few lines.
func aws() Provider {
	return Provider{
		Name: "Cluster API Provider AWS", Kinds: []string{"AWSMachine"},
		Keys: Keys{
			Absent: HandlingUserdata, CloudConfig: HandlingUserdata, Ignition: HandlingIgnition,
			Other: HandlingUserdata,
		},
		Limits: []Limit{
			{
				Formats: []delivery.Format{cloudInit, shell}, Bytes: ec2Bytes,
				Unless: "Secrets Manager delivers it, the default unless spec.cloudInit.insecureSkipSecretsManager is set",
			},
			{
				Formats: []delivery.Format{ignition, ignitionV2}, Bytes: ec2Bytes,
				Unless: "the cluster's bucket delivers it, the default unless spec.ignition.storageType is UnencryptedUserData",
			},
			{Bytes: ec2Bytes},
		},
		Data: DataBinary,
		Notes: []Note{
			{
				Formats: []delivery.Format{ignition}, Severity: report.Warning,
				Message: "the provider refers to the data with Ignition 2.3 by default, which cannot load this version",
				Remedy:  "set spec.ignition.version to 3.4",
			},
			{
				Formats: []delivery.Format{talos, bottlerocket, cloudbaseInit}, Severity: report.Warning,
				Message: "a boothook of cloud-init fetches data from Secrets Manager, and this machine has no cloud-init",
				Remedy:  "set spec.cloudInit.insecureSkipSecretsManager",
			},
		},
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-aws, 2026-07-01: resolveUserData, UseIgnition, " +
				"UseSecretsManager, CompressUserData",
			"EC2 user guide, Work with instance user data: 16 KB in raw form",
		},
	}
}

// awsPool: the launch template contains the data.
func awsPool() Provider {
	return Provider{
		Name: "Cluster API Provider AWS", Kinds: []string{"AWSMachinePool"},
		Keys: Keys{
			Absent: HandlingUserdata, CloudConfig: HandlingUserdata, Ignition: HandlingIgnition,
			Other: HandlingUserdata,
		},
		Limits: []Limit{{Bytes: ec2Bytes}}, Data: DataBinary,
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-aws, 2026-07-01: ReconcileLaunchTemplate, " +
				"DefaultMachinePoolIgnitionStorageType",
			"EC2 user guide, Work with instance user data: 16 KB in raw form",
		},
	}
}

func azure() Provider {
	return Provider{
		Name: "Cluster API Provider Azure", Kinds: []string{"AzureMachine", "AzureMachinePool"}, Keys: ignoresKey(),
		Limits: []Limit{{Bytes: azureBytes}}, Data: DataBinary,
		Notes: []Note{{
			Formats: []delivery.Format{talos, bottlerocket}, Severity: report.Warning,
			Message: "releases before May 2026 fail the machine unless a VM extension finds the sentinel file, " +
				"which this format does not write",
			Remedy: "set spec.disableVMBootstrapExtension of the AzureMachine",
		}},
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-azure, 2026-08-19: GetBootstrapData",
			"kubernetes-sigs/cluster-api-provider-azure, pull requests 5509 (2025-03-24) and 6316 (2026-05-18): " +
				"DisableVMBootstrapExtension",
			"Azure compute API, osProfile.customData: 65535 bytes before base64",
		},
	}
}

// cloudDirector: a Secret without the key "format" is an error. The provider merges its own settings into cloud-config.
func cloudDirector() Provider {
	return Provider{
		Name: "Cluster API Provider Cloud Director", Kinds: []string{"VCDMachine"},
		Keys:    Keys{Absent: HandlingError, CloudConfig: HandlingUserdata, Ignition: HandlingIgnition, Other: HandlingError},
		Formats: []delivery.Format{cloudInit, ignition, ignitionV2}, Data: DataParsed,
		Sources: []string{"vmware/cluster-api-provider-cloud-director, 2024-10-10: getBootstrapData, " +
			"reconcileNodeSetupScripts"},
	}
}

func cloudStack() Provider {
	return Provider{
		Name: "Cluster API Provider CloudStack", Kinds: []string{"CloudStackMachine"}, Keys: ignoresKey(),
		Limits: []Limit{
			{Formats: []delivery.Format{cloudInit, cloudbaseInit}, Bytes: cloudStackBytes, Gzip: true, Base64: true},
			{Bytes: cloudStackBytes, Base64: true},
		},
		Data: DataBinary,
		Notes: []Note{{
			Formats: []delivery.Format{ignition, ignitionV2, talos, bottlerocket, shell}, Severity: report.Warning,
			Message: "the provider compresses userdata by default, and this format's reader does not decompress it",
			Remedy:  "set spec.uncompressedUserData",
		}},
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-cloudstack, 2025-10-14: CompressUserdata, DeployVM",
			"CloudStack API, deployVirtualMachine: 32 KB of base64 by POST",
		},
	}
}

// dev: machines are containers or simulated machines; the kind does not determine which.
func dev() Provider {
	return Provider{
		Name: "Cluster API Provider Docker", Kinds: []string{"DevMachine", "DevMachinePool"},
		Keys: Keys{Absent: HandlingUserdata, CloudConfig: HandlingUserdata, Ignition: HandlingIgnition, Other: HandlingError},
		Data: DataParsed,
		Notes: []Note{{
			Formats: []delivery.Format{ignition, talos, bottlerocket, shell, cloudbaseInit}, Severity: report.Warning,
			Message: "the docker backend reads only cloud-config and Ignition 2.3",
		}},
		Sources: []string{"kubernetes-sigs/cluster-api, v1.14 and 2026-08-21, test/infrastructure/docker: " +
			"GetBootstrapCommands"},
	}
}

func digitalOcean() Provider {
	return Provider{
		Name: "Cluster API Provider DigitalOcean", Kinds: []string{"DOMachine"}, Keys: ignoresKey(),
		Limits: []Limit{{Bytes: dropletBytes}}, Data: DataText,
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-digitalocean, 2026-06-09: CreateDroplet",
			"DigitalOcean API, droplets: user_data is plain text of 64 KiB",
		},
	}
}

func docker() Provider {
	return Provider{
		Name: "Cluster API Provider Docker", Kinds: []string{"DockerMachine", "DockerMachinePool"},
		Keys: Keys{
			Absent: HandlingUserdata, CloudConfig: HandlingUserdata, Ignition: HandlingIgnition,
			Other: HandlingError,
		},
		Formats: []delivery.Format{cloudInit, ignitionV2}, Data: DataParsed,
		Sources: []string{"kubernetes-sigs/cluster-api, v1.14 and 2026-08-21, test/infrastructure/docker: " +
			"GetBootstrapCommands"},
	}
}

func gcp() Provider {
	return Provider{
		Name: "Cluster API Provider GCP", Kinds: []string{"GCPMachine", "GCPMachinePool"}, Keys: ignoresKey(),
		Limits: []Limit{{Bytes: gceBytes}}, Data: DataText,
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-gcp, 2026-06-25: createOrGetInstance sets user-data and no user-data-encoding",
			"Compute Engine API, Metadata: 262144 bytes a value",
		},
	}
}

// hcloud: the metadata service delivers text only; cloud-init decodes base64.
func hcloud() Provider {
	return Provider{
		Name: "Cluster API Provider Hetzner", Kinds: []string{"HCloudMachine"}, Keys: ignoresKey(),
		Limits: []Limit{{Bytes: hcloudBytes}}, Data: DataText, Base64: []delivery.Format{cloudInit},
		Sources: []string{
			"syself/cluster-api-provider-hetzner, 2026-08-08: createServer",
			"Hetzner Cloud API, servers: user_data of 32 KiB",
			"cloud-init 22.4 and 25.1, DataSourceHetzner: maybe_b64decode",
		},
	}
}

// hetznerBare: the provider writes the data to cloud-init's seed in a script.
func hetznerBare() Provider {
	return Provider{
		Name: "Cluster API Provider Hetzner", Kinds: []string{"HetznerBareMetalMachine"}, Keys: ignoresKey(),
		Data:    DataText,
		Sources: []string{"syself/cluster-api-provider-hetzner, 2026-08-08: postInstall of the bare metal host"},
	}
}
