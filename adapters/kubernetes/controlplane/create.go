package controlplane

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/external"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// Create creates the objects of a machine: first the infrastructure machine, then the bootstrap config, then the
// Machine, all with one name. The name follows from the control plane and the Machines that were read, so a repeated
// call finds the objects of the first one.
func (s *Store) Create(ctx context.Context, c ports.ControlPlane, o controlplane.Operation) error {
	owner, err := s.unchanged(ctx, c)
	if err != nil {
		return err
	}
	name, err := machineName(owner, c)
	if err != nil {
		return err
	}
	done, err := s.exists(ctx, owner, c, name)
	if err != nil {
		return err
	}
	if !done {
		if err := s.removeLeftovers(ctx, owner, c, name); err != nil {
			return err
		}
		if err := s.createMachine(ctx, owner, c, o, name); err != nil {
			return err
		}
	}
	if o.Replaces != nil {
		if err := s.forgetRemediation(ctx, owner); err != nil {
			return err
		}
	}
	return s.seen(ctx, func(ctx context.Context) (bool, error) {
		key := client.ObjectKey{Namespace: owner.Namespace, Name: name}
		err := errors.Join(s.Client.Get(ctx, key, &clusterv1.Machine{}),
			s.Client.Get(ctx, key, &bootstrapv1.MachineBootstrapConfig{}))
		return err == nil, nil
	})
}

// unchanged returns the control plane if its specification is the one that was read. It adds the finalizer.
func (s *Store) unchanged(ctx context.Context, c ports.ControlPlane) (*v1alpha1.MachineadmControlPlane, error) {
	o, err := s.get(ctx, c.Key)
	if errors.Is(err, ports.ErrNoControlPlane) {
		return nil, fmt.Errorf("%w: %w", ports.ErrConflict, err)
	}
	if err != nil {
		return nil, err
	}
	now, then := convert.MachineTemplate(&o.Spec), c.Desired.Template
	then.Content = ""
	if now != then || !o.DeletionTimestamp.IsZero() {
		return nil, fmt.Errorf("%w: the control plane %s has changed", ports.ErrConflict, c.Key)
	}
	return o, s.addFinalizer(ctx, o)
}

// addFinalizer keeps the control plane until its machines are deleted.
func (s *Store) addFinalizer(ctx context.Context, o *v1alpha1.MachineadmControlPlane) error {
	if controllerutil.ContainsFinalizer(o, v1alpha1.Finalizer) || !o.DeletionTimestamp.IsZero() {
		return nil
	}
	if err := s.patch(ctx, o, func() { controllerutil.AddFinalizer(o, v1alpha1.Finalizer) }); err != nil {
		return fmt.Errorf("add the finalizer to the control plane: %w", err)
	}
	return nil
}

// alphabet contains no vowels, so that names are not words, and nothing that looks like something else.
const alphabet = "bcdfghjklmnpqrstvwxz2456789"

// machineName returns the name of the next machine. It depends on the state that was read, so that two creations from
// the same state have the same name, and a name is not used again after its machine is gone.
func machineName(o *v1alpha1.MachineadmControlPlane, c ports.ControlPlane) (string, error) {
	state := fmt.Sprintf("%s\n%s\n%q", o.UID, c.Revision, names(c.Observed.Machines))
	digest := sha256.Sum256([]byte(state))
	random, n := make([]byte, convert.RandomLength), binary.BigEndian.Uint64(digest[:])
	for i := range random {
		random[i] = alphabet[n%uint64(len(alphabet))]
		n /= uint64(len(alphabet))
	}
	name, err := convert.NewMachineNames(o, c.ClusterName).Name(string(random))
	if err != nil {
		return "", fmt.Errorf("spec.machineNaming.template: %w", err)
	}
	return name, nil
}

// exists reports whether the Machine exists. It asks the API server for the Machines, and returns ErrConflict if they
// are others than those that were read.
func (s *Store) exists(ctx context.Context, o *v1alpha1.MachineadmControlPlane, c ports.ControlPlane, name string) (
	bool, error,
) {
	var list metav1.PartialObjectMetadataList
	list.SetGroupVersionKind(clusterv1.GroupVersion.WithKind("MachineList"))
	err := s.Live.List(ctx, &list, client.InNamespace(o.Namespace), client.MatchingLabels(labels(o, c.ClusterName)))
	if err != nil {
		return false, fmt.Errorf("list the Machines: %w", err)
	}
	known := names(c.Observed.Machines)
	for i := range list.Items {
		m := &list.Items[i]
		if m.Name == name {
			return true, nil
		}
		if !slices.Contains(known, m.Name) {
			return false, fmt.Errorf("%w: Machine %s was created meanwhile", ports.ErrConflict, m.Name)
		}
	}
	return false, nil
}

// removeLeftovers deletes the infrastructure machines, and the configs of the same name, of Machines that were never
// created because the controller stopped in between. The template has the kind.
func (s *Store) removeLeftovers(ctx context.Context, o *v1alpha1.MachineadmControlPlane, c ports.ControlPlane,
	name string,
) error {
	const field = "spec.machineTemplate.spec.infrastructureRef"
	ref := o.Spec.MachineTemplate.Spec.InfrastructureRef
	kind := schema.GroupKind{Group: ref.APIGroup, Kind: strings.TrimSuffix(ref.Kind, clusterv1.TemplateSuffix)}
	gv, err := apiVersion(ctx, s.Client, kind)
	if err != nil {
		return fmt.Errorf("%s: %w", field, err)
	}
	var list metav1.PartialObjectMetadataList
	list.SetGroupVersionKind(gv.WithKind(kind.Kind + "List"))
	err = s.kinds.read(ctx, kind, s.Clock.Now(), func(ctx context.Context) error {
		return s.Client.List(ctx, &list, client.InNamespace(o.Namespace), client.MatchingLabels(labels(o, c.ClusterName)))
	})
	if err != nil {
		return fmt.Errorf("%s: list the objects of the kind %s: %w", field, kind.Kind, err)
	}
	known := names(c.Observed.Machines)
	for i := range list.Items {
		left := &list.Items[i]
		if left.Name == name || slices.Contains(known, left.Name) || !owns(o, left) {
			continue
		}
		left.SetGroupVersionKind(gv.WithKind(kind.Kind))
		if err := errors.Join(s.discardConfig(ctx, o, left.Name), s.discard(ctx, o, left)); err != nil {
			return fmt.Errorf("delete what belongs to the missing Machine %s: %w", left.Name, err)
		}
	}
	return nil
}

// createMachine creates the three objects. If the API server refuses one of them, none of them remains. Without an
// answer, the Machine may exist, and it would never have an infrastructure machine: the objects remain, and the next
// creation uses or deletes them.
func (s *Store) createMachine(ctx context.Context, o *v1alpha1.MachineadmControlPlane, c ports.ControlPlane,
	operation controlplane.Operation, name string,
) error {
	infrastructure, err := s.infrastructure(ctx, o, c, name)
	if err != nil {
		return err
	}
	config, err := s.bootstrapConfig(ctx, o, c, name)
	if err != nil {
		return err
	}
	m, err := toApply(newMachine(o, c, operation, infrastructure))
	if err != nil {
		return err
	}
	err = s.create(ctx, o, infrastructure)
	if err == nil {
		err = s.create(ctx, o, config)
	}
	if err == nil {
		err = s.apply(ctx, m, SpecManager)
	}
	if err == nil {
		return errors.Join(s.applyMetadata(ctx, o, infrastructure), s.applyMetadata(ctx, o, config))
	}
	err = fmt.Errorf("create machine %s: %w", name, err)
	if ctx.Err() != nil || kube.IsNoAnswer(err) {
		return err
	}
	return errors.Join(err, s.discard(ctx, o, infrastructure), s.discard(ctx, o, config))
}

// create creates an object, unless an earlier call did. One that is being deleted cannot be used: the Machine would
// never get another one.
func (s *Store) create(ctx context.Context, o *v1alpha1.MachineadmControlPlane, of client.Object) error {
	kind := of.GetObjectKind().GroupVersionKind()
	err := s.Client.Create(ctx, of, SpecManager)
	of.GetObjectKind().SetGroupVersionKind(kind)
	if err == nil {
		return nil
	}
	// Only what exists and belongs to the control plane has a UID.
	of.SetUID("")
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	current := &metav1.PartialObjectMetadata{}
	current.SetGroupVersionKind(kind)
	if err := s.Live.Get(ctx, client.ObjectKeyFromObject(of), current); err != nil {
		return fmt.Errorf("get %s %s: %w", kind.Kind, of.GetName(), err)
	}
	if !owns(o, current) {
		return fmt.Errorf("%s %s exists and does not belong to the control plane; delete it", kind.Kind, of.GetName())
	}
	if !current.DeletionTimestamp.IsZero() {
		return fmt.Errorf("%s %s is being deleted; the machine is created when it is gone", kind.Kind, of.GetName())
	}
	of.SetUID(current.UID)
	return nil
}

// discard deletes an object that was created.
func (s *Store) discard(ctx context.Context, o *v1alpha1.MachineadmControlPlane, of client.Object) error {
	if of.GetUID() == "" || !owns(o, of) {
		return nil
	}
	uid := of.GetUID()
	err := s.Client.Delete(ctx, of, client.Preconditions{UID: &uid})
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("delete %s %s again: %w", of.GetObjectKind().GroupVersionKind().Kind, of.GetName(), err)
	}
	return nil
}

// discardConfig deletes a bootstrap config. One that does not belong to the control plane can have the name of an
// infrastructure machine that does.
func (s *Store) discardConfig(ctx context.Context, o *v1alpha1.MachineadmControlPlane, name string) error {
	config := &metav1.PartialObjectMetadata{}
	config.SetGroupVersionKind(bootstrapv1.GroupVersion().WithKind(bootstrapv1.ConfigKind))
	err := s.Live.Get(ctx, client.ObjectKey{Namespace: o.Namespace, Name: name}, config)
	if err != nil {
		return client.IgnoreNotFound(err)
	}
	return s.discard(ctx, o, config)
}

// infrastructure returns an infrastructure machine that is cloned from the template.
func (s *Store) infrastructure(ctx context.Context, o *v1alpha1.MachineadmControlPlane, c ports.ControlPlane,
	name string,
) (*unstructured.Unstructured, error) {
	ref := o.Spec.MachineTemplate.Spec.InfrastructureRef
	gv, err := apiVersion(ctx, s.Client, ref.GroupKind())
	if err != nil {
		return nil, err
	}
	template := &unstructured.Unstructured{}
	template.SetGroupVersionKind(gv.WithKind(ref.Kind))
	if err := s.Live.Get(ctx, client.ObjectKey{Namespace: o.Namespace, Name: ref.Name}, template); err != nil {
		return nil, fmt.Errorf("spec.machineTemplate.spec.infrastructureRef: get %s %s: %w", ref.Kind, ref.Name, err)
	}
	owner := ownerReference(o, false)
	made, err := external.GenerateTemplate(&external.GenerateTemplateInput{
		Template: template, TemplateRef: &corev1.ObjectReference{
			APIVersion: template.GetAPIVersion(), Kind: template.GetKind(), Namespace: o.Namespace, Name: ref.Name,
		}, Namespace: o.Namespace, Name: name,
		ClusterName: c.ClusterName, OwnerRef: &owner, Labels: labels(o, c.ClusterName),
	})
	if err != nil {
		return nil, fmt.Errorf("clone %s %s: %w", ref.Kind, ref.Name, err)
	}
	return made, nil
}

// bootstrapConfig returns the bootstrap config of a machine.
func (s *Store) bootstrapConfig(ctx context.Context, o *v1alpha1.MachineadmControlPlane, c ports.ControlPlane,
	name string,
) (*bootstrapv1.MachineBootstrapConfig, error) {
	// The digest is recorded in any case, so that a later change of spec.rollout.onContentChange has an effect.
	content, err := s.readContent(ctx, o)
	if err != nil {
		return nil, err
	}
	return &bootstrapv1.MachineBootstrapConfig{
		TypeMeta: metav1.TypeMeta{APIVersion: bootstrapv1.GroupVersion().String(), Kind: bootstrapv1.ConfigKind},
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: o.Namespace, Labels: labels(o, c.ClusterName),
			Annotations:     map[string]string{v1alpha1.ContentAnnotation: content.recorded(name)},
			OwnerReferences: []metav1.OwnerReference{ownerReference(o, false)},
		},
		Spec: *o.Spec.Bootstrap.DeepCopy(),
	}, nil
}

// newMachine returns the Machine for an infrastructure machine.
func newMachine(o *v1alpha1.MachineadmControlPlane, c ports.ControlPlane, operation controlplane.Operation,
	infrastructure *unstructured.Unstructured,
) *clusterv1.Machine {
	m := &clusterv1.Machine{}
	m.Name = infrastructure.GetName()
	m.Spec.Version, m.Spec.FailureDomain = c.Desired.Template.Version, operation.FailureDomain
	m.Spec.Bootstrap.ConfigRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: bootstrapv1.Group, Kind: bootstrapv1.ConfigKind, Name: m.Name,
	}
	m.Spec.InfrastructureRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: infrastructure.GroupVersionKind().Group, Kind: infrastructure.GetKind(), Name: m.Name,
	}
	if operation.Replaces != nil {
		m.Annotations = map[string]string{v1alpha1.RemediationForAnnotation: writeRetry(*operation.Replaces)}
	}
	return desiredMachine(o, c, m)
}

// applyMetadata applies the labels and annotations that users specify.
func (s *Store) applyMetadata(ctx context.Context, o *v1alpha1.MachineadmControlPlane, current client.Object) error {
	d := desiredMetadata(o, current)
	if d == nil || contains(current.GetLabels(), d.GetLabels()) && contains(current.GetAnnotations(), d.GetAnnotations()) {
		return nil
	}
	if err := s.apply(ctx, d, metadataManager); err != nil {
		return fmt.Errorf("apply the metadata of %s %s: %w", d.GetKind(), d.GetName(), conflict(err))
	}
	return nil
}

// forgetRemediation removes the record of a remediation, which the replacement has from now on.
func (s *Store) forgetRemediation(ctx context.Context, o *v1alpha1.MachineadmControlPlane) error {
	if _, found := o.Annotations[v1alpha1.RemediationInProgressAnnotation]; !found {
		return nil
	}
	err := s.patch(ctx, o, func() {
		o.Annotations = maps.Clone(o.Annotations)
		delete(o.Annotations, v1alpha1.RemediationInProgressAnnotation)
	})
	if err != nil {
		return fmt.Errorf("remove the record of the remediation: %w", err)
	}
	return s.seenVersion(ctx, o, o.ResourceVersion)
}
