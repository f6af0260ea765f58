package migrate

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// patchValue is the placeholder of a value that a variable of the class sets.
const patchValue = "the-value-of-the-class"

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

// classPatches converts the patches of a ClusterClass.
func (c *conversion) classPatches(d *manifest) {
	for _, patch := range d.field().get("spec", "patches").items() {
		for _, definition := range patch.get("definitions").items() {
			selector := definition.get("selector")
			rule, ok := kindOf(groupOf(selector), selector.get("kind").text())
			t, known := targets()[rule.kind]
			if !ok || !known {
				continue
			}
			d.changed = true
			c.jsonPatches(definition.get("jsonPatches"), rule, t)
		}
	}
}

// jsonPatches converts the patches of one definition. Patches for initConfiguration and joinConfiguration become one.
func (c *conversion) jsonPatches(patches field, rule kindRule, t target) {
	if !patches.exists() {
		return
	}
	var out []*node
	for _, p := range patches.items() {
		converted := c.jsonPatch(p, t)
		if converted == nil {
			continue
		}
		same := func(n *node) bool { return sameValue(n, converted) }
		if slices.ContainsFunc(out, same) {
			p.add(p, Changed, "the same patch is for all machines already; this one was removed")
			continue
		}
		out = append(out, converted)
		if path := lookup(converted, "path"); path != nil {
			c.parents = append(c.parents, parent{kind: rule.newKind, path: path.Value})
		}
	}
	patches.node.Content = out
}

// jsonPatch converts a patch. It converts a spec with nothing but the value, and finds the value in the result.
func (c *conversion) jsonPatch(p field, t target) *node {
	path := p.get("path")
	rest, inside := strings.CutPrefix(path.text(), t.old)
	if !inside || rest == "" {
		return c.outerPatch(p, t)
	}
	names := strings.Split(rest, "/")
	value := p.get("value")
	from := clone(value.node)
	if !value.exists() {
		from = text(patchValue)
	}
	source := field{ledger: newLedger(p.object, p.offset), node: nest(names, from)}
	sub := &conversion{options: Options{OS: OS{Distribution: "ubuntu"}}, partial: true}
	out := sub.spec(&manifest{ledger: source.ledger}, source, t.role)
	source.leftovers()
	for _, l := range source.lines {
		if l.Outcome == Decision || l.Outcome == NoCounterpart {
			path.add(path, l.Outcome, "%s", l.Message)
		}
	}
	remove(out, "os")
	remove(out, "format")
	to, got := soleValue(out, slices.Contains(names, "-") || isEntry(names))
	if got == nil {
		path.add(path, Decision, "the patch was left out; nothing or more than one field replaces its value")
		return nil
	}
	return c.rewritten(p, t.new+to, got)
}

// rewritten returns the patch with another path and value.
func (c *conversion) rewritten(p field, to string, got *node) *node {
	path, op := p.get("path"), p.get("op")
	if strings.HasSuffix(to, "/-") && !op.is("add") {
		path.add(path, Decision, "an element of a list cannot be replaced or removed by its name; the patch was left out")
		return nil
	}
	out := clone(p.node)
	lookup(out, "path").Value = to
	switch from := lookup(out, "valueFrom"); {
	case lookup(out, "value") != nil:
		put(out, "value", got)
	case from != nil && got.Value != patchValue:
		template, ok := templateOf(from, got)
		if !ok {
			path.add(path, Decision, "the value is a part of an object now; the patch was left out, write its template")
			return nil
		}
		put(out, "valueFrom", template)
	}
	path.add(path, Changed, "the path is now %s", to)
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

// nest returns the value below the names of a JSON pointer. A dash is the next element of a list.
func nest(names []string, value *node) *node {
	for _, name := range slices.Backward(names) {
		if _, err := strconv.Atoi(name); name == "-" || err == nil {
			value = list(value)
			continue
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		value = put(mapping(), name, value)
	}
	return value
}

// soleValue returns the JSON pointer and the value of the only field that is set. With element, the value is an element
// of a list.
func soleValue(n *node, element bool) (string, *node) {
	var names []string
	for {
		switch {
		case n.Kind == yaml.MappingNode && len(n.Content) == 2:
			names = append(names, strings.NewReplacer("~", "~0", "/", "~1").Replace(n.Content[0].Value))
			n = n.Content[1]
		case n.Kind == yaml.SequenceNode && len(n.Content) == 1 && element:
			return strings.Join(append(names, "-"), "/"), n.Content[0]
		case n.Kind == yaml.MappingNode || len(names) == 0:
			return "", nil
		default:
			return strings.Join(names, "/"), n
		}
	}
}

// isEntry reports whether the path names an argument in a map of v1beta1, which is an element of a list here.
func isEntry(names []string) bool {
	return len(names) > 1 && strings.HasSuffix(strings.ToLower(names[len(names)-2]), "extraargs")
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
	return put(mapping(), "template", text(strings.ReplaceAll(string(body), patchValue, expression))), true
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
			if names[i+1] == "-" {
				next = list()
			}
			put(n, name, next)
		}
		n = next
	}
}
