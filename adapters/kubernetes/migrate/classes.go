package migrate

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// patchValue is the placeholder of a value that a variable of the class sets.
const patchValue = "the-value-of-the-class"

// templateKey is the field of a value that is a template.
const templateKey = "template"

// target is what the patches of a definition change.
type target struct {
	// old and new are the paths of the bootstrap specs in the templates.
	old, new string
	role     role
}

// targets are the kinds that patches of classes select. Paths are JSON pointers.
func targets() map[string]target {
	const spec = "/spec/template/spec/"
	return map[string]target{
		"KubeadmControlPlaneTemplate": {old: spec + "kubeadmConfigSpec/", new: spec + "bootstrap/", role: roleControlPlane},
		"KubeadmConfigTemplate":       {old: spec, new: spec, role: roleWorker},
	}
}

// classPatches converts the patches of a ClusterClass. The API server refuses empty lists of patches, so that a
// definition and a patch of which nothing is left are left out.
func (c *conversion) classPatches(d *manifest) {
	patches := d.field().get("spec", "patches")
	filterItems(patches, func(patch field) bool {
		external := patch.get("external")
		if external.exists() {
			external.add(external, Decision, "the extension gets templates of the kinds of machineadm now; check that it "+
				"changes them")
		}
		definitions := patch.get("definitions")
		filterItems(definitions, func(definition field) bool { return c.patchDefinition(d, definition) })
		return !definitions.exists() || len(definitions.node.Content) > 0
	})
	if patches.exists() && len(patches.node.Content) == 0 {
		remove(d.field().get("spec").node, "patches")
	}
}

// filterItems removes the elements of a list for which include returns false.
func filterItems(from field, include func(field) bool) {
	var remaining []*node
	for _, item := range from.items() {
		if include(item) {
			remaining = append(remaining, item.node)
		}
	}
	if len(remaining) < len(from.items()) {
		from.node.Content = remaining
	}
}

// patchDefinition converts the patches of a definition, and reports whether any are left.
func (c *conversion) patchDefinition(d *manifest, definition field) bool {
	selector, patches := definition.get("selector"), definition.get("jsonPatches")
	rule, ok := kindOf(groupOf(selector), selector.get("kind").text())
	t, known := targets()[rule.kind]
	if !ok || !known || !patches.exists() {
		return true
	}
	d.changed = true
	c.jsonPatches(patches, rule, t)
	return len(patches.node.Content) > 0
}

// jsonPatches converts the patches of one definition. Patches for initConfiguration and joinConfiguration become one.
func (c *conversion) jsonPatches(patches field, rule kindRule, t target) {
	var out []*node
	var sources []field
	for _, p := range patches.items() {
		converted := c.jsonPatch(p, rule, t)
		if converted == nil {
			continue
		}
		i := slices.IndexFunc(out, func(n *node) bool { return sameValue(n, converted) })
		if i >= 0 {
			p.add(p, Changed, "the same patch is for all machines already; this one was removed")
			sources[i] = field{}
			continue
		}
		out, sources = append(out, converted), append(sources, p)
		if path := lookup(converted, "path"); path != nil {
			c.parents = append(c.parents, parent{kind: rule.newKind, path: path.Value})
		}
	}
	for _, p := range sources {
		reportOneSided(p, t)
	}
	patches.node.Content = out
}

// reportOneSided reports a patch that is for the first machine only, or only for the others.
func reportOneSided(p field, t target) {
	path := p.get("path")
	rest := strings.TrimPrefix(path.text(), t.old)
	switch {
	case !p.exists() || t.role != roleControlPlane:
	case strings.HasPrefix(rest, "initConfiguration/"):
		path.add(path, Decision, "only the first machine had this setting; all machines have it now")
	case strings.HasPrefix(rest, "joinConfiguration/"):
		path.add(path, Decision, "the first machine did not have this setting; all machines have it now")
	}
}

// jsonPatch converts a patch. It converts a spec with nothing but the value, and finds the value in the result.
func (c *conversion) jsonPatch(p field, rule kindRule, t target) *node {
	path := p.get("path")
	rest, inside := strings.CutPrefix(path.text()+"/", t.old)
	names := splitPointer(rest)
	value, template := p.get("value"), parseTemplate(p.get("valueFrom", "template").text())
	switch {
	case !inside || len(names) == 0 && template == nil && !value.exists():
		return c.outerPatch(p, t)
	case template != nil:
		v := c.patchValueOf(p, names, template.value, t)
		if text, ok := template.result(v.value); ok {
			v.report(path)
			return c.rewritten(p, t.new+v.path, text)
		}
	}
	from := value.node
	if !value.exists() {
		from = text(patchValue)
	}
	v := c.patchValueOf(p, names, clone(from), t)
	v.report(path)
	if v.value == nil {
		path.add(path, Decision, "the patch was left out; nothing or more than one field replaces its value")
		return nil
	}
	if isEntry(names) {
		if n, ok := c.entryPatch(p, rule, t.new+v.path, v.value); ok {
			return n
		}
	}
	return c.rewritten(p, t.new+v.path, v.value)
}

// patchResult is the converted value of a patch, and its path in the new spec.
type patchResult struct {
	path  string
	value *node
	lines []Line
}

func (r patchResult) report(path field) {
	if slices.ContainsFunc(splitPointer(r.path), isIndex) {
		path.add(path, Decision, "elements of the list may have other positions in the templates; check the number in the "+
			"path")
	}
	for _, l := range r.lines {
		if l.Outcome == Decision || l.Outcome == NoCounterpart {
			path.add(path, l.Outcome, "%s", l.Message)
		}
	}
}

// patchValueOf converts a spec that contains only the value. Without names, the value is the whole spec.
func (c *conversion) patchValueOf(p field, names []string, value *node, t target) patchResult {
	source := field{ledger: newLedger(p.object, p.offset), node: nest(names, value)}
	sub := &conversion{options: Options{OS: OS{Distribution: "ubuntu"}}, partial: true}
	if len(names) == 0 {
		sub = &conversion{options: c.options}
	}
	out := sub.spec(&manifest{ledger: source.ledger}, source, t.role)
	source.leftovers()
	r := patchResult{value: out, lines: source.lines}
	if len(names) > 0 {
		remove(out, "os")
		remove(out, "format")
		r.path, r.value = soleValue(out, elementsOf(names))
	}
	return r
}

// entryPatch returns the patch for an argument that all templates have already. It replaces the argument.
func (c *conversion) entryPatch(p field, rule kindRule, to string, got *node) (*node, bool) {
	path, op := p.get("path"), p.get("op")
	at := -1
	for _, d := range c.documents {
		if d.root == nil || d.kind() != rule.newKind {
			continue
		}
		arguments := find(d.root, strings.ReplaceAll(strings.Trim(strings.TrimSuffix(to, "/-"), "/"), "/", "."))
		i := indexOfArgument(arguments, lookup(got, "name"))
		if at >= 0 && i != at {
			path.add(path, Decision, "the argument has another place in each template; check the index in the path")
		}
		at = max(at, i)
	}
	if at < 0 {
		return nil, false
	}
	out := clone(p.node)
	lookup(out, "path").Value = strings.TrimSuffix(to, "-") + strconv.Itoa(at)
	if !op.is("remove") {
		lookup(out, "path").Value += "/value"
		lookup(out, "op").Value = "replace"
	}
	path.add(path, Changed, "the path is now %s", lookup(out, "path").Value)
	return out, true
}

// indexOfArgument returns the index of the argument with a name, or -1.
func indexOfArgument(arguments, name *node) int {
	if arguments == nil || name == nil || arguments.Kind != yaml.SequenceNode {
		return -1
	}
	return slices.IndexFunc(arguments.Content, func(n *node) bool { return sameValue(lookup(n, "name"), name) })
}

// rewritten returns the patch with another path and value.
func (c *conversion) rewritten(p field, to string, got *node) *node {
	path, op := p.get("path"), p.get("op")
	to = strings.TrimSuffix(to, "/")
	if strings.HasSuffix(to, "/-") && !op.is("add") {
		path.add(path, Decision, "an element of a list cannot be replaced or removed by its name; the patch was left out")
		return nil
	}
	out := clone(p.node)
	lookup(out, "path").Value = to
	switch from := lookup(out, "valueFrom"); {
	case lookup(out, "value") != nil:
		put(out, "value", got)
	case from != nil && lookup(got, templateKey) != nil:
		put(out, "valueFrom", got)
	case from != nil && got.Value != patchValue:
		template, ok := templateOf(from, got)
		if !ok {
			path.add(path, Decision, "the value is a part of an object now; the patch was left out, write its template")
			return nil
		}
		put(out, "valueFrom", template)
	}
	path.add(path, Changed, pathOfPatch, to)
	return out
}

// outerPatch converts a patch of a field around the bootstrap spec.
func (c *conversion) outerPatch(p field, t target) *node {
	const spec = "/spec/template/spec/"
	path := p.get("path")
	rest, _ := strings.CutPrefix(path.text(), spec)
	if strings.HasPrefix(path.text(), "/spec/template/metadata") {
		return p.node
	}
	dotted := strings.ReplaceAll(rest, "/", ".")
	for _, r := range controlPlaneMoves() {
		if below, ok := strings.CutPrefix(dotted+".", r.from+"."); ok && t.role == roleControlPlane {
			to := strings.TrimSuffix(r.to+"."+below, ".")
			return c.rewritten(p, spec+strings.ReplaceAll(to, ".", "/"), text(patchValue))
		}
	}
	path.add(path, Decision, "the path has no counterpart that is known; the patch was left out")
	return nil
}

// templateOf returns the source of a value that is a field of an object now, such as the value of an argument.
func templateOf(from, got *node) (*node, bool) {
	expression := ""
	if v := lookup(from, "variable"); v != nil {
		expression = "{{ ." + v.Value + " }}"
	} else if t := lookup(from, "template"); t != nil {
		expression = strings.TrimSpace(t.Value)
	}
	if expression == "" || strings.Contains(expression, "\n") || got.Kind != yaml.MappingNode {
		return nil, false
	}
	object := clone(got)
	value := lookup(object, "value")
	if value == nil || value.Value != patchValue {
		return nil, false
	}
	value.Style = yaml.DoubleQuotedStyle
	body, err := yaml.Marshal(object)
	if err != nil {
		return nil, false
	}
	return put(mapping(), templateKey, text(strings.ReplaceAll(string(body), patchValue, expression))), true
}

// parent is a path in templates of a kind, below which a patch adds a value.
type parent struct{ kind, path string }

// inBootstrap reports whether the path is one of a bootstrap spec. The objects around it must not be empty.
func (p parent) inBootstrap() bool {
	return strings.HasPrefix(p.kind, "MachineBootstrap") || strings.Contains(p.path, "/bootstrap/")
}

// createParents creates the lists and maps of templates to which patches add values. A patch does not create them.
func (c *conversion) createParents() {
	for _, p := range c.parents {
		for _, d := range c.documents {
			if d.root != nil && d.kind() == p.kind && p.inBootstrap() {
				createParent(d.root, strings.Split(strings.TrimPrefix(p.path, "/"), "/"))
			}
		}
	}
}

func createParent(n *node, names []string) {
	for i, name := range names[:len(names)-1] {
		next := lookup(n, name)
		if n.Kind != yaml.MappingNode {
			return
		}
		if next == nil {
			next = mapping()
			if names[i+1] == "-" || isIndex(names[i+1]) {
				next = list()
			}
			put(n, name, next)
		}
		n = next
	}
}
