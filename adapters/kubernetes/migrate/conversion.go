package migrate

import (
	"slices"
	"strings"
)

// The groups and versions of the objects.
const (
	bootstrapGroup    = "bootstrap.cluster.x-k8s.io"
	controlPlaneGroup = "controlplane.cluster.x-k8s.io"
	clusterGroup      = "cluster.x-k8s.io"

	newBootstrapGroup    = "bootstrap.machineadm.io"
	newControlPlaneGroup = "controlplane.machineadm.io"
	newVersion           = "v1alpha1"
)

// conversion converts the documents of one input.
type conversion struct {
	options   Options
	documents []*manifest
	links     []link
	// parents are the places to which patches of classes add values.
	parents []parent
	// partial is set for the conversion of a patch, which is not a whole spec.
	partial bool
}

func newConversion(documents []*manifest, o Options) *conversion {
	return &conversion{options: o, documents: documents, links: linksOf(documents)}
}

// kindRule describes a kind that is converted.
type kindRule struct {
	group, kind string
	// newGroup and newKind are those of the converted object.
	newGroup, newKind string
	convert           func(*conversion, *manifest)
}

// kindRules returns the kinds that are converted.
func kindRules() []kindRule {
	const config, controlPlane = "MachineBootstrapConfig", "MachineadmControlPlane"
	return []kindRule{
		{bootstrapGroup, "KubeadmConfig", newBootstrapGroup, config, (*conversion).config},
		{bootstrapGroup, "KubeadmConfigTemplate", newBootstrapGroup, config + "Template", (*conversion).template},
		{bootstrapGroup, "TalosConfigTemplate", newBootstrapGroup, config + "Template", (*conversion).talosTemplate},
		{controlPlaneGroup, "KubeadmControlPlane", newControlPlaneGroup, controlPlane, (*conversion).controlPlane},
		{
			controlPlaneGroup, "KubeadmControlPlaneTemplate", newControlPlaneGroup, controlPlane + "Template",
			(*conversion).controlPlaneTemplate,
		},
	}
}

// kindOf returns the rule for a kind of a group.
func kindOf(group, kind string) (kindRule, bool) {
	rules := kindRules()
	i := slices.IndexFunc(rules, func(r kindRule) bool { return r.group == group && r.kind == kind })
	if i < 0 {
		return kindRule{}, false
	}
	return rules[i], true
}

// run converts the templates before the patches of classes, which depend on them.
func (c *conversion) run() {
	var others []*manifest
	for _, d := range c.documents {
		if d.root == nil || d.hasCreator() {
			continue
		}
		rule, ok := kindOf(d.group(), d.kind())
		if !ok {
			others = append(others, d)
			continue
		}
		d.changed = true
		rule.convert(c, d)
		d.identify(rule)
	}
	for _, d := range others {
		c.references(d)
	}
	c.createParents()
}

// identify sets the kind and the version of a converted object, and removes its status.
func (d *manifest) identify(rule kindRule) {
	root := d.field()
	version := root.get("apiVersion")
	root.get("kind").node.Value = rule.newKind
	version.node.Value = rule.newGroup + "/" + newVersion
	d.add(field{}, Changed, "%s is now %s of %s", rule.kind, rule.newKind, version.node.Value)
	d.removeLiveMetadata()
	if status := root.get("status"); status.exists() {
		d.add(status, Note, "the status was removed; the controller writes its own")
		i := slices.IndexFunc(d.root.Content, func(n *node) bool { return n == status.key })
		d.root.Content = slices.Delete(d.root.Content, i, i+2)
	}
}

func (c *conversion) result() (Result, error) {
	var out Result
	for _, d := range c.documents {
		body, err := d.encode()
		if err != nil {
			return Result{}, err
		}
		out.Manifests = append(out.Manifests, body...)
		for i := range d.lines {
			d.lines[i].Message = d.unmask(d.lines[i].Message)
		}
		slices.SortStableFunc(d.lines, func(a, b Line) int { return a.Line - b.Line })
		out.Report = append(out.Report, d.lines...)
	}
	return out, nil
}

// config converts a KubeadmConfig.
func (c *conversion) config(d *manifest) {
	spec := d.field().get("spec")
	role := roleWorker
	creates := spec.get("clusterConfiguration").exists() && !spec.get("joinConfiguration").exists()
	if spec.get("joinConfiguration", "controlPlane").exists() || spec.get("initConfiguration").exists() || creates ||
		d.field().get("metadata", "labels", "cluster.x-k8s.io/control-plane").exists() {
		role = roleControlPlane
	}
	c.replaceSpec(d, spec, c.spec(d, spec, role))
}

// template converts a KubeadmConfigTemplate.
func (c *conversion) template(d *manifest) {
	resource := d.field().get("spec", "template")
	spec := resource.get("spec")
	role := roleWorker
	if spec.get("joinConfiguration", "controlPlane").exists() {
		role = roleControlPlane
	}
	out := c.spec(d, spec, role)
	if metadata := resource.get("metadata"); metadata.exists() {
		metadata.take()
	}
	c.replaceSpec(d, spec, out)
}

// replaceSpec replaces the spec of a config, or the one inside of a template, and reports what is left of the old one.
func (c *conversion) replaceSpec(d *manifest, spec field, out *node) {
	spec.leftovers()
	if spec.node != nil {
		*spec.node = *out
		return
	}
	if strings.HasSuffix(d.kind(), "Template") {
		set(d.root, "spec.template.spec", out)
		return
	}
	set(d.root, "spec", out)
}
