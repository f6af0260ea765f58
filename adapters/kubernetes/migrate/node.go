package migrate

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// argument is an argument of a component or of kubelet.
type argument struct {
	name    string
	value   *node
	field   field
	comment string
}

func (a argument) node() *node {
	if a.name == "" {
		return a.value
	}
	out := put(mapping(), "name", text(a.name))
	if a.value != nil {
		put(out, "value", a.text())
	}
	out.HeadComment = a.comment
	return out
}

// text returns the value as a string. The API reads null as the empty string.
func (a argument) text() *node {
	if a.value.Tag == "!!null" {
		return quoted("")
	}
	return asString(a.value)
}

// arguments consumes the arguments of v1beta1, which are a map, or of v1beta2, which are a list.
func (s *specs) arguments(in field) []argument {
	var out []argument
	const nameless = "an argument without a name has no effect; set its name"
	for _, c := range in.children() {
		if c.key.Value == "" {
			c.report(NoCounterpart, nameless)
			continue
		}
		out = append(out, argument{name: c.key.Value, value: c.take(), field: c, comment: c.key.HeadComment})
	}
	for _, item := range in.items() {
		if item.node.Kind != yaml.MappingNode {
			item.add(item, Decision, "a text replaces a whole argument; make sure that it has the form of name and value")
			out = append(out, argument{value: item.take(), field: item})
			continue
		}
		if item.get("name").text() == "" {
			item.report(NoCounterpart, nameless)
			continue
		}
		value := item.get("value")
		if !value.exists() {
			value = item
		}
		a := argument{name: item.get("name").takeText(), field: value, comment: item.node.HeadComment}
		if value.key != nil {
			a.value = value.take()
		}
		out = append(out, a)
	}
	return out
}

// nodeSettings converts the parts of initConfiguration and joinConfiguration that describe the node. One description
// is for both here: the one of joinConfiguration, because most machines join.
func (s *specs) nodeSettings() {
	initial, join := s.in.get("initConfiguration"), s.in.get("joinConfiguration")
	for _, in := range []field{initial, join} {
		in.get("apiVersion").report(Note, "this field was removed; it has no meaning here")
		in.get("kind").report(Note, "this field was removed; it has no meaning here")
	}
	if s.role == roleWorker {
		for _, c := range initial.children() {
			if c.exists() && !c.used[c.node] {
				c.report(Note, "this field was removed; machines that join as workers ignore initConfiguration")
			}
		}
		initial = field{ledger: s.in.ledger}
	}
	s.bootstrapTokens(initial.get("bootstrapTokens"))
	s.registration(s.both(initial.get("nodeRegistration"), join.get("nodeRegistration")))
	s.address(s.both(initial.get("localAPIEndpoint"), join.get("controlPlane", "localAPIEndpoint")))
	s.timeouts(s.both(initial.get("timeouts"), join.get("timeouts")))
	s.skipPhases(initial.get("skipPhases"), join.get("skipPhases"))
	s.discovery(join.get("discovery"))
	move(join.get("caCertPath"), s.out, "node.discovery.caCertPath")
}

// both returns the settings of joinConfiguration with those that only initConfiguration has. It reports settings that
// not all machines had.
func (s *specs) both(initial, join field) field {
	if s.role == roleWorker || !initial.exists() && !join.exists() {
		return join
	}
	for _, c := range join.children() {
		if other := initial.get(c.key.Value); !other.exists() && !s.isDefault(c) {
			c.add(c, Decision, "the first machine did not have this setting; all machines have it now")
		}
	}
	if !join.exists() {
		join.node = mapping()
	}
	for _, c := range initial.children() {
		other := join.get(c.key.Value)
		switch {
		case sameValue(c.node, other.node):
			c.take()
		case c.key.Value == "kubeletExtraArgs" && other.exists():
			s.bothArguments(c, other)
		case other.exists():
			c.report(Decision, "this differs from %s; the output has the value of %s for all machines", other.path, other.path)
		default:
			put(join.node, c.key.Value, c.node)
			if !s.isDefault(c) {
				c.add(c, Decision, "only the first machine had this setting; all machines have it now")
			}
		}
	}
	return join
}

// isDefault reports whether the setting is the port that kubeadm uses without one, or empty. A patch is not examined.
func (s *specs) isDefault(f field) bool {
	port := f.key.Value == "bindPort" && (f.text() == "6443" || f.text() == "0")
	return s.partial || port || f.text() == "" && len(f.node.Content) == 0
}

// bothArguments adds the arguments of the first machine that the others do not have.
func (s *specs) bothArguments(initial, join field) {
	names := func(f field) map[string]string {
		values := map[string]string{}
		for _, a := range s.arguments(f) {
			values[a.name] = "="
			if a.value != nil {
				values[a.name] += a.value.Value
			}
		}
		return values
	}
	others, firsts := names(join), names(initial)
	for _, c := range append(initial.children(), initial.items()...) {
		name := argumentName(c)
		other, ok := others[name]
		switch {
		case !ok:
			c.add(c, Decision, "only the first machine had this argument; all machines have it now")
			if c.key != nil {
				join.node.Content = append(join.node.Content, c.key)
			}
			join.node.Content = append(join.node.Content, c.node)
		case other != firsts[name]:
			c.add(c, Decision, "the argument differs from that in %s, which all machines have now", join.path)
		}
	}
	for _, c := range append(join.children(), join.items()...) {
		if _, ok := firsts[argumentName(c)]; !ok {
			c.add(c, Decision, "the first machine did not have this argument; all machines have it now")
		}
	}
}

// argumentName returns the name of an argument in a map or in a list.
func argumentName(f field) string {
	if f.key != nil {
		return f.key.Value
	}
	return f.get("name").text()
}

func (s *specs) address(in field) {
	if address := in.get("advertiseAddress"); address.exists() {
		s.value(address, "node.advertiseAddress", "node.advertiseAddressParts")
	}
	port := in.get("bindPort")
	if port.is("0") {
		port.take() // the default of kubeadm
		return
	}
	move(port, s.out, "node.bindPort")
}

// unused returns the field, or a missing one if it is consumed.
func (f field) unused() field {
	if f.node != nil && f.used[f.node] {
		f.node = nil
	}
	return f
}

func (s *specs) timeouts(in field) {
	for _, t := range in.children() {
		move(t, s.out, "node.timeouts."+t.key.Value)
	}
}

// skipPhases converts the phases of kubeadm to skip. The phases that install add-ons have settings.
func (s *specs) skipPhases(lists ...field) {
	var phases []string
	seen := map[string]bool{}
	for _, l := range lists {
		for _, item := range l.items() {
			phase := item.takeText()
			switch phase {
			case "addon/kube-proxy":
				set(s.out, "controlPlane.kubeProxy.disabled", yes())
				item.add(item, Changed, "controlPlane.kubeProxy.disabled replaces this phase")
			case "addon/coredns":
				set(s.out, "controlPlane.coreDNS.disabled", yes())
				item.add(item, Changed, "controlPlane.coreDNS.disabled replaces this phase")
			default:
				if !seen[phase] {
					phases = append(phases, phase)
				}
				seen[phase] = true
			}
		}
	}
	if len(phases) > 0 {
		set(s.out, "node.skipPhases", texts(phases))
	}
}

// discovery converts how a machine finds the cluster. Tokens are only in Secrets.
func (s *specs) discovery(in field) {
	const to = "node.discovery."
	token, file := in.get("bootstrapToken"), in.get("file")
	move(token.get("apiServerEndpoint"), s.out, to+"apiServerEndpoint")
	move(token.get("caCertHashes"), s.out, to+"caCertHashes")
	if skip := token.get("unsafeSkipCAVerification"); !skip.is("false") {
		move(skip, s.out, to+"unsafeSkipCAVerification")
	}
	token.get("unsafeSkipCAVerification").take()
	token.get("token").report(NoCounterpart, "the controller creates a token for each machine; remove the token, "+
		"or store it in a Secret and name it in spec.node.discovery.tokenFrom")
	in.get("tlsBootstrapToken").report(NoCounterpart,
		"a token must not be in a spec; store it in a Secret and name it in spec.node.discovery.tlsBootstrapTokenFrom")
	if file.get("kubeConfig").exists() {
		file.report(NoCounterpart,
			"store a complete kubeconfig in a Secret, and name it in spec.node.discovery.kubeconfig")
	} else {
		move(file.get("kubeConfigPath"), s.out, to+"kubeconfigPath")
	}
	s.duration(in.get("timeout"), s.out, "node.timeouts.discoverySeconds")
}

// nodeName converts the name of the node.
func (s *specs) nodeName(in field) {
	if strings.TrimSpace(in.text()) == "" {
		in.take()
		return
	}
	s.value(in, "node.name", "node.nameParts")
}
