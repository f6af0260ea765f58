package cli

import (
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
	cluster, err := m.clusterOfControlPlane(o)
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
		owner: o, config: o, cluster: cluster,
	}, nil
}

// clusterOfControlPlane returns the name of the Cluster that refers to a control plane, or else that of its label.
func (m *manifests) clusterOfControlPlane(o *object) (string, error) {
	for _, c := range m.objects {
		if !c.is(clusterv1.GroupVersion.Group, clusterv1.ClusterKind) || c.Namespace != o.Namespace {
			continue
		}
		spec, err := decodeSpec[clusterv1.ClusterSpec](c)
		if err != nil {
			return "", err
		}
		if ref := spec.ControlPlaneRef; ref.APIGroup == controlplanev1.Group && ref.Name == o.Name {
			return c.Name, nil
		}
	}
	return o.Labels[clusterv1.ClusterNameLabel], nil
}
