package node

import (
	"net"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
)

var (
	versionPattern = regexp.MustCompile(`^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
	tokenPattern   = regexp.MustCompile(`^[a-z0-9]{6}\.[a-z0-9]{16}$`)
	hashPattern    = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
	argPattern     = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]*$`)
	// labelKeyPattern and labelValuePattern are those of the Kubernetes API.
	labelKeyPattern   = regexp.MustCompile(`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`)
	labelValuePattern = regexp.MustCompile(`^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$`)
	podNamePattern    = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$`)
)

// kubeletLabels are the labels in Kubernetes's own namespaces that kubelet may set on its node (admission plug-in
// NodeRestriction).
func kubeletLabels() []string {
	return []string{
		"kubernetes.io/hostname", "kubernetes.io/arch", "kubernetes.io/os", "beta.kubernetes.io/instance-type",
		"node.kubernetes.io/instance-type", "failure-domain.beta.kubernetes.io/region",
		"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/region", "topology.kubernetes.io/zone",
		"beta.kubernetes.io/arch", "beta.kubernetes.io/os",
	}
}

// Check finds a version, an endpoint, a discovery or a registration that kubelet or kubeadm refuses.
func (c NodeConfig) Check(p report.Path) report.Report {
	var r report.Report
	if !versionPattern.MatchString(c.KubernetesVersion) {
		r = append(r, report.Errorf(p.Field("kubernetesVersion"), "%q is no version", c.KubernetesVersion).To("write it as v1.36.3"))
	}
	r = append(r, c.checkDiscovery(p.Field("discovery"))...)
	r = append(r, c.Registration.check(p)...)
	r = append(r, checkArgs(p.Field("kubelet").Field("extraArgs"), c.Kubelet.Args)...)
	for _, key := range []string{"apiVersion", "kind"} {
		if _, given := c.Kubelet.Config[key]; given {
			r = append(r, report.Errorf(p.Field("kubelet").Field("config").Field(key), "this is filled in").To("leave it out"))
		}
	}
	for i, patch := range c.Patches {
		r = append(r, patch.check(p.Field("patches").Index(i), c.Role)...)
	}
	if c.BindPort < 0 || c.BindPort > 65535 {
		r = append(r, report.Errorf(p.Field("bindPort"), "%d is no port", c.BindPort))
	}
	if c.Verbosity < 0 || c.Verbosity > 10 {
		r = append(r, report.Errorf(p.Field("verbosity"), "%d is not between 0 and 10", c.Verbosity))
	}
	return r
}

func (c NodeConfig) checkDiscovery(p report.Path) report.Report {
	if c.Role == RoleInit {
		return nil
	}
	if c.Discovery == nil {
		return report.Report{report.Errorf(p, "a machine that joins needs a discovery")}
	}
	d := c.Discovery
	if !d.Kubeconfig.IsZero() {
		return nil
	}
	var r report.Report
	if !tokenPattern.Match(d.Token.Reveal()) {
		r = append(r, report.Errorf(p.Field("token"), "this is no bootstrap token"))
	}
	for i, h := range d.CACertHashes {
		if !hashPattern.MatchString(h) {
			r = append(r, report.Errorf(p.Field("caCertHashes").Index(i), "%q is no pin", h).To("write sha256: and 64 hexadecimal digits"))
		}
	}
	if len(d.CACertHashes) == 0 {
		r = append(r, report.Errorf(p.Field("caCertHashes"), "without a pin any API server would be trusted"))
	}
	return append(r, checkEndpoint(p.Field("apiServerEndpoint"), d.APIServerEndpoint)...)
}

func checkEndpoint(p report.Path, s string) report.Report {
	if s == "" {
		return nil
	}
	host, port, err := net.SplitHostPort(s)
	n, convErr := strconv.Atoi(port)
	if err != nil || convErr != nil || host == "" || n < 1 || n > 65535 || strings.ContainsAny(s, " \t\r\n/") {
		return report.Report{report.Errorf(p, "%q is no host:port", s)}
	}
	return nil
}

func (reg Registration) check(p report.Path) report.Report {
	var r report.Report
	for _, l := range reg.Labels {
		r = append(r, l.check(p.Field("labels").Key(l.Key))...)
	}
	for i, t := range reg.Taints {
		r = append(r, t.check(p.Field("taints").Index(i))...)
	}
	if !slices.Contains([]string{"", "Always", "IfNotPresent", "Never"}, reg.ImagePullPolicy) {
		r = append(r, report.Errorf(p.Field("imagePullPolicy"), "%q is no pull policy", reg.ImagePullPolicy).
			To("use Always, IfNotPresent or Never"))
	}
	if s := reg.CRISocket; s != "" && !strings.Contains(s, "://") {
		r = append(r, report.Errorf(p.Field("criSocket"), "%q is no endpoint", s).To("write unix:///run/…"))
	}
	return r
}

func (l Label) check(p report.Path) report.Report {
	var r report.Report
	prefix, _, hasPrefix := strings.Cut(l.Key, "/")
	if !labelKeyPattern.MatchString(l.Key) {
		r = append(r, report.Errorf(p, "%q is no label's key", l.Key))
	}
	if !labelValuePattern.MatchString(l.Value) {
		r = append(r, report.Errorf(p, "%q is no label's value", l.Value))
	}
	if hasPrefix && kubernetesNamespace(prefix) && !kubeletMaySet(l.Key, prefix) {
		r = append(r, report.Errorf(p, "kubelet may not give its node the label %q, and does not start with it", l.Key).
			To("set it on the Machine or with kubectl, or use another prefix such as node.kubernetes.io/"))
	}
	return r
}

func kubernetesNamespace(prefix string) bool {
	return prefix == "kubernetes.io" || prefix == "k8s.io" ||
		strings.HasSuffix(prefix, ".kubernetes.io") || strings.HasSuffix(prefix, ".k8s.io")
}

func kubeletMaySet(key, prefix string) bool {
	for _, free := range []string{"kubelet.kubernetes.io", "node.kubernetes.io"} {
		if prefix == free || strings.HasSuffix(prefix, "."+free) {
			return true
		}
	}
	return slices.Contains(kubeletLabels(), key)
}

func (t Taint) check(p report.Path) report.Report {
	var r report.Report
	if !labelKeyPattern.MatchString(t.Key) {
		r = append(r, report.Errorf(p.Field("key"), "%q is no taint's key", t.Key))
	}
	if !labelValuePattern.MatchString(t.Value) {
		r = append(r, report.Errorf(p.Field("value"), "%q is no taint's value", t.Value))
	}
	if !slices.Contains([]TaintEffect{"NoSchedule", "PreferNoSchedule", "NoExecute"}, t.Effect) {
		r = append(r, report.Errorf(p.Field("effect"), "%q is no effect", t.Effect).To("use NoSchedule, PreferNoSchedule or NoExecute"))
	}
	return r
}

func checkArgs(p report.Path, args []Arg) report.Report {
	var r report.Report
	for i, a := range args {
		if !argPattern.MatchString(a.Name) {
			r = append(r, report.Errorf(p.Index(i).Field("name"), "%q is no argument's name", a.Name).To("leave the dashes out"))
		}
	}
	return r
}

func (patch Patch) check(p report.Path, role Role) report.Report {
	targets := []string{"kubeletconfiguration"}
	if role.IsControlPlane() {
		targets = append(targets, "kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd", "corednsdeployment")
	}
	var r report.Report
	if !slices.Contains(targets, patch.Target) {
		r = append(r, report.Errorf(p.Field("target"), "kubeadm patches no %q here", patch.Target).To("use one of %v", targets))
	}
	if !slices.Contains([]string{"", "strategic", "merge", "json"}, patch.Type) {
		r = append(r, report.Errorf(p.Field("type"), "%q is no kind of patch", patch.Type).To("use strategic, merge or json"))
	}
	return r
}

// Check finds names that cannot be a file's, and empty manifests.
func (s StaticPod) Check(p report.Path) report.Report {
	var r report.Report
	if !podNamePattern.MatchString(s.Name) {
		r = append(r, report.Errorf(p.Field("name"), "%q is no name of a pod", s.Name))
	}
	if slices.Contains([]string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"}, s.Name) {
		r = append(r, report.Errorf(p.Field("name"), "%q is kubeadm's own static pod", s.Name).To("change it with controlPlane or a patch"))
	}
	if len(s.Manifest) == 0 {
		r = append(r, report.Errorf(p.Field("manifest"), "the manifest is empty"))
	}
	return r
}

// Check finds components, etcd and certificates that kubeadm refuses.
func (c ControlPlaneConfig) Check(p report.Path) report.Report {
	r := c.APIServer.check(p.Field("apiServer"))
	r = append(r, c.ControllerManager.check(p.Field("controllerManager"))...)
	r = append(r, c.Scheduler.check(p.Field("scheduler"))...)
	r = append(r, c.checkEtcd(p.Field("etcd"))...)
	algorithms := []KeyAlgorithm{"", RSA2048, RSA3072, RSA4096, ECDSAP256, ECDSAP384}
	if !slices.Contains(algorithms, c.Certificates.Algorithm) {
		r = append(r, report.Errorf(p.Field("certificates").Field("algorithm"), "%q is no key algorithm", c.Certificates.Algorithm).
			To("use one of %v", algorithms[1:]))
	}
	if c.Certificates.ValidityDays < 0 || c.Certificates.CAValidityDays < 0 {
		r = append(r, report.Errorf(p.Field("certificates"), "a validity is not negative"))
	}
	return r
}

func (c ControlPlaneConfig) checkEtcd(p report.Path) report.Report {
	if c.LocalEtcd != nil && c.ExternalEtcd != nil {
		return report.Report{report.Errorf(p, "etcd is either local or external").To("remove one of them")}
	}
	if c.LocalEtcd != nil {
		return checkArgs(p.Field("local").Field("extraArgs"), c.LocalEtcd.Args)
	}
	if c.ExternalEtcd == nil {
		return nil
	}
	var r report.Report
	if len(c.ExternalEtcd.Endpoints) == 0 {
		r = append(r, report.Errorf(p.Field("external").Field("endpoints"), "an external etcd has at least one endpoint"))
	}
	for i, e := range c.ExternalEtcd.Endpoints {
		if !strings.HasPrefix(e, "https://") && !strings.HasPrefix(e, "http://") {
			r = append(r, report.Errorf(p.Field("external").Field("endpoints").Index(i), "%q is no URL", e))
		}
	}
	return r
}

func (a APIServer) check(p report.Path) report.Report {
	r := a.Component.check(p)
	if a.Audit != nil && len(a.Audit.Policy) == 0 {
		r = append(r, report.Errorf(p.Field("audit").Field("policy"), "an audit log needs a policy"))
	}
	return r
}

func (c Component) check(p report.Path) report.Report {
	r := checkArgs(p.Field("extraArgs"), c.Args)
	for i, v := range c.Volumes {
		at := p.Field("extraVolumes").Index(i)
		if !podNamePattern.MatchString(v.Name) {
			r = append(r, report.Errorf(at.Field("name"), "%q is no name of a volume", v.Name))
		}
		if !path.IsAbs(v.HostPath) || !path.IsAbs(v.MountPath) {
			r = append(r, report.Errorf(at, "hostPath and mountPath are absolute"))
		}
	}
	return r
}
