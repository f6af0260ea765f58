package readers_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/test/integration/readers"
)

const machine = `
apiVersion: example.com/v1
kind: ExampleConfig
metadata: {name: a}
spec: {providerID: "x:///a", failureDomain: old}
status:
  ready: true
  initialization: {provisioned: true}
  failureDomain: new
  addresses: [{type: InternalIP, address: 192.0.2.1}]
  conditions:
  - {type: Ready, status: "True", reason: Ready, message: "", lastTransitionTime: "2026-11-21T07:00:00Z",
    observedGeneration: 1}
`

const cluster = `
apiVersion: example.com/v1
kind: ExampleConfig
metadata: {name: a}
spec: {controlPlaneEndpoint: {host: 192.0.2.1, port: 6443}}
status:
  ready: true
  initialization: {provisioned: true}
  failureDomains: DOMAINS
  conditions:
  - {type: Ready, status: "True", reason: Ready, message: "", lastTransitionTime: "2026-11-21T07:00:00Z",
    observedGeneration: 1}
`

func TestMachine(t *testing.T) {
	ready := readers.Condition{Mirrored: true, Status: "True", Reason: "Ready"}
	want := func(domain string) readers.Infrastructure {
		return readers.Infrastructure{
			Provisioned: true, Ready: ready, ProviderID: "x:///a", Addresses: []string{"InternalIP 192.0.2.1"},
			FailureDomain: domain,
		}
	}
	for name, c := range map[string]struct {
		edit         []string
		older, newer readers.Infrastructure
		broken       bool
	}{
		"provisioned":    {older: want("old"), newer: want("new")},
		"no provider ID": {edit: []string{`providerID: "x:///a", `, ""}, broken: true},
		"other type":     {edit: []string{"[{type: InternalIP, address: 192.0.2.1}]", "text"}, broken: true},
	} {
		t.Run(name, func(t *testing.T) {
			object := parse(t, edit(t, machine, c.edit...))
			older, err := readers.Core17().Machine(byV1Beta1(), object)
			newer, newErr := readers.Core113().Machine(byV1Beta2(), object)
			if (err != nil) != c.broken || (newErr != nil) != c.broken {
				t.Fatalf("errors %v and %v", err, newErr)
			}
			if diff := cmp.Diff(c.older, older) + cmp.Diff(c.newer, newer); !c.broken && diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestClusterFailureDomains checks that each core reads only the form of its contract.
func TestClusterFailureDomains(t *testing.T) {
	for name, c := range map[string]struct {
		domains      string
		older, newer bool
	}{
		"list": {domains: "[{name: a, controlPlane: true}]", newer: true},
		"map":  {domains: "{a: {controlPlane: true}}", older: true},
	} {
		t.Run(name, func(t *testing.T) {
			object := parse(t, edit(t, cluster, "DOMAINS", c.domains))
			_, err := readers.Core17().Cluster(byV1Beta1(), object)
			_, newErr := readers.Core113().Cluster(byV1Beta2(), object)
			if (err == nil) != c.older || (newErr == nil) != c.newer {
				t.Errorf("errors %v and %v", err, newErr)
			}
		})
	}
}
