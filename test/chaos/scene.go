package main

import (
	"context"
	_ "embed" // the config
	"fmt"
	"regexp"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/kubeconfig"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
)

const (
	namespace = "chaos"
	// workloadAccount is the identity of the managers in the workload clusters, which are the same API server.
	workloadAccount = "chaos-workload"
	version         = "v1.36.3"
	// planes is how many control plane machines of a cluster compete for its init lock.
	planes = 3
	// writers is how many objects are created at once.
	writers = 16
)

var leases = regexp.MustCompile(`/leases(/|$)`)

//go:embed config.yaml
var configText []byte

// scene is the management cluster with its clusters and machines.
type scene struct {
	*controlplane.ControlPlane
	settings
	proxy *proxy
}

func (s *scene) cluster(i int) string { return fmt.Sprintf("cluster-%02d", i%s.clusters) }

func machineName(i int) string { return fmt.Sprintf("machine-%05d", i) }

// isPlane reports whether a machine belongs to the control plane: the first ones of each cluster.
func (s *scene) isPlane(i int) bool { return i < planes*s.clusters }

// build creates the clusters and the machines without their configs.
func (s *scene) build(ctx context.Context) error {
	if err := s.EnsureNamespace(ctx, namespace); err != nil {
		return err
	}
	token, err := s.workloadToken(ctx)
	if err != nil {
		return err
	}
	for i := range s.clusters {
		if err := s.makeCluster(ctx, s.cluster(i), token); err != nil {
			return err
		}
	}
	return nil
}

// workloadToken returns the token of an administrator of the workload clusters.
func (s *scene) workloadToken(ctx context.Context) (string, error) {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{
		Namespace: metav1.NamespaceSystem, Name: workloadAccount,
	}}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: workloadAccount},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects: []rbacv1.Subject{{
			Kind: rbacv1.ServiceAccountKind, Namespace: account.Namespace, Name: account.Name,
		}},
	}
	for _, object := range []client.Object{account, binding} {
		if err := s.Client.Create(ctx, object); err != nil {
			return "", fmt.Errorf("create the workload identity: %w", err)
		}
	}
	file := s.Dir + "/workload.kubeconfig"
	if err := s.WriteServiceAccountKubeconfig(ctx, account.Namespace, account.Name, file); err != nil {
		return "", err
	}
	config, err := clientcmd.LoadFromFile(file)
	if err != nil {
		return "", fmt.Errorf("read the workload identity: %w", err)
	}
	return config.AuthInfos["user"].Token, nil
}

// behindProxy returns a kubeconfig that reaches the API server through the proxy.
func (s *scene) behindProxy(token string) ([]byte, error) {
	config := clientcmdapi.NewConfig()
	config.Clusters["chaos"] = &clientcmdapi.Cluster{
		Server: s.proxy.URL, CertificateAuthorityData: s.proxy.authority(),
	}
	config.AuthInfos["user"] = &clientcmdapi.AuthInfo{Token: token}
	config.Contexts["chaos"] = &clientcmdapi.Context{Cluster: "chaos", AuthInfo: "user"}
	config.CurrentContext = "chaos"
	return clientcmd.Write(*config)
}

func (s *scene) makeCluster(ctx context.Context, name, token string) error {
	key := client.ObjectKey{Namespace: namespace, Name: name}
	data, err := s.behindProxy(token)
	if err != nil {
		return err
	}
	access := kubeconfig.GenerateSecretWithOwner(key, data, metav1.OwnerReference{})
	access.OwnerReferences = nil
	host, port := s.Endpoint()
	cluster := &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: clusterv1.ClusterSpec{
			ControlPlaneEndpoint: clusterv1.APIEndpoint{Host: host, Port: port},
			InfrastructureRef:    infrastructure("ExampleCluster", name),
		},
	}
	for _, object := range []client.Object{s.ClusterCA(key), access, cluster} {
		if err := s.Client.Create(ctx, object); err != nil {
			return fmt.Errorf("create cluster %s: %w", name, err)
		}
	}
	cluster.Status.Initialization = clusterv1.ClusterInitializationStatus{InfrastructureProvisioned: ptr.To(true)}
	return s.Client.Status().Update(ctx, cluster)
}

// initialize marks a cluster as initialized, as the core manager does once the first machine is a node.
func (s *scene) initialize(ctx context.Context, name string) error {
	cluster := &clusterv1.Cluster{}
	if err := s.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, cluster); err != nil {
		return err
	}
	cluster.Status.Initialization.ControlPlaneInitialized = ptr.To(true)
	cluster.Status.Conditions = []metav1.Condition{{
		Type: clusterv1.ClusterControlPlaneInitializedCondition, Status: metav1.ConditionTrue,
		Reason: clusterv1.ClusterControlPlaneInitializedReason, LastTransitionTime: metav1.Now(),
	}}
	return s.Client.Status().Update(ctx, cluster)
}

func infrastructure(kind, name string) clusterv1.ContractVersionedObjectReference {
	return clusterv1.ContractVersionedObjectReference{APIGroup: "infrastructure.example.com", Kind: kind, Name: name}
}

// makeMachines creates all machines with their configs.
func (s *scene) makeMachines(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	for i := range s.machines {
		group.Go(func() error { return s.makeMachine(ctx, i) })
	}
	return group.Wait()
}

func (s *scene) makeMachine(ctx context.Context, i int) error {
	labels := map[string]string{clusterv1.ClusterNameLabel: s.cluster(i)}
	if s.isPlane(i) {
		labels[clusterv1.MachineControlPlaneLabel] = ""
	}
	machine := &clusterv1.Machine{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: machineName(i), Labels: labels},
		Spec: clusterv1.MachineSpec{
			ClusterName: s.cluster(i), Version: version, InfrastructureRef: infrastructure("ExampleMachine", machineName(i)),
			Bootstrap: clusterv1.Bootstrap{ConfigRef: clusterv1.ContractVersionedObjectReference{
				APIGroup: v1alpha1.Group, Kind: v1alpha1.ConfigKind, Name: machineName(i),
			}},
		},
	}
	if err := s.Ensure(ctx, machine); err != nil {
		return err
	}
	config := &v1alpha1.MachineBootstrapConfig{}
	if err := yaml.UnmarshalStrict(configText, config); err != nil {
		return fmt.Errorf("read the config: %w", err)
	}
	config.Namespace, config.Name, config.Labels = namespace, machine.Name, labels
	config.OwnerReferences = []metav1.OwnerReference{
		*metav1.NewControllerRef(machine, clusterv1.GroupVersion.WithKind("Machine")),
	}
	if !s.isPlane(i) {
		config.Spec.ControlPlane = nil
	}
	return s.Ensure(ctx, config)
}
