package infrastructure

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// The providers of this file edit userdata, replace text in it, or read it in place of the machine's own program.

// byoHost: an agent on the host writes the files and runs the commands of cloud-config. It reads no other key, executes
// the contents of files as templates of Go, and needs a user and a group in owner.
func byoHost() Provider {
	return Provider{
		Name: "Cluster API Provider BringYourOwnHost", Kinds: []string{"ByoMachine"}, Keys: ignoresKey(),
		Formats: []delivery.Format{cloudInit}, Data: DataParsed,
		CloudConfig: delivery.CloudConfig{Minimal: true, WithoutCloudInit: true, Kept: fileAndCommandKeys()},
		Sources: []string{
			"vmware-tanzu/cluster-api-provider-bringyourownhost, 2024-02-22: ScriptExecutor.Execute, ParseTemplate",
		},
	}
}

// fileAndCommandKeys returns the keys that providers with a parser of their own read.
func fileAndCommandKeys() []string { return []string{"write_files", "runcmd"} }

// cloudDirector: a Secret without the key "format" is an error. The provider adds the commands of runcmd to a script,
// with four blanks before each item. Of the other keys it keeps few. Its script reboots the machine unless files of
// kubeadm exist, and recognizes a joining control plane machine by the text "kubeadm join".
func cloudDirector() Provider {
	return Provider{
		Name: "Cluster API Provider Cloud Director", Kinds: []string{"VCDMachine"},
		Keys:    Keys{Absent: HandlingError, CloudConfig: HandlingUserdata, Ignition: HandlingIgnition, Other: HandlingError},
		Formats: []delivery.Format{cloudInit, ignition, ignitionV2}, Data: DataParsed,
		CloudConfig: delivery.CloudConfig{
			Minimal: true, Kept: append(fileAndCommandKeys(), "users"),
			InitFile: "/run/kubeadm/kubeadm.yaml", JoinFile: "/run/kubeadm/kubeadm-join-config.yaml",
		},
		Sources: []string{
			"vmware/cluster-api-provider-cloud-director, 2024-10-10: getBootstrapData, reconcileNodeSetupScripts, " +
				"MergeJinjaToCloudInitScript, cluster_scripts/cloud_init.tmpl",
		},
	}
}

func cloudStack() Provider {
	return Provider{
		Name: "Cluster API Provider CloudStack", Kinds: []string{"CloudStackMachine"}, Keys: ignoresKey(),
		Limits: []Limit{
			{Formats: []delivery.Format{cloudInit, cloudbaseInit}, Bytes: cloudStackBytes, Gzip: true, Base64: true},
			{Bytes: cloudStackBytes, Base64: true},
		},
		Data:         DataBinary,
		Placeholders: delivery.Placeholders{`\{\{\s*ds\.meta_data\.hostname\s*\}\}`, `ds\.meta_data\.failuredomain`},
		Notes: []Note{{
			Formats: []delivery.Format{ignition, ignitionV2, talos, bottlerocket, shell}, Severity: report.Warning,
			Message: "the provider compresses userdata by default, and this format's reader does not decompress it",
			Remedy:  "set spec.uncompressedUserData",
		}},
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-cloudstack, 2025-10-14: CompressUserdata, DeployVM, processCustomMetadata",
			"CloudStack API, deployVirtualMachine: 32 KB of base64 by POST",
		},
	}
}

// dev: machines are containers or simulated machines; the kind does not determine which.
func dev() Provider {
	p := docker()
	p.Kinds, p.Formats = []string{"DevMachine", "DevMachinePool"}, nil
	p.Notes = append(p.Notes, Note{
		Formats: []delivery.Format{ignition, talos, bottlerocket, shell, cloudbaseInit}, Severity: report.Warning,
		Message: "the docker backend reads only cloud-config and Ignition 2.3",
	})
	return p
}

// docker: the provider reads cloud-config line by line, fails for keys other than write_files and runcmd, and adds
// arguments for containers to the commands and files of Cluster API's kubeadm provider only.
func docker() Provider {
	return Provider{
		Name: "Cluster API Provider Docker", Kinds: []string{"DockerMachine", "DockerMachinePool"},
		Keys: Keys{
			Absent: HandlingUserdata, CloudConfig: HandlingUserdata, Ignition: HandlingIgnition,
			Other: HandlingError,
		},
		Formats: []delivery.Format{cloudInit, ignitionV2}, Data: DataParsed,
		Limits: []Limit{{
			Formats: []delivery.Format{cloudInit}, Bytes: dockerBytes,
			Unless: "each line has at most 65535 bytes",
		}},
		CloudConfig: delivery.CloudConfig{Minimal: true, WithoutCloudInit: true, Kept: fileAndCommandKeys()},
		Notes: []Note{{
			Formats: []delivery.Format{cloudInit}, Severity: report.Info,
			Message: "for containers, the provider adds arguments only to commands and files of the kubeadm provider",
			Remedy: "set spec.node.ignorePreflightErrors to [SystemVerification, Swap, " +
				"FileContent--proc-sys-net-bridge-bridge-nf-call-iptables], and the arguments fail-swap-on: false and " +
				"cgroup-root: /kubelet in spec.node.kubelet.extraArgs",
		}, {
			Formats: []delivery.Format{ignitionV2}, Severity: report.Warning,
			Message: "the provider reads only files and units, and does not decompress files",
			Remedy:  "use the format cloud-init with an image of kind",
		}},
		Sources: []string{"kubernetes-sigs/cluster-api, v1.14 and 2026-08-21, test/infrastructure/docker: " +
			"GetBootstrapCommands, cloudinit.getActions, unknown.Unmarshal, RawIgnitionToProvisioningCommands"},
	}
}

// harvester: the provider parses the data as YAML, appends its lists to those of the data, and writes cloud-config.
func harvester() Provider {
	return Provider{
		Name: "Cluster API Provider Harvester", Kinds: []string{"HarvesterMachine"}, Keys: ignoresKey(),
		Formats: []delivery.Format{cloudInit}, Data: DataParsed,
		Sources: []string{"rancher-sandbox/cluster-api-provider-harvester, 2026-08-07: MergeCloudInitData"},
	}
}

// ionosCloud: the provider appends a second bootcmd to the text. PyYAML keeps the last of two equal keys.
func ionosCloud() Provider {
	return Provider{
		Name: "Cluster API Provider IONOS Cloud", Kinds: []string{"IonosCloudMachine"}, Keys: ignoresKey(),
		Formats: []delivery.Format{cloudInit}, Data: DataParsed,
		CloudConfig: delivery.CloudConfig{Minimal: true, Lost: []string{"bootcmd"}},
		Sources:     []string{"ionos-cloud/cluster-api-provider-ionoscloud, 2026-06-12: renderUserData"},
	}
}

// kubevirt: the provider adds a user to cloud-config, for which it parses all data as YAML, unless the check of the
// bootstrap over SSH is disabled.
func kubevirt() Provider {
	return Provider{
		Name: "Cluster API Provider KubeVirt", Kinds: []string{"KubevirtMachine"}, Keys: ignoresKey(), Data: DataParsed,
		Notes: []Note{{
			Formats: []delivery.Format{shell, bottlerocket, cloudbaseInit, unattend}, Severity: report.Warning,
			Message: "the provider parses the data as YAML by default, and this format is not YAML",
			Remedy:  "set spec.virtualMachineBootstrapCheck.checkStrategy to none",
		}, {
			Formats: []delivery.Format{talos}, Severity: report.Warning,
			Message: "the provider adds a user to the data and waits for the sentinel file over SSH by default, " +
				"and Talos supports neither",
			Remedy: "set spec.virtualMachineBootstrapCheck.checkStrategy to none",
		}, {
			Formats: []delivery.Format{ignition, ignitionV2}, Severity: report.Warning,
			Message: "the provider waits for the sentinel file over SSH by default, as a user that it adds to cloud-config only",
			Remedy:  "set spec.virtualMachineBootstrapCheck.checkStrategy to none",
		}},
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-kubevirt, 2026-08-19: addCapkUserToCloudInitConfig, IsBootstrappedWithSSH",
		},
	}
}

// lxc: machines with spec.instanceType kind lack cloud-init. The provider reads only write_files and runcmd for them,
// and needs the owner of each file. Other machines have cloud-init.
func lxc() Provider {
	return Provider{
		Name: "Cluster API Provider Incus", Kinds: []string{"LXCMachine"}, Keys: ignoresKey(),
		Formats: []delivery.Format{cloudInit}, Data: DataParsed,
		CloudConfig: delivery.CloudConfig{Minimal: true, WithoutCloudInit: true},
		Remarks: []string{
			"with spec.instanceType kind the provider refuses snippets that contain keys other than write_files and runcmd",
		},
		Sources: []string{
			"neoaggelos/cluster-api-provider-incus, 2025-09-20: internal/cloudinit.Parse, kind-cloud-init.py",
		},
	}
}

// remoteMachine: the provider writes the files and runs the commands over SSH, or in a Job that passes each command in
// double quotes. It reads only the path, the content and the permissions of a file.
func remoteMachine() Provider {
	return Provider{
		Name: "k0smotron", Kinds: []string{"RemoteMachine"}, Keys: ignoresKey(),
		Formats: []delivery.Format{cloudInit}, Data: DataParsed,
		CloudConfig: delivery.CloudConfig{Minimal: true, WithoutCloudInit: true, Kept: fileAndCommandKeys()},
		Sources: []string{
			"k0sproject/k0smotron, 2026-08-18: InputProvisionData, SSHProvisioner.Provision, JobProvisioner.extractCloudInit",
		},
	}
}

// scaleway: the data is a template of Go with the delimiters [[[ and ]]], and one field.
func scaleway() Provider {
	return Provider{
		Name: "Cluster API Provider Scaleway", Kinds: []string{"ScalewayMachine"}, Keys: ignoresKey(), Data: DataText,
		Placeholders: delivery.Placeholders{`\[\[\[\s*\.NodeIP\s*\]\]\]`}, Template: "[[[",
		FactsOfCloudInit: []document.Fact{document.FactRegion},
		Sources: []string{
			"scaleway/cluster-api-provider-scaleway, 2026-07-17: internal/service/scaleway/instance, template with NodeIP",
			afterburnSource,
		},
	}
}

// sidero: its metadata server parses the data as Talos configuration and adds a label.
func sidero() Provider {
	return Provider{
		Name: "Sidero", Kinds: []string{"MetalMachine"}, Keys: ignoresKey(), Formats: []delivery.Format{talos},
		Data: DataParsed,
		Notes: []Note{{
			Formats: []delivery.Format{talos}, Severity: report.Info,
			Message: "the provider is discontinued",
		}},
		Sources: []string{"siderolabs/sidero, 2026-04-28: metadata_server.go, handlePatches, labelNodes"},
	}
}

func tinkerbell() Provider {
	return Provider{
		Name: "Cluster API Provider Tinkerbell", Kinds: []string{"TinkerbellMachine"}, Keys: ignoresKey(), Data: DataText,
		Placeholders: delivery.Placeholders{"PROVIDER_ID"},
		Sources: []string{
			"tinkerbell/cluster-api-provider-tinkerbell, 2026-06-26: ensureHardwareUserData, providerIDPlaceholder",
		},
	}
}

// vultr: the provider inserts commands into the text, each on a line with two blanks and a dash, after the first
// "runcmd:".
func vultr() Provider {
	return Provider{
		Name: "Cluster API Provider Vultr", Kinds: []string{"VultrMachine"}, Keys: ignoresKey(),
		Formats: []delivery.Format{cloudInit}, Data: DataParsed,
		CloudConfig: delivery.CloudConfig{Appendable: true},
		Sources:     []string{"vultr/cluster-api-provider-vultr, 2025-12-04: appendToUserDataCloudConfig"},
	}
}
