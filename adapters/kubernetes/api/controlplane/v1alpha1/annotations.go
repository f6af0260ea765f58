package v1alpha1

import clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

// The finalizer and the annotations that the controller uses. A move keeps annotations, and no status.
const (
	// Finalizer is on each control plane until it has no Machines.
	Finalizer = "machineadmcontrolplane.controlplane.machineadm.io"
	// HookAnnotation is on each Machine. It delays the deletion of the infrastructure until the etcd member is removed.
	HookAnnotation = clusterv1.PreTerminateDeleteHookAnnotationPrefix + "/machineadm-control-plane"
	// RemediationInProgressAnnotation is on the control plane from the deletion of an unhealthy Machine until its
	// replacement is created. RemediationForAnnotation is on the replacement. Both contain a RemediationData as JSON.
	RemediationInProgressAnnotation = Group + "/remediation-in-progress"
	RemediationForAnnotation        = Group + "/remediation-for"
	// MemberAnnotation is on each Machine that is a node and has an etcd member, and contains the ID of the member in
	// hexadecimal.
	MemberAnnotation = Group + "/etcd-member"
	// ContentAnnotation is on each bootstrap config. It contains a digest of the contents that the config refers to, at
	// the time at which the machine was created.
	ContentAnnotation = Group + "/content-digest"
	// AppliedAnnotation contains a digest of what the controller applied to the object last.
	AppliedAnnotation = Group + "/applied"
)

// RemediationData describes a remediation.
type RemediationData struct {
	// Machine is the name of the Machine that was deleted.
	Machine string `json:"machine"`
	// Timestamp is the time of the deletion in RFC 3339.
	Timestamp string `json:"timestamp"`
	// RetryCount is the number of retries so far.
	RetryCount int `json:"retryCount"`
}
