package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/kubernetes/admission"
	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// machine is a machine that the manifests describe, or a group of identical machines.
type machine struct {
	// Machine has the name and the version of the owner.
	ports.Machine
	// owner is the Machine, MachineDeployment, MachineSet or MachinePool that refers to the config, the control plane that
	// contains it, or nil if none does.
	owner *object
	// config is the MachineBootstrapConfig, the MachineadmControlPlane, or the template of one of them.
	config *object
	// cluster is the name of the Cluster, or empty if it is not known.
	cluster string
	// clusterObject is the Cluster of the manifests, once the machine's data are produced, or nil.
	clusterObject *object
	// target replaces the operating system of the config, if it is set.
	target targetFlags
	// known is the result of evidence, or nil.
	known *ports.MachineEvidence
}

// origin returns the owner, or the config without one.
func (m *machine) origin() *object {
	if m.owner != nil {
		return m.owner
	}
	return m.config
}

// isConfig reports whether the object is the config of one machine, whose name it has.
func (m *machine) isConfig() bool { return m.config.Kind == v1alpha1.ConfigKind }

// inClusterOf reports whether both machines belong to the same cluster.
func (m *machine) inClusterOf(other *machine) bool {
	return m.cluster == other.cluster && m.config.Namespace == other.config.Namespace
}

// manifests are the objects of the input, and the machines among them.
type manifests struct {
	objects  []*object
	machines []*machine
	index    objectIndex
	// cluster is the name of the first Cluster, and clusters are the names of the Clusters by the namespaces and names of
	// their control planes.
	cluster  string
	clusters map[string]string
}

// newManifests finds the machines among the objects.
func newManifests(objects []*object) (*manifests, error) {
	m := &manifests{objects: objects, index: newObjectIndex(objects)}
	if err := m.findClusters(); err != nil {
		return nil, err
	}
	owned := map[*object]bool{}
	for _, o := range objects {
		found, err := m.machineOf(o)
		if err != nil {
			return nil, err
		}
		more, err := m.machinesOfTopology(o)
		if err != nil {
			return nil, err
		}
		if found != nil {
			more = append(more, found)
		}
		for _, each := range more {
			m.machines = append(m.machines, each)
			owned[each.config] = true
		}
	}
	for _, o := range objects {
		describes := o.is(v1alpha1.Group, v1alpha1.ConfigKind) || o.is(v1alpha1.Group, v1alpha1.TemplateKind) ||
			o.isControlPlaneTemplate()
		if describes && !owned[o] {
			m.machines = append(m.machines, m.withoutOwner(o))
		}
	}
	if len(m.machines) == 0 {
		return nil, m.noMachines()
	}
	return m, nil
}

// noMachines reports that no object describes a machine.
func (m *manifests) noMachines() error {
	checker, err := admission.Load()
	if err != nil {
		return fmt.Errorf("read the definitions: %w", err)
	}
	remedy := ""
	for _, o := range m.objects {
		if suggestion := o.suggestion(checker); suggestion != "" {
			remedy = "; " + suggestion
			break
		}
		switch o.group() {
		case "bootstrap.cluster.x-k8s.io", "controlplane.cluster.x-k8s.io":
			remedy = fmt.Sprintf("; machineadmctl convert converts the %s %s", o.Kind, o.Name)
		case v1alpha1.Group, controlplanev1.Group:
			remedy = "; no machine uses the " + o.Kind
		}
	}
	return fmt.Errorf("the manifests contain no %s, no %s and no %s%s", v1alpha1.ConfigKind, v1alpha1.TemplateKind,
		controlplanev1.Kind, remedy)
}

// suggestion returns the position and the correct spelling of a misspelled group or kind of machineadm, or an empty
// string.
func (o *object) suggestion(checker *admission.Checker) string {
	if meant := checker.GroupOf(o.group(), o.Kind); meant != "" {
		f := o.finding(unknownGroup(o.GroupVersionKind(), meant))
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.sentence())
	}
	kinds := []string{v1alpha1.ConfigKind, v1alpha1.TemplateKind, controlplanev1.Kind}
	meant := report.Nearest(o.Kind, kinds)
	if meant == "" || o.group() != v1alpha1.Group && o.group() != controlplanev1.Group {
		return ""
	}
	at := o.locate("kind")
	return fmt.Sprintf("%s:%d: there is no kind %q; did you mean %s?", at.file.name, at.line, o.Kind, meant)
}

// machineOf returns the machine that an object of Cluster API or a control plane creates, or nil if it creates none, or
// one of another bootstrap provider.
func (m *manifests) machineOf(o *object) (*machine, error) {
	if o.isControlPlane() {
		return m.machineOfControlPlane(o)
	}
	if o.group() != clusterv1.GroupVersion.Group {
		return nil, nil
	}
	switch o.Kind {
	case "Machine":
		spec, err := decodeSpec[clusterv1.MachineSpec](o)
		if err != nil {
			return nil, err
		}
		return m.owned(o, spec, o.Labels)
	case "MachineDeployment", "MachineSet", "MachinePool":
		// The three specs have these fields in common.
		spec, err := decodeSpec[clusterv1.MachineDeploymentSpec](o)
		if err != nil {
			return nil, err
		}
		labels := spec.Template.Labels
		if o.Kind == "MachinePool" {
			labels = o.Labels
		}
		if spec.Template.Spec.ClusterName == "" {
			spec.Template.Spec.ClusterName = spec.ClusterName
		}
		return m.owned(o, spec.Template.Spec, labels)
	default:
		return nil, nil
	}
}

func (m *manifests) owned(o *object, spec clusterv1.MachineSpec, labels map[string]string) (*machine, error) {
	ref, infra := spec.Bootstrap.ConfigRef, spec.InfrastructureRef
	if ref.Kind != v1alpha1.ConfigKind && ref.Kind != v1alpha1.TemplateKind {
		return nil, nil
	}
	config := m.find(v1alpha1.Group, ref.Kind, o.Namespace, ref.Name)
	if config == nil {
		return nil, m.lost(o, ref)
	}
	_, controlPlane := labels[clusterv1.MachineControlPlaneLabel]
	return &machine{
		Machine: ports.Machine{
			Name: o.Name, Version: spec.Version, ControlPlane: controlPlane, Pool: o.Kind == "MachinePool",
			Infrastructure:     m.infrastructureKind(o.Namespace, infra.APIGroup, infra.Kind, infra.Name),
			InfrastructureName: infrastructureName(o, spec),
		},
		owner: o, config: config, cluster: spec.ClusterName,
	}, nil
}

// lost reports that a config is not among the manifests, or is in a misspelled group.
func (m *manifests) lost(o *object, ref clusterv1.ContractVersionedObjectReference) error {
	checker, err := admission.Load()
	if err != nil {
		return fmt.Errorf("read the definitions: %w", err)
	}
	for _, config := range m.objects {
		isNamed := config.Kind == ref.Kind && config.Namespace == o.Namespace && config.Name == ref.Name
		if isNamed && checker.GroupOf(config.group(), config.Kind) != "" {
			return errors.New(config.suggestion(checker))
		}
	}
	at := report.Path("spec.bootstrap.configRef.name")
	if o.Kind != "Machine" {
		at = "spec.template." + at
	}
	return fmt.Errorf("%s:%d: %s: %s refers to the %s %s, which is not among the manifests; %s", o.file.name,
		o.locate(at).line, at, o, ref.Kind, ref.Name,
		report.DidYouMean(ref.Name, m.names(v1alpha1.Group, ref.Kind, o.Namespace), "add it, or correct the name"))
}

// names returns the names of the objects of a kind in a namespace.
func (m *manifests) names(group, kind, namespace string) []string {
	var names []string
	for _, o := range m.objects {
		if o.is(group, kind) && o.Namespace == namespace {
			names = append(names, o.Name)
		}
	}
	return names
}

// infrastructureKind returns the name in the table of infrastructure of the kind that a reference names. The settings
// of a HostMachine that is among the manifests determine what it accepts.
func (m *manifests) infrastructureKind(namespace, group, kind, name string) string {
	known := infrastructure.NameOf(group, kind)
	o := m.find(hostsv1.Group, kind, namespace, name)
	if o == nil || group != hostsv1.Group || known != hostsv1.MachineKind {
		return known
	}
	spec, err := decodeSpec[struct {
		hostsv1.HostMachineSettings

		Template struct{ Spec hostsv1.HostMachineSettings }
	}](o)
	if err != nil {
		return known
	}
	settings := spec.HostMachineSettings
	if kind == hostsv1.MachineTemplateKind {
		settings = spec.Template.Spec
	}
	return infrastructure.HostMachineKind(settings.NamespaceMachine != nil, settings.VirtualMachine != nil)
}

// infrastructureName returns the name of the machine's infrastructure object. An object that is created from a template
// has the name of its Machine.
func infrastructureName(o *object, spec clusterv1.MachineSpec) string {
	switch o.Kind {
	case "MachinePool":
		return ""
	case "Machine":
		return spec.InfrastructureRef.Name
	default:
		return o.Name
	}
}

// withoutOwner returns the machine of a config that no object refers to: a worker, unless the config has a label or
// settings of a control plane.
func (m *manifests) withoutOwner(o *object) *machine {
	found := &machine{Machine: ports.Machine{Name: o.Name}, config: o, cluster: o.Labels[clusterv1.ClusterNameLabel]}
	_, labelled := o.Labels[clusterv1.MachineControlPlaneLabel]
	found.ControlPlane = labelled || found.spec().ControlPlane != nil || o.isControlPlaneTemplate()
	found.cluster = cmp.Or(found.cluster, m.cluster)
	return found
}

// spec returns the machine's spec, as far as it can be decoded. describe reports what cannot.
func (m *machine) spec() v1alpha1.MachineBootstrapConfigSpec {
	var spec v1alpha1.MachineBootstrapConfigSpec
	_, _ = m.decodeInto(&spec)
	m.target.replace(&spec.OS)
	return spec
}

// find returns an object, or nil if there is none.
func (m *manifests) find(group, kind, namespace, name string) *object {
	return m.index[objectKey{group, kind, namespace, name}]
}

// lookup returns the value of a key of a Secret or ConfigMap. As in the API server, stringData of a Secret replaces its
// data. A key that cannot be decoded is missing.
func (m *manifests) lookup(namespace, kind, name, key string) ([]byte, bool) {
	o := m.find(corev1.GroupName, kind, namespace, name)
	switch {
	case o == nil:
		return nil, false
	case kind == "Secret":
		var s corev1.Secret
		_ = o.decode(&s)
		if text, found := s.StringData[key]; found {
			return []byte(text), true
		}
		value, found := s.Data[key]
		return value, found
	default:
		var c corev1.ConfigMap
		_ = o.decode(&c)
		if text, found := c.Data[key]; found {
			return []byte(text), true
		}
		value, found := c.BinaryData[key]
		return value, found
	}
}

// unused counts, by kind, the objects that have no effect on any machine. Call it after all machines: each may use
// objects of any kind as plugins.
func (m *manifests) unused() report.Report {
	var findings report.Report
	counts := map[string]int{}
	var kinds []string
	for _, o := range m.objects {
		if o.used || o.group() == v1alpha1.Group || o.group() == controlplanev1.Group ||
			o.is(corev1.GroupName, "Secret") || o.is(corev1.GroupName, "ConfigMap") ||
			o.group() == clusterv1.GroupVersion.Group && o.Kind != clusterv1.ClusterClassKind {
			continue
		}
		kind := strings.TrimPrefix(o.group()+"/"+o.Kind, "/")
		if counts[kind]++; counts[kind] == 1 {
			kinds = append(kinds, kind)
		}
	}
	for _, kind := range kinds {
		verb := "have"
		if counts[kind] == 1 {
			verb = "has"
		}
		findings = append(findings, report.Infof("", "%s of kind %s %s no effect here", number(counts[kind], "object"), kind,
			verb))
	}
	return findings
}

// isNamed reports whether the machine has the name, which may be NAME, KIND/NAME or KIND/NAMESPACE/NAME.
func (m *machine) isNamed(name string) bool {
	o := m.origin()
	return slices.Contains([]string{m.Name, o.Kind + "/" + m.Name, m.fullName()}, name)
}

// fullName returns the kind and the namespace of the machine's owner or config, and the machine's name.
func (m *machine) fullName() string {
	o := m.origin()
	return strings.Join([]string{o.Kind, o.Namespace, m.Name}, "/")
}

// choose returns the machine with the name. An empty name selects the only machine.
func (m *manifests) choose(name string) (*machine, error) {
	var names, found []string
	var chosen *machine
	for _, candidate := range m.machines {
		names = append(names, candidate.Name)
		if candidate.isNamed(name) {
			chosen, found = candidate, append(found, candidate.fullName())
		}
	}
	switch {
	case len(found) > 1:
		return nil, usageError{fmt.Errorf("--machine %s: several machines have this name; use one of %s", name,
			strings.Join(found, ", "))}
	case chosen != nil:
		return chosen, nil
	case name != "":
		return nil, usageError{fmt.Errorf("--machine %s: no such machine; choose one of %s", name, strings.Join(names, ", "))}
	case len(m.machines) > 1:
		return nil, usageError{errors.New("the manifests contain several machines; choose one with --machine: " +
			strings.Join(names, ", "))}
	}
	return m.machines[0], nil
}
