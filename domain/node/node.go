// Package node holds the value types of the documents that say what Kubernetes needs of a machine: how it joins or
// starts a cluster, its kubelet, its control plane components, its static pods.
//
// The words are Kubernetes's and Cluster API's, not kubeadm's: whether and how kubeadm is used is an expander's
// business.
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
	Name string `json:"name,omitempty"`
	// Endpoint is the control plane's host:port.
	Endpoint string `json:"endpoint,omitempty"`
	// PodSubnets and ServiceSubnets are CIDRs; none takes kubeadm's default.
	PodSubnets     []string `json:"podSubnets,omitempty"`
	ServiceSubnets []string `json:"serviceSubnets,omitempty"`
	// DNSDomain defaults to cluster.local.
	DNSDomain string `json:"dnsDomain,omitempty"`
}

// Discovery says how a joining machine finds and trusts its cluster: by token, or by a kubeconfig file.
type Discovery struct {
	// APIServerEndpoint is host:port; empty takes the cluster's endpoint.
	APIServerEndpoint string `json:"apiServerEndpoint,omitempty"`
	// Token is a bootstrap token, id.secret.
	Token secret.Value `json:"token,omitempty"`
	// CACertHashes are pins such as sha256:<hex> of the CA's public key (SPKI).
	CACertHashes []string `json:"caCertHashes,omitempty"`
	// Kubeconfig is a complete kubeconfig in place of a token.
	Kubeconfig secret.Value `json:"kubeconfig,omitempty"`
}

// TaintEffect is what a taint does to pods.
type TaintEffect string

// Taint keeps pods off a node.
type Taint struct {
	Key    string      `json:"key"`
	Value  string      `json:"value,omitempty"`
	Effect TaintEffect `json:"effect"`
}

// Label is a label that kubelet gives its node.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value,omitempty"`
}

// Arg is one argument of a component, without leading dashes. The same name may stand several times.
type Arg struct {
	Name  string           `json:"name"`
	Value document.Content `json:"value,omitempty"`
}

// Env is an environment variable of a control plane component.
type Env struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// Registration says how the node presents itself.
type Registration struct {
	// Name is the node's name; empty takes the machine's host name.
	Name document.Content `json:"name,omitempty"`
	// Labels are in the order of their keys.
	Labels []Label `json:"labels,omitempty"`
	// Taints replaces the default taints when TaintsSet; a control plane node's default is the control-plane taint.
	Taints    []Taint `json:"taints,omitempty"`
	TaintsSet bool    `json:"taintsSet,omitempty"`
	// CRISocket is the container runtime's endpoint; empty takes the runtime's.
	CRISocket string `json:"criSocket,omitempty"`
	// IgnorePreflightErrors names checks of kubeadm's.
	IgnorePreflightErrors []string `json:"ignorePreflightErrors,omitempty"`
	// ImagePullPolicy is Always, IfNotPresent or Never; empty means IfNotPresent.
	ImagePullPolicy string `json:"imagePullPolicy,omitempty"`
	// ImagePullSerial pulls the control plane's images one by one; nil means yes. Kubernetes 1.31 and newer.
	ImagePullSerial *bool `json:"imagePullSerial,omitempty"`
}

// Tree is structured configuration as JSON has it: maps with string keys, lists, strings, numbers, booleans.
type Tree map[string]any

// Kubelet configures kubelet.
type Kubelet struct {
	// Config is fields of a KubeletConfiguration; apiVersion and kind are not given.
	Config Tree `json:"config,omitempty"`
	// Args are command-line arguments, for what has no field.
	Args []Arg `json:"extraArgs,omitempty"`
}

// Patch changes what kubeadm writes.
type Patch struct {
	// Target is kube-apiserver, kube-controller-manager, kube-scheduler, etcd, kubeletconfiguration or corednsdeployment.
	Target string `json:"target"`
	// Type is strategic, merge or json.
	Type string `json:"type,omitempty"`
	// Content is YAML or JSON.
	Content []byte `json:"content"`
}

// CertificateFile is a file of the cluster's public key infrastructure.
type CertificateFile struct {
	// Path is relative to the directory of certificates, such as etcd/ca.key.
	Path string `json:"path"`
	// Content is PEM.
	Content secret.Value `json:"content"`
	// Private files get mode 0600, others 0644.
	Private bool `json:"private,omitempty"`
}

// Timeouts are kubeadm's limits in seconds; 0 takes its default. Kubernetes 1.31 and newer, but for ControlPlane and
// Discovery.
type Timeouts struct {
	ControlPlaneComponentHealthCheck int `json:"controlPlaneComponentHealthCheckSeconds,omitempty"`
	KubeletHealthCheck               int `json:"kubeletHealthCheckSeconds,omitempty"`
	KubernetesAPICall                int `json:"kubernetesAPICallSeconds,omitempty"`
	EtcdAPICall                      int `json:"etcdAPICallSeconds,omitempty"`
	TLSBootstrap                     int `json:"tlsBootstrapSeconds,omitempty"`
	Discovery                        int `json:"discoverySeconds,omitempty"`
}

// NodeConfig makes the machine a node of a cluster.
type NodeConfig struct {
	Role Role `json:"role"`
	// KubernetesVersion is a semantic version with its v.
	KubernetesVersion string  `json:"kubernetesVersion"`
	Cluster           Cluster `json:"cluster,omitempty"`
	// Discovery is for joining roles.
	Discovery    *Discovery   `json:"discovery,omitempty"`
	Registration Registration `json:"registration,omitempty"`
	Kubelet      Kubelet      `json:"kubelet,omitempty"`
	// AdvertiseAddress and BindPort are the API server's own endpoint on a control plane node.
	AdvertiseAddress document.Content `json:"advertiseAddress,omitempty"`
	BindPort         int              `json:"bindPort,omitempty"`
	// Certificates are what a control plane node needs before it starts.
	Certificates []CertificateFile `json:"certificates,omitempty"`
	// CertificatesDir defaults to /etc/kubernetes/pki.
	CertificatesDir string `json:"certificatesDir,omitempty"`
	// Patches are applied by kubeadm; a worker has kubelet's alone.
	Patches []Patch `json:"patches,omitempty"`
	// SkipPhases names phases of kubeadm's.
	SkipPhases []string `json:"skipPhases,omitempty"`
	Timeouts   Timeouts `json:"timeouts,omitempty"`
	// Verbosity is kubeadm's log level, 0 to 10.
	Verbosity int `json:"verbosity,omitempty"`
}

// Kind returns KindNode.
func (NodeConfig) Kind() document.Kind { return KindNode }

// StaticPod is a pod that kubelet runs by itself, from the first moment.
type StaticPod struct {
	// Name is the manifest's file name without .yaml.
	Name string `json:"name"`
	// Manifest is a Pod, YAML or JSON.
	Manifest []byte `json:"manifest"`
}

// Kind returns KindStaticPod.
func (StaticPod) Kind() document.Kind { return KindStaticPod }
