package cli

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/domain/host"
)

const (
	// maxConditions limits the conditions of an infrastructure object, and maxConditionText the bytes of each text.
	maxConditions, maxConditionText = 32, 4096
	// maxSuggestions limits the machines that an error names.
	maxSuggestions = 5
)

// infrastructureStatus is what the infrastructure object of a machine reports. The object may be of any kind.
type infrastructureStatus struct {
	Kind       string             `json:"kind"`
	Name       string             `json:"name"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// infrastructureIndex finds infrastructure objects. A key without a group finds the last object of any group.
type infrastructureIndex map[objectKey]*infrastructureObject

// infrastructureObject is an object whose conditions are decoded once, because several Machines can refer to it.
type infrastructureObject struct {
	*object

	decoded    bool
	conditions []metav1.Condition
}

func newInfrastructureIndex(objects iter.Seq[*object]) infrastructureIndex {
	index := infrastructureIndex{}
	for o := range objects {
		found := &infrastructureObject{object: o}
		index[objectKey{o.group(), o.Kind, o.Namespace, o.Name}] = found
		index[objectKey{"", o.Kind, o.Namespace, o.Name}] = found
	}
	return index
}

// status returns the status of a Machine's infrastructure object, or nil if the Machine names none.
func (i infrastructureIndex) status(owner clusterv1.Machine) *infrastructureStatus {
	ref := owner.Spec.InfrastructureRef
	if ref.Kind == "" || ref.Name == "" {
		return nil
	}
	s := &infrastructureStatus{Kind: ref.Kind, Name: ref.Name}
	if o := i[objectKey{ref.APIGroup, ref.Kind, owner.Namespace, ref.Name}]; o != nil {
		if !o.decoded {
			o.conditions, o.decoded = o.object.conditions(), true
		}
		s.Conditions = o.conditions
	}
	return s
}

// conditions returns the conditions of an object of any kind, with bounded and clean texts. A condition of another
// shape is left out.
func (o *object) conditions() []metav1.Condition {
	var body struct {
		Status struct {
			Conditions []json.RawMessage `json:"conditions"`
		} `json:"status"`
	}
	if o.decode(&body) != nil {
		return nil
	}
	var all []metav1.Condition
	for _, raw := range body.Status.Conditions[:min(len(body.Status.Conditions), maxConditions)] {
		var c metav1.Condition
		if json.Unmarshal(raw, &c) != nil {
			continue
		}
		c.Type, c.Reason = host.Line(c.Type, maxConditionText), host.Line(c.Reason, maxConditionText)
		c.Status = metav1.ConditionStatus(host.Line(string(c.Status), maxConditionText))
		c.Message = host.Line(c.Message, maxConditionText)
		all = append(all, c)
	}
	return all
}

// problem returns the first condition of the infrastructure object or the Machine that is False and keeps the machine
// from being a node, or nothing. The conditions of the object are more exact than the summary in the Machine.
func (m machineStatus) problem() string {
	if i := m.Infrastructure; i != nil && !meta.IsStatusConditionTrue(i.Conditions, clusterv1.ReadyCondition) {
		if c := firstFalse(i.Conditions); c != nil {
			return conditionText(c, fmt.Sprintf("%s of %s %s", c.Type, i.Kind, i.Name))
		}
	}
	for _, name := range []string{
		clusterv1.InfrastructureReadyCondition, clusterv1.BootstrapConfigReadyCondition,
		clusterv1.MachineNodeHealthyCondition, clusterv1.MachineHealthCheckSucceededCondition,
	} {
		if c := meta.FindStatusCondition(m.MachineConditions, name); c != nil && c.Status == metav1.ConditionFalse {
			return conditionText(c, fmt.Sprintf("%s of Machine %s", c.Type, m.Machine))
		}
	}
	return ""
}

// firstFalse returns the first condition that is False and has a message, or else Ready. Paused and Deleting do not
// count, because they are normally False. Other conditions that are normally False have no message.
func firstFalse(conditions []metav1.Condition) *metav1.Condition {
	for i, c := range conditions {
		normal := []string{clusterv1.ReadyCondition, clusterv1.PausedCondition, clusterv1.DeletingCondition}
		if c.Status == metav1.ConditionFalse && c.Message != "" && !slices.Contains(normal, c.Type) {
			return &conditions[i]
		}
	}
	if c := meta.FindStatusCondition(conditions, clusterv1.ReadyCondition); c != nil && c.Status == metav1.ConditionFalse {
		return c
	}
	return nil
}

func conditionText(c *metav1.Condition, name string) string {
	text := name + " is False: " + orDash(host.Line(c.Reason, maxConditionText))
	if message := host.Line(c.Message, maxConditionText); message != "" {
		text += ": " + message
	}
	return terminal.Line(text)
}

// noMachine returns the error about a name that no machine and no config has. It names the machines whose node,
// infrastructure object or owner has the name.
func noMachine(name string, machines []machineStatus) error {
	var names []string
	for _, m := range machines {
		named := m.Node == name || m.Infrastructure != nil && m.Infrastructure.Name == name
		if m.Machine != "" && (named || slices.Contains(m.owners, name)) {
			names = append(names, m.Machine)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("there is no machine or config %s", name)
	}
	text := strings.Join(names[:min(len(names), maxSuggestions)], ", ")
	if more := len(names) - maxSuggestions; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Errorf("there is no machine or config %s; a node, infrastructure object, owner or cluster has this "+
		"name; use its Machine: %s", name, text)
}

// ownerNames returns the names of the objects that a Machine belongs to, by the labels of Cluster API.
func ownerNames(owner clusterv1.Machine) []string {
	var names []string
	for _, label := range []string{
		clusterv1.MachineDeploymentNameLabel, clusterv1.MachineSetNameLabel, clusterv1.MachinePoolNameLabel,
		clusterv1.MachineControlPlaneNameLabel, clusterv1.ClusterNameLabel,
	} {
		if name := owner.Labels[label]; name != "" {
			names = append(names, name)
		}
	}
	return names
}
