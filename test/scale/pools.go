package main

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
)

// storageName is the name of the storage of the pools' configuration.
const storageName = "endpoint"

const poolPrefix = "pool-"

func isPool(name string) bool { return strings.HasPrefix(name, poolPrefix) }

// makePools makes a complete MachinePool in each cluster, whose machines fetch their configuration from the endpoint.
func (f *fleet) makePools(ctx context.Context) error {
	storage := &v1alpha1.EndpointBootstrapStorage{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: storageName},
	}
	if err := f.Ensure(ctx, storage); err != nil {
		return fmt.Errorf("make the storage: %w", err)
	}
	return inParallel(ctx, "pools", f.clusters, f.makePool)
}

func (f *fleet) makePool(ctx context.Context, i int) error {
	name := fmt.Sprintf("%s%02d", poolPrefix, i)
	template := f.machine(i).Spec
	template.Bootstrap.ConfigRef.Name = name
	pool := &clusterv1.MachinePool{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, Labels: map[string]string{clusterv1.ClusterNameLabel: f.cluster(i)},
		},
		Spec: clusterv1.MachinePoolSpec{
			ClusterName: f.cluster(i), Replicas: ptr.To[int32](1),
			Template: clusterv1.MachineTemplateSpec{Spec: template},
		},
	}
	if err := f.Ensure(ctx, pool); err != nil {
		return fmt.Errorf("make pool %s: %w", name, err)
	}
	patch := client.MergeFrom(pool.DeepCopy())
	pool.Status.NodeRefs = []corev1.ObjectReference{{Kind: "Node", Name: name}}
	if err := controlplane.Insist(ctx, func(ctx context.Context) error {
		return f.Client.Status().Patch(ctx, pool, patch)
	}); err != nil {
		return fmt.Errorf("complete pool %s: %w", name, err)
	}
	config := f.provider.config.DeepCopy()
	config.SetName(name)
	config.SetLabels(pool.Labels)
	config.SetOwnerReferences([]metav1.OwnerReference{
		*metav1.NewControllerRef(pool, clusterv1.GroupVersion.WithKind("MachinePool")),
	})
	storage := map[string]any{"apiGroup": v1alpha1.Group, "kind": v1alpha1.EndpointStorageKind, "name": storageName}
	if err := unstructured.SetNestedMap(config.Object, storage, "spec", "storageRef"); err != nil {
		return err
	}
	if err := f.Ensure(ctx, config); err != nil {
		return fmt.Errorf("make the config of pool %s: %w", name, err)
	}
	return nil
}
