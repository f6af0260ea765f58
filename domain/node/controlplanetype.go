package node

// ControlPlaneType is the type of a cluster's control plane. It determines which operating systems can join.
type ControlPlaneType string

// The types of control planes.
const (
	// ControlPlaneKubeadm is a control plane that machines join with kubeadm, whether kubeadm created it or not. It has
	// the ConfigMaps kube-public/cluster-info and kube-system/kubeadm-config, which kubeadm join reads
	// (kubernetes/cmd/kubeadm/app/discovery/token and util/config/cluster.go).
	ControlPlaneKubeadm ControlPlaneType = "Kubeadm"
	// ControlPlaneTalos is a control plane of Talos machines. They run trustd, which issues the certificates of other
	// Talos machines, and have none of kubeadm's ConfigMaps (siderolabs/talos:
	// internal/app/machined/pkg/controllers/secrets/api.go and controllers/k8s/internal/k8stemplates).
	ControlPlaneTalos ControlPlaneType = "Talos"
	// ControlPlaneForeign is a control plane of another distribution or of a cloud, which no machine of machineadm joins:
	// it has none of kubeadm's ConfigMaps and accepts no bootstrap tokens, or has a join protocol of its own.
	ControlPlaneForeign ControlPlaneType = "Foreign"
)

// ControlPlaneTypes returns the types that machines of machineadm can join.
func ControlPlaneTypes() []ControlPlaneType {
	return []ControlPlaneType{ControlPlaneKubeadm, ControlPlaneTalos}
}
