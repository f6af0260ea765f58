package osprofile

import "github.com/machineadm/machineadm/domain/node"

// ControlPlaneType returns the only type of control plane that machines of the distribution can create and join. Talos
// machines join only Talos control planes, which run trustd. All others need kubeadm's ConfigMaps.
func (p Profile) ControlPlaneType() node.ControlPlaneType {
	if p.Family == FamilyTalos {
		return node.ControlPlaneTalos
	}
	return node.ControlPlaneKubeadm
}
