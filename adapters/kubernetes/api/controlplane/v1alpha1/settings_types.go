package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// Metadata contains labels and annotations.
type Metadata struct {
	// labels are the labels of each object.
	// +optional
	// +kubebuilder:validation:MaxProperties=256
	Labels map[string]string `json:"labels,omitempty"`
	// annotations are the annotations of each object.
	// +optional
	// +kubebuilder:validation:MaxProperties=256
	Annotations map[string]string `json:"annotations,omitempty"`
}

// ContentChange specifies what happens when the content of a referenced object changes.
//
// +kubebuilder:validation:Enum=Roll;Pin
type ContentChange string

// The values of ContentChange.
const (
	// ContentChangeRoll replaces the machines.
	ContentChangeRoll ContentChange = "Roll"
	// ContentChangePin leaves the machines alone.
	ContentChangePin ContentChange = "Pin"
)

// RolloutSpec specifies when and how machines are replaced.
//
// +kubebuilder:validation:MinProperties=1
type RolloutSpec struct {
	// after replaces the machines that were created before this time, once it has passed.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == google.protobuf.Timestamp",message="must be a time of RFC 3339, such as 2026-01-02T15:04:05Z"
	After metav1.Time `json:"after,omitempty,omitzero"`
	// before replaces machines before an event.
	// +optional
	Before RolloutBeforeSpec `json:"before,omitempty,omitzero"`
	// maxSurge is the number of machines above replicas during a rollout. The default is 1. With 0, a machine is removed
	// before its replacement is created, which requires at least 3 replicas.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	MaxSurge *int32 `json:"maxSurge,omitempty"`
	// onContentChange specifies what happens when the content of a Secret or a ConfigMap changes that spec.bootstrap
	// refers to. Roll replaces the machines, unless one that is not optional is missing. Pin, the default, leaves them
	// alone: only new machines have the new content. Changes of plugins replace no machines.
	// +optional
	OnContentChange ContentChange `json:"onContentChange,omitempty"`
}

// RolloutBeforeSpec replaces machines before an event.
//
// +kubebuilder:validation:MinProperties=1
type RolloutBeforeSpec struct {
	// certificatesExpiryDays replaces a machine this many days before its certificates expire.
	// +optional
	// +kubebuilder:validation:Minimum=7
	// +kubebuilder:validation:Maximum=3650
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	CertificatesExpiryDays *int32 `json:"certificatesExpiryDays,omitempty"`
}

// RemediationSpec limits the replacement of machines that a MachineHealthCheck marks as unhealthy.
//
// +kubebuilder:validation:MinProperties=1
type RemediationSpec struct {
	// maxRetry is how often the replacement of an unhealthy machine may itself be replaced. Without it, there is no limit.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	MaxRetry *int32 `json:"maxRetry,omitempty"`
	// retryPeriodSeconds is the least time between two retries. Without it, a machine that has not joined is replaced
	// after a delay that doubles with each retry from 1 to 16 minutes, and any other machine is replaced at once.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	RetryPeriodSeconds *int32 `json:"retryPeriodSeconds,omitempty"`
	// minHealthyPeriodSeconds is the time after which another failure is not a retry of the one before. The default is
	// 3600.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	MinHealthyPeriodSeconds *int32 `json:"minHealthyPeriodSeconds,omitempty"`
}

// MachineNamingSpec specifies the names of machines.
//
// +kubebuilder:validation:MinProperties=1
type MachineNamingSpec struct {
	// template is the template of the names. It must contain {{ .random }} and can contain {{ .cluster.name }} and
	// {{ .controlPlane.name }}. The default is {{ .controlPlane.name }}-{{ .random }}. A name has at most 63 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Template string `json:"template,omitempty"`
}

// AddonManagement specifies whether the controller updates an add-on.
//
// +kubebuilder:validation:Enum=Managed;Unmanaged
type AddonManagement string

// The values of AddonManagement.
const (
	AddonManaged   AddonManagement = "Managed"
	AddonUnmanaged AddonManagement = "Unmanaged"
)

// AddonsSpec specifies which add-ons of kubeadm the controller updates. The controller does not create a missing one.
//
// +kubebuilder:validation:MinProperties=1
type AddonsSpec struct {
	// kubeProxy is Managed or Unmanaged. The default is Managed: kube-proxy has the version of the control plane.
	// +optional
	KubeProxy AddonManagement `json:"kubeProxy,omitempty"`
	// coreDNS is Managed or Unmanaged. The default is Managed: the image is that of spec.bootstrap.controlPlane.coreDNS.
	// +optional
	CoreDNS AddonManagement `json:"coreDNS,omitempty"`
}

// EtcdSnapshotsSpec specifies snapshots of etcd. Machines with kubeadm and without an external etcd have them.
type EtcdSnapshotsSpec struct {
	// intervalMinutes is the time between two snapshots. The default is 360.
	// +optional
	// +kubebuilder:validation:Minimum=5
	// +kubebuilder:validation:Maximum=10080
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	IntervalMinutes *int32 `json:"intervalMinutes,omitempty"`
	// keep is the number of snapshots that are stored. After each snapshot, the controller deletes the oldest ones above
	// this number. The default is 28.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Keep *int32 `json:"keep,omitempty"`
	// storageRef names the storage, in the same namespace. Its kind is S3BootstrapStorage.
	// +required
	StorageRef bootstrapv1.StorageReference `json:"storageRef,omitzero"`
	// recipients are the public keys of age for which each snapshot is encrypted. Any of the private keys decrypts it. A
	// snapshot contains all Secrets of the cluster; the controller has no private key.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MaxLength=128
	// +kubebuilder:validation:items:Pattern=`^age1[02-9ac-hj-np-z]+$`
	Recipients []string `json:"recipients,omitempty"`
}
