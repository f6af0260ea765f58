package migrate

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	// manifestInText matches a text that contains an object of a converted kind, or a patch of one.
	manifestInText = regexp.MustCompile(`(?m)^\s*(?:- )?["']?kind["']?: *["']?(?:KubeadmC|TalosConfigTemplate)|` +
		patchPath.String())
	// patchPath matches the path of a JSON patch in an object of a converted kind.
	patchPath = regexp.MustCompile(
		`/spec/\S*(?:kubeadmConfigSpec|[a-z]+KubeadmCommands|clusterConfiguration|initConfiguration|joinConfiguration)\b`)
)

// references rewrites the references to converted kinds in an object of Cluster API. References in other objects are
// reported.
func (c *conversion) references(d *manifest) {
	core := d.group() == clusterGroup
	if d.kind() == "CustomResourceDefinition" {
		return
	}
	if core && d.kind() == "ClusterClass" {
		c.classPatches(d)
	}
	c.walk(d, d.field(), core)
}

// walk visits all values below a field, except owners: they are objects of a cluster, and not converted.
func (c *conversion) walk(d *manifest, f field, rewrite bool) {
	if f.path == "metadata.ownerReferences" {
		return
	}
	if f.node.Kind == yaml.MappingNode {
		c.reference(d, f, rewrite)
	}
	if !rewrite && manifestInText.MatchString(f.text()) {
		f.add(f, Decision, "this text contains an object or a patch that is converted only in a document of its own; "+
			"convert it by hand")
	}
	for _, child := range append(f.children(), f.items()...) {
		c.walk(d, child, rewrite)
	}
}

// reference rewrites a mapping that names a converted kind by kind and apiVersion, or by kind and apiGroup. Other tools
// name it by kind and group, or by kind alone.
func (c *conversion) reference(d *manifest, f field, rewrite bool) {
	kind, version, group := f.get("kind"), f.get("apiVersion"), f.get("apiGroup")
	name := group.text()
	if name == "" {
		name, _, _ = strings.Cut(version.text(), "/")
	}
	rule, ok := kindOf(name, kind.text())
	if !rewrite && name == "" {
		rule, ok = namedKind(f.get("group").text(), kind.text())
	}
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

// namedKind returns the rule for a kind whose group may be empty.
func namedKind(group, kind string) (kindRule, bool) {
	rules := kindRules()
	i := slices.IndexFunc(rules, func(r kindRule) bool { return r.kind == kind && (group == "" || r.group == group) })
	if i < 0 {
		return kindRule{}, false
	}
	return rules[i], true
}

// jsonPatch reports a list of JSON patches, such as a file of a kustomization, for an object of a converted kind.
func (d *manifest) jsonPatch(list field) {
	for _, item := range list.items() {
		if patchPath.MatchString(item.get("path").text()) {
			item.add(item, Decision, "this is a patch of a converted object; change its path by hand, or convert the result "+
				"of the kustomization")
			return
		}
	}
}

// foreign reports references to bootstrap and control plane providers that are not converted.
func (c *conversion) foreign(f field, group, kind string) {
	groups := []string{bootstrapGroup, controlPlaneGroup}
	if kind != "" && f.path != "" && slices.Contains(groups, group) {
		f.add(f, Note, "%s of %s is not converted", kind, group)
	}
}
