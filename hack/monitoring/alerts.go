package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/controlplane"
)

// alert is a rule with what users need to know about it.
type alert struct {
	name string
	// expr is PromQL, and hold is how long it must hold.
	expr, hold string
	severity   string
	// summary is a template of Prometheus for the notification. meaning and action are the runbook.
	summary, meaning, action string
}

// increased returns an expression for the increase of a counter by label. A counter that appears with its first event
// has no increase, so its value counts.
func increased(selector, by, window string) string {
	return fmt.Sprintf("sum by (%[2]s) (increase(%[1]s[%[3]s])) > 0 or "+
		"sum by (%[2]s) (%[1]s unless %[1]s offset %[3]s) > 0", selector, by, window)
}

// blocked returns a regular expression for the reasons by which a control plane waits for a user: those whose names
// say so and that have a remedy.
func blocked() string {
	var names []string
	for _, c := range controlplane.Codes() {
		if strings.HasSuffix(string(c), "Blocked") || c == controlplane.CodeRemediationLimitReached {
			names = append(names, string(c))
		}
	}
	slices.Sort(names)
	return strings.Join(names, "|")
}

// controllers returns the names of the controllers without metrics of outcomes, as controller-runtime labels them.
func controllers() []string {
	names := []string{
		"machinebootstrapdata", "s3bootstrapstorage", "s3bootstrapstoragecredentials", "machineadmcontrolplane",
		"machineadmcontrolplane-snapshots", "host", "hostcluster", "hostmachine", "hostmachinetemplate",
	}
	for _, kind := range []string{v1alpha1.S3StorageKind, v1alpha1.EndpointStorageKind} {
		names = append(names, strings.ToLower(kind)+"requests")
	}
	for _, p := range v1alpha1.Plugins() {
		names = append(names, strings.ToLower(v1alpha1.PluginKind(p)))
	}
	slices.Sort(names)
	return names
}

// failing returns an expression for controllers whose reconciliations fail. The delay of retries grows up to 17
// minutes, so an object that always fails has an error in each window of 20 minutes. The bootstrap controller retries
// earlier, and returns errors for machines that wait, too.
func failing() string {
	return fmt.Sprintf(`sum by (controller) (label_replace(`+
		`rate(machineadm_reconcile_outcomes_total{outcome="failed"}[5m]), "controller", "machinebootstrapconfig", "", "")) `+
		`> 0 or sum by (controller) (increase(controller_runtime_reconcile_errors_total{controller=~%q}[20m])) > 0`,
		strings.Join(controllers(), "|"))
}

// alerts returns the alerts of all components.
func alerts() []alert {
	return slices.Concat(commonAlerts(), bootstrapAlerts(), planeAlerts(), hostAlerts(), endpointAlerts())
}

func commonAlerts() []alert {
	return []alert{{
		// The time is longer than the window, so that errors of one moment do not fire.
		name: "MachineadmReconcileFailing", hold: "25m", severity: "warning",
		expr:    failing(),
		summary: "The controller {{ $labels.controller }} fails repeatedly",
		meaning: "Reconciliations end with errors, and the controller repeats them.",
		action: "Read the errors in the controller's log, which names the objects; check that it reaches the API servers " +
			"and the storages.",
	}}
}

func bootstrapAlerts() []alert {
	return []alert{
		{
			name: "MachineadmConfigStalled", hold: "30m", severity: "warning",
			expr:    increased(`machineadm_reconcile_outcomes_total{outcome="stalled"}`, "reason", "30m"),
			summary: "Machines get no bootstrap data: {{ $labels.reason }}",
			meaning: "A MachineBootstrapConfig needs a change by its user. Its machine is not created.",
			action:  "`kubectl get mbc -A` lists the configs with their reasons; the condition has the remedy.",
		},
		{
			name: "MachineadmDependencyUnavailable", hold: "30m", severity: "warning",
			expr: increased(`machineadm_reconcile_outcomes_total{outcome="waiting",`+
				`reason=~"ClusterUnreachable|KeysUnavailable|WaitingForStorage"}`, "reason", "15m"),
			summary: "Machines wait for another service: {{ $labels.reason }}",
			meaning: "A workload cluster, a key management service or a storage does not answer.",
			action:  "See the message of the config's condition; check the service and the network to it.",
		},
		{
			name: "MachineadmMaintenanceFailing", hold: "30m", severity: "warning",
			expr: increased(`machineadm_reconcile_outcomes_total{outcome="ready",reason!~"|BootstrapTokenLost"}`, "reason",
				"15m"),
			summary: "Published bootstrap data cannot be maintained: {{ $labels.reason }}",
			meaning: "The token or the URL in the data of machines that have not joined, or of pools, is not renewed. New " +
				"machines cannot join after it has expired.",
			action: "Read the message of DataSecretMaintained of the configs; remove the cause before you scale a pool up.",
		},
		{
			name: "MachineadmBootstrapFailed", hold: "0m", severity: "warning",
			expr:    increased(`machineadm_bootstraps_total{outcome="failed"}`, "cause", "30m"),
			summary: "Machines fail to bootstrap: {{ $labels.cause }}",
			meaning: "A machine reported that its bootstrap failed, or did not join before its deadline.",
			action:  "`machineadmctl status` prints the phase, the step and the cause; remove it, and replace the machine.",
		},
		{
			name: "MachineadmBootstrapTokenLost", hold: "0m", severity: "warning",
			expr:    increased(`machineadm_bootstrap_tokens_total{event="lost"}`, "event", "30m"),
			summary: "A bootstrap token disappeared before its machine joined",
			meaning: "The token Secret was deleted, or expired while the controller did not run. The machine cannot join.",
			action:  "Replace the Machine that has no Node and whose config has the reason BootstrapTokenLost.",
		},
	}
}

// conditionFalse returns an expression for control planes with a condition that is False.
func conditionFalse(name string) string {
	return fmt.Sprintf(`max by (condition) (machineadm_control_plane_conditions{condition=%q,status="False"}) > 0`, name)
}

func planeAlerts() []alert {
	return []alert{
		{
			name: "MachineadmControlPlaneUnavailable", hold: "30m", severity: "critical",
			// The condition is Unknown if no etcd member answers, for example because no API server runs.
			expr: fmt.Sprintf(`sum by (condition) (max by (condition, status) `+
				`(machineadm_control_plane_conditions{condition=%q,status!="True"})) > 0`, controlplane.ConditionAvailable),
			summary: "{{ $value }} control planes are not available",
			meaning: "A cluster cannot be used: no machine has all components, etcd has no quorum, no etcd member can be " +
				"reached, or it does not start.",
			action: "`kubectl get macp -A` and `machineadmctl plan`; see " +
				"[the conditions](../guides/control-plane-conditions.md).",
		},
		{
			name: "MachineadmEtcdUnhealthy", hold: "15m", severity: "warning",
			expr:    conditionFalse(string(controlplane.ConditionEtcdClusterHealthy)),
			summary: "{{ $value }} control planes have unhealthy etcd members",
			meaning: "An etcd member does not respond, raises an alarm, or belongs to no machine.",
			action:  "Read the message of EtcdClusterHealthy, and follow [its section](../guides/control-plane-conditions.md).",
		},
		{
			name: "MachineadmEtcdSnapshotMissing", hold: "30m", severity: "warning",
			expr:    conditionFalse("EtcdSnapshotStored"),
			summary: "{{ $value }} control planes have no current snapshot of etcd",
			meaning: "The last snapshot failed or is overdue. A restore would lose all later changes of the cluster.",
			action:  "Read the message of EtcdSnapshotStored; correct the bucket or its [credentials](../etcd-snapshots.md).",
		},
		{
			name: "MachineadmQuorumLost", hold: "5m", severity: "critical",
			// Without a quorum, most API servers stop. The members can then often not be reached any more.
			expr: fmt.Sprintf(`max by (reason) (machineadm_control_planes{reason=~"%s|%s"}) > 0`,
				controlplane.CodeMembersUnknown, controlplane.CodeQuorumLost),
			summary: "etcd of {{ $value }} control planes has no quorum or cannot be reached: {{ $labels.reason }}",
			meaning: "Too few etcd members respond, or none can be reached. The controller changes nothing.",
			action: "Check the network between the controller and the API server; start the machines again, or " +
				"[recover the cluster](../guides/recover.md).",
		},
		{
			name: "MachineadmControlPlaneBlocked", hold: "30m", severity: "warning",
			expr:    fmt.Sprintf(`max by (reason) (machineadm_control_planes{reason=~%q}) > 0`, blocked()),
			summary: "{{ $value }} control planes wait for a user: {{ $labels.reason }}",
			meaning: "The next operation would endanger the cluster, or a limit is reached.",
			action:  "`machineadmctl plan` prints what blocks; [Conditions and reasons](conditions.md) has the remedies.",
		},
		{
			name: "MachineadmOperationFailing", hold: "15m", severity: "warning",
			expr:    `sum by (operation) (rate(machineadm_control_plane_operation_failures_total[10m])) > 0`,
			summary: "The operation {{ $labels.operation }} on control planes fails repeatedly",
			meaning: "The controller repeats an operation that fails.",
			action:  "Read the condition TasksSucceeded of the control planes.",
		},
	}
}

func hostAlerts() []alert {
	return []alert{
		{
			name: "MachineadmHostUnavailable", hold: "30m", severity: "warning",
			expr:    `max by (reason) (machineadm_hosts{state="Unavailable",reason!="Maintenance"}) > 0`,
			summary: "{{ $value }} hosts are unavailable: {{ $labels.reason }}",
			meaning: "No machine can claim the hosts.",
			action:  "`kubectl get hosts -A` has the reason; [Conditions and reasons](conditions.md#host) has its remedy.",
		},
		{
			name: "MachineadmHostCallsFailing", hold: "15m", severity: "warning",
			expr: `sum by (driver) (rate(machineadm_host_call_seconds_count{fault!=""}[10m])) > ` +
				`0.5 * sum by (driver) (rate(machineadm_host_call_seconds_count[10m]))`,
			summary: "Most calls of the driver {{ $labels.driver }} fail",
			meaning: "The controller cannot work with most hosts: often the network, or a replaced key.",
			action:  "`sum by (fault) (rate(machineadm_host_call_seconds_count[10m]))` shows the faults.",
		},
	}
}

func endpointAlerts() []alert {
	return []alert{
		{
			name: "MachineadmReportsFailing", hold: "15m", severity: "warning",
			expr:    `sum(rate(machineadm_endpoint_reports_total{result="failed"}[10m])) > 0`,
			summary: "The endpoint cannot store reports",
			meaning: "Machines report, and the endpoint fails to write the reports.",
			action:  "Read the endpoint's log; check that it reaches the API server.",
		},
		{
			name: "MachineadmClientsTurnedAway", hold: "15m", severity: "warning",
			expr:    `sum by (of) (rate(machineadm_endpoint_turned_away_total[10m])) > 1`,
			summary: "The endpoint turns clients away: {{ $labels.of }}",
			meaning: "More clients connect than the endpoint's limits allow, or one client opens many connections.",
			action:  "Find the source addresses in the log; add replicas if they are machines.",
		},
	}
}
