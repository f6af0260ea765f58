package migrate

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
)

// registration converts nodeRegistration.
func (s *specs) registration(in field) {
	s.nodeName(in.get("name"))
	s.criSocket(in.get("criSocket"))
	move(in.get("ignorePreflightErrors"), s.out, "node.ignorePreflightErrors")
	move(in.get("imagePullPolicy"), s.out, "node.imagePullPolicy")
	move(in.get("imagePullSerial"), s.out, "node.imagePullSerial")
	s.taints(in.get("taints"))
	args := in.get("kubeletExtraArgs")
	for _, a := range s.arguments(args) {
		s.kubeletArgument(a)
	}
	if list := find(s.out, "node.kubelet.extraArgs"); list != nil {
		copyComments(args.key, s.out, "node.kubelet.extraArgs")
	}
	s.opaque(in, "node.kubelet", "kubeletExtraArgs")
}

// criSocket converts the endpoint of the container runtime, which must be a URL here.
func (s *specs) criSocket(in field) {
	value := in.text()
	switch {
	case value == "":
		in.take()
	case strings.HasPrefix(value, "/"):
		in.take()
		set(s.out, "node.criSocket", text("unix://"+value))
		in.add(in, Changed, "the path is now the URL unix://%s", value)
	default:
		move(in, s.out, "node.criSocket")
	}
}

func (s *specs) taints(in field) {
	for _, t := range in.items() {
		t.get("timeAdded").report(NoCounterpart, "the time of a taint cannot be set; remove it")
		out := mapping()
		for _, name := range []string{"key", "value", "effect"} {
			move(t.get(name), out, name)
		}
		extend(s.out, "node.taints", out)
	}
	if in.exists() && in.node.Kind == yaml.SequenceNode && len(in.node.Content) == 0 {
		move(in, s.out, "node.taints")
	}
}

// kubeletArgument converts an argument of kubelet. Labels, taints and the runtime have fields.
func (s *specs) kubeletArgument(a argument) {
	value := ""
	if a.value != nil {
		value = a.value.Value
	}
	switch a.name {
	case "node-labels":
		s.labels(a, value)
		return
	case "register-with-taints":
		s.registerWithTaints(a, value)
		return
	case "container-runtime-endpoint":
		socket := find(s.out, "node.criSocket")
		if strings.Contains(value, "/") && (socket == nil || socket.Value == socketURL(value)) {
			set(s.out, "node.criSocket", text(socketURL(value)))
			a.field.add(a.field, Changed, "spec.node.criSocket replaces this argument")
			return
		}
	}
	s.kubeletText(a, value)
}

func socketURL(s string) string {
	if strings.HasPrefix(s, "/") {
		return "unix://" + s
	}
	return s
}

// kubeletText converts an argument whose value can contain placeholders.
func (s *specs) kubeletText(a argument, value string) {
	const path = "node.kubelet.extraArgs"
	found, unknown := pieces(unquote(value))
	if len(unknown) > 0 {
		a.field.add(a.field, NoCounterpart, "no fact replaces the placeholder %q; set the value by hand",
			strings.Join(unknown, ", "))
		return
	}
	if !hasFact(found) {
		extend(s.out, path, a.node())
		return
	}
	out := put(mapping(), "name", text(a.name))
	put(out, "parts", parts(found))
	a.field.add(a.field, Changed, factsInValues)
	extend(s.out, path, out)
}

// unquote removes the single quotes around placeholders. systemd removes them from the arguments of kubelet, too.
func unquote(value string) string {
	return strings.NewReplacer("'{{", "{{", "}}'", "}}", "'$$", "$$", "'${", "${", "}'", "}").Replace(value)
}

func (s *specs) labels(a argument, value string) {
	if !strings.Contains(value, "=") {
		a.field.add(a.field, Decision, "the labels are not KEY=VALUE; set spec.node.labels by hand")
		return
	}
	if strings.Count(value, ",") >= structured.MaxKeys {
		a.field.add(a.field, NoCounterpart, "a node has at most %d labels here; set spec.node.labels by hand",
			structured.MaxKeys)
		return
	}
	for label := range strings.SplitSeq(value, ",") {
		key, v, _ := strings.Cut(strings.TrimSpace(label), "=")
		found, unknown := pieces(unquote(v))
		switch {
		case len(unknown) > 0:
			a.field.add(a.field, NoCounterpart, "no fact replaces %q in the label %s; set the label on the Machine",
				strings.Join(unknown, ", "), key)
		case hasFact(found):
			extend(s.out, "node.labelParts", put(put(mapping(), "key", text(key)), "parts", parts(found)))
		case key != "":
			setKey(s.out, "node.labels", key, quoted(v))
		}
	}
	a.field.add(a.field, Changed, labelsInstead)
}

// setKey sets an entry of a map, whose key can contain dots.
func setKey(out *node, path, key string, value *node) {
	m := find(out, path)
	if m == nil {
		m = mapping()
		set(out, path, m)
	}
	put(m, key, value)
}

// quoted returns a string in quotes, as the values of labels are usually written.
func quoted(s string) *node {
	return &node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: s}
}

// registerWithTaints moves the taints of the argument to spec.node.taints. kubelet adds the default taint of a control
// plane node to those of the argument, but spec.node.taints replaces it.
func (s *specs) registerWithTaints(a argument, value string) {
	if find(s.out, "node.taints") == nil && s.role == roleControlPlane {
		extend(s.out, "node.taints", taint("node-role.kubernetes.io/control-plane", "", "NoSchedule"))
	}
	for t := range strings.SplitSeq(value, ",") {
		assigned, effect, ok := strings.Cut(strings.TrimSpace(t), ":")
		if !ok {
			a.field.add(a.field, Decision, "the taint %q is not KEY=VALUE:EFFECT; set spec.node.taints by hand", t)
			continue
		}
		key, v, _ := strings.Cut(assigned, "=")
		extend(s.out, "node.taints", taint(key, v, effect))
	}
	a.field.add(a.field, Changed, "spec.node.taints replaces this argument")
}

func taint(key, value, effect string) *node {
	out := put(mapping(), "key", text(key))
	if value != "" {
		put(out, "value", quoted(value))
	}
	return put(out, "effect", text(effect))
}
