package bottlerocket

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/pem"
	"net/netip"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

const (
	// defaultServices is kubeadm's subnet of services, and dnsIndex the place of the DNS service in a subnet
	// (kubernetes/cmd/kubeadm/app/constants: GetDNSIP).
	defaultServices = "10.96.0.0/12"
	dnsIndex        = 10
	defaultDomain   = "cluster.local"
	// caFile is the cluster's CA among a node's certificates.
	caFile = "ca.crt"
	// socket is where Bottlerocket's containerd listens.
	socket = "unix:///run/containerd/containerd.sock"
)

// node renders how the machine joins. Bottlerocket joins any cluster whose API server takes a bootstrap token: kubelet
// requests a certificate with it, and kubeadm is not needed (core-kit:
// packages/kubernetes-*/kubelet-bootstrap-kubeconfig).
func (s *settings) node(at report.Path, n node.NodeConfig) {
	if n.Role != node.RoleWorker {
		s.instead(at, "use another operating system for control plane machines", "Bottlerocket runs no control plane")
		return
	}
	s.inform(at, "Bottlerocket writes no sentinel file; a Ready node shows that the machine has joined")
	s.set(at, "tls", "kubernetes", "authentication-mode")
	s.discovery(at, n)
	s.dns(at, n.Cluster)
	s.registration(at.Field("registration"), n.Registration)
	s.kubelet(at.Field("kubelet"), n.Kubelet)
	s.kubeadm(at, n)
}

// discovery renders the API server's address, the cluster's CA and the token.
func (s *settings) discovery(at report.Path, n node.NodeConfig) {
	if n.Discovery == nil || n.Discovery.Token.IsZero() {
		s.instead(at.Field("discovery"), "leave it out, and the controller creates a token",
			"Bottlerocket joins only with a bootstrap token")
		return
	}
	if n.Discovery.CACertPath != "" || n.Discovery.UnsafeSkipCAVerification {
		s.instead(at.Field("discovery"), "leave out caCertPath and unsafeSkipCAVerification",
			"Bottlerocket stores the certificate of the cluster's CA itself, and verifies with it")
	}
	endpoint := n.Discovery.APIServerEndpoint
	if endpoint == "" {
		endpoint = n.Cluster.Endpoint
	}
	s.set(at, "https://"+endpoint, "kubernetes", "api-server")
	s.set(at, string(n.Discovery.Token.Reveal()), "kubernetes", "bootstrap-token")
	for _, c := range n.Certificates {
		if block, _ := pem.Decode(c.Content.Reveal()); c.Path == caFile && block != nil {
			certificate := bytes.TrimSpace(c.Content.Reveal())
			s.set(at, base64.StdEncoding.EncodeToString(append(certificate, '\n')), "kubernetes", "cluster-certificate")
			return
		}
	}
	s.instead(at, "store the certificate as tls.crt in the Secret CLUSTER-ca", "the certificate of the cluster's CA is "+
		"not known, and Bottlerocket does not accept a hash of its key instead")
}

// dns renders the cluster's name, its domain and the address of its DNS service, which kubelet passes to pods.
func (s *settings) dns(at report.Path, c node.Cluster) {
	if row, _, _ := s.index.find([]string{"kubernetes", "cluster-name"}); row.is.ok(c.Name) {
		s.set(at, c.Name, "kubernetes", "cluster-name")
	}
	name := c.DNSDomain
	if name == "" {
		name = defaultDomain
	}
	s.set(at, name, "kubernetes", "cluster-domain")
	services := defaultServices
	if len(c.ServiceSubnets) > 0 {
		services = c.ServiceSubnets[0]
	}
	prefix, err := netip.ParsePrefix(services)
	if err != nil {
		s.instead(at, "write one such as 10.96.0.0/12", "%q is not a subnet", services)
		return
	}
	address := prefix.Masked().Addr()
	for range dnsIndex {
		address = address.Next()
	}
	s.set(at, []any{address.String()}, "kubernetes", "cluster-dns-ip")
}

// registration renders the node's labels, taints and name.
func (s *settings) registration(at report.Path, reg node.Registration) {
	s.name(at, reg.Name)
	for i, l := range reg.Labels {
		s.label(at.Field("labels").Index(i), l)
	}
	if len(reg.Annotations) > 0 {
		s.instead(at.Field("annotations"), "use labels, or set the annotations with kubectl",
			"Bottlerocket has no setting for annotations of the Node")
	}
	byKey := map[string][]any{}
	for i, t := range reg.Taints {
		byKey[t.Key] = append(byKey[t.Key], t.Value+":"+string(t.Effect))
		s.set(at.Field("taints").Index(i), byKey[t.Key], "kubernetes", "node-taints", t.Key)
	}
	if reg.CRISocket != "" && reg.CRISocket != socket {
		s.instead(at.Field("criSocket"), "leave it out", "Bottlerocket's containerd listens at %s", socket)
	}
}

func (s *settings) label(at report.Path, l node.Label) {
	value, static := l.Value.Static()
	if !static {
		s.instead(at, "write the value, or set the label on the Machine", "Bottlerocket fills in no facts of the machine")
		return
	}
	s.set(at, string(value), "kubernetes", "node-labels", l.Key)
}

// name renders the node's name. By default Bottlerocket uses the host's name.
func (s *settings) name(at report.Path, name document.Content) {
	literal, static := name.Static()
	switch {
	case static && len(literal) > 0:
		s.set(at.Field("name"), string(literal), "kubernetes", "hostname-override")
	case isFact(name, document.FactInstanceID):
		s.set(at.Field("name"), "instance-id", "kubernetes", "hostname-override-source")
		s.inform(at.Field("name"), "Bottlerocket knows the instance ID on AWS only")
	case !static && !isFact(name, document.FactHostname):
		s.instead(at.Field("name"), "leave it out, or use hostname or instanceID",
			"Bottlerocket names its node after the host")
	}
}

// isFact reports whether the content is the fact and nothing else.
func isFact(c document.Content, f document.Fact) bool {
	list := c.Fragments()
	return len(list) == 1 && list[0].Fact == f
}

// kubeadm finds settings for kubeadm, which Bottlerocket does not have.
func (s *settings) kubeadm(at report.Path, n node.NodeConfig) {
	for i, p := range n.Patches {
		s.instead(at.Field("patches").Index(i), "use kubelet.config", "Bottlerocket has no kubeadm that would patch the %s",
			p.Target)
	}
	idle := map[string]bool{
		"registration.ignorePreflightErrors": len(n.Registration.IgnorePreflightErrors) > 0,
		"registration.imagePullPolicy":       n.Registration.ImagePullPolicy != "",
		"registration.imagePullSerial":       n.Registration.ImagePullSerial != nil,
		"skipPhases":                         len(n.SkipPhases) > 0,
		"patchesDirectory":                   n.PatchesDirectory != "",
		"timeouts":                           n.Timeouts != node.Timeouts{},
		"verbosity":                          n.Verbosity != 0,
	}
	for _, field := range sortedKeys(idle) {
		if idle[field] {
			s.warn(at.Field(field), "this is for kubeadm, which Bottlerocket does not have; it has no effect")
		}
	}
	if n.CertificatesDir != "" {
		s.instead(at.Field("certificatesDir"), "leave it out",
			"Bottlerocket keeps its certificates in a directory of its own")
	}
}

// staticPod renders a static pod. Bottlerocket does not check manifests, and kubelet ignores other objects.
func (s *settings) staticPod(ctx context.Context, at report.Path, p node.StaticPod) {
	documents, err := structured.YAML(ctx, p.Manifest)
	if err != nil {
		f := structured.Finding(at.Field("manifest"), "this is not YAML", err)
		if f.Remedy == "" {
			f = f.To("check it with kubectl apply --dry-run=client")
		}
		s.findings = append(s.findings, f)
		return
	}
	if !isPod(documents) {
		s.instead(at.Field("manifest"), "give one document of kind Pod", "this is not the manifest of a Pod")
		return
	}
	if s.set(at, base64.StdEncoding.EncodeToString(p.Manifest), "kubernetes", "static-pods", p.Name, "manifest") {
		s.set(at, true, "kubernetes", "static-pods", p.Name, "enabled")
	}
}

// isPod reports whether there is one document, of kind Pod.
func isPod(documents []*yaml.Node) bool {
	var pod struct {
		Kind string `yaml:"kind"`
	}
	return len(documents) == 1 && documents[0].Decode(&pod) == nil && pod.Kind == "Pod"
}

// kubernetes holds the provision against the image, which has all of Kubernetes.
func (s *settings) kubernetes(at report.Path, k machine.KubernetesConfig, t osprofile.Target) {
	if k.Provision != machine.ProvisionAuto && k.Provision != machine.ProvisionImage ||
		len(k.Artifacts)+len(k.Packages) > 0 {
		s.instead(at, "leave it out", "Bottlerocket's image has Kubernetes, and nothing can be added to it")
		return
	}
	if v, ok := node.ParseVersion(t.KubernetesVersion); ok {
		minor := strings.Join(strings.SplitN(v.String(), ".", 3)[:2], ".")
		s.inform(at, "the image contains Kubernetes; use a variant of Bottlerocket for %s", minor)
	}
}
