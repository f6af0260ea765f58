package bootstrap

import (
	"fmt"

	"github.com/machineadm/machineadm/domain/reserved"
	"github.com/machineadm/machineadm/ports"
)

// CheckName returns why no data may be published under the request's name; nil if it may. The name is the user's to choose, and Cluster API
// and its providers trust Secrets by their names: data called <cluster>-kubeconfig would be the kubeconfig of that cluster.
func CheckName(r Request) Outcome {
	name := r.dataKey().Name
	problem := reserved.Check(name)
	switch {
	case problem == "":
		return nil
	case name == r.Owner.Name:
		return Stalled{Reason: ReasonInvalid, Message: "metadata.name: " + problem +
			"; create the machine and its MachineBootstrapConfig under another name"}
	default:
		return Stalled{Reason: ReasonInvalid, Message: "spec.bootstrap.dataSecretName of the machine: " + problem +
			"; create the machine without dataSecretName, which the MachineBootstrapConfig sets from its metadata.name"}
	}
}

// checkMachine returns why published data is not the machine's; nil if it is. The user who writes a config also writes its owner
// references: a config with data for a machine of one cluster must not get a token of another cluster into it.
func checkMachine(r Request, d ports.DataSecret) Outcome {
	sameMachine, sameCluster := d.Machine == "" || d.Machine == r.Machine.Name, d.Cluster == "" || d.Cluster == r.Cluster.Name
	if sameMachine && sameCluster {
		return nil
	}
	return Stalled{Reason: ReasonForeignSecret, Message: fmt.Sprintf(
		"the Secret %s was created for the machine %s of cluster %s, not for %s of cluster %s; create another MachineBootstrapConfig, or "+
			"delete the Secret", d.Name, d.Machine, d.Cluster, r.Machine.Name, r.Cluster.Name)}
}
