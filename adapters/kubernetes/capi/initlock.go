package capi

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/ports"
)

const (
	lockSuffix         = "-lock"
	lockInformationKey = "lock-information"
)

// InitLock implements ports.InitLock. The lock is the ConfigMap <cluster>-lock in the format of the kubeadm bootstrap
// provider, so that machines of both providers exclude each other.
type InitLock struct {
	client     client.Client
	live       client.Reader
	configMaps *ObjectReader
}

// lockInformation is the content of a lock.
type lockInformation struct {
	MachineName string `json:"machineName"`
}

// NewInitLock returns the locks of the management cluster. The client creates ConfigMaps and reads Machines from a
// cache. The live reader reads Clusters and Machines from the API before the lock changes hands: the cache of a replica
// that has just become the leader may lack the holder, or the end of an initialization.
func NewInitLock(c client.Client, live client.Reader, configMaps *ObjectReader) *InitLock {
	return &InitLock{client: c, live: live, configMaps: configMaps}
}

// LockName returns the name of the cluster's lock.
func LockName(cluster string) string { return cluster + lockSuffix }

// ClusterOfLock returns the cluster of the lock with the name of a ConfigMap.
func ClusterOfLock(name string) (cluster string, ok bool) {
	cluster, ok = strings.CutSuffix(name, lockSuffix)
	return cluster, ok && cluster != ""
}

func lockKey(cluster ports.Key) client.ObjectKey {
	return client.ObjectKey{Namespace: cluster.Namespace, Name: LockName(cluster.Name)}
}

// Acquire acquires the lock. Once the cluster is initialized, any replica releases the lock, and it must not be held
// again. The Cluster is read while the lock is held: what was read before may be outdated when the lock is created,
// also by a request whose answer was lost.
func (l *InitLock) Acquire(ctx context.Context, cluster ports.Key, machine string) (string, error) {
	holder, err := l.hold(ctx, cluster, machine)
	if err != nil {
		return holder, err
	}
	c, err := getCluster(ctx, l.live, cluster)
	if err != nil {
		return "", err
	}
	if !conditions.IsTrue(c, clusterv1.ClusterControlPlaneInitializedCondition) {
		return holder, nil
	}
	if err := l.Release(ctx, cluster, machine); err != nil {
		return "", err
	}
	return "", ports.ErrInitialized
}

// hold creates the lock, or finds that the machine holds it. The API decides about that: another replica may have
// released the lock that the cache contains, and another machine may hold it now.
func (l *InitLock) hold(ctx context.Context, cluster ports.Key, machine string) (string, error) {
	held, err := l.configMaps.ConfigMap(ctx, lockKey(cluster))
	if apierrors.IsNotFound(err) {
		return l.create(ctx, cluster, machine)
	}
	if err != nil {
		return "", fmt.Errorf("read the lock: %w", err)
	}
	if !isLock(cluster, held) {
		return foreignConfigMap(held), ports.ErrNotOwned
	}
	holder := lockHolder(held)
	if holder == machine {
		return l.contend(ctx, cluster, machine)
	}
	gone, err := l.holderIsGone(ctx, cluster, holder)
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

// create creates the lock. If another machine was faster, it reads the holder from the API.
func (l *InitLock) create(ctx context.Context, cluster ports.Key, machine string) (string, error) {
	created, err := l.build(ctx, cluster, machine)
	if err != nil {
		return "", err
	}
	err = l.client.Create(ctx, created)
	if apierrors.IsAlreadyExists(err) {
		return l.contend(ctx, cluster, machine)
	}
	if err != nil {
		return "", fmt.Errorf("create the lock: %w", err)
	}
	l.configMaps.Note(created)
	return machine, nil
}

// contend reads the holder from the API.
func (l *InitLock) contend(ctx context.Context, cluster ports.Key, machine string) (string, error) {
	held := &corev1.ConfigMap{}
	if err := l.client.Get(ctx, lockKey(cluster), held); err != nil {
		return "", fmt.Errorf("read the lock: %w", err)
	}
	l.configMaps.Note(held)
	if !isLock(cluster, held) {
		return foreignConfigMap(held), ports.ErrNotOwned
	}
	if holder := lockHolder(held); holder != machine {
		return holder, ports.ErrLocked
	}
	return machine, nil
}

func (l *InitLock) build(ctx context.Context, cluster ports.Key, machine string) (*corev1.ConfigMap, error) {
	owner, err := getCluster(ctx, l.live, cluster)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(lockInformation{MachineName: machine})
	if err != nil {
		return nil, fmt.Errorf("encode the lock: %w", err)
	}
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: cluster.Namespace, Name: LockName(cluster.Name),
			Labels:          map[string]string{clusterv1.ClusterNameLabel: cluster.Name},
			OwnerReferences: []metav1.OwnerReference{clusterReference(owner)},
		},
		Data: map[string]string{lockInformationKey: string(text)},
	}, nil
}

func foreignConfigMap(c *corev1.ConfigMap) string { return "ConfigMap " + c.Name }

// isLock reports whether a ConfigMap is the cluster's lock. Either the Cluster owns it and it contains a lock or
// nothing. Or it has lost its owner in a backup and has exactly the content of the kubeadm provider's lock. Other
// ConfigMaps are not changed, since users let the Cluster own ConfigMaps that clusterctl moves with it.
func isLock(cluster ports.Key, c *corev1.ConfigMap) bool {
	if len(c.OwnerReferences) > 0 {
		if _, locks := c.Data[lockInformationKey]; !locks && len(c.Data)+len(c.BinaryData) > 0 {
			return false
		}
		return slices.ContainsFunc(c.OwnerReferences, func(o metav1.OwnerReference) bool {
			return isClusterReference(cluster, o)
		})
	}
	return c.Labels[clusterv1.ClusterNameLabel] == cluster.Name && len(c.Data) == 1 && len(c.BinaryData) == 0 &&
		lockHolder(c) != ""
}

// lockHolder returns the machine that holds the lock, or empty if the content is invalid, in which case no machine
// holds it.
func lockHolder(c *corev1.ConfigMap) string {
	var i lockInformation
	if err := json.Unmarshal([]byte(c.Data[lockInformationKey]), &i); err != nil {
		return ""
	}
	return i.MachineName
}

func (l *InitLock) holderIsGone(ctx context.Context, cluster ports.Key, machine string) (bool, error) {
	if machine == "" {
		return true, nil
	}
	key := client.ObjectKey{Namespace: cluster.Namespace, Name: machine}
	gone, err := IsGone(ctx, l.client, l.live, key, &clusterv1.Machine{})
	if err != nil {
		return false, fmt.Errorf("get machine %s: %w", machine, err)
	}
	return gone, nil
}

// Release releases the lock.
func (l *InitLock) Release(ctx context.Context, cluster ports.Key, machine string) error {
	held, err := l.configMaps.ConfigMap(ctx, lockKey(cluster))
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the lock: %w", err)
	}
	if !isLock(cluster, held) || machine != "" && lockHolder(held) != machine {
		return nil
	}
	return l.remove(ctx, held)
}

func (l *InitLock) remove(ctx context.Context, held *corev1.ConfigMap) error {
	err := l.client.Delete(ctx, held.DeepCopy(), client.Preconditions{UID: &held.UID})
	l.configMaps.Forget("ConfigMap", client.ObjectKeyFromObject(held))
	// A conflict means that another lock has replaced the one that was read.
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		return fmt.Errorf("delete the lock: %w", err)
	}
	return nil
}
