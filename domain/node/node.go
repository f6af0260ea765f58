// Package node contains the documents that configure a machine as a Kubernetes node: how it joins or initializes a
// cluster, kubelet, control plane components, and static pods.
//
// The fields use the terms of Kubernetes and Cluster API, not kubeadm's, because expanders decide whether and how to
// use kubeadm.
package node

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/secret"
)

// The document kinds of this package.
const (
	// KindNode is a singleton.
	KindNode document.Kind = "NodeConfig"
	// KindControlPlane is a singleton.
	KindControlPlane document.Kind = "ControlPlaneConfig"
	KindStaticPod    document.Kind = "StaticPod"
)

// Role is the role of the machine in the cluster.
type Role string

// The roles.
const (
	// RoleInit initializes a cluster: the machine becomes its first control plane node.
	RoleInit Role = "Init"
	// RoleControlPlane joins as a further control plane node.
	RoleControlPlane Role = "ControlPlane"
	// RoleWorker joins as a worker.
	RoleWorker Role = "Worker"
)

// IsControlPlane reports whether a machine of the role runs control plane components.
func (r Role) IsControlPlane() bool { return r == RoleInit || r == RoleControlPlane }

// Cluster contains the facts about a cluster that its machines need.
type Cluster struct {
	// Name is the name of the cluster.
	Name string `json:"name,omitempty"`
	// Endpoint is the host:port of the control plane.
	Endpoint string `json:"endpoint,omitempty"`
	// PodSubnets are CIDRs. Default: kubeadm's.
	PodSubnets []string `json:"podSubnets,omitempty"`
	// ServiceSubnets are CIDRs. Default: kubeadm's.
	ServiceSubnets []string `json:"serviceSubnets,omitempty"`
	// DNSDomain is the domain of Services. Default: cluster.local.
	DNSDomain string `json:"dnsDomain,omitempty"`
}

// Discovery configures how a joining machine finds and trusts its cluster: with a token, or with a kubeconfig.
type Discovery struct {
	// APIServerEndpoint is host:port. Default: the cluster's endpoint.
	APIServerEndpoint string `json:"apiServerEndpoint,omitempty"`
	// Token is a bootstrap token, id.secret.
	Token secret.Value `json:"token,omitempty"`
	// CACertHashes are pins of the CA's public key (SPKI), such as sha256:<hex>.
	CACertHashes []string `json:"caCertHashes,omitempty"`
	// UnsafeSkipCAVerification trusts any server that answers at the endpoint. It excludes CACertHashes.
	UnsafeSkipCAVerification bool `json:"unsafeSkipCAVerification,omitempty"`
	// Kubeconfig is a complete kubeconfig, in place of a token.
	Kubeconfig secret.Value `json:"kubeconfig,omitempty"`
	// KubeconfigPath is the absolute path of a kubeconfig that exists on the machine, in place of a token.
	KubeconfigPath string `json:"kubeconfigPath,omitempty"`
	// TLSBootstrapToken is the token for kubelet's certificate, for a kubeconfig without credentials.
	TLSBootstrapToken secret.Value `json:"tlsBootstrapToken,omitempty"`
	// CACertPath is where kubeadm writes the certificate of the cluster's CA. Default: ca.crt in the certificates
	// directory.
	CACertPath string `json:"caCertPath,omitempty"`
}

// HasKubeconfig reports whether the machine discovers the cluster by a kubeconfig instead of a token.
func (d Discovery) HasKubeconfig() bool { return !d.Kubeconfig.IsZero() || d.KubeconfigPath != "" }

// TaintEffect is the effect of a taint on Pods that do not tolerate it.
type TaintEffect string

// Taint keeps pods off a node.
type Taint struct {
	// Key is the key of the taint, such as example.org/pool.
	Key string `json:"key"`
	// Value is the value of the taint. Default: empty.
	Value string `json:"value,omitempty"`
	// Effect is NoSchedule, PreferNoSchedule or NoExecute.
	Effect TaintEffect `json:"effect"`
}

// Label is a label of the Node object, which kubelet sets.
type Label struct {
	// Key is the key of the label, such as example.org/pool.
	Key string `json:"key"`
	// Value is the value of the label. Default: empty.
	Value document.Content `json:"value,omitempty"`
}

// Arg is one argument of a component, without leading dashes. A name may occur several times.
type Arg struct {
	// Name is the name of the argument, without leading dashes.
	Name string `json:"name"`
	// Value is the value of the argument.
	Value document.Content `json:"value,omitempty"`
}

// Env is an environment variable of a control plane component.
type Env struct {
	// Name is the name of the variable.
	Name string `json:"name"`
	// Value is the value of the variable. Default: empty.
	Value string `json:"value,omitempty"`
}

// Registration configures the Node object.
type Registration struct {
	// Name is the name of the node. Default: the machine's host name.
	Name document.Content `json:"name,omitempty"`
	// Labels are sorted by key.
	Labels []Label `json:"labels,omitempty"`
	// Annotations are sorted by key.
	Annotations []Annotation `json:"annotations,omitempty"`
	// Taints replace the default taints if TaintsSet is set. The default of a control plane node is the control-plane
	// taint.
	Taints []Taint `json:"taints,omitempty"`
	// TaintsSet distinguishes an empty list of taints from the default taints.
	TaintsSet bool `json:"taintsSet,omitempty"`
	// CRISocket is the endpoint of the container runtime. Default: that of the configured runtime, or of the one that the
	// operating system contains. Without either, kubeadm detects it.
	CRISocket string `json:"criSocket,omitempty"`
	// IgnorePreflightErrors are names of preflight checks of kubeadm.
	IgnorePreflightErrors []string `json:"ignorePreflightErrors,omitempty"`
	// ImagePullPolicy is Always, IfNotPresent or Never. Default: IfNotPresent.
	ImagePullPolicy string `json:"imagePullPolicy,omitempty"`
	// ImagePullSerial pulls the control plane images one after the other. Default: true. It requires Kubernetes 1.31 or
	// newer.
	ImagePullSerial *bool `json:"imagePullSerial,omitempty"`
}

// Tree is a JSON object: maps with string keys, lists, strings, numbers and booleans.
type Tree map[string]any

// Kubelet configures kubelet.
type Kubelet struct {
	// Config contains fields of a KubeletConfiguration, without apiVersion and kind.
	Config Tree `json:"config,omitempty"`
	// Args are command-line arguments of kubelet, for settings without a field.
	Args []Arg `json:"extraArgs,omitempty"`
}

// Patch changes a file that kubeadm writes.
type Patch struct {
	// Target is kube-apiserver, kube-controller-manager, kube-scheduler, etcd, kubeletconfiguration or corednsdeployment.
	Target string `json:"target"`
	// Type is strategic, merge or json. Default: strategic.
	Type string `json:"type,omitempty"`
	// Content is the patch, in YAML or JSON.
	Content []byte `json:"content"`
}

// CertificateFile is a file of the cluster's public key infrastructure.
type CertificateFile struct {
	// Path is relative to the directory of certificates, such as etcd/ca.key.
	Path string `json:"path"`
	// Content is PEM.
	Content secret.Value `json:"content"`
	// Private files have mode 0600, others 0644.
	Private bool `json:"private,omitempty"`
}

// Timeouts are limits of kubeadm in seconds; 0 is its default. They require Kubernetes 1.31 or newer, except
// ControlPlane and Discovery.
type Timeouts struct {
	// ControlPlaneComponentHealthCheck limits the wait for a control plane component to become healthy.
	ControlPlaneComponentHealthCheck int `json:"controlPlaneComponentHealthCheckSeconds,omitempty"`
	// KubeletHealthCheck limits the wait for kubelet to become healthy.
	KubeletHealthCheck int `json:"kubeletHealthCheckSeconds,omitempty"`
	// KubernetesAPICall limits a request to the API server.
	KubernetesAPICall int `json:"kubernetesAPICallSeconds,omitempty"`
	// EtcdAPICall limits a request to etcd.
	EtcdAPICall int `json:"etcdAPICallSeconds,omitempty"`
	// TLSBootstrap limits the wait for kubelet's client certificate.
	TLSBootstrap int `json:"tlsBootstrapSeconds,omitempty"`
	// Discovery limits the validation of the API server during discovery.
	Discovery int `json:"discoverySeconds,omitempty"`
}

// NodeConfig makes the machine a node of a cluster.
type NodeConfig struct {
	// Role is Init, ControlPlane or Worker.
	Role Role `json:"role"`
	// KubernetesVersion is the version of Kubernetes with a leading v, such as v1.36.3.
	KubernetesVersion string `json:"kubernetesVersion"`
	// Cluster contains the facts about the cluster.
	Cluster Cluster `json:"cluster,omitempty"`
	// Discovery configures how a machine that joins finds and trusts the cluster.
	Discovery *Discovery `json:"discovery,omitempty"`
	// Registration configures the Node object.
	Registration Registration `json:"registration,omitempty"`
	// Kubelet configures kubelet.
	Kubelet Kubelet `json:"kubelet,omitempty"`
	// AdvertiseAddress is the address on which the API server of a control plane node is reached. Default: that of the
	// default route.
	AdvertiseAddress document.Content `json:"advertiseAddress,omitempty"`
	// BindPort is the port of the API server of a control plane node. Default: 6443.
	BindPort int `json:"bindPort,omitempty"`
	// Certificates are the files that a control plane node needs before it starts.
	Certificates []CertificateFile `json:"certificates,omitempty"`
	// CertificatesDir is the directory of the certificates. Default: /etc/kubernetes/pki.
	CertificatesDir string `json:"certificatesDir,omitempty"`
	// Patches are applied by kubeadm. A worker supports the target kubeletconfiguration only.
	Patches []Patch `json:"patches,omitempty"`
	// PatchesDirectory is the absolute path of a directory of the image with patches, by kubeadm's names of files.
	PatchesDirectory string `json:"patchesDirectory,omitempty"`
	// SkipPhases are names of phases of kubeadm.
	SkipPhases []string `json:"skipPhases,omitempty"`
	// Timeouts are limits of kubeadm.
	Timeouts Timeouts `json:"timeouts,omitempty"`
	// Verbosity is the log level of kubeadm, 0 to 10.
	Verbosity int `json:"verbosity,omitempty"`
}

// Kind returns KindNode.
func (NodeConfig) Kind() document.Kind { return KindNode }

// StaticPod is a Pod that kubelet runs without the API server.
type StaticPod struct {
	// Name is the file name of the manifest, without .yaml.
	Name string `json:"name"`
	// Manifest is a Pod, in YAML or JSON.
	Manifest []byte `json:"manifest"`
}

// Kind returns KindStaticPod.
func (StaticPod) Kind() document.Kind { return KindStaticPod }
