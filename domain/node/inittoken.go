package node

import (
	"slices"

	"github.com/machineadm/machineadm/domain/pattern"
	"github.com/machineadm/machineadm/domain/report"
)

// groupPattern matches the groups that a bootstrap token may have (k8s.io/cluster-bootstrap/token/api).
var groupPattern = pattern.Of(len("system:bootstrappers:")+256, `^system:bootstrappers:[a-z0-9:-]*[a-z0-9]$`)

// checkInitTokens returns findings for tokens that kubeadm refuses, and for two tokens with one Secret. They do not
// quote tokens.
func checkInitTokens(p report.Path, tokens []InitToken) report.Report {
	var r report.Report
	first := map[string]int{}
	for i, t := range tokens {
		at := p.Index(i)
		r = append(r, t.check(at)...)
		if text := string(t.Token.Reveal()); isToken(text) {
			if other, found := first[text[:tokenIDLength]]; found {
				r = append(r, report.Errorf(at.Field("token"), "the first six characters are those of bootstrapTokens[%d], so "+
					"one token would replace the other", other).To("use another token"))
				continue
			}
			first[text[:tokenIDLength]] = i
		}
	}
	return r
}

func (t InitToken) check(p report.Path) report.Report {
	r := checkTokenText(p.Field("token"), t.Token)
	if t.Token.IsZero() {
		r = append(r, report.Errorf(p.Field("token"), "the token is empty").To("write six lower-case letters and digits, "+
			"a dot, and sixteen more"))
	}
	if t.TTLSeconds != nil && *t.TTLSeconds < 0 {
		r = append(r, report.Errorf(p.Field("ttlSeconds"), "%d is negative", *t.TTLSeconds).
			To("use a number of seconds, or 0 for a token that does not expire"))
	}
	for i, usage := range t.Usages {
		if usage != UsageSigning && usage != UsageAuthentication {
			r = append(r, report.Errorf(p.Field("usages").Index(i), "%q is not a usage of a bootstrap token", usage).
				To("use %s or %s", UsageSigning, UsageAuthentication))
		}
	}
	if len(t.Usages) > 0 && !slices.Contains(t.Usages, UsageAuthentication) {
		r = append(r, report.Errorf(p.Field("usages"), "kubeadm refuses a token without the usage %s", UsageAuthentication).
			To("add it, or leave usages out"))
	}
	for i, group := range t.Groups {
		if !groupPattern.MatchString(group) {
			r = append(r, report.Errorf(p.Field("groups").Index(i), "%q is not a group of bootstrap tokens", group).
				To("write system:bootstrappers: and lower-case letters, digits, colons and dashes"))
		}
	}
	return r
}
