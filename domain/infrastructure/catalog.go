package infrastructure

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
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
	linodeBytes     = 16383 // the provider requires less than 16384
	hcloudBytes     = 32 << 10
	dropletBytes    = 64 << 10
	ociBytes        = 32000
	vpcBytes        = 64 << 10
	gceBytes        = 256 << 10
	cloudStackBytes = 32 << 10
	oxideBytes      = 32 << 10
	dockerBytes     = 65535 // a line of bufio.Scanner
)

// entry is a kind and the constructor of its provider, which is called on lookup.
type entry struct {
	kind  string
	build func() Provider
}

// entries returns all known kinds. The sources name the provider's repository, the version that was read, and the
// function.
//
//nolint:gochecknoglobals // it never varies
var entries = [...]entry{
	{"AWSMachine", aws},
	{"AWSMachinePool", awsPool},
	{"AzureMachine", azure},
	{"AzureMachinePool", azurePool},
	{"ByoMachine", byoHost},
	{"CloudscaleMachine", cloudscale},
	{"CloudStackMachine", cloudStack},
	{"DevMachine", dev},
	{"DevMachinePool", dev},
	{"DockerMachine", docker},
	{"DockerMachinePool", docker},
	{"DOMachine", digitalOcean},
	{"GCPMachine", gcp},
	{"GCPMachinePool", gcp},
	{"HarvesterMachine", harvester},
	{"HCloudMachine", hcloud},
	{"HetznerBareMetalMachine", hetznerBare},
	{hostMachine, hosts},
	{hostMachineOfHost, hostsOfInventory},
	{hostMachineOfNamespaces, hostsInNamespaces},
	{hostMachineOfVM, hostsInVMs},
	{"HuaweiCloudMachine", huaweiCloud},
	{"IBMPowerVSMachine", ibmPowerVS},
	{"IBMVPCMachine", ibmVPC},
	{"IonosCloudMachine", ionosCloud},
	{"KubeSwiftMachine", kubeSwift},
	{"KubevirtMachine", kubevirt},
	{"LinodeMachine", linode},
	{"LXCMachine", lxc},
	{"MaasMachine", maas},
	{"Metal3Machine", metal3},
	{"MetalMachine", sidero},
	{"MetalStackMachine", metalStack},
	{"NutanixMachine", nutanix},
	{"OCIMachine", oci},
	{"OCIMachinePool", oci},
	{"ONEMachine", openNebula},
	{"OpenStackMachine", openStack},
	{"OpenStackServer", openStack},
	{"OscMachine", outscale},
	{"OxideMachine", oxide},
	{"ProxmoxMachine", proxmox},
	{"RemoteMachine", remoteMachine},
	{"ScalewayMachine", scaleway},
	{"TinkerbellMachine", tinkerbell},
	{"VCDMachine", cloudDirector},
	{"VirtinkMachine", virtink},
	{"VSphereMachine", vsphere},
	{"VSphereMachine." + SupervisorGroup, vsphereSupervisor},
	{"VSphereVM", vsphere},
	{"VultrMachine", vultr},
}

// aws: the provider stores cloud-config in parts in Secrets Manager or Parameter Store, and Ignition in a bucket,
// unless the AWSMachine sets another way. The userdata of the instance is a few lines.
func aws() Provider {
	return Provider{
		Name: "Cluster API Provider AWS", Kinds: []string{"AWSMachine"}, Metadata: facts.ServiceEC2,
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
				Formats: []delivery.Format{ignition, ignitionV2}, Severity: report.Info,
				Message: "the provider refuses Ignition unless its feature gate BootstrapFormatIgnition is enabled, and by " +
					"default stores it in a bucket",
				Remedy: "enable the gate, and set spec.s3Bucket of the AWSCluster",
			},
			{
				Formats: []delivery.Format{talos, bottlerocket, cloudbaseInit}, Severity: report.Warning,
				Message: "a boothook of cloud-init fetches data from Secrets Manager, and this machine has no cloud-init",
				Remedy:  "set spec.cloudInit.insecureSkipSecretsManager",
			},
		},
		Remarks: []string{"with spec.ignition the provider handles data of every format as Ignition"},
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-aws, 2026-07-01: resolveUserData, UseIgnition, " +
				"UseSecretsManager, CompressUserData, feature.BootstrapFormatIgnition (alpha, off by default)",
			"EC2 user guide, Work with instance user data: 16 KB in raw form",
		},
	}
}

// awsPool: the launch template contains the data, or the URL of Ignition in the cluster's bucket.
func awsPool() Provider {
	return Provider{
		Name: "Cluster API Provider AWS", Kinds: []string{"AWSMachinePool"}, Metadata: facts.ServiceEC2,
		Keys: Keys{
			Absent: HandlingUserdata, CloudConfig: HandlingUserdata, Ignition: HandlingIgnition,
			Other: HandlingUserdata,
		},
		Limits: []Limit{
			{
				Formats: []delivery.Format{ignition, ignitionV2}, Bytes: ec2Bytes,
				Unless: "the cluster's bucket delivers it, with spec.ignition.storageType ClusterObjectStore",
			},
			{Bytes: ec2Bytes},
		},
		Data: DataBinary,
		Notes: []Note{
			{
				Formats: []delivery.Format{ignition}, Severity: report.Info,
				Message: "with spec.ignition.storageType ClusterObjectStore the provider refers to the data with Ignition 2.3 by " +
					"default, which cannot load this version",
				Remedy: "set spec.ignition.version to 3.4 with this storage type",
			},
		},
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-aws, 2026-07-01: ReconcileLaunchTemplate, CreateForMachinePool, " +
				"DefaultMachinePoolIgnitionStorageType",
			"EC2 user guide, Work with instance user data: 16 KB in raw form",
		},
	}
}

func azure() Provider { return azureWith("AzureMachine", "spec.disableVMBootstrapExtension") }

func azurePool() Provider {
	return azureWith("AzureMachinePool", "spec.template.disableVMBootstrapExtension")
}

// azureWith returns the provider of a kind whose field disables the extension that waits for the sentinel.
func azureWith(kind, field string) Provider {
	return Provider{
		Name: "Cluster API Provider Azure", Kinds: []string{kind}, Keys: ignoresKey(),
		Limits: []Limit{{Bytes: azureBytes}}, Data: DataBinary,
		Notes: []Note{{
			Formats: []delivery.Format{talos, bottlerocket}, Severity: report.Warning,
			Message: "releases before May 2026 fail the machine unless a VM extension finds the sentinel file within 300 " +
				"seconds, which this format does not write",
			Remedy: "set " + field + " of the " + kind,
		}},
		FactsOfCloudInit: []document.Fact{document.FactInstanceID, document.FactRegion, document.FactZone},
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-azure, 2026-08-19: GetBootstrapData",
			"kubernetes-sigs/cluster-api-provider-azure, pull requests 5509 (2025-03-24) and 6316 (2026-05-18): " +
				"DisableVMBootstrapExtension",
			"Azure compute API, osProfile.customData: 65535 bytes before base64",
			afterburnSource,
		},
	}
}

func digitalOcean() Provider {
	return Provider{
		Name: "Cluster API Provider DigitalOcean", Kinds: []string{"DOMachine"}, Keys: ignoresKey(),
		Limits: []Limit{{Bytes: dropletBytes}}, Data: DataText,
		FactsOfCloudInit: []document.Fact{document.FactInstanceID},
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-digitalocean, 2026-06-09: CreateDroplet",
			"DigitalOcean API, droplets: user_data is plain text of 64 KiB",
			afterburnSource,
		},
	}
}

func gcp() Provider {
	return Provider{
		Name: "Cluster API Provider GCP", Kinds: []string{"GCPMachine", "GCPMachinePool"}, Keys: ignoresKey(),
		Limits: []Limit{{Bytes: gceBytes}}, Data: DataText,
		FactsOfCloudInit: []document.Fact{document.FactInstanceID, document.FactRegion, document.FactZone},
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-gcp, 2026-06-25: createOrGetInstance sets user-data and no user-data-encoding",
			"Compute Engine API, Metadata: 262144 bytes a value",
			afterburnSource,
		},
	}
}

// hcloud: the metadata service delivers text only; cloud-init decodes base64.
func hcloud() Provider {
	return Provider{
		Name: "Cluster API Provider Hetzner", Kinds: []string{"HCloudMachine"}, Keys: ignoresKey(),
		Limits: []Limit{{Bytes: hcloudBytes}}, Data: DataText, Base64: []delivery.Format{cloudInit},
		Remarks: []string{
			"with spec.imageURL the command of spec.imageURLCommand receives the data and must write it where the machine's " +
				"program reads it",
		},
		Sources: []string{
			"syself/cluster-api-provider-hetzner, 2026-08-08: createServer, imageURLCommand",
			"Hetzner Cloud API, servers: user_data of 32 KiB",
			"cloud-init 22.4 and 25.1, DataSourceHetzner: maybe_b64decode",
		},
	}
}

// hetznerBare: the provider writes the data to cloud-init's seed in a script, from which cloud-init also runs scripts.
func hetznerBare() Provider {
	return Provider{
		Name: "Cluster API Provider Hetzner", Kinds: []string{"HetznerBareMetalMachine"}, Keys: ignoresKey(),
		Formats: []delivery.Format{cloudInit, shell}, Data: DataText,
		Remarks: []string{
			"with spec.installImage.imageURLCommand the command receives the data and must write it where cloud-init reads it",
		},
		Sources: []string{"syself/cluster-api-provider-hetzner, 2026-08-08: postInstall of the bare metal host"},
	}
}
