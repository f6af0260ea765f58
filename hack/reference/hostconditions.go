package main

import "github.com/machineadm/machineadm/domain/host"

// faultMeanings are sentences about the faults of hosts.
func faultMeanings() map[host.Fault]string {
	return map[host.Fault]string{
		host.FaultUnreachable:    "The host does not answer, or the connection broke",
		host.FaultBusy:           "A limit of connections or of concurrent operations is reached",
		host.FaultDisabled:       "The controller does not have the driver that creates the machine",
		host.FaultHostKeyChanged: "The host presents another key than the known one",
		host.FaultHostKeyUnknown: "The Host names no key, and does not allow trust on first use",
		host.FaultAuthentication: "The host refuses the user or the key",
		host.FaultCredentials:    "The Secret with the key is missing or invalid",
		host.FaultPrivileges:     "The user cannot become root without a password",
		host.FaultDiskFull:       "The host has no space for the data",
		host.FaultUnsupported:    "The host lacks something that the driver needs, such as flock(1)",
		host.FaultResponse:       "The response of the host is too long or malformed",
		host.FaultForeignClaim:   "The host has the claim of another machine, such as one of another management cluster",
		host.FaultNotClean:       "The host has the state of an earlier machine",
		host.FaultReset:          "The reset of the host failed",
		host.FaultFormat:         "The driver does not accept the format of the bootstrap data",
		host.FaultData:           "The bootstrap data is too long, or its digest is wrong",
		host.FaultImage:          "The image of a virtual machine is missing or has another digest",
	}
}

func hostMachine() object {
	all := []explained{
		{"WaitingForOwner", "The HostMachine has no Machine as its owner", "create a Machine that refers to it"},
		{"WaitingForCluster", "The Cluster does not exist", "create the Cluster of the Machine"},
		{"AddingFinalizer", "The controller adds its finalizer", ""},
		{"WaitingForClusterInfrastructure", "The HostCluster is not ready", "see the condition `Ready` of the HostCluster"},
		{"WaitingForBootstrapData", "The bootstrap data is not published", "see the conditions of the " +
			"MachineBootstrapConfig"},
		{"SelectingHost", "The controller selects a host", ""},
		{"ClaimingHost", "The controller claims the selected host", ""},
		{"HostSelected", "A host is selected", ""},
		{"HostTaken", "Another machine claimed the selected host first; another host is selected", ""},
		{"HostDeleted", "The Host of the machine was deleted", "delete the Machine"},
		{"NoMatchingHost", "No Host matches the selector, the architecture and the failure domain", "add a Host with the " +
			"labels, or correct `spec.hostSelector`"},
		{"NoAvailableHost", "No matching Host is available", "add a Host, or see why the others are not available"},
		{"ObservingHost", "The controller observes the host", ""},
		{"PreparingHost", "The controller prepares the host", ""},
		{"Booting", "The bootstrap runs on the host", ""},
		{"Provisioned", "The bootstrap succeeded", ""},
		{"ProviderIDMismatch", "The node has another provider ID than the HostMachine", "delete the Machine"},
		{"BootstrapFailed", "The bootstrap left a failure record; the message contains its cause", "remove the cause, and " +
			"delete the Machine"},
		{"BootstrapInterrupted", "The bootstrap ended without a result", "see the log on the host, and delete the Machine"},
		{"BootstrapDeadlineExceeded", "The bootstrap did not end in time", "see the log on the host, and delete the Machine"},
		{"RunLost", "The host lost the state of the bootstrap", "delete the Machine"},
		{"Releasing", "The host is being reset", ""},
		{"Released", "The host was reset", ""},
		{"ReleaseDeadlineExceeded", "The host could not be reset in time; it stays unavailable", "run machineadm reset on " +
			"the host, or install it again"},
		{"Claimed", "The host is claimed for the machine", ""},
		{"Available", "The host answers", ""},
	}
	return object{
		kind:  "HostMachine",
		intro: "[Hosts](../hosts.md) describes the states of a machine.",
		conditions: []explained{
			{"Ready", "The machine is provisioned, and nothing is wrong with it", ""},
			{"HostClaimed", "A host is claimed for the machine", ""},
			{"BootstrapSucceeded", "The bootstrap on the host succeeded", ""},
			{"HostReachable", "The host answers", ""},
			{"Paused", "The controller does nothing", ""},
		},
		reasons: append(append(all, faults()...), paused()...),
	}
}

func hostCluster() object {
	return object{
		kind:  "HostCluster",
		intro: "A HostCluster has no machines of its own.",
		conditions: []explained{
			{"Ready", "The cluster has a control plane endpoint", ""}, {"Paused", "The controller does nothing", ""},
		},
		reasons: append(paused(),
			explained{"Provisioned", "The endpoint is known", ""},
			explained{"WaitingForControlPlaneEndpoint", "There is no endpoint", "set `spec.controlPlaneEndpoint` of the " +
				"HostCluster or of the Cluster"},
		),
	}
}

func inventory() object {
	all := append(faults(),
		explained{"NotProbed", "The controller has not connected to the host yet", ""},
		explained{"Available", "The host can be claimed", ""},
		explained{"Claimed", "A machine has the host", ""},
		explained{"Deleting", "The Host is being deleted", ""},
		explained{"Maintenance", "`spec.unavailable` is set", "remove `spec.unavailable`"},
		explained{"ReleaseDeadlineExceeded", "The reset after the last machine did not end in time", "run machineadm reset " +
			"on the host, or install it again, and remove `spec.unavailable`"},
		explained{"MachineMissing", "The machine that has the host does not exist, or has another claim", "restore the " +
			"HostMachine, or reset the host and remove `spec.claim`"},
	)
	return object{
		kind:  "Host",
		intro: "Users can write other reasons to `spec.unavailable.reason`.",
		conditions: []explained{
			{"Ready", "The host is available, or a machine has it", ""}, {"Reachable", "The last probe succeeded", ""},
		},
		reasons: all,
	}
}
