package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// starterVersion is the default version of Kubernetes in starters.
const starterVersion = "v1.36.3"

// starterField is a field of a YAML object. Comment precedes the field, and more follows it: fields that are commented
// out.
type starterField struct {
	name          string
	value         any
	comment, more string
}

// starterObject is a YAML object whose fields have an order.
type starterObject []starterField

// yamlOf returns the YAML of a value: fields, a list of fields, or a scalar.
func yamlOf(value any) *yaml.Node {
	n := &yaml.Node{}
	switch v := value.(type) {
	case starterObject:
		n.Kind = yaml.MappingNode
		for _, f := range v {
			key := &yaml.Node{Kind: yaml.ScalarNode, Value: f.name, HeadComment: f.comment, FootComment: f.more}
			n.Content = append(n.Content, key, yamlOf(f.value))
		}
	case []starterObject:
		n.Kind = yaml.SequenceNode
		for _, item := range v {
			n.Content = append(n.Content, yamlOf(item))
		}
	case string:
		n.SetString(v)
	case int:
		_ = n.Encode(v) // Numbers can be encoded.
	}
	return n
}

// starter returns the manifests. It fails if the provider delivers no format of the system.
func (i *initFlags) starter(p osprofile.Profile) ([]byte, error) {
	f, findings := i.deliverable(p)
	if findings.HasErrors() {
		return nil, fmt.Errorf("%s cannot boot %s: %s", i.infrastructure, p.Name, findings.Errors())
	}
	objects := []starterObject{i.deployment(p), i.template(p, f)}
	if strings.HasSuffix(i.infrastructure, "Pool") {
		objects = []starterObject{i.pool(p), i.config(p, f)}
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	for _, o := range objects {
		if err := e.Encode(yamlOf(o)); err != nil {
			return nil, err
		}
	}
	err := e.Close()
	return out.Bytes(), err
}

// object returns the beginning of an object.
func (i *initFlags) object(comment, version, kind string) starterObject {
	return starterObject{
		{name: "apiVersion", value: version, comment: comment},
		{name: "kind", value: kind},
		{name: "metadata", value: starterObject{{name: "name", value: i.name}}},
	}
}

func (i *initFlags) deployment(p osprofile.Profile) starterObject {
	labels := starterObject{
		{name: clusterv1.ClusterNameLabel, value: i.cluster}, {name: clusterv1.MachineDeploymentNameLabel, value: i.name},
	}
	return append(i.object("Workers with "+p.Name+" in the Cluster "+i.cluster+".", clusterv1.GroupVersion.String(),
		"MachineDeployment"), starterField{name: "spec", value: starterObject{
		{name: "clusterName", value: i.cluster},
		{name: "replicas", value: 3},
		{name: "selector", value: starterObject{{name: "matchLabels", value: labels}}},
		{name: "template", value: starterObject{
			{name: "metadata", value: starterObject{{name: "labels", value: labels}}},
			{name: "spec", value: i.machine(v1alpha1.TemplateKind, "Template")},
		}},
	}})
}

func (i *initFlags) pool(p osprofile.Profile) starterObject {
	return append(i.object("A pool of workers with "+p.Name+" in the Cluster "+i.cluster+".",
		clusterv1.GroupVersion.String(), "MachinePool"), starterField{name: "spec", value: starterObject{
		{name: "clusterName", value: i.cluster},
		{name: "replicas", value: 3},
		{name: "template", value: starterObject{{name: "spec", value: i.machine(v1alpha1.ConfigKind, "")}}},
	}})
}

// machine returns the spec of a Machine. The kind of its infrastructure has the suffix.
func (i *initFlags) machine(configKind, suffix string) starterObject {
	kind, group, _ := strings.Cut(i.infrastructure, ".")
	if kind == hostsv1.MachineKind {
		// The name in the table contains the field of the driver, and no group.
		group = hostsv1.Group
	}
	return starterObject{
		{name: "clusterName", value: i.cluster},
		{name: "version", value: i.version},
		{name: "bootstrap", value: starterObject{{name: "configRef", value: reference(v1alpha1.Group, configKind, i.name)}}},
		{
			name:    "infrastructureRef",
			value:   reference(cmp.Or(group, "infrastructure.cluster.x-k8s.io"), kind+suffix, i.name),
			comment: "Create this object, too. The documentation of its provider describes it.",
		},
	}
}

func reference(group, kind, name string) starterObject {
	return starterObject{{name: "apiGroup", value: group}, {name: "kind", value: kind}, {name: "name", value: name}}
}

func (i *initFlags) template(p osprofile.Profile, f delivery.Format) starterObject {
	return append(i.object("How each machine boots and becomes a node.", v1alpha1.GroupVersion().String(),
		v1alpha1.TemplateKind), starterField{name: "spec", value: starterObject{
		{name: "template", value: starterObject{{name: "spec", value: i.bootstrap(p, f)}}},
	}})
}

func (i *initFlags) config(p osprofile.Profile, f delivery.Format) starterObject {
	return append(i.object("How each machine boots and becomes a node.", v1alpha1.GroupVersion().String(),
		v1alpha1.ConfigKind), starterField{name: "spec", value: i.bootstrap(p, f)})
}

// bootstrap returns the spec of a config.
func (i *initFlags) bootstrap(p osprofile.Profile, f delivery.Format) starterObject {
	spec := starterObject{{name: "os", value: starterObject{
		{
			name: "distribution", value: p.ID, more: "architecture: arm64",
			comment: "Set version to the release of the image, if the formats of its releases differ.",
		},
	}}}
	if f != p.DefaultFormat() {
		spec = append(spec, starterField{
			name: "format", value: string(f), comment: "The provider does not deliver " + string(p.DefaultFormat()) + ".",
		})
	}
	kubernetes := starterField{
		name: "kubernetes", value: starterObject{{name: "provision", value: "Image"}},
		comment: kubernetesComment(p), more: moreFields(p),
	}
	spec = append(spec, starterField{name: "machine", value: starterObject{kubernetes}})
	spec[len(spec)-1].more = nodeFields(p)
	return spec
}

// deliverable returns the first format of the system that the provider delivers, or the findings about the default
// format if there is none.
func (i *initFlags) deliverable(p osprofile.Profile) (delivery.Format, report.Report) {
	for _, f := range p.Formats {
		if f.Format != delivery.FormatButane && !infrastructure.Check(i.infrastructure, f.Format, "").HasErrors() {
			return f.Format, nil
		}
	}
	return p.DefaultFormat(), infrastructure.Check(i.infrastructure, p.DefaultFormat(), "")
}
