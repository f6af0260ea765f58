package cli

import (
	"cmp"
	"strings"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// templateRef is a reference of a ClusterClass to a template.
type templateRef struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

func (r templateRef) group() string {
	group, _, _ := strings.Cut(r.APIVersion, "/")
	return group
}

// classTemplate contains a reference in the fields of v1beta2, or of v1beta1.
type classTemplate struct {
	TemplateRef templateRef `json:"templateRef"`
	Ref         templateRef `json:"ref"`
}

func (t classTemplate) of() templateRef { return cmp.Or(t.TemplateRef, t.Ref) }

// workerClass is a class of machines in a ClusterClass, with the fields of v1beta2 and of v1beta1.
type workerClass struct {
	Class          string        `json:"class"`
	Bootstrap      classTemplate `json:"bootstrap"`
	Infrastructure classTemplate `json:"infrastructure"`
	Template       struct {
		Bootstrap      classTemplate `json:"bootstrap"`
		Infrastructure classTemplate `json:"infrastructure"`
	} `json:"template"`
}

func (c workerClass) bootstrap() templateRef {
	return cmp.Or(c.Bootstrap.of(), c.Template.Bootstrap.of())
}

func (c workerClass) infrastructure() templateRef {
	return cmp.Or(c.Infrastructure.of(), c.Template.Infrastructure.of())
}

// classSpec is the part of a ClusterClass's spec that determines its machines.
type classSpec struct {
	ControlPlane struct {
		classTemplate `json:",inline"`

		MachineInfrastructure classTemplate `json:"machineInfrastructure"`
	} `json:"controlPlane"`
	Workers struct {
		MachineDeployments []workerClass `json:"machineDeployments"`
		MachinePools       []workerClass `json:"machinePools"`
	} `json:"workers"`
	Patches []struct {
		Name string `json:"name"`
	} `json:"patches"`
}

// topologyWorker is a group of machines in a Cluster's topology.
type topologyWorker struct {
	Class string `json:"class"`
	Name  string `json:"name"`
}

// topologySpec is the topology in a Cluster's spec, with the fields of v1beta2 and of v1beta1.
type topologySpec struct {
	Topology struct {
		Class    string `json:"class"`
		ClassRef struct {
			Name      string `json:"name"`
			Namespace string `json:"namespace"`
		} `json:"classRef"`
		Version string `json:"version"`
		Workers struct {
			MachineDeployments []topologyWorker `json:"machineDeployments"`
			MachinePools       []topologyWorker `json:"machinePools"`
		} `json:"workers"`
	} `json:"topology"`
}

// topology is a Cluster with a topology, and its ClusterClass.
type topology struct {
	cluster *object
	spec    topologySpec
	class   *object
	classSpec
}

// topologyOf returns the topology of a Cluster, and whether it has one whose class is among the manifests.
func (m *manifests) topologyOf(o *object) (topology, bool, error) {
	t := topology{cluster: o}
	var err error
	if t.spec, err = decodeSpec[topologySpec](o); err != nil {
		return t, false, err
	}
	ref := t.spec.Topology
	t.class = m.find(clusterv1.GroupVersion.Group, clusterv1.ClusterClassKind,
		cmp.Or(ref.ClassRef.Namespace, o.Namespace), cmp.Or(ref.ClassRef.Name, ref.Class))
	if t.class == nil {
		return t, false, nil
	}
	t.classSpec, err = decodeSpec[classSpec](t.class)
	return t, err == nil, err
}

// withoutPatches reports the patches of the class, which only Cluster API applies. They can change the templates of
// machines by the variables of the Cluster.
func (t topology) withoutPatches() report.Report {
	if len(t.Patches) == 0 {
		return nil
	}
	names := make([]string, len(t.Patches))
	for i, p := range t.Patches {
		names[i] = p.Name
	}
	return report.Report{report.Infof("", "the patches of the ClusterClass %s are not applied here: %s",
		t.class.Name, strings.Join(names, ", ")).To("check the templates that Cluster API creates for the Cluster, which "+
		"have the label %s", clusterv1.ClusterTopologyOwnedLabel)}
}

// machinesOfTopology returns the machines that a Cluster's topology creates from templates of machineadm.
func (m *manifests) machinesOfTopology(o *object) ([]*machine, error) {
	if !o.is(clusterv1.GroupVersion.Group, clusterv1.ClusterKind) {
		return nil, nil
	}
	t, found, err := m.topologyOf(o)
	if !found || err != nil {
		return nil, err
	}
	t.class.used = true
	var machines []*machine
	add := func(name string, config, infra templateRef, controlPlane, pool bool) {
		if template := m.template(t.class.Namespace, config); template != nil {
			machines = append(machines, t.machine(name, template, m.infrastructureKind(t.class.Namespace, infra.group(),
				infra.Kind, infra.Name), controlPlane, pool))
		}
	}
	add(o.Name, t.ControlPlane.of(), t.ControlPlane.MachineInfrastructure.of(), true, false)
	for _, w := range t.spec.Topology.Workers.MachineDeployments {
		c := classOf(t.Workers.MachineDeployments, w)
		add(o.Name+"-"+w.Name, c.bootstrap(), c.infrastructure(), false, false)
	}
	for _, w := range t.spec.Topology.Workers.MachinePools {
		c := classOf(t.Workers.MachinePools, w)
		add(o.Name+"-"+w.Name, c.bootstrap(), c.infrastructure(), false, true)
	}
	return machines, nil
}

func classOf(classes []workerClass, w topologyWorker) workerClass {
	for _, c := range classes {
		if c.Class == w.Class {
			return c
		}
	}
	return workerClass{}
}

// template returns the template of machineadm that the reference names, or nil for other templates.
func (m *manifests) template(namespace string, ref templateRef) *object {
	if ref.group() == v1alpha1.Group && ref.Kind == v1alpha1.TemplateKind ||
		ref.group() == controlplanev1.Group && ref.Kind == controlplanev1.TemplateKind {
		return m.find(ref.group(), ref.Kind, namespace, ref.Name)
	}
	return nil
}

func (t topology) machine(name string, config *object, infra string, controlPlane, pool bool) *machine {
	version := t.spec.Topology.Version
	if version != "" && !strings.HasPrefix(version, "v") {
		version = "v" + version
	}
	return &machine{
		Machine: ports.Machine{Name: name, Version: version, ControlPlane: controlPlane, Pool: pool, Infrastructure: infra},
		owner:   t.cluster, config: config, cluster: t.cluster.Name,
	}
}

// controlPlaneKind returns the kind of the control plane that the topology creates, or empty for one of machineadm.
func (t topology) controlPlaneKind() string {
	ref := t.ControlPlane.of()
	if ref.group() == controlplanev1.Group {
		return ""
	}
	return infrastructure.KindOf(ref.Kind)
}
