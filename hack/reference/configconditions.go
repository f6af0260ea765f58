package main

import (
	"github.com/machineadm/machineadm/app/reports"
	"github.com/machineadm/machineadm/domain/document"
)

func config() object {
	all := append(waiting(), stalled()...)
	all = append(all, bootstrapped()...)
	all = append(all,
		explained{"Available", "The data Secret, or the certificates, exist", ""},
		explained{"Ready", "The bootstrap data is published, and no failure was reported", ""},
		explained{"NotLookedUp", "An earlier problem prevents the look-up of the certificates", ""},
		explained{"InternalError", "An attempt failed and is repeated", "see the controller's log, which has the cause"},
		explained{"Started", "The cluster was started", ""},
		explained{"BootstrapCallNeeded", "The control plane waits for an administrator", "run the command in the message"},
		explained{"SpecChanged", "Fields in the message changed after publication; the machine keeps its data", "revert " +
			"them, or change the template of the machine and replace it"},
		explained{"UpToDate", "The published data is of the present spec again", ""},
		explained{"Maintained", "The published data is maintained again", ""},
		explained{"BootstrapTokenLost", "The bootstrap token is gone", "replace the machine if it has not joined"},
	)
	return object{
		kind: "MachineBootstrapConfig",
		intro: "Reasons that begin with `WaitingFor` end without you if what they wait for comes. Findings in the message " +
			"name a field and its remedy.",
		conditions: []explained{
			{"Ready", "The summary, which Cluster API copies to the Machine", ""},
			{"BootstrapSucceeded", "The machine bootstrapped, or joined as a node; only with `spec.reporting`", ""},
			{"CertificatesAvailable", "The certificates of the cluster exist", ""},
			{"ControlPlaneStarted", "A cluster that an administrator has to start, such as one of Talos, was started", ""},
			{"DataSecretAvailable", "The Secret with the bootstrap data exists", ""},
			{"DataSecretMaintained", "The published data can be maintained; the condition is missing until this fails", ""},
			{"Paused", "The controller does nothing", ""},
			{"UpToDate", "The published data is of the present spec; missing until the spec changes after publication", ""},
		},
		reasons: append(all, paused()...),
	}
}

// waiting are the reasons of data that needs something else first.
func waiting() []explained {
	return []explained{
		{"WaitingForOwner", "No Machine or MachinePool owns the config", "create one whose `bootstrap.configRef` names the " +
			"config; a MachineDeployment needs a template"},
		{"WaitingForCluster", "The Cluster in the message does not exist", "create the Cluster, or correct the name"},
		{"WaitingForInfrastructure", "The infrastructure of the cluster is not ready", "see the infrastructure cluster " +
			"object, and the log of its provider"},
		{"WaitingForControlPlane", "The control plane is not initialized", "see the conditions of the first control plane " +
			"machine"},
		{"WaitingForFirstMachine", "Another machine starts the cluster", "see the conditions of the machine in the message"},
		{"WaitingForCertificates", "The certificates of the cluster do not exist yet", "see the control plane object, or " +
			"create the Secrets in the message"},
		{"WaitingForEndpoint", "The cluster has no control plane endpoint", "set `spec.controlPlaneEndpoint` of the " +
			"Cluster or of the infrastructure cluster object"},
		{
			"WaitingForReference", "A Secret or a ConfigMap in the message is missing, or lacks the key or the label",
			"create it in the namespace of the config",
		},
		{"WaitingForRemoval", "The Secret of an earlier config of this name is being deleted", ""},
		{"WaitingForTalosSecrets", "The secrets of the Talos cluster do not exist yet", "see the TalosControlPlane"},
		{"WaitingForStorage", "The storage has not stored the data, or has not signed its URL", "see the condition `Ready` " +
			"of the storage object"},
		{"WaitingForPlugin", "A plugin resource is not ready", "see the status of the resource in the message"},
		{"ClusterUnreachable", "The API server of the workload cluster does not answer", "check that the " +
			"controller reaches the control plane endpoint"},
		{"KeysUnavailable", "The key management service does not answer", "check its address and the plugin's log lines in " +
			"the controller's log"},
	}
}

// stalled are the reasons of data that needs a change by the user.
func stalled() []explained {
	return []explained{
		{"InvalidSpec", "The message contains the mistakes", "correct the fields in the message; `machineadmctl validate` " +
			"prints all of them"},
		{"VersionSkew", "The machine's version does not match the control plane's", "set a version that Kubernetes' skew " +
			"policy allows"},
		{"SecretNotOwned", "Another object owns the Secret with the name of the data", "delete the Secret, or rename the " +
			"config"},
		{"InitLockNotOwned", "A ConfigMap with the name of the init lock belongs to no machine of the cluster", "delete " +
			"it, or give the cluster another name"},
		{"BadCertificate", "A Secret with a certificate is not valid", "correct the Secret in the message"},
		{"InvalidControlPlaneType", "The type of the control plane is contradictory or not known", "set the annotation in " +
			"the message"},
		{"BadTalosSecrets", "The Secret with the secrets of Talos is not valid", "correct the Secret in the message"},
		{"PayloadTooLarge", "The data exceeds the limit of the infrastructure", "use `spec.delivery.compression`, or " +
			"`spec.storageRef`; `machineadmctl explain` prints the size of each field"},
		{"StorageRefused", "The storage refused the data", "see the condition `Ready` of the storage object"},
		{"KeyRefused", "The key or the namespace must not encrypt the data", "correct the key, or allow the namespace with " +
			"`--kms-identity-namespaces`"},
		{"PluginFailed", "A plugin resource reports a failure", "see the status of the resource in the message"},
		{"PluginNotOwned", "A plugin resource belongs to another owner", "use another name in `spec.pluginRefs`"},
		{"InvalidPluginOrder", "The order of the plugins has a cycle", "remove one of the references in the message"},
		{"InvalidPlugin", "The documents of a plugin resource are not valid", "correct the resource in the message"},
		{"PluginNeedsAgent", "A plugin requires the agent", "set `spec.delivery.mode` to `Agent`"},
	}
}

// bootstrapped are the reasons of BootstrapSucceeded. Each phase has one for its failure.
func bootstrapped() []explained {
	all := []explained{
		{"Succeeded", "The machine reported success", ""},
		{"NodeJoined", "The machine joined as a node, and has not reported success", ""},
		{"WaitingForReport", "The machine has not reported yet", ""},
		{"Running", "The message contains the progress that the machine reported", ""},
		{"DeadlineExceeded", "The machine neither joined nor reported a result in time", "look at the machine's " +
			"console, at its infrastructure object, and whether it reaches the endpoint"},
	}
	for _, p := range document.Phases() {
		all = append(all, explained{
			string(reports.FailedIn(p.String())),
			"The bootstrap failed in the phase `" + p.String() + "`; the message contains the step and the cause",
			"remove the cause, and replace the machine",
		})
	}
	return all
}

func plugin() object {
	return object{
		kind: "Plugin resources",
		intro: "ContainerdConfig, ControlPlaneConfig, HardeningConfig, SysctlConfig, TimeSyncConfig and TrustedCAsConfig. " +
			"[The plugin contract](../plugin-contract.md) specifies the status of your own kinds.",
		conditions: []explained{{"Ready", "The Secret with the documents of the resource is current", ""}},
		reasons: []explained{
			{"Ready", "The documents are in the Secret", ""},
			{"InvalidSpec", "The message contains the mistakes", "correct the fields in the message"},
			{"WaitingForReference", "A Secret or a ConfigMap in the message is missing", "create it in the namespace of the " +
				"resource"},
			{"SecretNotOwned", "Another object owns the Secret of the resource", "delete the Secret in the message"},
		},
	}
}

func bucket() object {
	return object{
		kind:       "S3BootstrapStorage",
		intro:      "[Storage](../storage.md) describes the requirements of a bucket.",
		conditions: []explained{{"Ready", "The controller can store and sign objects", ""}},
		reasons: []explained{
			{"Usable", "The bucket can be used", ""},
			{"NotUsable", "The message contains the problem", "correct the credentials, the bucket or `--storage-endpoints`"},
		},
	}
}
