package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// StorageCredentialsLabel with the value "true" marks a Secret whose access key a storage may use. A Secret without it
// is never sent anywhere, so that whoever may create storages does not choose which Secrets of the namespace are.
const StorageCredentialsLabel = "bootstrap.machineadm.io/storage-credentials"

// StorageReference names a storage resource that follows the storage contract (docs/storage-contract.md), in the
// namespace of the config and in no other.
type StorageReference struct {
	// apiGroup is the group of the resource's kind.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	APIGroup string `json:"apiGroup,omitempty"`
	// kind is the resource's kind, such as S3BootstrapStorage.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$`
	Kind string `json:"kind,omitempty"`
	// name is the resource's name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	Name string `json:"name,omitempty"`
}

// S3BootstrapStorage stores what machines fetch at their first boot in a bucket: of AWS, MinIO, Ceph or whatever else
// speaks S3.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=s3bootstrapstorages,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move="}
// +kubebuilder:printcolumn:name="Bucket",type=string,JSONPath=`.spec.bucket`,description="Bucket"
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether it takes data"
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why it does or does not"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type S3BootstrapStorage struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says where and how data is stored.
	// +required
	Spec S3BootstrapStorageSpec `json:"spec,omitzero"`
	// status tells whether it works.
	// +optional
	Status S3BootstrapStorageStatus `json:"status,omitempty,omitzero"`
}

// S3BootstrapStorageList is a list of storages.
//
// +kubebuilder:object:root=true
type S3BootstrapStorageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []S3BootstrapStorage `json:"items"`
}

// S3BootstrapStorageSpec says where and how data is stored.
type S3BootstrapStorageSpec struct {
	// bucket is the bucket's name. It is not made, and its objects need not be public.
	// +required
	// +kubebuilder:validation:MinLength=3
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9][a-z0-9.-]*[a-z0-9]$`
	Bucket string `json:"bucket,omitempty"`
	// prefix begins the names of all objects, such as bootstrap/.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/?$`
	Prefix string `json:"prefix,omitempty"`
	// region is the region that requests are signed for. Without it, it is us-east-1, which most servers other than AWS
	// take.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[a-z0-9-]+$`
	Region string `json:"region,omitempty"`
	// endpoint is the URL of the server, as machines reach it, too: https://HOST or https://HOST:PORT. Without it, it is
	// that of AWS for the region. The controller connects to the servers that its administrator lists in
	// --storage-endpoints; http has to be listed as such.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule="isURL(self) && url(self).getScheme() in ['http', 'https'] && url(self).getHost() != '' && url(self).getEscapedPath() in ['', '/'] && !self.contains('@') && !self.contains('?') && !self.contains('#')",message="endpoint is an http or https URL without a user, a path, a query or a fragment"
	Endpoint string `json:"endpoint,omitempty"`
	// pathStyle has the bucket's name stand in the URL's path and not in its host.
	// +optional
	PathStyle bool `json:"pathStyle,omitempty"`
	// certificateAuthority holds certificates in PEM that the server is trusted by besides the system's, by the controller
	// and by machines.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16384
	// +kubebuilder:validation:Pattern=`^\s*-----BEGIN CERTIFICATE-----`
	CertificateAuthority string `json:"certificateAuthority,omitempty"`
	// encryption is what the server encrypts objects with. Without it, it is the bucket's default.
	// +optional
	Encryption *S3Encryption `json:"encryption,omitempty"`
	// credentials says who the controller is to the server. Without it the controller's own identity is used, where its
	// administrator allows that for the namespace.
	// +optional
	Credentials *S3Credentials `json:"credentials,omitempty"`
	// firstBootDeadline is how long a machine may take from the moment its userdata is published until it fetches what is
	// stored, at least 15m, so that a pool's userdata is replaced long before that, and at most 168h, which is as long as
	// a signed URL can live. Without it, it is 24h.
	// +optional
	// +kubebuilder:validation:XValidation:rule="size(self) <= 32",message="a duration has at most 32 characters"
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('15m') && duration(self) <= duration('168h')",message="firstBootDeadline is at least 15m and at most 168h"
	FirstBootDeadline *metav1.Duration `json:"firstBootDeadline,omitempty"`
}

// S3Encryption is encryption by the server.
//
// +kubebuilder:validation:XValidation:rule="!has(self.kmsKeyID) || self.algorithm == 'aws:kms'",message="kmsKeyID is for the algorithm aws:kms"
type S3Encryption struct {
	// algorithm is AES256 or aws:kms.
	// +required
	// +kubebuilder:validation:Enum=AES256;"aws:kms"
	Algorithm string `json:"algorithm,omitempty"`
	// kmsKeyID names the key for aws:kms. Without it, it is the account's own for S3.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	KMSKeyID string `json:"kmsKeyID,omitempty"`
}

// S3Credentials says where access keys are.
type S3Credentials struct {
	// secretName names a Secret in the namespace of the storage, with the label
	// bootstrap.machineadm.io/storage-credentials: "true" and the keys accessKeyID and secretAccessKey, and sessionToken
	// if there is one, which is not sent over http.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	SecretName string `json:"secretName,omitempty"`
}

// S3BootstrapStorageStatus tells whether a storage works.
type S3BootstrapStorageStatus struct {
	// ready says that data can be stored, as far as is known.
	// +optional
	Ready bool `json:"ready,omitempty"`
	// conditions tell more: Ready, and Paused.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=32
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// observedGeneration is the generation of the spec that the status is about.
	// +optional
	// +kubebuilder:validation:Minimum=0
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// GetConditions returns the conditions, for Cluster API's helpers.
func (s *S3BootstrapStorage) GetConditions() []metav1.Condition { return s.Status.Conditions }

// SetConditions replaces the conditions, for Cluster API's helpers.
func (s *S3BootstrapStorage) SetConditions(conditions []metav1.Condition) {
	s.Status.Conditions = conditions
}
