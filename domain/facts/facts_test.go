package facts_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
)

// TestEveryFactHasASource holds the tables to the facts that documents may ask for.
func TestEveryFactHasASource(t *testing.T) {
	for _, f := range document.Facts() {
		if len(facts.InstanceData(f, "")) == 0 || len(facts.InstanceData(f, facts.AWS)) == 0 || len(facts.Variables(f)) == 0 {
			t.Errorf("%s has no source", f)
		}
	}
	if got := append(facts.InstanceData("x", ""), facts.Variables("x")...); len(got) > 0 ||
		facts.Fallback("x", false) != facts.SystemNone {
		t.Errorf("an unknown fact has the sources %v", got)
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
