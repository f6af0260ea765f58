package node

import "slices"

// ForeignControlPlane is a control plane that machines cannot join with kubeadm or with Talos.
type ForeignControlPlane struct {
	// Kinds are the kinds of the objects that manage such a control plane. Configs are the kinds of the bootstrap configs
	// of its machines, if its provider has any.
	Kinds, Configs []string
	// Name is the name of the distribution or the service.
	Name string
	// Remedy describes how machines join.
	Remedy string
	// Source is the origin of these facts, with its date.
	Source string
}

// ForeignControlPlanes returns all known control planes of the type ControlPlaneForeign. Kinds that are not listed,
// such as KamajiControlPlane, are joined with kubeadm.
func ForeignControlPlanes() []ForeignControlPlane {
	return slices.Concat(distributions(), managedServices())
}

// distributions returns the control planes of distributions with a join protocol of their own.
func distributions() []ForeignControlPlane {
	return []ForeignControlPlane{
		{
			Kinds: []string{"RKE2ControlPlane"}, Configs: []string{"RKE2Config"}, Name: "RKE2",
			Remedy: "use the bootstrap config RKE2Config for machines of this cluster",
			Source: "rancher/cluster-api-provider-rke2, 2026-08-19: registrationPort 9345, with a token of RKE2",
		},
		{
			Kinds: []string{"K0sControlPlane", "K0smotronControlPlane"}, Configs: []string{"K0sControllerConfig"}, Name: "k0s",
			Remedy: "use the bootstrap config K0sWorkerConfig for machines of this cluster",
			Source: "k0sproject/k0smotron, 2026-08-18: api/bootstrap, workers join with a token of k0s",
		},
		{
			Kinds: []string{"KThreesControlPlane"}, Configs: []string{"KThreesConfig"}, Name: "K3s",
			Remedy: "use the bootstrap config KThreesConfig for machines of this cluster",
			Source: "k3s-io/cluster-api-k3s, 2026-04-02: pkg/token, agents join with a token of K3s",
		},
		{
			Kinds: []string{"CK8sControlPlane"}, Configs: []string{"CK8sConfig"}, Name: "Canonical Kubernetes",
			Remedy: "use the bootstrap config CK8sConfig for machines of this cluster",
			Source: "canonical/cluster-api-k8s, 2026-04-08: NewWorkerJoinToken, a token of k8sd",
		},
		{
			Kinds: []string{"KairosControlPlane"}, Configs: []string{"KairosConfig"}, Name: "Kairos",
			Remedy: "use the bootstrap config KairosConfig for machines of this cluster",
			Source: "kairos-io/cluster-api-provider-kairos, read 2026-11-26: SupportedDistributions, k0s and k3s",
		},
		{
			Kinds: []string{"MicroK8sControlPlane"}, Configs: []string{"MicroK8sConfig"}, Name: "MicroK8s",
			Remedy: "use the bootstrap config MicroK8sConfig for machines of this cluster",
			Source: "canonical/cluster-api-control-plane-provider-microk8s, 2025-04-09: MicroK8sControlPlane",
		},
	}
}

// managedServices returns the control planes of clouds.
func managedServices() []ForeignControlPlane {
	return []ForeignControlPlane{
		{
			Kinds: []string{"AWSManagedControlPlane"}, Name: "Amazon EKS",
			Remedy: "use the bootstrap config EKSConfig or NodeadmConfig, or a managed node group",
			Source: "kubernetes-sigs/cluster-api-provider-aws, 2026-07-01: nodes of EKS authenticate with IAM; " +
				"there are no bootstrap tokens",
		},
		{
			Kinds: []string{"ROSAControlPlane"}, Name: "Red Hat OpenShift Service on AWS",
			Remedy: "use a ROSAMachinePool",
			Source: "kubernetes-sigs/cluster-api-provider-aws, 2026-07-01: ROSAMachinePool",
		},
		{
			Kinds: []string{"AzureManagedControlPlane", "AzureASOManagedControlPlane"}, Name: "Azure Kubernetes Service",
			Remedy: "use an AzureManagedMachinePool or an AzureASOManagedMachinePool",
			Source: "kubernetes-sigs/cluster-api-provider-azure, 2026-08-19: AKS creates the nodes of its pools itself",
		},
		{
			Kinds: []string{"GCPManagedControlPlane"}, Name: "Google Kubernetes Engine",
			Remedy: "use a GCPManagedMachinePool",
			Source: "kubernetes-sigs/cluster-api-provider-gcp, 2026-06-25: GKE creates the nodes of its pools itself",
		},
		{
			Kinds: []string{"OCIManagedControlPlane"}, Name: "Oracle Container Engine for Kubernetes",
			Remedy: "use an OCIManagedMachinePool or an OCIVirtualMachinePool",
			Source: "oracle/cluster-api-provider-oci, 2026-04-27: OKE creates the nodes of its pools itself",
		},
		{
			Kinds: []string{"ScalewayManagedControlPlane"}, Name: "Scaleway Kapsule",
			Remedy: "use a ScalewayManagedMachinePool",
			Source: "scaleway/cluster-api-provider-scaleway, 2026-07-17: Kapsule creates the nodes of its pools itself",
		},
	}
}

// LookupForeignControlPlane returns the foreign control plane that an object of the kind manages, or whose machines
// have bootstrap configs of the kind.
func LookupForeignControlPlane(kind string) (ForeignControlPlane, bool) {
	for _, c := range ForeignControlPlanes() {
		if slices.Contains(c.Kinds, kind) || slices.Contains(c.Configs, kind) {
			return c, true
		}
	}
	return ForeignControlPlane{}, false
}
