package node

import (
	"regexp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// socketPattern matches an endpoint with a scheme and without white space.
var socketPattern = regexp.MustCompile(`^[a-z]+://[^\s\x00]+$`)

// UninitializedTaint keeps pods off a worker until Cluster API has set its labels (bootstrap provider contract, "Taint
// Nodes at creation").
const UninitializedTaint = "node.cluster.x-k8s.io/uninitialized"

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

func (reg Registration) check(p report.Path) report.Report {
	var r report.Report
	if name, static := reg.Name.Static(); static && len(name) > 0 {
		r = append(r, checkSubdomain(p.Field("name"), string(name))...)
	}
	r = append(r, checkLabels("", reg.Labels).Below(p.Field("labels"))...)
	r = append(r, checkAnnotations(p.Field("annotations"), reg.Annotations)...)
	r = append(r, checkTaints("", reg.Taints).Below(p.Field("taints"))...)
	for i, name := range reg.IgnorePreflightErrors {
		r = append(r, checkWord(p.Field("ignorePreflightErrors").Index(i), name)...)
	}
	if !slices.Contains([]string{"", "Always", "IfNotPresent", "Never"}, reg.ImagePullPolicy) {
		r = append(r, report.Errorf(p.Field("imagePullPolicy"), "%q is not a pull policy", reg.ImagePullPolicy).
			To("use Always, IfNotPresent or Never"))
	}
	if s := reg.CRISocket; s != "" && !socketPattern.MatchString(s) {
		r = append(r, report.Errorf(p.Field("criSocket"), "%q is not a CRI endpoint", s).To("write unix:///run/…"))
	}
	return r
}

func checkLabels(p report.Path, labels []Label) report.Report {
	var r report.Report
	seen := map[string]bool{}
	for i, l := range labels {
		if seen[l.Key] {
			r = append(r, report.Errorf(p.Index(i), "the label is set twice").To("keep one of them"))
		}
		seen[l.Key] = true
		r = append(r, l.Check(p.Index(i))...)
	}
	return r
}

func checkTaints(p report.Path, taints []Taint) report.Report {
	var r report.Report
	type identity struct {
		key    string
		effect TaintEffect
	}
	seen := map[identity]int{}
	for i, t := range taints {
		id := identity{t.Key, t.Effect}
		if first, dup := seen[id]; dup {
			r = append(r, report.Errorf(p.Index(i), "element %d already has this key and effect", first).To(
				"remove one of them"))
		}
		seen[id] = i
		r = append(r, t.check("").Below(p.Index(i))...)
	}
	return r
}

// Check returns error findings for invalid labels, and for labels that kubelet may not set on its node.
func (l Label) Check(p report.Path) report.Report {
	var r report.Report
	prefix, _, hasPrefix := strings.Cut(l.Key, "/")
	if !isLabelKey(l.Key) {
		r = append(r, report.Errorf(p, "%q is not a label key", l.Key).To(
			"write NAME or PREFIX/NAME with letters, digits, dots, dashes and underscores"))
	}
	r = append(r, checkLabelValue(p, l.Value)...)
	if hasPrefix && kubernetesNamespace(prefix) && !kubeletMaySet(l.Key, prefix) {
		r = append(r, report.Errorf(p, "kubelet must not set the label %q, and does not start with it", l.Key).
			To("set it on the Machine or with kubectl, or use another prefix such as node.kubernetes.io/"))
	}
	return r
}

// maxLabelValue is the maximum length of a label's value.
const maxLabelValue = 63

// checkLabelValue checks the texts of a value. kubelet does not start with a label that the facts make invalid.
func checkLabelValue(p report.Path, value document.Content) report.Report {
	const remedy = "use at most 63 letters, digits, dots, dashes and underscores"
	text, static := value.Static()
	if static {
		if len(text) > 0 && !isLabelName(string(text)) {
			return report.Report{report.Errorf(p, "%q is not a label value", text).To(remedy)}
		}
		return nil
	}
	for _, f := range value.Fragments() {
		if !consists(string(f.Literal), isLabelText) || value.Len() >= maxLabelValue {
			return report.Report{report.Errorf(p, "%q cannot be part of a label value", f.Literal).To(remedy)}
		}
	}
	return nil
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
	if !isLabelKey(t.Key) {
		r = append(r, report.Errorf(p.Field("key"), "%q is not a taint key", t.Key).To("write NAME or PREFIX/NAME with "+
			"letters, digits, dots, dashes and underscores"))
	}
	if t.Value != "" && !isLabelName(t.Value) {
		r = append(r, report.Errorf(p.Field("value"), "%q is not a taint value", t.Value).To("use at most 63 letters, "+
			"digits, dots, dashes and underscores"))
	}
	if !slices.Contains([]TaintEffect{"NoSchedule", "PreferNoSchedule", "NoExecute"}, t.Effect) {
		r = append(r, report.Errorf(p.Field("effect"), "%q is not a taint effect", t.Effect).To(
			"use NoSchedule, PreferNoSchedule or NoExecute"))
	}
	return r
}

// ArgRuntimeEndpoint is kubelet's argument with the endpoint of the container runtime.
const ArgRuntimeEndpoint = "container-runtime-endpoint"

// FieldRuntimeEndpoint is the field of kubelet's configuration with the endpoint of the container runtime.
const FieldRuntimeEndpoint = "containerRuntimeEndpoint"

// RuntimeEndpoint returns the endpoint of the container runtime that the user has set: the field criSocket, or else
// kubelet's argument, or else the field of kubelet's configuration. It is empty if none is set. A path, which kubelet
// accepts, becomes a URL.
func (c NodeConfig) RuntimeEndpoint() string {
	if c.Registration.CRISocket != "" {
		return c.Registration.CRISocket
	}
	for _, a := range c.Kubelet.Args {
		if a.Name == ArgRuntimeEndpoint {
			value, _ := a.Value.Static() // It is empty if only the machine knows it.
			return EndpointURL(string(value))
		}
	}
	value, _ := c.Kubelet.Config[FieldRuntimeEndpoint].(string)
	return EndpointURL(value)
}

// EndpointURL returns an endpoint of a container runtime as a URL.
func EndpointURL(endpoint string) string {
	if strings.HasPrefix(endpoint, "/") {
		return "unix://" + endpoint
	}
	return endpoint
}
