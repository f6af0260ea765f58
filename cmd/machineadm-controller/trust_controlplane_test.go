package main

// planeNames are names and references of control planes.
func planeNames() []trust {
	const planes = "T who writes MachineadmControlPlanes"
	return []trust{
		{
			what: "owner reference of a MachineadmControlPlane to a Cluster", chosenBy: planes,
			usedBy: ours + ", which creates machines that receive the keys of the Cluster",
			rule:   "the Cluster must name the control plane in `spec.controlPlaneRef`",
			tests:  []string{"TestOwnerOfAnotherControlPlane"},
		},
		{
			what: "names of a Machine, its config and its infrastructure machine: `metadata.name` and " +
				"`spec.machineNaming.template` of a MachineadmControlPlane", chosenBy: planes,
			usedBy: core + ", " + ours,
			rule: "the name ends with a hash of the control plane and its Machines; an object of another owner with this " +
				"name is neither used nor deleted",
			tests: []string{
				"TestForeignObjectsAreKept", "TestConfigsOfOthersAreKept", "TestCreateFromAnotherSpec", "TestCreateLeavesNothing",
			},
			sources: []string{
				"adapters/kubernetes/controlplane/create.go", "adapters/kubernetes/controlplane/store.go",
			},
		},
		{
			what: "failure of a control plane machine: `status.bootstrap` of its config, or the terminal failure that Cluster " +
				"API copies from its infrastructure machine", chosenBy: "M, and T who writes infrastructure machines",
			usedBy: ours + ", which replaces the machine if it has not joined, and writes the message to conditions",
			rule:   "the limits of `spec.remediation`; at most 512 bytes on one line, without what looks like a secret",
			tests:  []string{"TestFailuresOfMachines", "TestControlPlaneContractTerminalFailure"},
		},
		{
			what: "Machine with the label of control planes and of a Cluster", chosenBy: machines,
			usedBy: ours + ", which replaces and deletes it, and removes its etcd member",
			rule: "a Machine of another controller stops the creation of machines; one without a controller is adopted only " +
				"if it has a MachineBootstrapConfig or a KubeadmConfig",
			tests: []string{"TestMachinesOfOthers", "TestAdoption", "TestAdoptionFromKubeadmControlPlane"},
			sources: []string{
				"adapters/kubernetes/controlplane/change.go", "adapters/kubernetes/controlplane/machinestatus.go",
				"adapters/kubernetes/controlplane/status.go",
			},
		},
		{
			what: "S3BootstrapStorage and recipients in `spec.etcdSnapshots` of a MachineadmControlPlane", chosenBy: planes,
			usedBy: ours + ", which stores the data of the cluster there",
			rule: "the storage is in the same namespace, and its credentials have the label of credentials; the folder " +
				"contains a digest of etcd's CA",
			tests:   []string{"TestSnapshotsAreStoredInBuckets", "TestOnlyLabelledSecretsAreCredentials", "TestFolder"},
			sources: []string{"adapters/kubernetes/controlplane/snapshots.go"},
		},
		{
			what: "Secret `<cluster>-kubeconfig` of a MachineadmControlPlane", chosenBy: clusters, usedBy: core + ", " + ours,
			rule: "it is created and renewed only if it has the type of Cluster API; a Secret of another type is the user's",
			tests: []string{
				"TestAdminKubeconfigsConform", "TestAdminKubeconfigSecret", "TestAdminKubeconfigOfOtherProvider",
			},
			sources: []string{"adapters/kubernetes/capi/adminkubeconfigs.go"},
		},
	}
}
