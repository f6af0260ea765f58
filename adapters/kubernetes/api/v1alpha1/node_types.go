package v1alpha1

import "k8s.io/apimachinery/pkg/runtime"

// NodeConfigSpec says how a machine becomes a node. What the cluster knows by itself (version, endpoint, token, pins,
// certificates) is not given.
//
// +kubebuilder:validation:AtMostOneOf=name;nameFrom
type NodeConfigSpec struct {
	// name is the node's name. Without it, it is the machine's host name.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`
	// nameFrom takes the node's name from the running machine.
	// +optional
	NameFrom *InstanceSource `json:"nameFrom,omitempty"`
	// labels are given to the node by its kubelet. Kubelet may not set most labels of Kubernetes's own.
	// +optional
	// +kubebuilder:validation:MaxProperties=128
	// +kubebuilder:validation:XValidation:rule="self.all(key, size(key) <= 317 && size(self[key]) <= 63)",message="keys and values have at most 317 and 63 characters"
	Labels map[string]string `json:"labels,omitempty"`
	// taints replace the default ones; an empty list means none at all. A control plane node has the control-plane taint
	// by default.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	Taints *[]Taint `json:"taints,omitempty"`
	// criSocket is the container runtime's endpoint, such as unix:///run/containerd/containerd.sock. Without it, it is
	// that of the configured runtime.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	CRISocket string `json:"criSocket,omitempty"`
	// ignorePreflightErrors names checks of kubeadm's that may fail.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	IgnorePreflightErrors []string `json:"ignorePreflightErrors,omitempty"`
	// imagePullPolicy is for the control plane's images. Without it, it is IfNotPresent.
	// +optional
	// +kubebuilder:validation:Enum=Always;IfNotPresent;Never
	ImagePullPolicy string `json:"imagePullPolicy,omitempty"`
	// imagePullSerial pulls the control plane's images one by one, as is the default. Kubernetes 1.31 and newer.
	// +optional
	ImagePullSerial *bool `json:"imagePullSerial,omitempty"`
	// kubelet configures kubelet.
	// +optional
	Kubelet *KubeletSpec `json:"kubelet,omitempty"`
	// advertiseAddress is the address on which a control plane node's API server is reached by the others.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	AdvertiseAddress string `json:"advertiseAddress,omitempty"`
	// bindPort is the port of a control plane node's API server. Without it, it is 6443.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	BindPort int32 `json:"bindPort,omitempty"`
	// certificatesDir is where a control plane node has its certificates. Without it, it is /etc/kubernetes/pki.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	CertificatesDir string `json:"certificatesDir,omitempty"`
	// discovery overrides how a joining machine finds and trusts its cluster.
	// +optional
	Discovery *DiscoverySpec `json:"discovery,omitempty"`
	// patches change what kubeadm writes. Workers have patches of kubeletconfiguration only.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	Patches []Patch `json:"patches,omitempty"`
	// skipPhases names phases of kubeadm's that are left out.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	SkipPhases []string `json:"skipPhases,omitempty"`
	// timeouts bound how long kubeadm waits.
	// +optional
	Timeouts *Timeouts `json:"timeouts,omitempty"`
	// verbosity is kubeadm's log level.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10
	Verbosity int32 `json:"verbosity,omitempty"`
}

// Taint keeps pods off a node.
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
	// effect is what the taint does to pods.
	// +required
	// +kubebuilder:validation:Enum=NoSchedule;PreferNoSchedule;NoExecute
	Effect string `json:"effect,omitempty"`
}

// KubeletSpec configures kubelet.
type KubeletSpec struct {
	// config is fields of a KubeletConfiguration (kubelet.config.k8s.io/v1beta1), without apiVersion and kind.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	Config *runtime.RawExtension `json:"config,omitempty"`
	// extraArgs are command-line arguments, for what has no field. A name may stand several times.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=100
	ExtraArgs []KubeletArg `json:"extraArgs,omitempty"`
}

// KubeletArg is one argument of kubelet.
//
// +kubebuilder:validation:AtMostOneOf=value;valueFrom
type KubeletArg struct {
	// name is the argument without its leading dashes.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Name string `json:"name,omitempty"`
	// value is the argument's value.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Value string `json:"value,omitempty"`
	// valueFrom takes the value from the running machine.
	// +optional
	ValueFrom *InstanceSource `json:"valueFrom,omitempty"`
}

// DiscoverySpec overrides how a joining machine finds and trusts its cluster.
//
// +kubebuilder:validation:ExactlyOneOf=apiServerEndpoint;kubeconfig
type DiscoverySpec struct {
	// apiServerEndpoint is a host:port to ask in place of the cluster's endpoint. Token and pins are still filled in.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=261
	APIServerEndpoint string `json:"apiServerEndpoint,omitempty"`
	// kubeconfig is a complete kubeconfig that is used in place of a token.
	// +optional
	Kubeconfig *SecretSource `json:"kubeconfig,omitempty"`
}

// Patch changes what kubeadm writes.
//
// +kubebuilder:validation:ExactlyOneOf=content;contentFrom
type Patch struct {
	// target is what is changed.
	// +required
	// +kubebuilder:validation:Enum=kube-apiserver;kube-controller-manager;kube-scheduler;etcd;kubeletconfiguration;corednsdeployment
	Target string `json:"target,omitempty"`
	// type is the kind of patch. Without it, it is strategic.
	// +optional
	// +kubebuilder:validation:Enum=strategic;merge;json
	Type string `json:"type,omitempty"`
	// content is the patch itself, YAML or JSON.
	// +optional
	// +kubebuilder:validation:MaxLength=262144
	Content string `json:"content,omitempty"`
	// contentFrom takes the patch from a Secret or ConfigMap.
	// +optional
	ContentFrom *ContentSource `json:"contentFrom,omitempty"`
}

// Timeouts bound how long kubeadm waits, in seconds. All but controlPlaneComponentHealthCheckSeconds and
// discoverySeconds need Kubernetes 1.31.
type Timeouts struct {
	// controlPlaneComponentHealthCheckSeconds is how long a control plane component may take to become healthy.
	// +optional
	// +kubebuilder:validation:Minimum=1
	ControlPlaneComponentHealthCheckSeconds int32 `json:"controlPlaneComponentHealthCheckSeconds,omitempty"`
	// kubeletHealthCheckSeconds is how long kubelet may take to become healthy.
	// +optional
	// +kubebuilder:validation:Minimum=1
	KubeletHealthCheckSeconds int32 `json:"kubeletHealthCheckSeconds,omitempty"`
	// kubernetesAPICallSeconds is how long a call of the Kubernetes API may take.
	// +optional
	// +kubebuilder:validation:Minimum=1
	KubernetesAPICallSeconds int32 `json:"kubernetesAPICallSeconds,omitempty"`
	// etcdAPICallSeconds is how long a call of etcd may take.
	// +optional
	// +kubebuilder:validation:Minimum=1
	EtcdAPICallSeconds int32 `json:"etcdAPICallSeconds,omitempty"`
	// tlsBootstrapSeconds is how long kubelet may take to get its certificate.
	// +optional
	// +kubebuilder:validation:Minimum=1
	TLSBootstrapSeconds int32 `json:"tlsBootstrapSeconds,omitempty"`
	// discoverySeconds is how long finding the cluster may take.
	// +optional
	// +kubebuilder:validation:Minimum=1
	DiscoverySeconds int32 `json:"discoverySeconds,omitempty"`
}

// StaticPodSpec is a pod that kubelet runs by itself.
//
// +kubebuilder:validation:ExactlyOneOf=content;contentFrom
type StaticPodSpec struct {
	// name is the manifest's file name without its extension.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name,omitempty"`
	// content is the Pod, YAML or JSON.
	// +optional
	// +kubebuilder:validation:MaxLength=262144
	Content string `json:"content,omitempty"`
	// contentFrom takes the Pod from a Secret or ConfigMap.
	// +optional
	ContentFrom *ContentSource `json:"contentFrom,omitempty"`
}
