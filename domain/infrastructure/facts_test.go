package infrastructure_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// TestCheckFacts refuses the facts that afterburn does not provide on a cloud, at the fields of the user.
func TestCheckFacts(t *testing.T) {
	fact := func(f document.Fact) document.Content {
		return document.Join(document.Text("a-"), document.FromFact(f))
	}
	argument := func(f document.Fact) document.Value {
		return node.NodeConfig{Kubelet: node.Kubelet{Args: []node.Arg{{Name: "v"}, {Name: "provider-id", Value: fact(f)}}}}
	}
	for name, c := range map[string]struct {
		reason, kind, system string
		value                document.Value
		want                 string
	}{
		"Azure": {
			"afterburn knows addresses only", "AzureMachine", "flatcar", argument(document.FactInstanceID),
			"error: at.kubelet.extraArgs[1]: machines of Cluster API Provider Azure without cloud-init do not know the fact " +
				"instanceID, so that the bootstrap would fail; leave provider IDs",
		},
		"pool": {
			"it is the same cloud", "AzureMachinePoolTemplate", "flatcar", argument(document.FactZone), "extraArgs[1]",
		},
		"Azure with cloud-init": {"which knows it", "AzureMachine", "ubuntu", argument(document.FactInstanceID), ""},
		"GCP": {
			"afterburn knows the host name and addresses", "GCPMachine", "fedora-coreos",
			machine.File{Path: "/a", Content: fact(document.FactRegion)},
			"error: at: ",
		},
		"GCP's name":       {"afterburn knows it", "GCPMachine", "flatcar", argument(document.FactHostname), ""},
		"DigitalOcean":     {"", "DOMachine", "flatcar", argument(document.FactInstanceID), "fact instanceID"},
		"droplet's region": {"afterburn knows it", "DOMachine", "flatcar", argument(document.FactRegion), ""},
		"Oracle": {
			"its availability domain is another name", "OCIMachine", "flatcar", node.NodeConfig{Registration: node.Registration{
				Labels: []node.Label{{Key: "a", Value: fact(document.FactZone)}},
			}}, "error: at.registration.labels[0]: ",
		},
		"annotation": {
			"it has the same facts as a label", "OCIMachine", "flatcar", node.NodeConfig{Registration: node.Registration{
				Annotations: []node.Annotation{{Key: "a", Value: fact(document.FactZone)}},
			}}, "error: at.registration.annotations[0]: ",
		},
		"OpenStack": {
			"", "OpenStackMachine", "flatcar",
			node.NodeConfig{Registration: node.Registration{Name: fact(document.FactZone)}},
			"error: at.registration.name: ",
		},
		"OpenStack's ID": {"afterburn knows the UUID", "OpenStackMachine", "flatcar", argument(document.FactInstanceID), ""},
		"Scaleway":       {"", "ScalewayMachine", "flatcar", argument(document.FactRegion), "fact region"},
		"AWS":            {"afterburn knows all", "AWSMachine", "flatcar", argument(document.FactZone), ""},
		"unknown":        {"nothing is known", "ExampleMachine", "flatcar", argument(document.FactZone), ""},
	} {
		profile, _ := osprofile.Lookup(c.system)
		target := osprofile.Target{Profile: profile, Infrastructure: c.kind}
		docs := []document.Document{at(c.value)}
		got := infrastructure.CheckFacts(docs, target).String()
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q: %s", name, got, c.want, c.reason)
		}
	}
}

func at(v document.Value) document.Document {
	return document.Document{Value: v, Source: document.Source{Path: "at"}}
}
