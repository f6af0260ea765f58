package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/host"
)

// explained is a name with its meaning, and what a user can do, which is empty if nothing is to be done.
type explained struct{ name, meaning, remedy string }

// object is a kind with its conditions and their reasons.
type object struct {
	kind       string
	intro      string
	conditions []explained
	reasons    []explained
}

// objects returns the kinds of the page, in its order. reasons_test.go compares them with the code.
func objects() []object {
	return []object{config(), plugin(), bucket(), controlPlane(), machine(), hostMachine(), hostCluster(), inventory()}
}

// conditionsPage returns the page of conditions and reasons.
func conditionsPage() []byte {
	var b strings.Builder
	b.WriteString("# Conditions and reasons\n\n" + generated + `
This page lists the conditions in the status of each kind, and the reasons of these conditions. A test compares it with
the constants in the code. ` + "`kubectl describe` prints conditions and messages, and `machineadmctl status`" + `
summarises those of a cluster. An empty remedy means that the controller goes on without you.
`)
	for _, o := range objects() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| condition | meaning of True |\n|---|---|\n", o.kind, o.intro)
		for _, c := range o.conditions {
			fmt.Fprintf(&b, "| `%s` | %s |\n", c.name, c.meaning)
		}
		b.WriteString("\n| reason | meaning | remedy |\n|---|---|---|\n")
		byName := func(a, b explained) int { return cmp.Compare(a.name, b.name) }
		reasons := slices.SortedFunc(slices.Values(o.reasons), byName)
		for _, r := range reasons {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.name, strings.TrimSuffix(r.meaning, "."), r.remedy)
		}
	}
	return []byte(b.String())
}

// paused are the reasons of the condition Paused.
func paused() []explained {
	return []explained{
		{"Paused", "The Cluster or the object is paused", "set `spec.paused` of the Cluster to false, or remove the " +
			"annotation `cluster.x-k8s.io/paused`"},
		{"NotPaused", "Neither the Cluster nor the object is paused", ""},
	}
}

func controlPlaneConditions() []explained {
	return []explained{
		{"Available", "A machine has all components, and etcd has a quorum", ""},
		{"CertificatesAvailable", "The key pairs of the cluster exist", ""},
		{"ControlPlaneComponentsHealthy", "The components of all running machines are healthy", ""},
		{"Deleting", "The control plane is being deleted", ""},
		{"EtcdClusterHealthy", "Each etcd member is healthy and belongs to a machine", ""},
		{"EtcdSnapshotStored", "The last snapshot of etcd was stored in time", ""},
		{"Initialized", "The API server accepted a request", ""},
		{"MachinesReady", "All Machines are ready", ""},
		{"MachinesUpToDate", "No Machine differs from the specification", ""},
		{"Paused", "The controller does nothing", ""},
		{"Remediating", "An unhealthy machine is being replaced", ""},
		{"RollingOut", "Machines that differ are being replaced", ""},
		{"ScalingDown", "Superfluous machines are being removed", ""},
		{"ScalingUp", "Missing machines are being created", ""},
		{"SpecAccepted", "The specification has no errors", ""},
		{"TasksSucceeded", "The last operation, and the tasks beside it, succeeded", ""},
	}
}

func controlPlane() object {
	all := []explained{
		{"Available", "The condition holds", ""},
		{"ComponentsUnhealthy", "No machine has all components of a control plane", "see the messages of " +
			"`ControlPlaneComponentsHealthy`, and the logs of the components"},
		{"Deleting", "The control plane is being deleted", ""},
		{"NotInitialized", "The API server of the cluster does not accept requests yet", "see `BootstrapSucceeded` of the " +
			"first machine's MachineBootstrapConfig, and its console"},
		{"Initialized", "The API server accepted a request", ""},
		{"Unknown", "The controller could not observe it", "see the condition `TasksSucceeded`"},
		{"Healthy", "All members, or all components, are healthy", ""},
		{"Unhealthy", "The message lists what is not healthy", "see " +
			"[React to conditions of a control plane](../guides/control-plane-conditions.md)"},
		{"NotUpToDate", "The message lists machines that differ from the specification", ""},
		{"NotRollingOut", "No rollout is in progress", ""},
		{"NotScalingUp", "No machine is missing", ""},
		{"NotScalingDown", "No machine is superfluous", ""},
		{"NotRemediating", "No machine is unhealthy", ""},
		{"NotDeleting", "The control plane is not being deleted", ""},
		{"Accepted", "The specification has no findings", ""},
		{"AcceptedWithWarnings", "The message contains warnings", "read them"},
		{"InvalidSpec", "The message contains the mistakes in the specification", "correct the fields in the message"},
		{"Succeeded", "The last operation and the tasks beside the plan succeeded", ""},
		{
			"Failed", "A task or the operation failed; the message contains the cause, and the controller repeats it",
			"remove the cause in the message",
		},
		{"Stored", "The last snapshot is in the storage", ""},
		{"WaitingForSnapshot", "No snapshot was taken yet", ""},
		{"SnapshotFailed", "The last snapshot failed; the message contains the cause", "correct the storage; see " +
			"[Snapshots of etcd](../etcd-snapshots.md)"},
		{"SnapshotOverdue", "The last snapshot is older than two intervals", "see the log of the controller"},
		{"InternalError", "The conditions of the Machines could not be summarised", "see the controller's log"},
		{"Ready", "All Machines are ready", ""},
		{"NotReady", "A Machine is not ready", "see the conditions of the Machine"},
		{"ReadyUnknown", "The condition of a Machine is unknown", ""},
	}
	for _, c := range controlplane.Codes() {
		all = append(all, explained{string(c), c.Meaning(), c.Remedy()})
	}
	return object{
		kind: "MachineadmControlPlane",
		intro: "[React to conditions of a control plane](../guides/control-plane-conditions.md) has the commands. The " +
			"reasons of the next operation are also in `status.nextOperation.reason`.",
		conditions: controlPlaneConditions(),
		reasons:    unique(append(all, paused()[1])),
	}
}

func machine() object {
	return object{
		kind:  "Machine of a MachineadmControlPlane",
		intro: "The control plane provider sets these conditions of Cluster API's Machines.",
		conditions: []explained{
			{"APIServerPodHealthy", "kube-apiserver is healthy", ""},
			{"ControllerManagerPodHealthy", "kube-controller-manager is healthy", ""},
			{"SchedulerPodHealthy", "kube-scheduler is healthy", ""},
			{"EtcdPodHealthy", "The Pod of etcd is healthy", ""},
			{"EtcdMemberHealthy", "The etcd member responds, votes and raises no alarm", ""},
			{"NodeKubeadmLabelsAndTaintsSet", "kubeadm marked the node as a control plane node", ""},
			{"OwnerRemediated", "The owner replaced the Machine, as a MachineHealthCheck requested", ""},
			{"UpToDate", "The Machine does not differ from the specification", ""},
		},
		reasons: []explained{
			{"Healthy", "The component or the member is healthy", ""},
			{"Unhealthy", "The message contains what is not healthy", "see the log of the component"},
			{"Unknown", "The controller did not observe it", "see `TasksSucceeded` of the control plane"},
			{"NotJoined", "The machine has not joined etcd yet", ""},
			{"NoMember", "The machine has no etcd member", "delete the Machine; see " +
				"[Replace a control plane machine](../guides/replace-a-member.md)"},
			{"Set", "The node has its label and its taint", ""},
			{"NotSet", "The message lists what the node lacks", "add the label or the taint to the node"},
			{"UpToDate", "The Machine does not differ", ""},
			{"NotUpToDate", "The message contains the differences", ""},
			{"MachineDeleting", "The Machine is being deleted and will be replaced", ""},
			{"WaitingForRemediation", "The control plane has not decided about the Machine yet", ""},
			code(controlplane.CodeRemediationBlocked), code(controlplane.CodeRemediationDelayed),
			code(controlplane.CodeRemediationLimitReached),
		},
	}
}

// code returns the explanation of a reason of control planes.
func code(c controlplane.Code) explained { return explained{string(c), c.Meaning(), c.Remedy()} }

// unique returns the first explanation of each name.
func unique(all []explained) []explained {
	var kept []explained
	for _, e := range all {
		if !slices.ContainsFunc(kept, func(k explained) bool { return k.name == e.name }) {
			kept = append(kept, e)
		}
	}
	return kept
}

// faults returns the reasons of problems with hosts.
func faults() []explained {
	var all []explained
	for _, f := range host.Faults() {
		all = append(all, explained{string(f), faultMeanings()[f], f.Remedy()})
	}
	return all
}
