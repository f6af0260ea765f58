package cli

import (
	"slices"
	"strings"
	"unicode"

	//nolint:staticcheck // most published manifests are of this version
	clusterv1beta1 "sigs.k8s.io/cluster-api/api/core/v1beta1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/kubernetes/admission"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// clusterKinds returns the kinds of Cluster API that are decoded, by their versions.
func clusterKinds() map[string]map[string]any {
	return map[string]map[string]any{
		clusterv1.GroupVersion.Version: {
			"Cluster": &clusterv1.Cluster{}, "ClusterClass": &clusterv1.ClusterClass{}, "Machine": &clusterv1.Machine{},
			"MachineSet": &clusterv1.MachineSet{}, "MachineDeployment": &clusterv1.MachineDeployment{},
			"MachinePool": &clusterv1.MachinePool{}, "MachineHealthCheck": &clusterv1.MachineHealthCheck{},
		},
		clusterv1beta1.GroupVersion.Version: {
			"Cluster": &clusterv1beta1.Cluster{}, "ClusterClass": &clusterv1beta1.ClusterClass{},
			"Machine": &clusterv1beta1.Machine{}, "MachineSet": &clusterv1beta1.MachineSet{},
			"MachineDeployment":  &clusterv1beta1.MachineDeployment{},
			"MachineHealthCheck": &clusterv1beta1.MachineHealthCheck{},
		},
	}
}

// admitCluster returns the findings about an object of Cluster API: values that its types do not have, and references
// without which its controllers create nothing.
func admitCluster(o *object, body map[string]any, checker *admission.Checker) report.Report {
	kinds := clusterKinds()[o.GroupVersionKind().Version]
	into, known := kinds[o.Kind]
	if !known {
		return nil
	}
	findings, ok := decodeStrict(o.json, into)
	if !ok {
		return findings
	}
	c := clusterCheck{fields: fields{body}, checker: checker, findings: findings}
	switch o.Kind {
	case "Cluster":
		c.cluster()
	case "Machine":
		c.machine("spec", false)
	case "MachineSet", "MachineDeployment":
		c.group("spec.clusterName")
		c.machine("spec.template.spec", true)
	case "MachinePool":
		c.group("spec.clusterName")
		c.machine("spec.template.spec", false)
	}
	return c.findings
}

// fields are the values of an object.
type fields struct{ body map[string]any }

// text returns the text at a path of names, or empty if there is none.
func (f fields) text(path string) string {
	text, _ := f.value(path).(string)
	return text
}

// value returns the value at a path of names, or nil if there is none.
func (f fields) value(path string) any {
	var value any = f.body
	for _, name := range strings.Split(path, ".") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}

// clusterCheck collects the findings about an object of Cluster API.
type clusterCheck struct {
	fields

	checker  *admission.Checker
	findings report.Report
}

func (c *clusterCheck) add(path, remedy, format string, args ...any) {
	c.findings = append(c.findings, report.Errorf(report.Path(path), format, args...).To("%s", remedy))
}

func (c *clusterCheck) cluster() {
	names := []string{"controlPlaneRef", "infrastructureRef", "topology"}
	if !slices.ContainsFunc(names, func(name string) bool { return c.value("spec."+name) != nil }) {
		c.add("spec", "set controlPlaneRef and infrastructureRef, or topology",
			"a Cluster needs one of controlPlaneRef, infrastructureRef and topology")
	}
}

// group checks that the field with the name of the cluster is set.
func (c *clusterCheck) group(path string) {
	if c.text(path) == "" {
		c.add(path, "set it to the name of the Cluster", "a value is required")
	}
}

// machine checks the spec of a machine. Several machines are created from templates.
func (c *clusterCheck) machine(spec string, several bool) {
	c.group(spec + ".clusterName")
	if v := c.text(spec + ".version"); v != "" && !isVersion(v) {
		c.add(spec+".version", "write it as v1.36.3", "%q is not a Kubernetes version", v)
	}
	at := spec + ".bootstrap.configRef"
	if c.value(at) == nil && c.text(spec+".bootstrap.dataSecretName") == "" {
		c.add(spec+".bootstrap", "set configRef to the kind and the name of the config", "there is no bootstrap config")
	}
	c.reference(at, several)
	c.reference(spec+".infrastructureRef", several)
	if c.value(spec+".infrastructureRef") == nil {
		c.add(spec+".infrastructureRef", "set it to the infrastructure machine, or its template", "a value is required")
	}
}

func isVersion(text string) bool {
	_, ok := node.ParseVersion(text)
	return ok
}

// templateKind returns the kind of templates of a kind, whose last word may be a misspelled Template.
func templateKind(kind string) string {
	word := max(0, strings.LastIndexFunc(kind, unicode.IsUpper))
	if report.Nearest(kind[word:], []string{"Template"}) != "" {
		return kind[:word] + "Template"
	}
	return kind + "Template"
}

// reference checks that a reference is one to a template exactly if several machines are created from it, and that its
// group is not a misspelled one of machineadm.
func (c *clusterCheck) reference(at string, several bool) {
	group, kind := c.text(at+".apiGroup"), c.text(at+".kind")
	if meant := c.checker.GroupOf(group, kind); meant != "" {
		c.add(at+".apiGroup", "did you mean "+meant+"?", "%q has no kind %s", group, kind)
	}
	isTemplate := strings.HasSuffix(kind, "Template")
	switch {
	case kind == "":
	case several && !isTemplate:
		c.add(at+".kind", "use the kind "+templateKind(kind), "machines cannot be created from the %s", kind)
	case !several && isTemplate && kind == v1alpha1.TemplateKind:
		c.add(at+".kind", "use the kind "+v1alpha1.ConfigKind, "the object of one machine cannot be a %s", kind)
	}
}
