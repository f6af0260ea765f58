package controlplane

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// The conditions of Machines that report the components. Cluster API folds those of equal meaning by these names.
const (
	conditionNode              = string(controlplane.ConditionNodeMarked)
	conditionAPIServer         = "APIServerPodHealthy"
	conditionControllerManager = "ControllerManagerPodHealthy"
	conditionScheduler         = "SchedulerPodHealthy"
	conditionEtcdPod           = "EtcdPodHealthy"
	conditionEtcdMember        = "EtcdMemberHealthy"
)

// ownConditions returns the conditions of Machines that only this controller sets.
func ownConditions() []string {
	return []string{
		clusterv1.MachineUpToDateCondition, conditionNode, conditionAPIServer, conditionControllerManager,
		conditionScheduler, conditionEtcdPod, conditionEtcdMember,
	}
}

// gateTypes returns the conditions that a Machine of the control plane needs to be ready.
func gateTypes(c ports.ControlPlane) []string {
	gates := []string{conditionAPIServer, conditionControllerManager, conditionScheduler}
	if c.Desired.Type == node.ControlPlaneKubeadm {
		gates = append(gates, conditionNode)
	}
	if c.Desired.ExternalEtcd {
		return gates
	}
	// etcd of Talos is not a Pod.
	if c.Desired.Type == node.ControlPlaneKubeadm {
		gates = append(gates, conditionEtcdPod)
	}
	return append(gates, conditionEtcdMember)
}

// readinessGates returns those of the user and those of the controller.
func readinessGates(o *v1alpha1.MachineadmControlPlane, c ports.ControlPlane) []clusterv1.MachineReadinessGate {
	var gates []clusterv1.MachineReadinessGate
	own := map[string]bool{}
	for _, kind := range gateTypes(c) {
		own[kind] = true
		gates = append(gates, clusterv1.MachineReadinessGate{ConditionType: kind})
	}
	for _, gate := range o.Spec.MachineTemplate.Spec.ReadinessGates {
		if !own[gate.ConditionType] {
			gates = append(gates, gate)
		}
	}
	return gates
}

// desiredMachine returns what the controller specifies of a Machine. The Machine in the argument has its name, its
// version and its references, which never change.
func desiredMachine(o *v1alpha1.MachineadmControlPlane, c ports.ControlPlane, m *clusterv1.Machine) *clusterv1.Machine {
	template := o.Spec.MachineTemplate
	d := &clusterv1.Machine{
		TypeMeta: metav1.TypeMeta{APIVersion: clusterv1.GroupVersion.String(), Kind: "Machine"},
		ObjectMeta: metav1.ObjectMeta{
			Name: m.Name, Namespace: o.Namespace, UID: m.UID,
			Labels: maps.Clone(template.ObjectMeta.Labels), Annotations: maps.Clone(template.ObjectMeta.Annotations),
			OwnerReferences: []metav1.OwnerReference{ownerReference(o, true)},
		},
		Spec: clusterv1.MachineSpec{
			ClusterName: c.ClusterName, Version: m.Spec.Version, FailureDomain: m.Spec.FailureDomain,
			Bootstrap:         clusterv1.Bootstrap{ConfigRef: m.Spec.Bootstrap.ConfigRef},
			InfrastructureRef: m.Spec.InfrastructureRef,
			ReadinessGates:    readinessGates(o, c), Taints: template.Spec.Taints,
			Deletion: clusterv1.MachineDeletionSpec(template.Spec.Deletion),
		},
	}
	d.Labels = with(d.Labels, labels(o, c.ClusterName))
	d.Annotations = with(d.Annotations, map[string]string{v1alpha1.HookAnnotation: ""})
	if retry, found := m.Annotations[v1alpha1.RemediationForAnnotation]; found {
		d.Annotations[v1alpha1.RemediationForAnnotation] = retry
	}
	stamp(d, d.Spec)
	return d
}

// with returns a map with the entries of both; those of more take precedence.
func with(entries, more map[string]string) map[string]string {
	if entries == nil {
		entries = map[string]string{}
	}
	maps.Copy(entries, more)
	return entries
}

// applied reports whether the Machine is as desired. The API server sets a default for a timeout that is not specified.
func applied(m, d *clusterv1.Machine) bool {
	return contains(m.Labels, d.Labels) && contains(m.Annotations, d.Annotations) && metav1.IsControlledBy(m,
		&metav1.ObjectMeta{UID: d.OwnerReferences[0].UID}) &&
		hasGates(m.Spec.ReadinessGates, d.Spec.ReadinessGates) &&
		equality.Semantic.DeepEqual(m.Spec.Taints, d.Spec.Taints) &&
		m.Spec.Deletion == withTimeouts(m.Spec.Deletion, d.Spec.Deletion)
}

// hasGates reports whether all gates are there. Those of a former control plane are not the controller's, and remain. A
// gate that is not specified any more changes the digest of what is specified.
func hasGates(gates, specified []clusterv1.MachineReadinessGate) bool {
	for _, gate := range specified {
		if !slices.Contains(gates, gate) {
			return false
		}
	}
	return true
}

// withTimeouts returns the timeouts with those that are specified. A pointer of an equal timeout stays the same.
func withTimeouts(now, specified clusterv1.MachineDeletionSpec) clusterv1.MachineDeletionSpec {
	for _, timeout := range []struct{ now, specified **int32 }{
		{&now.NodeDrainTimeoutSeconds, &specified.NodeDrainTimeoutSeconds},
		{&now.NodeVolumeDetachTimeoutSeconds, &specified.NodeVolumeDetachTimeoutSeconds},
		{&now.NodeDeletionTimeoutSeconds, &specified.NodeDeletionTimeoutSeconds},
	} {
		if s := *timeout.specified; s != nil && (*timeout.now == nil || **timeout.now != *s) {
			*timeout.now = s
		}
	}
	return now
}

// contains reports whether the map contains the entries.
func contains(m, entries map[string]string) bool {
	for key, value := range entries {
		if got, found := m[key]; !found || got != value {
			return false
		}
	}
	return true
}

// desiredMetadata returns the labels and annotations that users specify for an infrastructure machine or a bootstrap
// config. It is nil if there are none and there never were any.
func desiredMetadata(o *v1alpha1.MachineadmControlPlane, current client.Object) *unstructured.Unstructured {
	template := o.Spec.MachineTemplate.ObjectMeta
	d := &unstructured.Unstructured{}
	d.SetGroupVersionKind(current.GetObjectKind().GroupVersionKind())
	d.SetName(current.GetName())
	d.SetNamespace(current.GetNamespace())
	d.SetUID(current.GetUID())
	set := maps.Clone(template.Labels)
	for key := range labels(o, "") {
		delete(set, key)
	}
	d.SetLabels(set)
	d.SetAnnotations(maps.Clone(template.Annotations))
	_, before := current.GetAnnotations()[v1alpha1.AppliedAnnotation]
	if len(set) == 0 && len(template.Annotations) == 0 && !before {
		return nil
	}
	stamp(d, nil)
	return d
}

// stamp adds the digest of what is specified as an annotation. It shows that a label or a setting was removed.
func stamp(o client.Object, spec any) {
	// Maps of strings and API types always have a JSON form, in which keys are sorted.
	text, _ := json.Marshal([]any{o.GetLabels(), o.GetAnnotations(), spec})
	digest := sha256.Sum256(text)
	o.SetAnnotations(with(o.GetAnnotations(), map[string]string{
		v1alpha1.AppliedAnnotation: hex.EncodeToString(digest[:8]),
	}))
}

// toApply returns the object without what is not specified.
func toApply(o client.Object) (*unstructured.Unstructured, error) {
	tree, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, fmt.Errorf("convert %s: %w", o.GetName(), err)
	}
	u := &unstructured.Unstructured{Object: tree}
	unstructured.RemoveNestedField(u.Object, "metadata", "creationTimestamp")
	unstructured.RemoveNestedField(u.Object, "status")
	return u, nil
}
