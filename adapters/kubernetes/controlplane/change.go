package controlplane

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// seenVersion waits until the cache contains the version of an object, or a later one.
func (s *Store) seenVersion(ctx context.Context, o client.Object, version string) error {
	return s.seen(ctx, func(ctx context.Context) (bool, error) {
		cached, _ := o.DeepCopyObject().(client.Object)
		if err := s.Client.Get(ctx, client.ObjectKeyFromObject(o), cached); err != nil {
			return apierrors.IsNotFound(err), nil
		}
		return reaches(cached.GetResourceVersion(), version), nil
	})
}

// reaches reports whether a version is at least another one. Versions of a kind are numbers that increase. Others are
// not waited for.
func reaches(got, want string) bool {
	g, errGot := strconv.ParseUint(got, 10, 64)
	w, errWant := strconv.ParseUint(want, 10, 64)
	return errGot != nil || errWant != nil || g >= w
}

// changeMachine patches the annotations of a Machine, and waits until the cache contains them.
func (s *Store) changeMachine(ctx context.Context, m *clusterv1.Machine, change func(annotations map[string]string),
) error {
	changed := maps.Clone(m.Annotations)
	if changed == nil {
		changed = map[string]string{}
	}
	change(changed)
	if maps.Equal(changed, m.Annotations) {
		return nil
	}
	if err := s.patch(ctx, m, func() { m.Annotations = changed }); err != nil {
		return fmt.Errorf("patch Machine %s: %w", m.Name, err)
	}
	return s.seenVersion(ctx, m, m.ResourceVersion)
}

// Delete deletes the Machine. Its hook must exist before, because it keeps the machine until its member is removed.
func (s *Store) Delete(ctx context.Context, c ports.ControlPlane, o controlplane.Operation) error {
	owner, err := s.get(ctx, c.Key)
	if err != nil {
		return ignoreMissing(err)
	}
	m, err := s.machine(ctx, owner, o.Machine)
	if err != nil || m == nil || !m.DeletionTimestamp.IsZero() {
		return err
	}
	if err := s.recordRemediation(ctx, owner, o); err != nil {
		return err
	}
	err = s.changeMachine(ctx, m, func(annotations map[string]string) { annotations[v1alpha1.HookAnnotation] = "" })
	if err != nil {
		return err
	}
	uid := m.UID
	err = s.Client.Delete(ctx, m, client.Preconditions{UID: &uid})
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("delete Machine %s: %w", m.Name, conflict(err))
	}
	return s.seen(ctx, func(ctx context.Context) (bool, error) {
		cached := &clusterv1.Machine{}
		err := s.Client.Get(ctx, client.ObjectKeyFromObject(m), cached)
		return apierrors.IsNotFound(err) || err == nil && (cached.UID != uid || !cached.DeletionTimestamp.IsZero()), nil
	})
}

// ignoreMissing returns nil for a control plane that does not exist.
func ignoreMissing(err error) error {
	if errors.Is(err, ports.ErrNoControlPlane) {
		return nil
	}
	return err
}

// recordRemediation records the remediation on the control plane before the machine is deleted.
func (s *Store) recordRemediation(ctx context.Context, owner *v1alpha1.MachineadmControlPlane, o controlplane.Operation,
) error {
	if o.Replaces == nil {
		return nil
	}
	text := writeRetry(*o.Replaces)
	if owner.Annotations[v1alpha1.RemediationInProgressAnnotation] == text {
		return nil
	}
	err := s.patch(ctx, owner, func() {
		owner.Annotations = with(maps.Clone(owner.Annotations), map[string]string{
			v1alpha1.RemediationInProgressAnnotation: text,
		})
	})
	if err != nil {
		return fmt.Errorf("record the remediation: %w", err)
	}
	return s.seenVersion(ctx, owner, owner.ResourceVersion)
}

// Release removes the hook, also that of a former control plane.
func (s *Store) Release(ctx context.Context, c ports.ControlPlane, machine string) error {
	owner, err := s.get(ctx, c.Key)
	if err != nil {
		return ignoreMissing(err)
	}
	m, err := s.machine(ctx, owner, machine)
	if err != nil || m == nil {
		return err
	}
	return s.changeMachine(ctx, m, func(annotations map[string]string) {
		delete(annotations, v1alpha1.HookAnnotation)
		delete(annotations, kubeadmHook)
	})
}

// Record records the member and the expiry of the certificates as annotations.
func (s *Store) Record(ctx context.Context, c ports.ControlPlane, m controlplane.Machine) error {
	owner, err := s.get(ctx, c.Key)
	if err != nil {
		return ignoreMissing(err)
	}
	stored, err := s.machine(ctx, owner, m.Name)
	if err != nil || stored == nil {
		return err
	}
	return s.changeMachine(ctx, stored, func(annotations map[string]string) {
		if m.MemberID != 0 {
			annotations[v1alpha1.MemberAnnotation] = strconv.FormatUint(m.MemberID, 16)
		}
		if !m.CertificatesExpireAt.IsZero() {
			at := m.CertificatesExpireAt.UTC().Format(time.RFC3339)
			annotations[clusterv1.MachineCertificatesExpiryDateAnnotation] = at
		}
	})
}

// Finish removes the finalizer, if the control plane is the one that was read and has no Machines.
func (s *Store) Finish(ctx context.Context, c ports.ControlPlane) error {
	o := &v1alpha1.MachineadmControlPlane{}
	err := s.Live.Get(ctx, client.ObjectKey(c.Key), o)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("get %s %s: %w", v1alpha1.Kind, c.Key, err)
	}
	if o.ResourceVersion != c.Revision || o.DeletionTimestamp.IsZero() {
		return fmt.Errorf("%w: the control plane %s has changed", ports.ErrConflict, c.Key)
	}
	if err := s.hasNone(ctx, o); err != nil {
		return err
	}
	if err := s.patch(ctx, o, func() { controllerutil.RemoveFinalizer(o, v1alpha1.Finalizer) }); err != nil {
		return fmt.Errorf("remove the finalizer: %w", err)
	}
	return s.seen(ctx, func(ctx context.Context) (bool, error) {
		cached := &v1alpha1.MachineadmControlPlane{}
		err := s.Client.Get(ctx, client.ObjectKey(c.Key), cached)
		return apierrors.IsNotFound(err) || err == nil && !controllerutil.ContainsFinalizer(cached, v1alpha1.Finalizer), nil
	})
}

// hasNone returns an error if the control plane has Machines, because no Cluster refers to it, or the cache does not
// contain them yet. The garbage collector would delete all of them at once after the control plane, and no controller
// would remove their hooks.
func (s *Store) hasNone(ctx context.Context, o *v1alpha1.MachineadmControlPlane) error {
	var list metav1.PartialObjectMetadataList
	list.SetGroupVersionKind(clusterv1.GroupVersion.WithKind("MachineList"))
	err := s.Live.List(ctx, &list, client.InNamespace(o.Namespace), client.HasLabels{clusterv1.MachineControlPlaneLabel})
	if err != nil {
		return fmt.Errorf("list the Machines: %w", err)
	}
	for i := range list.Items {
		if m := &list.Items[i]; metav1.IsControlledBy(m, o) {
			return fmt.Errorf("the Machine %s belongs to the control plane; set spec.controlPlaneRef of the Cluster to the "+
				"control plane to delete the Machine, or remove metadata.ownerReferences of the Machine to keep it", m.Name)
		}
	}
	return nil
}

// Propagate writes what changes without a replacement.
func (s *Store) Propagate(ctx context.Context, c ports.ControlPlane) error {
	o, err := s.get(ctx, c.Key)
	if err != nil {
		return ignoreMissing(err)
	}
	if c.ClusterName == "" {
		return nil
	}
	problems := []error{ignoreConflict(s.addFinalizer(ctx, o))}
	if isReplaced(o, c.Observed.Machines) {
		problems = append(problems, ignoreConflict(s.forgetRemediation(ctx, o)))
	}
	for _, read := range c.Observed.Machines {
		m := &clusterv1.Machine{}
		err := s.Client.Get(ctx, client.ObjectKey{Namespace: o.Namespace, Name: read.Name}, m)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err == nil {
			err = s.propagate(ctx, o, c, m)
		}
		if err = ignoreConflict(err); err != nil {
			problems = append(problems, fmt.Errorf("machine %s: %w", read.Name, err))
		}
	}
	return errors.Join(append(problems, ignoreConflict(s.ownTemplate(ctx, o, c)))...)
}

// isReplaced reports whether a machine replaces the one whose remediation is recorded. The creation removes the record,
// unless it was interrupted after it had created the machine.
func isReplaced(o *v1alpha1.MachineadmControlPlane, machines []controlplane.Machine) bool {
	recorded := o.Annotations[v1alpha1.RemediationInProgressAnnotation]
	return slices.ContainsFunc(machines, func(m controlplane.Machine) bool {
		return m.Replaces != nil && writeRetry(*m.Replaces) == recorded
	})
}

// propagate writes what changes to one machine.
func (s *Store) propagate(ctx context.Context, o *v1alpha1.MachineadmControlPlane, c ports.ControlPlane,
	m *clusterv1.Machine,
) error {
	if !m.DeletionTimestamp.IsZero() {
		return s.propagateToLeaving(ctx, o, m)
	}
	if d := desiredMachine(o, c, m); !applied(m, d) {
		u, err := toApply(d)
		if err != nil {
			return err
		}
		if err := s.apply(ctx, u, SpecManager); err != nil {
			return fmt.Errorf("apply the Machine: %w", conflict(err))
		}
		if err := s.seenVersion(ctx, m, u.GetResourceVersion()); err != nil {
			return err
		}
	}
	config, err := s.config(ctx, m)
	if err != nil {
		return err
	}
	if config != nil {
		config.SetGroupVersionKind(bootstrapv1.GroupVersion().WithKind(bootstrapv1.ConfigKind))
		if err := s.applyMetadata(ctx, o, config); err != nil {
			return err
		}
	}
	infrastructure, err := s.infrastructureMachine(ctx, m)
	if err != nil || infrastructure == nil {
		return err
	}
	return s.applyMetadata(ctx, o, infrastructure)
}

// propagateToLeaving writes the timeouts and the taints, which matter while a machine is being deleted.
func (s *Store) propagateToLeaving(ctx context.Context, o *v1alpha1.MachineadmControlPlane, m *clusterv1.Machine,
) error {
	template := o.Spec.MachineTemplate.Spec
	deletion := withTimeouts(m.Spec.Deletion, clusterv1.MachineDeletionSpec(template.Deletion))
	if m.Spec.Deletion == deletion && equality.Semantic.DeepEqual(m.Spec.Taints, template.Taints) {
		return nil
	}
	err := s.patch(ctx, m, func() { m.Spec.Deletion, m.Spec.Taints = deletion, template.Taints })
	if err != nil {
		return fmt.Errorf("patch the timeouts: %w", err)
	}
	return s.seenVersion(ctx, m, m.ResourceVersion)
}
