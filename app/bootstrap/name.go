package bootstrap

import (
	"fmt"

	"github.com/machineadm/machineadm/domain/reserved"
	"github.com/machineadm/machineadm/ports"
)

// CheckName returns a Stalled if data must not have the name that the user has chosen. Cluster API and its providers
// trust Secrets by their names: data with the name <cluster>-kubeconfig would be the kubeconfig of that cluster.
func CheckName(r Request) error {
	name, owner, field := r.dataKey().Name, "machine", "spec.bootstrap.dataSecretName"
	if r.Machine.Pool {
		owner, field = "machine pool", "spec.template.spec.bootstrap.dataSecretName"
	}
	problem := reserved.Check(name)
	switch {
	case problem == "":
		return nil
	case name == r.Owner.Name:
		return StalledError{Reason: ReasonInvalid, Message: fmt.Sprintf(
			"metadata.name: %s; create the %s and its MachineBootstrapConfig under another name", problem, owner)}
	default:
		return StalledError{Reason: ReasonInvalid, Message: fmt.Sprintf(
			"%[1]s of the %[2]s: %[3]s; create the %[2]s without dataSecretName, which the MachineBootstrapConfig "+
				"sets from its metadata.name",
			field, owner, problem)}
	}
}

// checkMachine returns a Stalled if published data is for another machine. Users write the owner references of configs:
// a config with data for a machine of one cluster must not get data with a token of another cluster.
func checkMachine(r Request, d ports.DataSecret) error {
	sameMachine := d.Machine == "" || d.Machine == r.Machine.Name
	sameCluster := d.Cluster == "" || d.Cluster == r.Cluster.Name
	if sameMachine && sameCluster {
		return nil
	}
	return StalledError{Reason: ReasonSecretNotOwned, Message: fmt.Sprintf(
		"the Secret %s was created for the machine %s of cluster %s, not for %s of cluster %s; create another "+
			"MachineBootstrapConfig, or delete the Secret", d.Name, d.Machine, d.Cluster, r.Machine.Name, r.Cluster.Name)}
}
