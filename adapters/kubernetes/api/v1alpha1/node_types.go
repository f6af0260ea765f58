package v1alpha1

import "k8s.io/apimachinery/pkg/runtime"

// NodeConfigSpec configures how a machine becomes a node. The version, the endpoint, the token, the pins and the
// certificates come from the cluster and cannot be set.
//
// +kubebuilder:validation:AtMostOneOf=name;nameParts
// +kubebuilder:validation:AtMostOneOf=advertiseAddress;advertiseAddressParts
type NodeConfigSpec struct {
	// name is the name of the Node. The default is the machine's host name.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`
	// nameParts are the parts of the name of the Node, which are concatenated.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	NameParts []Part `json:"nameParts,omitempty"`
	// labels are the labels that kubelet sets on the Node. Kubelet is not allowed to set most labels of kubernetes.io.
	// +optional
	// +kubebuilder:validation:MaxProperties=128
	// +kubebuilder:validation:XValidation:rule="self.all(key, size(key) <= 317 && size(self[key]) <= 63)",message="keys have at most 317 characters, and values at most 63"
	Labels map[string]string `json:"labels,omitempty"`
	// labelParts are further labels, whose values contain facts.
	// +optional
	// +listType=map
	// +listMapKey=key
	// +kubebuilder:validation:MaxItems=64
	LabelParts []LabelParts `json:"labelParts,omitempty"`
	// annotations are annotations of the Node. The machine sets them after it has joined, with kubelet's credentials and
	// kubectl, because kubelet has no argument for them. Bottlerocket and Windows refuse them.
	// +optional
	// +kubebuilder:validation:MaxProperties=64
	// +kubebuilder:validation:XValidation:rule="self.all(key, size(key) <= 317 && size(self[key]) <= 4096)",message="keys have at most 317 characters, and values at most 4096"
	Annotations map[string]string `json:"annotations,omitempty"`
	// annotationParts are further annotations, whose values contain facts.
	// +optional
	// +listType=map
	// +listMapKey=key
	// +kubebuilder:validation:MaxItems=64
	AnnotationParts []AnnotationParts `json:"annotationParts,omitempty"`
	// taints are the taints of the Node. The default is the control-plane taint on control plane nodes and none on
	// others; an empty list removes it.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	Taints *[]Taint `json:"taints,omitempty"`
	// criSocket is the endpoint of the container runtime, such as unix:///run/containerd/containerd.sock. The default is
	// that of the runtime that spec.machine configures, or that the operating system always contains. Otherwise kubeadm
	// detects the endpoint. kubelet's argument container-runtime-endpoint sets it, too.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	CRISocket string `json:"criSocket,omitempty"`
	// ignorePreflightErrors are the names of kubeadm's preflight checks whose errors are ignored.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	IgnorePreflightErrors []string `json:"ignorePreflightErrors,omitempty"`
	// imagePullPolicy is the pull policy for the control plane images. The default is IfNotPresent.
	// +optional
	// +kubebuilder:validation:Enum=Always;IfNotPresent;Never
	ImagePullPolicy string `json:"imagePullPolicy,omitempty"`
	// imagePullSerial pulls the control plane images one after the other. The default is true. It requires Kubernetes
	// 1.31 or newer.
	// +optional
	ImagePullSerial *bool `json:"imagePullSerial,omitempty"`
	// kubelet configures kubelet.
	// +optional
	Kubelet *KubeletSpec `json:"kubelet,omitempty"`
	// advertiseAddress is the address of a control plane node's API server. The default is that of the default network
	// interface.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	AdvertiseAddress string `json:"advertiseAddress,omitempty"`
	// advertiseAddressParts are the parts of advertiseAddress, which are concatenated.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	AdvertiseAddressParts []Part `json:"advertiseAddressParts,omitempty"`
	// bindPort is the port of a control plane node's API server. The default is 6443.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	BindPort int32 `json:"bindPort,omitempty"`
	// certificatesDir is the directory of a control plane node's certificates. The default is /etc/kubernetes/pki.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	CertificatesDir string `json:"certificatesDir,omitempty"`
	// discovery configures how a joining machine finds and authenticates the cluster. The default is the cluster's
	// endpoint with a bootstrap token and the pins of its CA.
	// +optional
	Discovery *DiscoverySpec `json:"discovery,omitempty"`
	// patches change the manifests and configuration that kubeadm writes. Workers only support the target
	// kubeletconfiguration.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	Patches []Patch `json:"patches,omitempty"`
	// patchesDirectory is a directory of the image with patches, whose names are those that kubeadm reads. patches and
	// kubelet.config are added to them.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	PatchesDirectory string `json:"patchesDirectory,omitempty"`
	// skipPhases are the names of kubeadm's phases to skip.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	SkipPhases []string `json:"skipPhases,omitempty"`
	// timeouts are kubeadm's timeouts.
	// +optional
	Timeouts *Timeouts `json:"timeouts,omitempty"`
	// verbosity is kubeadm's log level.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Verbosity int32 `json:"verbosity,omitempty"`
}

// LabelParts is a label of a Node whose value contains facts.
type LabelParts struct {
	// key is the label's key, such as topology.kubernetes.io/zone.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=317
	Key string `json:"key,omitempty"`
	// parts are the parts of the label's value, which are concatenated.
	// +required
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Parts []Part `json:"parts,omitempty"`
}

// AnnotationParts is an annotation of a Node whose value contains facts.
type AnnotationParts struct {
	// key is the annotation's key, such as example.org/rack.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=317
	Key string `json:"key,omitempty"`
	// parts are the parts of the annotation's value, which are concatenated.
	// +required
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Parts []Part `json:"parts,omitempty"`
}

// Taint is a taint of a Node.
type Taint struct {
	// key is the taint's key.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=317
	Key string `json:"key,omitempty"`
	// value is the taint's value.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Value string `json:"value,omitempty"`
	// effect is NoSchedule, PreferNoSchedule or NoExecute.
	// +required
	// +kubebuilder:validation:Enum=NoSchedule;PreferNoSchedule;NoExecute
	Effect string `json:"effect,omitempty"`
}

// KubeletSpec configures kubelet.
type KubeletSpec struct {
	// config contains fields of a KubeletConfiguration (kubelet.config.k8s.io/v1beta1) without apiVersion and kind.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	Config *runtime.RawExtension `json:"config,omitempty"`
	// extraArgs are command-line arguments for settings that have no field. A name can occur several times.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=100
	ExtraArgs []KubeletArg `json:"extraArgs,omitempty"`
}

// KubeletArg is a command-line argument of kubelet.
//
// +kubebuilder:validation:AtMostOneOf=value;parts
type KubeletArg struct {
	// name is the name of the argument without its leading dashes.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Name string `json:"name,omitempty"`
	// value is the argument's value.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Value string `json:"value,omitempty"`
	// parts are the parts of the value, which are concatenated, as in provider-id: aws:///, the fact zone, a slash and the
	// fact instanceID.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Parts []Part `json:"parts,omitempty"`
}

// DiscoverySpec configures how a joining machine finds and authenticates the cluster: with a token, or with a
// kubeconfig.
//
// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:AtMostOneOf=apiServerEndpoint;kubeconfig;kubeconfigPath
// +kubebuilder:validation:XValidation:rule="!has(self.caCertHashes) || !has(self.unsafeSkipCAVerification) || !self.unsafeSkipCAVerification",message="caCertHashes cannot be set beside unsafeSkipCAVerification"
// +kubebuilder:validation:XValidation:rule="!(has(self.kubeconfig) || has(self.kubeconfigPath)) || !(has(self.tokenFrom) || has(self.caCertHashes) || (has(self.unsafeSkipCAVerification) && self.unsafeSkipCAVerification))",message="a kubeconfig replaces tokenFrom, caCertHashes and unsafeSkipCAVerification"
// +kubebuilder:validation:XValidation:rule="!has(self.tlsBootstrapTokenFrom) || has(self.kubeconfig) || has(self.kubeconfigPath)",message="tlsBootstrapTokenFrom requires kubeconfig or kubeconfigPath"
type DiscoverySpec struct {
	// apiServerEndpoint is a host:port that replaces the cluster's endpoint. The token and the pins are still set.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=261
	APIServerEndpoint string `json:"apiServerEndpoint,omitempty"`
	// tokenFrom reads a bootstrap token of the user from a Secret. By default, the controller creates a token for each
	// machine, and deletes it after the machine has joined.
	// +optional
	TokenFrom *SecretSource `json:"tokenFrom,omitempty"`
	// caCertHashes are pins of the CA's public key, such as sha256:… with 64 hexadecimal digits. By default, they are
	// those of the cluster's CA.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=71
	CACertHashes []string `json:"caCertHashes,omitempty"`
	// unsafeSkipCAVerification trusts any server that answers at the endpoint, in place of pins. The default is false.
	// +optional
	UnsafeSkipCAVerification bool `json:"unsafeSkipCAVerification,omitempty"`
	// caCertPath is where kubeadm writes the certificate of the cluster's CA. The default is ca.crt in the certificates
	// directory.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	CACertPath string `json:"caCertPath,omitempty"`
	// kubeconfig is a complete kubeconfig. It replaces the token and the pins.
	// +optional
	Kubeconfig *SecretSource `json:"kubeconfig,omitempty"`
	// kubeconfigPath is the path of a kubeconfig that exists on the machine. It replaces the token and the pins.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	KubeconfigPath string `json:"kubeconfigPath,omitempty"`
	// tlsBootstrapTokenFrom reads the token with which kubelet requests its certificate from a Secret, for a kubeconfig
	// without credentials.
	// +optional
	TLSBootstrapTokenFrom *SecretSource `json:"tlsBootstrapTokenFrom,omitempty"`
}

// Patch changes a manifest or a configuration that kubeadm writes.
//
// +kubebuilder:validation:ExactlyOneOf=content;contentFrom
type Patch struct {
	// target is the manifest or configuration to change, such as kube-apiserver or kubeletconfiguration.
	// +required
	// +kubebuilder:validation:Enum=kube-apiserver;kube-controller-manager;kube-scheduler;etcd;kubeletconfiguration;corednsdeployment
	Target string `json:"target,omitempty"`
	// type is the type of patch. The default is strategic.
	// +optional
	// +kubebuilder:validation:Enum=strategic;merge;json
	Type string `json:"type,omitempty"`
	// content is the patch in YAML or JSON.
	// +optional
	// +kubebuilder:validation:MaxLength=262144
	Content string `json:"content,omitempty"`
	// contentFrom reads the patch from a Secret or ConfigMap.
	// +optional
	ContentFrom *ContentSource `json:"contentFrom,omitempty"`
}

// Timeouts are kubeadm's timeouts in seconds. All but controlPlaneComponentHealthCheckSeconds and discoverySeconds
// require Kubernetes 1.31 or newer. The defaults are kubeadm's.
type Timeouts struct {
	// controlPlaneComponentHealthCheckSeconds is the timeout for a control plane component to become healthy.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	ControlPlaneComponentHealthCheckSeconds int32 `json:"controlPlaneComponentHealthCheckSeconds,omitempty"`
	// kubeletHealthCheckSeconds is the timeout for kubelet to become healthy.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	KubeletHealthCheckSeconds int32 `json:"kubeletHealthCheckSeconds,omitempty"`
	// kubernetesAPICallSeconds is the timeout of a call of the Kubernetes API.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	KubernetesAPICallSeconds int32 `json:"kubernetesAPICallSeconds,omitempty"`
	// etcdAPICallSeconds is the timeout of a call of etcd.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	EtcdAPICallSeconds int32 `json:"etcdAPICallSeconds,omitempty"`
	// tlsBootstrapSeconds is the timeout for kubelet to get its certificate.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	TLSBootstrapSeconds int32 `json:"tlsBootstrapSeconds,omitempty"`
	// discoverySeconds is the timeout for finding the cluster.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	DiscoverySeconds int32 `json:"discoverySeconds,omitempty"`
}

// StaticPodSpec is a static Pod.
//
// +kubebuilder:validation:ExactlyOneOf=content;contentFrom
type StaticPodSpec struct {
	// name is the manifest's file name without its extension.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name,omitempty"`
	// content is the Pod in YAML or JSON.
	// +optional
	// +kubebuilder:validation:MaxLength=262144
	Content string `json:"content,omitempty"`
	// contentFrom reads the Pod from a Secret or ConfigMap.
	// +optional
	ContentFrom *ContentSource `json:"contentFrom,omitempty"`
}
