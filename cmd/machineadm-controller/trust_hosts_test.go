package main

// hostNames are names, paths and texts of machines on hosts.
func hostNames() []trust {
	return []trust{
		{
			what: "claim in the spec of a HostMachine and of a Host", chosenBy: "T who writes HostMachines and Hosts",
			usedBy: ours + ", which boots and resets the host",
			rule: "both must have the same ID and machine, and be in one namespace; the host itself stores the ID, and " +
				"refuses another one once its data was started",
			tests:   []string{"TestDataIsSentOnce", "TestTwoMachinesOneHost", "TestHostDriverConforms"},
			sources: []string{"adapters/kubernetes/hosts/objects.go"},
		},
		{
			what: "Secret of `spec.sshKeyRef` of a Host", chosenBy: "T who writes Hosts",
			usedBy: ours + ", which logs in to the host with it",
			rule: "the Secret must be in the namespace of the Host and have the label " +
				"`infrastructure.machineadm.io/ssh-key`",
			tests: []string{"TestHostsReadOnlyTheirSecrets"},
		},
		{
			what: "`spec.namespaceMachine.root` of a HostMachine", chosenBy: "T who writes HostMachines",
			usedBy: ours + ", which starts the init of this root file system",
			rule:   "it is below the directory of `--namespace-machines`, and not below that of the machines",
			tests:  []string{"TestFaults"},
		},
		{
			what:     "image of a virtual machine: `spec.virtualMachine.image` of a HostMachine",
			chosenBy: "T who writes HostMachines", usedBy: "QEMU on the host of the controller",
			rule: "the path is below the directory of `--virtual-machines` and not in that of the machines; the digest must " +
				"match; a qcow2 image that refers to other files is refused",
			tests: []string{"TestImages"},
		},
		{
			what:     "report of a virtual machine: a disk that its root writes",
			chosenBy: "O", usedBy: ours + ", which writes the status of its HostMachine",
			rule: "the disk has 64 KiB; what is read from it is limited and has no control characters; it cannot release or " +
				"claim a machine",
			tests: []string{"TestReports", "TestObservation", "FuzzResponse", "TestConforms"},
		},
	}
}
