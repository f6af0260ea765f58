// Package node holds the value types of the documents that say what Kubernetes needs of a machine: how it joins or starts a
// cluster, its kubelet, its control plane components, its static pods.
//
// The words are Kubernetes's and Cluster API's, not kubeadm's: whether and how kubeadm is used is an expander's business.
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

// Role says what a machine does with the cluster.
type Role string

// The roles.
const (
	// RoleInit starts a cluster: the machine becomes its first control plane node.
	RoleInit Role = "Init"
	// RoleControlPlane joins as a further control plane node.
	RoleControlPlane Role = "ControlPlane"
	// RoleWorker joins as a worker.
	RoleWorker Role = "Worker"
)

// IsControlPlane reports whether a machine of the role runs control plane components.
func (r Role) IsControlPlane() bool { return r == RoleInit || r == RoleControlPlane }

// Cluster is what a machine has to know of its cluster.
type Cluster struct {
	// Name is the cluster's name.
	Name string
	// Endpoint is the control plane's host:port.
	Endpoint string
	// PodSubnets and ServiceSubnets are CIDRs; none takes kubeadm's default.
	PodSubnets, ServiceSubnets []string
	// DNSDomain defaults to cluster.local.
	DNSDomain string
}

// Discovery says how a joining machine finds and trusts its cluster: by token, or by a kubeconfig file.
type Discovery struct {
	// APIServerEndpoint is host:port; empty takes the cluster's endpoint.
	APIServerEndpoint string
	// Token is a bootstrap token, id.secret.
	Token secret.Value
	// CACertHashes are pins such as sha256:<hex> of the CA's public key (SPKI).
	CACertHashes []string
	// Kubeconfig is a complete kubeconfig in place of a token.
	Kubeconfig secret.Value
}

// TaintEffect is what a taint does to pods.
type TaintEffect string

// Taint keeps pods off a node.
type Taint struct {
	Key, Value string
	Effect     TaintEffect
}

// Label is a label that kubelet gives its node.
type Label struct{ Key, Value string }

// Arg is one argument of a component, without leading dashes. The same name may stand several times.
type Arg struct {
	Name  string
	Value document.Content
}

// Env is an environment variable of a control plane component.
type Env struct{ Name, Value string }

// Registration says how the node presents itself.
type Registration struct {
	// Name is the node's name; empty takes the machine's host name.
	Name document.Content
	// Labels are in the order of their keys.
	Labels []Label
	// Taints replaces the default taints when TaintsSet; a control plane node's default is the control-plane taint.
	Taints    []Taint
	TaintsSet bool
	// CRISocket is the container runtime's endpoint; empty takes the runtime's.
	CRISocket string
	// IgnorePreflightErrors names checks of kubeadm's.
	IgnorePreflightErrors []string
	// ImagePullPolicy is Always, IfNotPresent or Never; empty means IfNotPresent.
	ImagePullPolicy string
	// ImagePullSerial pulls the control plane's images one by one; nil means yes. Kubernetes 1.31 and newer.
	ImagePullSerial *bool
}

// Tree is structured configuration as JSON has it: maps with string keys, lists, strings, numbers, booleans.
type Tree map[string]any

// Kubelet configures kubelet.
type Kubelet struct {
	// Config is fields of a KubeletConfiguration; apiVersion and kind are not given.
	Config Tree
	// Args are command-line arguments, for what has no field.
	Args []Arg
}

// Patch changes what kubeadm writes.
type Patch struct {
	// Target is kube-apiserver, kube-controller-manager, kube-scheduler, etcd, kubeletconfiguration or corednsdeployment.
	Target string
	// Type is strategic, merge or json.
	Type string
	// Content is YAML or JSON.
	Content []byte
}

// CertificateFile is a file of the cluster's public key infrastructure.
type CertificateFile struct {
	// Path is relative to the directory of certificates, such as etcd/ca.key.
	Path string
	// Content is PEM.
	Content secret.Value
	// Private files get mode 0600, others 0644.
	Private bool
}

// Timeouts are kubeadm's limits in seconds; 0 takes its default. Kubernetes 1.31 and newer, but for ControlPlane and
// Discovery.
type Timeouts struct {
	ControlPlaneComponentHealthCheck, KubeletHealthCheck, KubernetesAPICall, EtcdAPICall, TLSBootstrap, Discovery int
}

// NodeConfig makes the machine a node of a cluster.
type NodeConfig struct {
	Role Role
	// KubernetesVersion is a semantic version with its v.
	KubernetesVersion string
	Cluster           Cluster
	// Discovery is for joining roles.
	Discovery    *Discovery
	Registration Registration
	Kubelet      Kubelet
	// AdvertiseAddress and BindPort are the API server's own endpoint on a control plane node.
	AdvertiseAddress document.Content
	BindPort         int
	// Certificates are what a control plane node needs before it starts.
	Certificates []CertificateFile
	// CertificatesDir defaults to /etc/kubernetes/pki.
	CertificatesDir string
	// Patches are applied by kubeadm; a worker has kubelet's alone.
	Patches []Patch
	// SkipPhases names phases of kubeadm's.
	SkipPhases []string
	Timeouts   Timeouts
	// Verbosity is kubeadm's log level, 0 to 10.
	Verbosity int
}

// Kind returns KindNode.
func (NodeConfig) Kind() document.Kind { return KindNode }

// StaticPod is a pod that kubelet runs by itself, from the first moment.
type StaticPod struct {
	// Name is the manifest's file name without .yaml.
	Name string
	// Manifest is a Pod, YAML or JSON.
	Manifest []byte
}

// Kind returns KindStaticPod.
func (StaticPod) Kind() document.Kind { return KindStaticPod }
