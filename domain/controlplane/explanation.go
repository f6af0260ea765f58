package controlplane

import "slices"

// explanations contains each reason once, in the order of the documentation.
func explanations() []explanation {
	return slices.Concat(starting(), observing(), leaving(), remediating(), changing())
}

func starting() []explanation {
	return []explanation{
		{
			CodePaused, "The control plane or its cluster is paused.",
			"set spec.paused of the Cluster to false, and remove the annotation cluster.x-k8s.io/paused",
		},
		{CodeUpToDate, "Nothing is to be done.", ""},
		{CodeNoReplicas, "The control plane has no machines and wants none.", "set spec.replicas to 1, 3 or 5"},
		{
			CodeWaitingForCluster, "No Cluster refers to the control plane.",
			"set spec.controlPlaneRef of the Cluster to this control plane",
		},
		{
			CodeWaitingForInfrastructure, "No machine is created before the infrastructure of the cluster is provisioned.",
			"see the conditions of the object in spec.infrastructureRef of the Cluster",
		},
		{
			CodeWaitingForEndpoint, "No machine is created before the endpoint of the cluster is known.",
			"set spec.controlPlaneEndpoint of the Cluster, unless its infrastructure provider does so",
		},
		{CodeGeneratingCertificates, "The key pairs of a new cluster are generated.", ""},
		{
			CodeCertificatesMissing,
			"The key pairs of the cluster are missing or incomplete. They are not generated again for an existing " +
				"cluster, because its machines trust the earlier ones.", "restore the Secrets from a backup",
		},
		{CodeCreatingFirstMachine, "The machine that initializes the cluster is created.", ""},
		{
			CodeStartingCluster, "A machine starts the cluster. The operation is repeated until the API server responds.",
			"if it takes longer than ten minutes, check that the machine API of all machines can be reached",
		},
		{
			CodeWaitingForInitialization, "The API server of the cluster does not accept requests yet.",
			"if it takes longer than the machine needs to boot, see the conditions of the Machine and of its bootstrap config",
		},
		{
			CodeNoMachines, "All machines of an initialized control plane are gone, and with stacked etcd also its data.",
			"restore a snapshot of etcd, or delete the Cluster",
		},
	}
}

func observing() []explanation {
	return []explanation{
		{
			CodeMembersUnknown, "No etcd member answers with the list of members. Nothing is created or deleted meanwhile.",
			"check that the API server responds, and that kubelet runs on the control plane machines",
		},
		{
			CodeQuorumLost, "Fewer than a majority of the etcd members respond. No operation is safe. The member of a machine " +
				"that is not a node cannot be asked, and may respond nevertheless.",
			"start the machines that do not respond; if the API server accepts no requests and the data is lost, restore a " +
				"snapshot of etcd into one member",
		},
		{CodeRemovingStrayMember, "An etcd member whose machine is gone is removed.", ""},
		{
			CodeForeignMember, "An etcd member belongs to no machine of the control plane, and may be in use. It is not " +
				"removed.", "adopt its Machine, or remove the member with etcdctl",
		},
		{
			CodeMemberUnassigned, "An etcd member belongs to no machine, and a machine has no member. None of both is removed.",
			"set the addresses of the Machine; if the member is dead, remove it with etcdctl",
		},
		{
			CodeRemovalBlocked, "A dead etcd member cannot be removed, because the others are no quorum without it.",
			"start the members that do not respond",
		},
		{
			CodeAlarmRaised, "An etcd member raises an alarm, so that etcd refuses to write or its data is corrupt.",
			"for NOSPACE, compact and defragment etcd and disarm the alarm; for CORRUPT, replace the machine of the member",
		},
	}
}

func leaving() []explanation {
	return []explanation{
		{CodeRemovingMember, "The etcd member of a machine that is being deleted is removed.", ""},
		{
			CodeReleasingMachine, "A machine that is being deleted has no etcd member any more. Its infrastructure is deleted.",
			"",
		},
		{CodeDeletingMachine, "A machine is being deleted.", "if it takes long, see the condition Deleting of the Machine"},
		{
			CodeDeletionBlocked, "A machine cannot leave, because too few etcd members respond without it.",
			"start the members that do not respond, or let a health check mark their machines",
		},
		{
			CodeLastMachine, "The last machine of a control plane is kept until its replacement has joined.",
			"to delete the cluster, delete the Cluster; otherwise set spec.replicas to 1, 3 or 5",
		},
	}
}

func remediating() []explanation {
	return []explanation{
		{CodeRemediating, "A machine that a health check or a user marked, or that failed to boot, is replaced.", ""},
		{
			CodeRemediationLimitReached, "As many replacements in a row failed as spec.remediation.maxRetry permits.",
			"correct the cause, then change the spec or delete the Machine",
		},
		{
			CodeRemediationDelayed, "The next retry follows after spec.remediation.retryPeriodSeconds. Without this field, " +
				"machines that do not join are replaced after a delay that doubles from 1 to 16 minutes.",
			"correct the cause, then change the spec, or delete the Machine to retry at once",
		},
		{
			CodeRemediationBlocked, "A machine that works is replaced only after another one has joined or is gone.",
			"see the conditions of that Machine",
		},
		{CodeSuperseded, "A machine that has not joined was created from an earlier template. It is deleted at once.", ""},
	}
}

func changing() []explanation {
	return []explanation{
		{CodeWaitingForMachine, "A machine boots.", "if it takes long, see the conditions of the Machine"},
		{
			CodeWaitingForMember, "The etcd member of a machine does not vote yet.",
			"if it takes longer than ten minutes, see the log of etcd on the machine, or delete the Machine",
		},
		{CodePreparingJoin, "The configuration and permissions that a machine needs to join are updated.", ""},
		{CodeScalingUp, "A machine is created, because one is missing.", ""},
		{
			CodeCreationBlocked, "No machine can join, because etcd adds a member only while all voting members respond.",
			"start the members that do not respond, or let a health check mark their machines",
		},
		{
			CodeAPIServerUnhealthy, "No machine joins, because no API server is healthy.",
			"see the condition APIServerPodHealthy of the Machines",
		},
		{CodeRollingOut, "A machine is replaced.", ""},
		{
			CodeMachineUnhealthy, "A machine that is not replaced is unhealthy. No other machine is deleted meanwhile.",
			"repair the machine, let a health check mark it, or delete it",
		},
		{CodeScalingDown, "A machine is deleted, because there are more than wanted.", ""},
		{
			CodeHeld, "Machines are neither created nor replaced, because of the specification or a pending topology upgrade.",
			"correct the mistake that the message names; a pending upgrade of the topology needs nothing",
		},
		{
			CodeVersionSkew, "Machines of the desired version cannot join the existing ones.",
			"set spec.version to the same or the next minor version of the oldest machine",
		},
		{CodeUpdatingAddons, "kube-proxy and CoreDNS are updated after the machines.", ""},
		{CodeDeletingControlPlane, "The machines are deleted with the control plane. Etcd is not changed.", ""},
		{
			CodeWaitingForWorkers, "The control plane is deleted after all workers.",
			"see the conditions of the worker Machines and MachinePools",
		},
	}
}
