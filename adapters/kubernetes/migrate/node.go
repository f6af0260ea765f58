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
		put(out, "value", asString(a.value))
	}
	out.HeadComment = a.comment
	return out
}

// arguments consumes the arguments of v1beta1, which are a map, or of v1beta2, which are a list.
func (s *specs) arguments(in field) []argument {
	var out []argument
	for _, c := range in.children() {
		out = append(out, argument{name: c.key.Value, value: c.take(), field: c, comment: c.key.HeadComment})
	}
	for _, item := range in.items() {
		if item.node.Kind != yaml.MappingNode {
			item.add(item, Decision, "a text replaces a whole argument; make sure that it has the form of name and value")
			out = append(out, argument{value: item.take(), field: item})
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
	s.bootstrapTokens(initial.get("bootstrapTokens"))
	if s.role == roleWorker {
		for _, c := range initial.children() {
			if c.exists() && !c.used[c.node] {
				c.report(Note, "this field was removed; machines that join as workers ignore initConfiguration")
			}
		}
		initial = field{ledger: s.in.ledger}
	}
	s.registration(s.both(initial.get("nodeRegistration"), join.get("nodeRegistration")))
	s.address(s.both(initial.get("localAPIEndpoint"), join.get("controlPlane", "localAPIEndpoint")))
	s.timeouts(s.both(initial.get("timeouts"), join.get("timeouts")))
	s.skipPhases(initial.get("skipPhases"), join.get("skipPhases"))
	s.discovery(join.get("discovery"))
	join.get("caCertPath").report(NoCounterpart,
		"the path of the CA cannot be set; the certificate is in /etc/kubernetes/pki/ca.crt")
}

// both returns the settings of joinConfiguration, and those of initConfiguration if there are none. Settings that
// differ are reported.
func (s *specs) both(initial, join field) field {
	if !initial.exists() || !join.exists() {
		if s.role == roleControlPlane && initial.exists() != join.exists() {
			s.onlyOne(initial, join)
		}
		if join.exists() {
			return join
		}
		return initial
	}
	for _, c := range initial.children() {
		other := join.get(c.key.Value)
		switch {
		case sameValue(c.node, other.node), s.sameArguments(c, other):
			c.take()
		case other.exists():
			c.report(Decision, "this differs from %s; the output has the value of %s for all machines", other.path, other.path)
		default:
			put(join.node, c.key.Value, c.node)
			c.add(c, Note, "machines that join have this setting now, too")
		}
	}
	return join
}

// onlyOne reports settings that only one of initConfiguration and joinConfiguration has.
func (s *specs) onlyOne(initial, join field) {
	for _, f := range []field{initial, join} {
		if f.exists() && len(f.children()) > 0 {
			f.add(f, Note, "all machines of the control plane have these settings now, the first one and those that join")
		}
	}
}

// sameArguments reports whether two maps of arguments have the same entries in another order.
func (s *specs) sameArguments(a, b field) bool {
	if a.key.Value != "kubeletExtraArgs" || !b.exists() || len(a.node.Content) != len(b.node.Content) {
		return false
	}
	values := map[string]string{}
	for _, arg := range a.children() {
		values[arg.key.Value] = arg.text()
	}
	for _, arg := range b.children() {
		if v, ok := values[arg.key.Value]; !ok || v != arg.text() {
			return false
		}
	}
	return len(values) > 0
}

// bootstrapTokens reports tokens, which the controller creates.
func (s *specs) bootstrapTokens(in field) {
	in.report(NoCounterpart,
		"the controller creates a token for each machine; remove the tokens, or create them with kubectl")
}

func (s *specs) address(in field) {
	if address := in.get("advertiseAddress"); address.exists() {
		s.value(address, "node.advertiseAddress", "node.advertiseAddressParts")
	}
	move(in.get("bindPort"), s.out, "node.bindPort")
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

// discovery converts how a machine finds the cluster.
func (s *specs) discovery(in field) {
	token := in.get("bootstrapToken")
	move(token.get("apiServerEndpoint"), s.out, "node.discovery.apiServerEndpoint")
	token.get("token").report(NoCounterpart, "the controller creates a token for each machine; remove the token")
	token.get("caCertHashes").report(NoCounterpart, "the controller sets the pins of the cluster's CA; remove the hashes")
	token.get("unsafeSkipCAVerification").report(NoCounterpart,
		"machines always verify the CA, whose pins the controller sets; remove the field")
	in.get("file").report(NoCounterpart,
		"store a complete kubeconfig in a Secret, and name it in spec.node.discovery.kubeconfig")
	in.get("tlsBootstrapToken").report(NoCounterpart, "the token of the machine is used; remove the token")
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
