package bootstrap_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
)

// TestProviderIDOfHostMachines checks that kubelet gets the provider ID that the infrastructure provider expects, and
// that another one of the user is refused.
func TestProviderIDOfHostMachines(t *testing.T) {
	const id = "machineadm-hosts:///default/m1-infra"
	on := func(kind string) func(*bootstrap.Request) {
		return func(r *bootstrap.Request) { r.Machine.Infrastructure, r.Machine.InfrastructureName = kind, "m1-infra" }
	}
	with := func(value string) func(*bootstrap.Request) {
		return func(r *bootstrap.Request) {
			kubelet := node.Kubelet{Args: []node.Arg{
				{Name: "v", Value: document.Text("2")}, {Name: "provider-id", Value: document.Text(value)},
			}}
			r.Describe = describe(document.Document{
				Value: node.NodeConfig{Kubelet: kubelet}, Source: document.Source{Path: "spec.node"},
			})
		}
	}
	cases := map[string]struct {
		reason  string
		change  []func(*bootstrap.Request)
		want    string
		refused bool
	}{
		"host":           {reason: "the ID is known", change: []func(*bootstrap.Request){on("HostMachine")}, want: id},
		"other provider": {reason: "its cloud chooses the ID", change: []func(*bootstrap.Request){on("AWSMachine")}},
		"same value": {
			reason: "it is not added twice", change: []func(*bootstrap.Request){on("HostMachine"), with(id)}, want: id,
		},
		"other value": {
			reason: "Cluster API would not find the Node", refused: true,
			change: []func(*bootstrap.Request){on("HostMachine"), with("x:///y")},
		},
		"other value of another provider": {
			reason: "users know their cloud", change: []func(*bootstrap.Request){on("AWSMachine"), with("x:///y")},
			want: "x:///y",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			o, err := result(w.Ensure(t.Context(), request(c.change...)))
			stalled, refused := as[bootstrap.StalledError](o)
			if refused != c.refused {
				t.Fatalf("%s: %v", c.reason, err)
			}
			if refused && (!strings.Contains(stalled.Message, "spec.node.kubelet.extraArgs[1]") ||
				!strings.Contains(stalled.Message, id)) {
				t.Errorf("the message is %q", stalled.Message)
			}
			var got []string
			for _, a := range w.node().Kubelet.Args {
				if value, _ := a.Value.Static(); a.Name == "provider-id" {
					got = append(got, string(value))
				}
			}
			if !refused && strings.Join(got, " ") != c.want {
				t.Errorf("%s: the provider ID is %q, want %q", c.reason, got, c.want)
			}
		})
	}
}
