package node

// Flavor says what a cluster's control plane is made of, and hence how machines join it.
type Flavor string

// The flavors.
const (
	// FlavorKubeadm is a control plane that kubeadm made, or one that machines join by kubeadm all the same. It has the
	// ConfigMaps kube-public/cluster-info and kube-system/kubeadm-config, which kubeadm join reads
	// (kubernetes/cmd/kubeadm/app/discovery/token and util/config/cluster.go).
	FlavorKubeadm Flavor = "Kubeadm"
	// FlavorTalos is a control plane of Talos machines. They run trustd, of which other Talos machines get their
	// certificates, and have none of kubeadm's ConfigMaps (siderolabs/talos:
	// internal/app/machined/pkg/controllers/secrets/api.go and controllers/k8s/internal/k8stemplates).
	FlavorTalos Flavor = "Talos"
)

// Flavors returns all flavors.
func Flavors() []Flavor { return []Flavor{FlavorKubeadm, FlavorTalos} }
