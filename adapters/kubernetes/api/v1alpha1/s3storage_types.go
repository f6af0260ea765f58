package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// StorageCredentialsLabel with the value "true" marks a Secret whose access key a storage may use. The controller does
// not send the content of any other Secret, so users who can only create storages cannot choose Secrets of the
// namespace.
const StorageCredentialsLabel = "bootstrap.machineadm.io/storage-credentials"

// StorageReference names a resource in the namespace of the config that follows the storage contract
// (docs/storage-contract.md).
type StorageReference struct {
	// apiGroup is the API group of the resource.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	APIGroup string `json:"apiGroup,omitempty"`
	// kind is the kind of the resource, such as S3BootstrapStorage.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$`
	Kind string `json:"kind,omitempty"`
	// name is the name of the resource.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	Name string `json:"name,omitempty"`
}

// S3BootstrapStorage stores the configuration that machines fetch at their first boot in a bucket of any S3-compatible
// server.
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

	// spec configures the bucket and the access to it.
	// +required
	Spec S3BootstrapStorageSpec `json:"spec,omitzero"`
	// status is what the controller observed last.
	// +optional
	Status S3BootstrapStorageStatus `json:"status,omitempty,omitzero"`
}

// S3BootstrapStorageList is a list of S3BootstrapStorages.
//
// +kubebuilder:object:root=true
type S3BootstrapStorageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []S3BootstrapStorage `json:"items"`
}

// S3BootstrapStorageSpec configures the bucket and the access to it.
type S3BootstrapStorageSpec struct {
	// bucket is the name of an existing bucket. Its objects need not be public.
	// +required
	// +kubebuilder:validation:MinLength=3
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9][a-z0-9.-]*[a-z0-9]$`
	Bucket string `json:"bucket,omitempty"`
	// prefix is prepended to the names of all objects, such as bootstrap/. The default is empty.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/?$`
	Prefix string `json:"prefix,omitempty"`
	// region is the region that requests are signed for. The default is us-east-1, which most servers other than AWS
	// accept.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[a-z0-9-]+$`
	Region string `json:"region,omitempty"`
	// endpoint is the URL of the server, as the controller and machines reach it: https://HOST or https://HOST:PORT. The
	// default is the endpoint of AWS for the region. The controller only connects to servers that its administrator lists
	// in --storage-endpoints; http must be listed explicitly.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule="isURL(self) && url(self).getScheme() in ['http', 'https'] && url(self).getHost() != '' && url(self).getEscapedPath() in ['', '/'] && !self.contains('@') && !self.contains('?') && !self.contains('#')",message="endpoint must be an http or https URL without user, path, query and fragment"
	Endpoint string `json:"endpoint,omitempty"`
	// pathStyle puts the bucket's name into the path of the URL instead of its host. The default is false.
	// +optional
	PathStyle bool `json:"pathStyle,omitempty"`
	// certificateAuthority contains certificates in PEM by which the controller and machines trust the server, in
	// addition to the system's.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16384
	// +kubebuilder:validation:Pattern=`^\s*-----BEGIN CERTIFICATE-----`
	CertificateAuthority string `json:"certificateAuthority,omitempty"`
	// encryption configures the encryption by the server. The default is the bucket's.
	// +optional
	Encryption *S3Encryption `json:"encryption,omitempty"`
	// credentials names the access key. The default is the controller's own identity, if its administrator allows that
	// for the namespace.
	// +optional
	Credentials *S3Credentials `json:"credentials,omitempty"`
	// firstBootDeadlineSeconds is how long a machine may take to fetch the stored data after its userdata is published,
	// in seconds. The minimum is 15 minutes, so that a pool's userdata is replaced well before it expires, and the
	// maximum is 7 days, that of a signed URL. The default is 86400, a day.
	// +optional
	// +kubebuilder:validation:Minimum=900
	// +kubebuilder:validation:Maximum=604800
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	FirstBootDeadlineSeconds int32 `json:"firstBootDeadlineSeconds,omitempty"`
}

// S3Encryption configures the encryption by the server.
//
// +kubebuilder:validation:XValidation:rule="!has(self.kmsKeyID) || self.algorithm == 'aws:kms'",message="kmsKeyID requires algorithm aws:kms"
type S3Encryption struct {
	// algorithm is AES256 or aws:kms.
	// +required
	// +kubebuilder:validation:Enum=AES256;"aws:kms"
	Algorithm string `json:"algorithm,omitempty"`
	// kmsKeyID is the key for aws:kms. The default is the account's default key for S3.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	KMSKeyID string `json:"kmsKeyID,omitempty"`
}

// S3Credentials names the access key.
type S3Credentials struct {
	// secretName is the name of a Secret in the namespace of the storage with the label
	// bootstrap.machineadm.io/storage-credentials: "true". It has the keys accessKeyID and secretAccessKey, and
	// optionally sessionToken, which is not sent over http.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	SecretName string `json:"secretName,omitempty"`
}

// S3BootstrapStorageStatus is what the controller observed last.
type S3BootstrapStorageStatus struct {
	// ready is true if the storage can be used, as far as the controller knows.
	// +optional
	Ready bool `json:"ready,omitempty"`
	// conditions contains Ready.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:XValidation:rule="type(self.lastTransitionTime) == google.protobuf.Timestamp && (!has(self.observedGeneration) || type(self.observedGeneration) == int)",message="lastTransitionTime must be a time of RFC 3339, and observedGeneration an integer"
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// observedGeneration is the generation of the spec that the status describes.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// GetConditions returns the conditions, for Cluster API's helpers.
func (s *S3BootstrapStorage) GetConditions() []metav1.Condition { return s.Status.Conditions }

// SetConditions replaces the conditions, for Cluster API's helpers.
func (s *S3BootstrapStorage) SetConditions(conditions []metav1.Condition) {
	s.Status.Conditions = conditions
}
