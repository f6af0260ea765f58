package node_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
)

const initToken = "abcdef.canary7q9zk2xw5v"

// tokens returns a control plane with tokens that are valid apart from the changes.
func tokens(changes ...func(*node.InitToken)) node.ControlPlaneConfig {
	var c node.ControlPlaneConfig
	for _, change := range changes {
		t := node.InitToken{Token: secret.FromString(initToken)}
		change(&t)
		c.BootstrapTokens = append(c.BootstrapTokens, t)
	}
	return c
}

func text(token string) func(*node.InitToken) {
	return func(t *node.InitToken) { t.Token = secret.FromString(token) }
}

func TestInitTokenCheck(t *testing.T) {
	groups := func(groups ...string) document.Value {
		return tokens(func(t *node.InitToken) { t.Groups = groups })
	}
	usages := func(usages ...string) document.Value {
		return tokens(func(t *node.InitToken) { t.Usages = usages })
	}
	ttl := func(seconds int) document.Value {
		return tokens(func(t *node.InitToken) { t.TTLSeconds = &seconds })
	}
	hold(t, map[string]verdict{
		"one":       {value: tokens(text(initToken))},
		"two":       {value: tokens(text(initToken), text("bcdefg.canary7q9zk2xw5v"))},
		"empty":     {value: tokens(text("")), want: "bootstrapTokens[0].token"},
		"short":     {value: tokens(text("abcdef.canary")), want: "bootstrapTokens[0].token"},
		"two lines": {value: tokens(text(initToken + "\n")), want: "bootstrapTokens[0].token"},
		"one ID": {
			reason: "the ID is the name of the Secret in the cluster",
			value:  tokens(text(initToken), text("abcdef.canary7q9zk2xw5w")), want: "bootstrapTokens[1].token",
		},
		"no end":            {value: ttl(0)},
		"negative":          {value: ttl(-1), want: "bootstrapTokens[0].ttlSeconds"},
		"both usages":       {value: usages(node.UsageSigning, node.UsageAuthentication)},
		"authentication":    {value: usages(node.UsageAuthentication)},
		"no authentication": {value: usages(node.UsageSigning), want: "bootstrapTokens[0].usages"},
		"unknown usage":     {value: usages("authentication", "a b"), want: "bootstrapTokens[0].usages[1]"},
		"group":             {value: groups("system:bootstrappers:kubeadm:default-node-token", "system:bootstrappers:a")},
		"group of operators": {
			value: groups("system:bootstrappers:a", "system:masters"), want: "bootstrapTokens[0].groups[1]",
		},
		"upper case": {value: groups("system:bootstrappers:A"), want: "bootstrapTokens[0].groups[0]"},
		"two groups": {
			reason: "Kubernetes separates groups by commas",
			value:  groups("system:bootstrappers:a,system:masters"), want: "bootstrapTokens[0].groups[0]",
		},
		"long group": {
			value: groups("system:bootstrappers:" + strings.Repeat("a", 257)), want: "bootstrapTokens[0].groups[0]",
		},
	})
}

func TestFindingsRepeatNoInitToken(t *testing.T) {
	c := tokens(text(initToken+"x"), text(initToken), text(initToken))
	r := c.Check("at")
	if len(r) != 2 || strings.Contains(r.String(), "canary") || strings.Contains(r.String(), "abcdef") {
		t.Errorf("want two findings without the token:\n%s", r)
	}
}
