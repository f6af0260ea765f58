package infrastructure

import "github.com/machineadm/machineadm/domain/delivery"

// The providers of this file pass userdata on unchanged, or not at all.

func cloudscale() Provider {
	return Provider{
		Name: "Cluster API Provider cloudscale.ch", Kinds: []string{"CloudscaleMachine"}, Keys: ignoresKey(),
		Data: DataText,
		Sources: []string{
			"cloudscale-ch/cluster-api-provider-cloudscale, read 2026-11-23: reconcileServer, user data is text in JSON",
		},
	}
}

// huaweiCloud: the provider passes an empty value to the function that creates the server, which ignores it.
func huaweiCloud() Provider {
	return Provider{
		Name: "Cluster API Provider Huawei Cloud", Kinds: []string{"HuaweiCloudMachine"},
		Keys: Keys{
			Absent: HandlingIgnored, CloudConfig: HandlingIgnored, Ignition: HandlingIgnored, Other: HandlingIgnored,
		},
		Data:    DataUnknown,
		Sources: []string{"setoru/cluster-api-provider-huawei, 2025-01-20: CreateInstance, runInstance"},
	}
}

func kubeSwift() Provider {
	return Provider{
		Name: "Cluster API Provider KubeSwift", Kinds: []string{"KubeSwiftMachine"}, Keys: ignoresKey(), Data: DataText,
		Sources: []string{
			"kubeswift-io/cluster-api-provider-kubeswift, 2026-07-21: internal/backend/swiftguest.go, userData is a string",
		},
	}
}

func maas() Provider {
	return Provider{
		Name: "Cluster API Provider MAAS", Kinds: []string{"MaasMachine"}, Keys: ignoresKey(), Data: DataUnknown,
		Sources: []string{"spectrocloud/cluster-api-provider-maas, 2026-06-30: resolveUserData, in base64"},
	}
}

func metalStack() Provider {
	return Provider{
		Name: "Cluster API Provider metal-stack", Kinds: []string{"MetalStackMachine"}, Keys: ignoresKey(), Data: DataText,
		Sources: []string{
			"metal-stack/cluster-api-provider-metal-stack, 2026-04-20: machineReconciler.create, UserData is text in JSON",
		},
	}
}

func openNebula() Provider {
	return Provider{
		Name: "Cluster API Provider OpenNebula", Kinds: []string{"ONEMachine"}, Keys: ignoresKey(), Data: DataBinary,
		Sources: []string{
			"OpenNebula/cluster-api-provider-opennebula, 2025-09-29: USER_DATA in base64 with USER_DATA_ENCODING",
		},
	}
}

// outscale: the provider writes a section for the platform before the data, and encodes both in base64.
func outscale() Provider {
	return Provider{
		Name: "Cluster API Provider Outscale", Kinds: []string{"OscMachine"}, Keys: ignoresKey(), Data: DataUnknown,
		Sources: []string{
			"outscale/cluster-api-provider-outscale, 2026-07-24: CreateVm, ConvertsTagsToUserDataOutscaleSection",
		},
	}
}

func oxide() Provider {
	return Provider{
		Name: "Cluster API Provider Oxide", Kinds: []string{"OxideMachine"}, Keys: ignoresKey(),
		Limits: []Limit{{Bytes: oxideBytes}}, Data: DataBinary,
		Sources: []string{
			"oxidecomputer/cluster-api-provider-oxide, read 2026-11-23: InstanceCreate with UserData in base64",
			"oxidecomputer/omicron, pull request 911 (2022-04-13): user_data, maximum 32 KiB before base64",
		},
	}
}

func virtink() Provider {
	return Provider{
		Name: "Cluster API Provider Virtink", Kinds: []string{"VirtinkMachine"}, Keys: ignoresKey(), Data: DataBinary,
		Sources: []string{"smartxworks/cluster-api-provider-virtink, 2023-05-23: UserDataBase64 of a cloud-init volume"},
	}
}

// vsphereSupervisor: machines of the Supervisor have the same kind as those of vCenter, and another API group. The VM
// Operator delivers their data to cloud-init, whatever the key "format" contains.
func vsphereSupervisor() Provider {
	return Provider{
		Name: "Cluster API Provider vSphere (Supervisor)", Kinds: []string{"VSphereMachine." + SupervisorGroup},
		Keys: ignoresKey(), Formats: []delivery.Format{cloudInit}, Data: DataUnknown,
		Sources: []string{
			"kubernetes-sigs/cluster-api-provider-vsphere, 2026-08-21: vmopmachine.go, CloudInit.RawCloudConfig",
		},
	}
}
