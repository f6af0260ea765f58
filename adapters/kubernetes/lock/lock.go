// Package lock lets one machine start a cluster. The lock is the ConfigMap <cluster>-lock, of the same shape as that of
// the kubeadm bootstrap provider, so that machines of both exclude each other.
package lock

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/ports"
)

const (
	suffix         = "-lock"
	informationKey = "lock-information"
)

// ConfigMaps reads ConfigMaps, and is told of those that were just made or removed.
type ConfigMaps interface {
	ConfigMap(ctx context.Context, key client.ObjectKey) (*corev1.ConfigMap, error)
	Note(object client.Object)
	Forget(kind string, key client.ObjectKey)
}

// Lock is the port ports.InitLock.
type Lock struct {
	client     client.Client
	configMaps ConfigMaps
}

// information is what the lock says of its holder.
type information struct {
	MachineName string `json:"machineName"`
}

// New returns the locks of the management cluster. The client makes ConfigMaps and reads Clusters and Machines.
func New(c client.Client, configMaps ConfigMaps) *Lock {
	return &Lock{client: c, configMaps: configMaps}
}

// Name returns the name of the cluster's lock.
func Name(cluster string) string { return cluster + suffix }

// ClusterOf returns the cluster whose lock a ConfigMap of the name is.
func ClusterOf(name string) (cluster string, ok bool) {
	cluster, ok = strings.CutSuffix(name, suffix)
	return cluster, ok && cluster != ""
}

func key(cluster ports.Key) client.ObjectKey {
	return client.ObjectKey{Namespace: cluster.Namespace, Name: Name(cluster.Name)}
}

// Acquire takes the lock.
func (l *Lock) Acquire(ctx context.Context, cluster ports.Key, machine string) (string, error) {
	held, err := l.configMaps.ConfigMap(ctx, key(cluster))
	if apierrors.IsNotFound(err) {
		return l.create(ctx, cluster, machine)
	}
	if err != nil {
		return "", fmt.Errorf("read the lock: %w", err)
	}
	if !isLock(cluster, held) {
		return foreign(held), ports.ErrForeign
	}
	holder := holder(held)
	if holder == machine {
		return machine, nil
	}
	gone, err := l.gone(ctx, cluster, holder)
	if err != nil {
		return "", err
	}
	if !gone {
		return holder, ports.ErrLocked
	}
	if err := l.remove(ctx, held); err != nil {
		return "", err
	}
	return l.create(ctx, cluster, machine)
}

// create makes the lock. Whoever comes second learns who holds it from the API.
func (l *Lock) create(ctx context.Context, cluster ports.Key, machine string) (string, error) {
	made, err := l.build(ctx, cluster, machine)
	if err != nil {
		return "", err
	}
	err = l.client.Create(ctx, made)
	if apierrors.IsAlreadyExists(err) {
		return l.contend(ctx, cluster, machine)
	}
	if err != nil {
		return "", fmt.Errorf("create the lock: %w", err)
	}
	l.configMaps.Note(made)
	return machine, nil
}

func (l *Lock) contend(ctx context.Context, cluster ports.Key, machine string) (string, error) {
	held := &corev1.ConfigMap{}
	if err := l.client.Get(ctx, key(cluster), held); err != nil {
		return "", fmt.Errorf("read the lock: %w", err)
	}
	l.configMaps.Note(held)
	if !isLock(cluster, held) {
		return foreign(held), ports.ErrForeign
	}
	if holder := holder(held); holder != machine {
		return holder, ports.ErrLocked
	}
	return machine, nil
}

func (l *Lock) build(ctx context.Context, cluster ports.Key, machine string) (*corev1.ConfigMap, error) {
	owner := &clusterv1.Cluster{}
	if err := l.client.Get(ctx, client.ObjectKey(cluster), owner); err != nil {
		return nil, fmt.Errorf("get cluster %s: %w", cluster, err)
	}
	// The lock is freed by whoever sees that the cluster is up. One who still believes that it is not must not take it.
	if conditions.IsTrue(owner, clusterv1.ClusterControlPlaneInitializedCondition) {
		return nil, ports.ErrInitialized
	}
	text, err := json.Marshal(information{MachineName: machine})
	if err != nil {
		return nil, fmt.Errorf("encode the lock: %w", err)
	}
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: cluster.Namespace, Name: Name(cluster.Name),
			Labels: map[string]string{clusterv1.ClusterNameLabel: cluster.Name},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: clusterv1.GroupVersion.String(), Kind: clusterv1.ClusterKind, Name: owner.Name, UID: owner.UID,
			}},
		},
		Data: map[string]string{informationKey: string(text)},
	}, nil
}

func foreign(c *corev1.ConfigMap) string { return "ConfigMap " + c.Name }

// isLock reports whether a ConfigMap is the cluster's lock: the cluster owns it, and it holds a lock or nothing, or it
// has the shape of the kubeadm provider's and has lost its owner in a backup. Any other is not touched: users let the
// cluster own what clusterctl moves along with it.
func isLock(cluster ports.Key, c *corev1.ConfigMap) bool {
	if len(c.OwnerReferences) > 0 {
		if _, locks := c.Data[informationKey]; !locks && len(c.Data)+len(c.BinaryData) > 0 {
			return false
		}
		return slices.ContainsFunc(c.OwnerReferences, func(o metav1.OwnerReference) bool {
			group, err := schema.ParseGroupVersion(o.APIVersion)
			return err == nil && group.Group == clusterv1.GroupVersion.Group && o.Kind == clusterv1.ClusterKind &&
				o.Name == cluster.Name
		})
	}
	return c.Labels[clusterv1.ClusterNameLabel] == cluster.Name && len(c.Data) == 1 && len(c.BinaryData) == 0 &&
		holder(c) != ""
}

// holder returns the machine that holds the lock, or nothing if that cannot be read. Nobody then holds it.
func holder(c *corev1.ConfigMap) string {
	var i information
	if err := json.Unmarshal([]byte(c.Data[informationKey]), &i); err != nil {
		return ""
	}
	return i.MachineName
}

func (l *Lock) gone(ctx context.Context, cluster ports.Key, machine string) (bool, error) {
	if machine == "" {
		return true, nil
	}
	err := l.client.Get(ctx, client.ObjectKey{Namespace: cluster.Namespace, Name: machine}, &clusterv1.Machine{})
	if apierrors.IsNotFound(err) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("get machine %s: %w", machine, err)
	}
	return false, nil
}

// Release frees the lock.
func (l *Lock) Release(ctx context.Context, cluster ports.Key, machine string) error {
	held, err := l.configMaps.ConfigMap(ctx, key(cluster))
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the lock: %w", err)
	}
	if !isLock(cluster, held) || machine != "" && holder(held) != machine {
		return nil
	}
	return l.remove(ctx, held)
}

func (l *Lock) remove(ctx context.Context, held *corev1.ConfigMap) error {
	err := l.client.Delete(ctx, held.DeepCopy(), client.Preconditions{UID: &held.UID})
	l.configMaps.Forget("ConfigMap", client.ObjectKeyFromObject(held))
	// A conflict means that another lock has taken the place of the one that was read.
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		return fmt.Errorf("delete the lock: %w", err)
	}
	return nil
}
