package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
)

const (
	namespace = "scale"
	// workloadUser is how the audit log knows a manager in the workload cluster, which is the same API server.
	workloadUser = "scale-workload"
	version      = "v1.36.3"
	// writers is how many requests the benchmark itself makes at once.
	writers = 16
)

// scene are clusters that are initialised and have Machines whose configs are not there yet.
type scene struct {
	*controlplane.ControlPlane
	provider provider
	clusters int
	machines []clusterv1.Machine
}

// newScene makes the clusters. It makes no Machines.
func newScene(ctx context.Context, c *controlplane.ControlPlane, p provider, clusters int) (*scene, error) {
	s := &scene{ControlPlane: c, provider: p, clusters: max(clusters, 1)}
	if err := c.EnsureNamespace(ctx, namespace); err != nil {
		return nil, err
	}
	for i := range s.clusters {
		if err := s.makeCluster(ctx, s.cluster(i)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// makeMachines makes n more Machines.
func (s *scene) makeMachines(ctx context.Context, n int) error {
	from := len(s.machines)
	s.machines = append(s.machines, make([]clusterv1.Machine, n)...)
	return inParallel(ctx, "Machines", n, func(ctx context.Context, i int) error {
		s.machines[from+i] = *s.machine(from + i)
		return s.Ensure(ctx, &s.machines[from+i])
	})
}

// cluster returns the name of the cluster of a machine.
func (s *scene) cluster(machine int) string { return fmt.Sprintf("scale-%02d", machine%s.clusters) }

func (s *scene) makeCluster(ctx context.Context, name string) error {
	key := client.ObjectKey{Namespace: namespace, Name: name}
	kubeconfig, err := s.ClusterKubeconfig(key, workloadUser)
	if err != nil {
		return err
	}
	host, port := s.Endpoint()
	cluster := &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: clusterv1.ClusterSpec{
			ControlPlaneEndpoint: clusterv1.APIEndpoint{Host: host, Port: port},
			InfrastructureRef:    infrastructure("ExampleCluster", name),
		},
	}
	for _, object := range []client.Object{s.ClusterCA(key), kubeconfig, cluster} {
		if err := s.Ensure(ctx, object); err != nil {
			return fmt.Errorf("make the cluster: %w", err)
		}
	}
	patch := client.MergeFrom(cluster.DeepCopy())
	cluster.Status.Initialization = clusterv1.ClusterInitializationStatus{
		InfrastructureProvisioned: ptr.To(true), ControlPlaneInitialized: ptr.To(true),
	}
	cluster.Status.Conditions = []metav1.Condition{{
		Type: clusterv1.ClusterControlPlaneInitializedCondition, Status: metav1.ConditionTrue,
		Reason: clusterv1.ClusterControlPlaneInitializedReason, LastTransitionTime: metav1.Now(),
	}}
	if err := controlplane.Insist(ctx, func(ctx context.Context) error {
		return s.Client.Status().Patch(ctx, cluster, patch)
	}); err != nil {
		return fmt.Errorf("initialise the cluster: %w", err)
	}
	return nil
}

func infrastructure(kind, name string) clusterv1.ContractVersionedObjectReference {
	return clusterv1.ContractVersionedObjectReference{APIGroup: "infrastructure.example.com", Kind: kind, Name: name}
}

func (s *scene) machine(i int) *clusterv1.Machine {
	name := fmt.Sprintf("worker-%05d", i)
	return &clusterv1.Machine{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, Labels: map[string]string{clusterv1.ClusterNameLabel: s.cluster(i)},
		},
		Spec: clusterv1.MachineSpec{
			ClusterName: s.cluster(i), Version: version, InfrastructureRef: infrastructure("ExampleMachine", name),
			Bootstrap: clusterv1.Bootstrap{ConfigRef: clusterv1.ContractVersionedObjectReference{
				APIGroup: s.provider.config.GroupVersionKind().Group, Kind: s.provider.config.GetKind(), Name: name,
			}},
		},
	}
}

// makeConfigs makes the configs of machines[from:to], as they are once the core manager has set their owners. It does
// not read the answers, because the clock runs.
func (s *scene) makeConfigs(ctx context.Context, from, to int) error {
	c, resource, err := s.configClient()
	if err != nil {
		return err
	}
	return inParallel(ctx, "configs", to-from, func(ctx context.Context, i int) error {
		m := &s.machines[from+i]
		config := s.provider.config.DeepCopy()
		config.SetName(m.Name)
		config.SetLabels(m.Labels)
		config.SetOwnerReferences([]metav1.OwnerReference{
			*metav1.NewControllerRef(m, clusterv1.GroupVersion.WithKind("Machine")),
		})
		body, err := config.MarshalJSON()
		if err != nil {
			return fmt.Errorf("make config %s: %w", m.Name, err)
		}
		create := func(ctx context.Context) error {
			err := c.Post().Namespace(namespace).Resource(resource).Body(body).Do(ctx).Error()
			return client.IgnoreAlreadyExists(err) // an earlier try has created it, and its answer was lost
		}
		if err := controlplane.Insist(ctx, create); err != nil {
			return fmt.Errorf("make config %s: %w", m.Name, err)
		}
		return nil
	})
}

// inParallel calls the function with 0 to n-1, several at once. It prints its progress.
func inParallel(ctx context.Context, what string, n int, f func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	printed := time.Now()
	for i := range n {
		if time.Since(printed) > reportInterval {
			fmt.Fprintf(os.Stderr, "%s: %d of %d\n", what, i, n)
			printed = time.Now()
		}
		group.Go(func() error { return f(ctx, i) })
	}
	return group.Wait()
}
