package infrastructure

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
	"github.com/machineadm/machineadm/domain/report"
)

// ibmPowerVS: a setting of the cluster, not the key "format", determines whether the data is Ignition.
func ibmPowerVS() Provider {
	return Provider{
		Name: "Cluster API Provider IBM Cloud", Kinds: []string{"IBMPowerVSMachine"}, Keys: ignoresKey(), Data: DataBinary,
		Notes: []Note{{
			Formats: []delivery.Format{ignition, ignitionV2}, Severity: report.Warning,
			Message: "the provider delivers Ignition only if the IBMPowerVSCluster has a bucket",
			Remedy:  "set its spec.cosInstance and spec.ignition.version",
		}, {
			Formats: []delivery.Format{cloudInit, shell, talos, bottlerocket, cloudbaseInit}, Severity: report.Info,
			Message: "the provider delivers all data as Ignition if the IBMPowerVSCluster has a bucket",
			Remedy:  "leave its spec.cosInstance out",
		}},
		Sources: []string{"kubernetes-sigs/cluster-api-provider-ibmcloud, 2026-08-21: resolveUserData, useIgnition"},
	}
}

func ibmVPC() Provider {
	return Provider{
		Name: "Cluster API Provider IBM Cloud", Kinds: []string{"IBMVPCMachine"}, Keys: ignoresKey(),
		Limits: []Limit{{Bytes: vpcBytes}}, Data: DataText,
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-ibmcloud, 2026-08-21: CreateMachine",
			"IBM Cloud VPC, User data: 64 K bytes",
		},
	}
}

// linode: if its manager is configured to, the provider compresses data that is too large. It then stores the data in
// the cluster's bucket, if there is one.
func linode() Provider {
	return Provider{
		Name: "Cluster API Provider Linode", Kinds: []string{"LinodeMachine"}, Keys: ignoresKey(),
		Limits: []Limit{
			{Formats: []delivery.Format{cloudInit}, Bytes: linodeBytes, Unless: "the LinodeCluster has a spec.objectStore"},
			{Bytes: linodeBytes},
		},
		Data: DataBinary,
		Sources: []string{"linode/cluster-api-provider-linode, 2026-08-19: resolveBootstrapData, " +
			"maxBootstrapDataBytesCloudInit"},
	}
}

// metal3: the provider passes the Secret on for a configuration drive, whose userdata is a string in JSON.
func metal3() Provider {
	return Provider{
		Name: "Cluster API Provider Metal3", Kinds: []string{"Metal3Machine"}, Keys: ignoresKey(), Data: DataText,
		Sources: []string{
			"metal3-io/cluster-api-provider-metal3, 2026-08-21: getUserDataSecretName",
			"metal3-io/baremetal-operator, 2026-08-20: getConfigDrive, hostConfigData.UserData",
		},
	}
}

// nutanix: the provider replaces a placeholder of cloud-init. Prism Central with AOS 7.3 examines the first line.
func nutanix() Provider {
	return Provider{
		Name: "Cluster API Provider Nutanix", Kinds: []string{"NutanixMachine"}, Keys: ignoresKey(), Data: DataUnknown,
		Placeholders: delivery.Placeholders{`\{\{ ds\.meta_data\.hostname \}\}`},
		Notes: []Note{{
			Formats:  []delivery.Format{ignition, ignitionV2, talos, bottlerocket, shell},
			Severity: report.Warning,
			Message:  "AOS 7.3 accepts only userdata that begins with #cloud-config",
			Remedy:   "use another release of AOS, or the format cloud-init",
		}},
		Sources: []string{"nutanix-cloud-native/cluster-api-provider-nutanix, 2026-08-21: addGuestCustomizationToVM"},
	}
}

func oci() Provider {
	return Provider{
		Name: "Cluster API Provider OCI", Kinds: []string{"OCIMachine", "OCIMachinePool"}, Keys: ignoresKey(),
		Metadata: facts.ServiceOCI, Limits: []Limit{{Bytes: ociBytes, Base64: true}}, Data: DataBinary,
		FactsOfCloudInit: []document.Fact{document.FactZone},
		Sources: []string{
			"oracle/cluster-api-provider-oci, 2026-04-27: GetOrCreateMachine",
			"Oracle Cloud Infrastructure, Updating Instance Metadata: 32,000 bytes for all of it",
			afterburnSource,
		},
	}
}

func openStack() Provider {
	return Provider{
		Name: "Cluster API Provider OpenStack", Kinds: []string{"OpenStackMachine", "OpenStackServer"}, Keys: ignoresKey(),
		Limits: []Limit{{Bytes: novaBytes, Base64: true}}, Data: DataBinary,
		FactsOfCloudInit: []document.Fact{document.FactZone},
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-openstack, 2026-08-21: getUserDataSecretValue",
			"OpenStack Nova, Provide user data to instances: base64 of at most 65535 bytes",
			afterburnSource,
		},
	}
}

// proxmox: the provider writes an ISO image for cloud-init's NoCloud. For unknown values of the key "format" it writes
// none.
func proxmox() Provider {
	return Provider{
		Name: "Cluster API Provider Proxmox", Kinds: []string{"ProxmoxMachine"},
		Keys: Keys{
			Absent: HandlingUserdata, CloudConfig: HandlingUserdata, Ignition: HandlingIgnition,
			Other: HandlingIgnored,
		},
		// The provider parses Ignition as version 2.3 to add to it.
		Formats: []delivery.Format{cloudInit, ignitionV2, talos, shell, cloudbaseInit, unattend},
		Data:    DataBinary,
		Sources: []string{"ionos-cloud/cluster-api-provider-proxmox, 2026-08-18: reconcileBootstrapData, " +
			"getBootstrapData, convertToIgnition"},
	}
}

// vsphere: a Secret without the key "format" means cloud-config. For unknown values the machine gets no data. guestinfo
// has no documented limit.
func vsphere() Provider {
	return Provider{
		Name: "Cluster API Provider vSphere", Kinds: []string{"VSphereMachine", "VSphereVM"},
		Keys: Keys{
			Absent: HandlingUserdata, CloudConfig: HandlingUserdata, Ignition: HandlingIgnition,
			Other: HandlingIgnored,
		},
		Data: DataBinary, Base64: []delivery.Format{cloudInit, ignition, ignitionV2, talos},
		Sources: []string{"kubernetes-sigs/cluster-api-provider-vsphere, 2026-08-21: getBootstrapData, Clone, base64Encode"},
	}
}
