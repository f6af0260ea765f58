package migrate

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// references rewrites the references to converted kinds in an object of Cluster API. References in other objects are
// reported.
func (c *conversion) references(d *manifest) {
	core := d.group() == clusterGroup
	if core && d.kind() == "ClusterClass" {
		c.classPatches(d)
	}
	c.walk(d, d.field(), core)
}

// walk visits all values below a field.
func (c *conversion) walk(d *manifest, f field, rewrite bool) {
	if f.node.Kind == yaml.MappingNode {
		c.reference(d, f, rewrite)
	}
	for _, child := range append(f.children(), f.items()...) {
		c.walk(d, child, rewrite)
	}
}

// reference rewrites a mapping that names a converted kind by kind and apiVersion, or by kind and apiGroup.
func (c *conversion) reference(d *manifest, f field, rewrite bool) {
	kind, version, group := f.get("kind"), f.get("apiVersion"), f.get("apiGroup")
	name := group.text()
	if name == "" {
		name, _, _ = strings.Cut(version.text(), "/")
	}
	rule, ok := kindOf(name, kind.text())
	if !ok {
		c.foreign(f, name, kind.text())
		return
	}
	if !rewrite {
		kind.add(kind, Decision, "this names a %s, which is now a %s of %s; change it by hand", rule.kind, rule.newKind,
			rule.newGroup)
		return
	}
	d.changed = true
	kind.node.Value = rule.newKind
	if group.exists() {
		group.node.Value = rule.newGroup
	}
	if version.exists() {
		version.node.Value = rule.newGroup + "/" + newVersion
	}
	f.add(f, Changed, "the reference names %s of %s now", rule.newKind, rule.newGroup)
}

// foreign reports references to bootstrap and control plane providers that are not converted.
func (c *conversion) foreign(f field, group, kind string) {
	groups := []string{bootstrapGroup, controlPlaneGroup}
	if kind != "" && f.path != "" && slices.Contains(groups, group) {
		f.add(f, Note, "%s of %s is not converted", kind, group)
	}
}
