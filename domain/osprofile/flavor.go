package osprofile

import "github.com/machineadm/machineadm/domain/node"

// Flavor returns the one kind of control plane that machines of the distribution make, and the one that they join.
// Talos joins Talos alone, since only its control plane machines run trustd, and all others join where kubeadm's
// ConfigMaps are.
func (p Profile) Flavor() node.Flavor {
	if p.Family == FamilyTalos {
		return node.FlavorTalos
	}
	return node.FlavorKubeadm
}
