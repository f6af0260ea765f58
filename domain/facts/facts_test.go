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
		facts.Otherwise("x", false) != facts.OwnNothing {
		t.Errorf("an unknown fact has the sources %v", got)
	}
}

// TestOwn checks the system's own fact where the platform provides none.
func TestOwn(t *testing.T) {
	cases := map[string]struct {
		reason    string
		fact      document.Fact
		cloudInit bool
		want      facts.Own
	}{
		"name":          {"", document.FactHostname, false, facts.OwnHostname},
		"named":         {"cloud-init names every machine", document.FactHostname, true, facts.OwnNothing},
		"address":       {"", document.FactPrivateIPv4, true, facts.OwnAddress},
		"region":        {"only the platform knows", document.FactRegion, false, facts.OwnNothing},
		"public":        {"there may be a translation in between", document.FactPublicIPv4, false, facts.OwnNothing},
		"instance's ID": {"only the platform knows", document.FactInstanceID, true, facts.OwnNothing},
	}
	for name, c := range cases {
		if got := facts.Otherwise(c.fact, c.cloudInit); got != c.want {
			t.Errorf("%s: %d, want %d: %s", name, got, c.want, c.reason)
		}
	}
}
