package kubeadm

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/feature"
	"sigs.k8s.io/cluster-api/util/secret"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// The names of the objects.
const (
	Namespace   = "default"
	ClusterName = "corpus"
	machineName = "node-0"
)

// World is the cluster that machines are rendered for.
type World struct {
	// KubernetesVersion is that of all machines, such as v1.36.3.
	KubernetesVersion string
	// Secrets are those of the cluster's certificates.
	Secrets []corev1.Secret
	scheme  *runtime.Scheme
}

// NewWorld creates a cluster with new certificates.
func NewWorld(version string) (*World, error) {
	w := &World{KubernetesVersion: version, scheme: runtime.NewScheme()}
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, clusterv1.AddToScheme, bootstrapv1.AddToScheme} {
		if err := add(w.scheme); err != nil {
			return nil, err
		}
	}
	// The webhook refuses Ignition without it.
	if err := feature.MutableGates.SetFromMap(map[string]bool{"KubeadmBootstrapFormatIgnition": true}); err != nil {
		return nil, err
	}
	certificates := secret.NewCertificatesForInitialControlPlane(&bootstrapv1.ClusterConfiguration{})
	if err := certificates.Generate(); err != nil {
		return nil, err
	}
	for _, c := range certificates {
		w.Secrets = append(w.Secrets, *c.AsSecret(w.clusterKey(), metav1.OwnerReference{}))
	}
	// Only clusters with an external etcd read it. Any key pair does.
	etcd := *certificates.GetByPurpose(secret.EtcdCA)
	etcd.Purpose = secret.APIServerEtcdClient
	w.Secrets = append(w.Secrets, *etcd.AsSecret(w.clusterKey(), metav1.OwnerReference{}))
	return w, nil
}

// Referred returns the Secrets that the spec refers to, with contents that depend on their names only.
func Referred(spec *bootstrapv1.KubeadmConfigSpec) []corev1.Secret {
	var all []corev1.Secret
	add := func(name, key string) {
		if name == "" {
			return
		}
		content := []byte(fmt.Sprintf("# the value of the key %s of the Secret %s\n", key, name))
		for i := range all {
			if all[i].Name == name {
				all[i].Data[key] = content
				return
			}
		}
		all = append(all, corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: name}, Data: map[string][]byte{key: content},
		})
	}
	for _, f := range spec.Files {
		add(f.ContentFrom.Secret.Name, f.ContentFrom.Secret.Key)
	}
	for _, u := range spec.Users {
		add(u.PasswdFrom.Secret.Name, u.PasswdFrom.Secret.Key)
	}
	return all
}

// With returns a copy of the world that has more Secrets.
func (w *World) With(secrets []corev1.Secret) *World {
	out := *w
	out.Secrets = append(append([]corev1.Secret{}, w.Secrets...), secrets...)
	return &out
}

func (w *World) clusterKey() client.ObjectKey {
	return client.ObjectKey{Namespace: Namespace, Name: ClusterName}
}

func (w *World) configKey() client.ObjectKey {
	return client.ObjectKey{Namespace: Namespace, Name: machineName}
}

// Cluster returns the cluster before its control plane is initialized.
func (w *World) Cluster() *clusterv1.Cluster { return w.cluster(Init) }

func (w *World) cluster(r Role) *clusterv1.Cluster {
	c := &clusterv1.Cluster{
		TypeMeta:   metav1.TypeMeta{APIVersion: clusterv1.GroupVersion.String(), Kind: "Cluster"},
		ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: ClusterName},
		Spec: clusterv1.ClusterSpec{
			ControlPlaneEndpoint: clusterv1.APIEndpoint{Host: "192.0.2.10", Port: 6443},
			ClusterNetwork: clusterv1.ClusterNetwork{
				Pods:          clusterv1.NetworkRanges{CIDRBlocks: []string{"192.168.0.0/16"}},
				Services:      clusterv1.NetworkRanges{CIDRBlocks: []string{"10.128.0.0/12"}},
				ServiceDomain: "cluster.local",
			},
		},
	}
	c.Status.Initialization.InfrastructureProvisioned = ptr.To(true)
	if r != Init {
		c.Status.Conditions = []metav1.Condition{{
			Type: clusterv1.ClusterControlPlaneInitializedCondition, Status: metav1.ConditionTrue, Reason: "Initialized",
			LastTransitionTime: metav1.Now(),
		}}
	}
	return c
}

func (w *World) meta(r Role) metav1.ObjectMeta {
	m := metav1.ObjectMeta{
		Namespace: Namespace, Name: machineName, UID: "machine",
		Labels: map[string]string{clusterv1.ClusterNameLabel: ClusterName},
	}
	if r != JoinWorker {
		m.Labels[clusterv1.MachineControlPlaneLabel] = ""
	}
	return m
}

func (w *World) machine(r Role) *clusterv1.Machine {
	m := &clusterv1.Machine{
		TypeMeta:   metav1.TypeMeta{APIVersion: clusterv1.GroupVersion.String(), Kind: "Machine"},
		ObjectMeta: w.meta(r),
	}
	m.Spec.ClusterName, m.Spec.Version = ClusterName, w.KubernetesVersion
	return m
}

func (w *World) client(objects ...client.Object) client.Client {
	for i := range w.Secrets {
		objects = append(objects, w.Secrets[i].DeepCopy())
	}
	return fake.NewClientBuilder().WithScheme(w.scheme).WithStatusSubresource(&bootstrapv1.KubeadmConfig{}).
		WithObjects(objects...).Build()
}

func (w *World) dataSecret(ctx context.Context, c client.Client) (*corev1.Secret, error) {
	s := &corev1.Secret{}
	err := c.Get(ctx, w.configKey(), s)
	return s, err
}

// problem returns the condition of the config as an error.
func (w *World) problem(ctx context.Context, c client.Client) error {
	config := &bootstrapv1.KubeadmConfig{}
	if err := c.Get(ctx, w.configKey(), config); err != nil {
		return err
	}
	for _, condition := range config.Status.Conditions {
		if condition.Type == bootstrapv1.KubeadmConfigDataSecretAvailableCondition {
			return errors.New(condition.Message)
		}
	}
	return nil
}

// unlocked lets every machine be the first.
type unlocked struct{}

// Lock returns true.
func (unlocked) Lock(context.Context, *clusterv1.Cluster, *clusterv1.Machine) bool { return true }

// Unlock returns true.
func (unlocked) Unlock(context.Context, *clusterv1.Cluster) bool { return true }
