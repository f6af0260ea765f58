package facts_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
)

// TestEveryFactHasASource checks that cloud-init, afterburn or the system provides each fact that documents may
// contain.
func TestEveryFactHasASource(t *testing.T) {
	for _, f := range document.Facts() {
		if len(facts.InstanceData(f, "")) == 0 && facts.Fallback(f, true) == facts.SystemNone {
			t.Errorf("%s has no source with cloud-init", f)
		}
		if len(facts.Variables(f)) == 0 && facts.Fallback(f, false) == facts.SystemNone {
			t.Errorf("%s has no source without cloud-init", f)
		}
	}
	if got := append(facts.InstanceData("x", ""), facts.Variables("x")...); len(got) > 0 ||
		facts.Fallback("x", false) != facts.SystemNone {
		t.Errorf("an unknown fact has the sources %v", got)
	}
	f, ok := document.Metadata("a.b_1")
	if got := facts.InstanceData(f, ""); !ok || len(got) != 1 || got[0] != "ds.meta_data.a.b_1" {
		t.Errorf("the metadata a.b_1 has the sources %v", got)
	}
}

// TestShorten checks the forms of a host name.
func TestShorten(t *testing.T) {
	for _, c := range []struct {
		fact       document.Fact
		name, want string
		full       bool
	}{
		{document.FactHostname, "a.b.c", "a", false},
		{document.FactHostname, "a.b.c", "a.b.c", true},
		{document.FactShortHostname, "a.b.c", "a", true},
		{document.FactFQDN, "a.b.c", "a.b.c", false},
		{document.FactFQDN, "a", "", true},
		{document.FactInstanceID, "a.b", "a.b", false},
		{document.FactPrivateIPv4, "10.0.0.1/32", "10.0.0.1", false},
		{document.FactPublicIPv4, "10.0.0.1/", "10.0.0.1/", false},
		{document.FactPublicIPv4, "10.0.0.1", "10.0.0.1", false},
	} {
		if got := facts.Shorten(c.fact, c.name, c.full); got != c.want {
			t.Errorf("%s of %s, %v: %q, want %q", c.fact, c.name, c.full, got, c.want)
		}
	}
}

// TestOwn checks the system's own fact where the platform provides none.
func TestOwn(t *testing.T) {
	cases := map[string]struct {
		reason    string
		fact      document.Fact
		cloudInit bool
		want      facts.SystemFact
	}{
		"name":          {"", document.FactHostname, false, facts.SystemHostname},
		"short name":    {"", document.FactShortHostname, false, facts.SystemHostname},
		"full name":     {"", document.FactFQDN, false, facts.SystemFQDN},
		"IPv6":          {"", document.FactIPv6, true, facts.SystemIPv6},
		"named":         {"cloud-init names every machine", document.FactHostname, true, facts.SystemNone},
		"address":       {"", document.FactPrivateIPv4, true, facts.SystemAddress},
		"region":        {"only the platform knows", document.FactRegion, false, facts.SystemNone},
		"public":        {"there may be a translation in between", document.FactPublicIPv4, false, facts.SystemNone},
		"instance's ID": {"only the platform knows", document.FactInstanceID, true, facts.SystemNone},
	}
	for name, c := range cases {
		if got := facts.Fallback(c.fact, c.cloudInit); got != c.want {
			t.Errorf("%s: %d, want %d: %s", name, got, c.want, c.reason)
		}
	}
}
