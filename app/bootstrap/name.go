package bootstrap

import "github.com/machineadm/machineadm/domain/reserved"

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
