package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/report"
)

const (
	coreGroup         = "cluster.x-k8s.io"
	controlPlaneLabel = "cluster.x-k8s.io/control-plane"
	clusterNameLabel  = "cluster.x-k8s.io/cluster-name"
)

// reference names an object in the same namespace. Both shapes of Cluster API's contracts fit.
type reference struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

type machineSpec struct {
	ClusterName string `json:"clusterName"`
	Version     string `json:"version"`
	Bootstrap   struct {
		ConfigRef *reference `json:"configRef"`
	} `json:"bootstrap"`
	InfrastructureRef reference `json:"infrastructureRef"`
}

// aMachine is a machine, or one of many alike, that the manifests describe.
type aMachine struct {
	// name is that of the object that asks for it.
	name string
	// owner is the Machine, MachineDeployment, MachineSet or MachinePool; nil if nothing asks for the config.
	owner *object
	// config is the MachineBootstrapConfig or MachineBootstrapConfigTemplate.
	config       *object
	cluster      string
	version      string
	controlPlane bool
	pool         bool
	// infrastructure is the kind of its infrastructure object; empty if it names none.
	infrastructure string
}

// manifests are the objects by what they are.
type manifests struct {
	objects  []*object
	machines []*aMachine
}

// understand finds the machines among the objects.
func understand(objects []*object) (*manifests, error) {
	m := &manifests{objects: objects}
	asked := map[*object]bool{}
	for _, o := range objects {
		machine, err := m.machineOf(o)
		if err != nil {
			return nil, err
		}
		if machine != nil {
			m.machines = append(m.machines, machine)
			asked[machine.config] = true
		}
	}
	for _, o := range objects {
		if describes(o) && !asked[o] {
			m.machines = append(m.machines, m.lone(o))
		}
	}
	if len(m.machines) == 0 {
		return nil, fmt.Errorf("no %s and no %s is among the manifests", ConfigKind, TemplateKind)
	}
	return m, nil
}

func describes(o *object) bool {
	return o.group() == Group && (o.Kind == ConfigKind || o.Kind == TemplateKind)
}

// machineOf returns the machine that the object asks for; nil if it asks for none of ours.
func (m *manifests) machineOf(o *object) (*aMachine, error) {
	if o.group() != coreGroup {
		return nil, nil
	}
	var body struct {
		Spec struct {
			machineSpec
			Template struct {
				Metadata struct {
					Labels map[string]string `json:"labels"`
				} `json:"metadata"`
				Spec machineSpec `json:"spec"`
			} `json:"template"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(o.json, &body); err != nil {
		return nil, o.unfit(err)
	}
	spec, labels := body.Spec.Template.Spec, body.Spec.Template.Metadata.Labels
	switch o.Kind {
	case "Machine":
		spec, labels = body.Spec.machineSpec, o.Metadata.Labels
	case "MachinePool":
		labels = o.Metadata.Labels
	case "MachineDeployment", "MachineSet":
	default:
		return nil, nil
	}
	if spec.ClusterName == "" {
		spec.ClusterName = body.Spec.ClusterName
	}
	return m.owned(o, spec, labels)
}

func (m *manifests) owned(o *object, spec machineSpec, labels map[string]string) (*aMachine, error) {
	ref := spec.Bootstrap.ConfigRef
	if ref == nil || (ref.Kind != ConfigKind && ref.Kind != TemplateKind) {
		return nil, nil
	}
	config := m.find(Group, ref.Kind, o.Metadata.Namespace, ref.Name)
	if config == nil {
		return nil, fmt.Errorf("%s refers to the %s %s, which is not among the manifests", o, ref.Kind, ref.Name)
	}
	_, controlPlane := labels[controlPlaneLabel]
	return &aMachine{
		name: o.Metadata.Name, owner: o, config: config, cluster: spec.ClusterName, version: spec.Version,
		controlPlane: controlPlane, pool: o.Kind == "MachinePool",
		infrastructure: infrastructure.KindOf(spec.InfrastructureRef.Kind),
	}, nil
}

// lone returns the machine of a config that nothing asks for: a worker, unless it configures a control plane.
func (m *manifests) lone(o *object) *aMachine {
	machine := &aMachine{name: o.Metadata.Name, config: o, cluster: o.Metadata.Labels[clusterNameLabel]}
	path := report.Path("spec.controlPlane")
	if o.Kind == TemplateKind {
		path = "spec.template.spec.controlPlane"
	}
	_, labelled := o.Metadata.Labels[controlPlaneLabel]
	machine.controlPlane = labelled || o.locate(path).exact
	if c := m.findKind(coreGroup, "Cluster"); machine.cluster == "" && c != nil {
		machine.cluster = c.Metadata.Name
	}
	return machine
}

// find returns an object, nil if it is not there.
func (m *manifests) find(group, kind, namespace, name string) *object {
	for _, o := range m.objects {
		if o.group() == group && o.Kind == kind && o.Metadata.Namespace == namespace && o.Metadata.Name == name {
			return o
		}
	}
	return nil
}

func (m *manifests) findKind(group, kind string) *object {
	for _, o := range m.objects {
		if o.group() == group && o.Kind == kind {
			return o
		}
	}
	return nil
}

// ignored notes the kinds that nothing is made of. It is asked when all is made: any kind may be one of plugins.
func (m *manifests) ignored() report.Report {
	var notes report.Report
	counts := map[string]int{}
	var order []string
	for _, o := range m.objects {
		if o.asked || o.group() == Group || o.Kind == "Secret" || o.Kind == "ConfigMap" ||
			(o.group() == coreGroup && o.Kind != "ClusterClass") {
			continue
		}
		kind := strings.TrimPrefix(o.group()+"/"+o.Kind, "/")
		if counts[kind]++; counts[kind] == 1 {
			order = append(order, kind)
		}
	}
	for _, kind := range order {
		notes = append(notes, report.Infof("", "%d of the kind %s left out", counts[kind], kind))
	}
	return notes
}

// choose returns the machine of that name, written as NAME or KIND/NAME; the only one if the name is empty.
func (m *manifests) choose(name string) (*aMachine, error) {
	var names []string
	for _, machine := range m.machines {
		names = append(names, machine.name)
		if name == machine.name || (machine.owner != nil && name == machine.owner.Kind+"/"+machine.name) {
			return machine, nil
		}
	}
	switch {
	case name != "":
		return nil, usageError{fmt.Errorf("there is no machine %q; there are %s", name, strings.Join(names, ", "))}
	case len(m.machines) > 1:
		return nil, usageError{errors.New("there are several machines; choose one with --machine: " +
			strings.Join(names, ", "))}
	}
	return m.machines[0], nil
}
