package controlplane

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/ports"
)

// ownTemplate adds the Cluster to the owners of the infrastructure template, as Cluster API does for the templates of
// workers. clusterctl move takes only the templates that a Cluster owns: without its template, a control plane could
// not create a machine in the other management cluster. A template that does not exist is a failure of the creation.
func (s *Store) ownTemplate(ctx context.Context, o *v1alpha1.MachineadmControlPlane, c ports.ControlPlane) error {
	ref := o.Spec.MachineTemplate.Spec.InfrastructureRef
	if !strings.HasSuffix(ref.Kind, clusterv1.TemplateSuffix) {
		return nil // Kubernetes would delete an object of a user with the Cluster.
	}
	cluster := &clusterv1.Cluster{}
	if err := s.Client.Get(ctx, client.ObjectKey{Namespace: o.Namespace, Name: c.ClusterName}, cluster); err != nil {
		return client.IgnoreNotFound(err)
	}
	gv, err := apiVersion(ctx, s.Client, ref.GroupKind())
	if errors.Is(err, errUnusableKind) {
		return nil // The creation fails, or the machines that exist report it.
	}
	if err != nil {
		return err
	}
	template := &metav1.PartialObjectMetadata{}
	template.SetGroupVersionKind(gv.WithKind(ref.Kind))
	err = s.kinds.read(ctx, ref.GroupKind(), s.Clock.Now(), func(ctx context.Context) error {
		return s.Client.Get(ctx, client.ObjectKey{Namespace: o.Namespace, Name: ref.Name}, template)
	})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("get %s %s: %w", ref.Kind, ref.Name, err)
	}
	if slices.ContainsFunc(template.OwnerReferences, func(r metav1.OwnerReference) bool { return r.UID == cluster.UID }) {
		return nil
	}
	err = s.patch(ctx, template, func() {
		template.OwnerReferences = util.EnsureOwnerRef(template.OwnerReferences, metav1.OwnerReference{
			APIVersion: clusterv1.GroupVersion.String(), Kind: clusterv1.ClusterKind, Name: cluster.Name, UID: cluster.UID,
		})
	})
	if err != nil {
		return fmt.Errorf("add the Cluster to the owners of %s %s: %w", ref.Kind, ref.Name, err)
	}
	return nil
}
