package cli

import (
	"cmp"
	"strings"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/ports"
)

func (o *object) isControlPlane() bool { return o.is(controlplanev1.Group, controlplanev1.Kind) }

func (o *object) isControlPlaneTemplate() bool {
	return o.is(controlplanev1.Group, controlplanev1.TemplateKind)
}

// machineOfControlPlane returns the first machine of a MachineadmControlPlane, which initializes the cluster. All
// others have the same spec.
func (m *manifests) machineOfControlPlane(o *object) (*machine, error) {
	spec, err := decodeSpec[controlplanev1.MachineadmControlPlaneSpec](o)
	if err != nil {
		return nil, err
	}
	version := spec.Version
	if version != "" && !strings.HasPrefix(version, "v") {
		version = "v" + version
	}
	infra := spec.MachineTemplate.Spec.InfrastructureRef
	return &machine{
		Machine: ports.Machine{
			Name: o.Name, Version: version, ControlPlane: true, InfrastructureName: o.Name,
			Infrastructure: m.infrastructureKind(o.Namespace, infra.APIGroup, infra.Kind, infra.Name),
		},
		owner: o, config: o,
		cluster: cmp.Or(m.clusters[o.Namespace+"/"+o.Name], o.Labels[clusterv1.ClusterNameLabel]),
	}, nil
}

// findClusters finds the name of the first Cluster, and of the Clusters that refer to control planes.
func (m *manifests) findClusters() error {
	m.clusters = map[string]string{}
	for _, c := range m.objects {
		if !c.is(clusterv1.GroupVersion.Group, clusterv1.ClusterKind) {
			continue
		}
		spec, err := decodeSpec[struct {
			ControlPlaneRef clusterv1.ContractVersionedObjectReference
		}](c)
		if err != nil {
			return err
		}
		m.cluster = cmp.Or(m.cluster, c.Name)
		controlPlane := c.Namespace + "/" + spec.ControlPlaneRef.Name
		if spec.ControlPlaneRef.APIGroup == controlplanev1.Group && m.clusters[controlPlane] == "" {
			m.clusters[controlPlane] = c.Name
		}
	}
	return nil
}
