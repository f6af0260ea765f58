package capi

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// controlPlane returns the control plane machines of the cluster that are not being deleted, the oldest first.
func (l *Lookup) controlPlane(ctx context.Context, c *clusterv1.Cluster) ([]*clusterv1.Machine, error) {
	var list clusterv1.MachineList
	err := l.reader.List(ctx, &list, client.InNamespace(c.Namespace), client.MatchingFields{ControlPlaneIndex: c.Name})
	if err != nil {
		return nil, fmt.Errorf("list control plane machines: %w", err)
	}
	machines := make([]*clusterv1.Machine, 0, len(list.Items))
	for i := range list.Items {
		if m := &list.Items[i]; m.DeletionTimestamp.IsZero() {
			machines = append(machines, m)
		}
	}
	slices.SortFunc(machines, kube.OldestFirst)
	return machines, nil
}

// oldestVersion returns the oldest version of the machines, or empty if there are none. Cluster API's contract does not
// name a field with the version of a control plane without machines, such as a managed one.
func oldestVersion(machines []*clusterv1.Machine) string {
	oldest := ""
	for _, m := range machines {
		version, ok := node.ParseVersion(m.Spec.Version)
		if !ok {
			continue
		}
		if known, _ := node.ParseVersion(oldest); oldest == "" || version.Less(known) {
			oldest = m.Spec.Version
		}
	}
	return oldest
}

// addresses returns a machine's IP addresses, external ones first.
func addresses(m *clusterv1.Machine) []string {
	var found []string
	for _, kind := range []clusterv1.MachineAddressType{clusterv1.MachineExternalIP, clusterv1.MachineInternalIP} {
		for _, a := range m.Status.Addresses {
			if a.Type == kind && !slices.Contains(found, a.Address) {
				found = append(found, a.Address)
			}
		}
	}
	return found
}

func addressesOf(machines []*clusterv1.Machine) []string {
	var found []string
	for _, m := range machines {
		found = append(found, addresses(m)...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// evidence returns the evidence of the control plane type. It reads the configs of machines only until one of them
// determines the type.
func (l *Lookup) evidence(ctx context.Context, c *clusterv1.Cluster, machines []*clusterv1.Machine) (
	ports.ControlPlaneEvidence, error,
) {
	e := ports.ControlPlaneEvidence{
		Setting: c.Annotations[ports.ControlPlaneTypeAnnotation], Provider: c.Spec.ControlPlaneRef.Kind,
	}
	if c.Spec.ControlPlaneRef.APIGroup == controlplanev1.Group {
		// The machines of our own control planes boot any operating system, which their configs name.
		e.Provider = ""
	}
	if e.Setting != "" || e.Provider != "" {
		return e, nil
	}
	for _, m := range machines {
		machine, err := l.machineEvidence(ctx, m)
		if err != nil {
			return e, err
		}
		e.Machines = append(e.Machines, machine)
		if machine.Config != "" || machine.Distribution != "" {
			break
		}
	}
	return e, nil
}

func (l *Lookup) machineEvidence(ctx context.Context, m *clusterv1.Machine) (ports.MachineEvidence, error) {
	found, ref := ports.MachineEvidence{Name: m.Name}, m.Spec.Bootstrap.ConfigRef
	if ref.APIGroup != v1alpha1.Group || ref.Kind != v1alpha1.ConfigKind {
		found.Config = ref.Kind
		return found, nil
	}
	config := &v1alpha1.MachineBootstrapConfig{}
	err := l.reader.Get(ctx, client.ObjectKey{Namespace: m.Namespace, Name: ref.Name}, config)
	if apierrors.IsNotFound(err) {
		return found, nil
	}
	if err != nil {
		return found, fmt.Errorf("get the config of machine %s: %w", m.Name, err)
	}
	found.Distribution = config.Spec.OS.Distribution
	return found, nil
}
