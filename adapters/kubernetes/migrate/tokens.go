package migrate

import (
	"strconv"

	"go.yaml.in/yaml/v3"
)

// bootstrapTokens converts the tokens that the first machine creates. Neither the output nor the report contains a
// token: the output refers to a Secret that the user creates.
func (s *specs) bootstrapTokens(in field) {
	if in.exists() && in.node.Kind != yaml.SequenceNode {
		in.report(NoCounterpart, "this is not a list of tokens; store tokens in a Secret, and name it in "+
			"spec.controlPlane.bootstrapTokens")
	}
	for i, token := range in.items() {
		if !token.get("token").exists() {
			token.report(NoCounterpart, "this is not a bootstrap token; store tokens in a Secret, and name it in "+
				"spec.controlPlane.bootstrapTokens")
			continue
		}
		s.bootstrapToken(token, "token-"+strconv.Itoa(i))
	}
}

// bootstrapToken converts a token whose Secret has it at the key.
func (s *specs) bootstrapToken(in field, key string) {
	out, name := mapping(), s.name+"-bootstrap-tokens"
	out.HeadComment = in.node.HeadComment
	set(out, "tokenFrom.secret.name", text(name))
	set(out, "tokenFrom.secret.key", text(key))
	in.get("token").
		report(Decision, "a token must not be in a spec; create the Secret %s in the same namespace, and store "+
			"the token at its key %s", name, key)
	if in.get("description").text() != "" {
		move(in.get("description"), out, "description")
	}
	in.get("description").take()
	duration(in.get("ttl"), out, "ttlSeconds")
	move(in.get("ttlSeconds"), out, "ttlSeconds")
	in.get("expires").
		report(NoCounterpart, "kubeadm refuses a token with a date, because each token also has a duration; use ttlSeconds")
	for _, list := range []string{"usages", "groups"} {
		if len(in.get(list).items()) > 0 {
			move(in.get(list), out, list)
		}
	}
	extend(s.out, "controlPlane.bootstrapTokens", out)
}
