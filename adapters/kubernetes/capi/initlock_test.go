package capi_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

func newLockClient(t *testing.T) client.WithWatch {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, clusterv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatalf("add to scheme: %v", err)
		}
	}
	meta := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: "default", Name: name} }
	return fake.NewClientBuilder().WithScheme(scheme).WithObjects(
		&clusterv1.Cluster{ObjectMeta: meta("c1")}, &clusterv1.Machine{ObjectMeta: meta("m1")},
		&clusterv1.Machine{ObjectMeta: meta("m2")},
	).Build()
}

func TestInitLockConforms(t *testing.T) {
	portstest.InitLock(t, func(t *testing.T) (ports.InitLock, func(string)) {
		c := newLockClient(t)
		return capi.NewInitLock(c, c, capi.NewObjectReader(c, c)), func(machine string) {
			gone := &clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: machine}}
			if err := c.Delete(t.Context(), gone); err != nil {
				t.Fatalf("delete machine: %v", err)
			}
		}
	})
}

func TestLockHasTheShapeOfTheKubeadmProviders(t *testing.T) {
	c := newLockClient(t)
	cluster := ports.Key{Namespace: "default", Name: "c1"}
	if _, err := capi.NewInitLock(c, c, capi.NewObjectReader(c, c)).Acquire(t.Context(), cluster, "m1"); err != nil {
		t.Fatalf("acquire: %v", err)
	}
	got := &corev1.ConfigMap{}
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "c1-lock"}, got); err != nil {
		t.Fatalf("get: %v", err)
	}
	want := map[string]string{"lock-information": `{"machineName":"m1"}`}
	if diff := cmp.Diff(want, got.Data); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	if got.Labels[clusterv1.ClusterNameLabel] != "c1" || len(got.OwnerReferences) != 1 ||
		got.OwnerReferences[0].Kind != "Cluster" {
		t.Errorf("labels %v, owners %v", got.Labels, got.OwnerReferences)
	}
}

func TestInitializedClusterIsNotLocked(t *testing.T) {
	c := newLockClient(t)
	cluster := ports.Key{Namespace: "default", Name: "c1"}
	initialize(t, c, cluster)
	_, err := capi.NewInitLock(c, c, capi.NewObjectReader(c, c)).Acquire(t.Context(), cluster, "m1")
	if !errors.Is(err, ports.ErrInitialized) {
		t.Errorf("error %v, want %v", err, ports.ErrInitialized)
	}
}

func configMap(change func(*corev1.ConfigMap)) *corev1.ConfigMap {
	c := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "c1-lock",
			Labels: map[string]string{clusterv1.ClusterNameLabel: "c1"},
		},
		Data: map[string]string{"lock-information": `{"machineName":"gone"}`},
	}
	change(c)
	return c
}

// TestOnlyLocksAreRemoved verifies that a ConfigMap with the lock's name is deleted only if it is the cluster's lock.
// Its machine is gone, so the lock is free.
func TestOnlyLocksAreRemoved(t *testing.T) {
	owner := func(apiVersion, kind, name string) []metav1.OwnerReference {
		return []metav1.OwnerReference{{APIVersion: apiVersion, Kind: kind, Name: name, UID: "u"}}
	}
	cases := map[string]struct {
		reason string
		change func(*corev1.ConfigMap)
		lock   bool
	}{
		"kubeadm": {
			"an older API version is the cluster's, too",
			func(c *corev1.ConfigMap) { c.OwnerReferences = owner("cluster.x-k8s.io/v1beta1", "Cluster", "c1") }, true,
		},
		"garbled": {"what the cluster owns is its lock, whatever it holds", func(c *corev1.ConfigMap) {
			c.OwnerReferences, c.Data = owner("cluster.x-k8s.io/v1beta2", "Cluster", "c1"), nil
		}, true},
		"moved along": {"users set owners on objects that clusterctl moves", func(c *corev1.ConfigMap) {
			c.OwnerReferences, c.Data = owner("cluster.x-k8s.io/v1beta2", "Cluster", "c1"), map[string]string{"settings": "b"}
		}, false},
		"moved binary data": {"so they do with other data", func(c *corev1.ConfigMap) {
			c.OwnerReferences, c.Data = owner("cluster.x-k8s.io/v1beta2", "Cluster", "c1"), nil
			c.BinaryData = map[string][]byte{"a": []byte("b")}
		}, false},
		"restored": {"a backup has no owners", func(*corev1.ConfigMap) {}, true},
		"somebody's": {"a locksmith's settings", func(c *corev1.ConfigMap) {
			c.Labels, c.Data = nil,
				map[string]string{"a": "b"}
		}, false},
		"no label": {"the provider's has a label", func(c *corev1.ConfigMap) { c.Labels = nil }, false},
		"another cluster": {
			"another cluster's name",
			func(c *corev1.ConfigMap) { c.Labels[clusterv1.ClusterNameLabel] = "c2" }, false,
		},
		"more data": {"the provider's has one key", func(c *corev1.ConfigMap) { c.Data["a"] = "b" }, false},
		"binary data": {
			"the provider's has one key",
			func(c *corev1.ConfigMap) { c.BinaryData = map[string][]byte{"a": []byte("b")} }, false,
		},
		"no machine": {
			"the provider's names a machine", func(c *corev1.ConfigMap) { c.Data["lock-information"] = "{}" },
			false,
		},
		"other owner": {"another object owns it", func(c *corev1.ConfigMap) {
			c.OwnerReferences = owner("apps/v1",
				"Deployment", "c1")
		}, false},
		"namesake": {
			"a kind of the same name in another group",
			func(c *corev1.ConfigMap) { c.OwnerReferences = owner("example.com/v1", "Cluster", "c1") }, false,
		},
		"owned by c2": {
			"another cluster owns it",
			func(c *corev1.ConfigMap) { c.OwnerReferences = owner("cluster.x-k8s.io/v1beta2", "Cluster", "c2") }, false,
		},
	}
	cluster := ports.Key{Namespace: "default", Name: "c1"}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := newLockClient(t)
			theirs := configMap(tc.change)
			if err := c.Create(t.Context(), theirs); err != nil {
				t.Fatal(err)
			}
			l := capi.NewInitLock(c, c, capi.NewObjectReader(c, c))
			holder, err := l.Acquire(t.Context(), cluster, "m1")
			if tc.lock && (err != nil || holder != "m1") || !tc.lock && (!errors.Is(err, ports.ErrNotOwned) ||
				holder != "ConfigMap c1-lock") {
				t.Errorf("%q %v: %s", holder, err, tc.reason)
			}
			for _, machine := range []string{"m1", "gone", ""} {
				if err := l.Release(t.Context(), cluster, machine); err != nil {
					t.Errorf("release: %v", err)
				}
			}
			left := &corev1.ConfigMap{}
			err = c.Get(t.Context(), client.ObjectKeyFromObject(theirs), left)
			if stays := err == nil && left.UID == theirs.UID && cmp.Equal(left.Data, theirs.Data); stays == tc.lock {
				t.Errorf("it stays: %v (%v): %s", stays, err, tc.reason)
			}
		})
	}
}

// TestLockOfAnotherOwnerIsFoundBeforeTheCacheShowsIt verifies the same if the creation shows that the name is in use.
func TestLockOfAnotherOwnerIsFoundBeforeTheCacheShowsIt(t *testing.T) {
	c := newLockClient(t)
	theirs := configMap(func(c *corev1.ConfigMap) { c.Labels, c.Data["lock-information"] = nil, `{"machineName":"m1"}` })
	if err := c.Create(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	staleCache := newLockClient(t)
	_, err := capi.NewInitLock(c, c, capi.NewObjectReader(staleCache, c)).
		Acquire(t.Context(), ports.Key{Namespace: "default", Name: "c1"}, "m1")
	if !errors.Is(err, ports.ErrNotOwned) {
		t.Errorf("%v, want %v", err, ports.ErrNotOwned)
	}
}

// TestClusterInitializedMeanwhileIsNotLocked lets another replica initialize the cluster and release the lock while the
// request that creates the lock is under way. The answer of this request is also lost.
func TestClusterInitializedMeanwhileIsNotLocked(t *testing.T) {
	cluster := ports.Key{Namespace: "default", Name: "c1"}
	for name, lost := range map[string]error{"answered": nil, "lost answer": apierrors.NewTimeoutError("no answer", 1)} {
		t.Run(name, func(t *testing.T) {
			c := newLockClient(t)
			late := interceptor.NewClient(c, interceptor.Funcs{Create: func(ctx context.Context, c client.WithWatch,
				o client.Object, options ...client.CreateOption,
			) error {
				initialize(t, c, cluster)
				return errors.Join(c.Create(ctx, o, options...), lost)
			}})
			lock := capi.NewInitLock(late, c, capi.NewObjectReader(c, c))
			_, err := lock.Acquire(t.Context(), cluster, "m2")
			if lost != nil && err != nil {
				_, err = lock.Acquire(t.Context(), cluster, "m2")
			}
			if !errors.Is(err, ports.ErrInitialized) {
				t.Errorf("error %v, want %v", err, ports.ErrInitialized)
			}
			err = c.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "c1-lock"}, &corev1.ConfigMap{})
			if !apierrors.IsNotFound(err) {
				t.Errorf("the lock: %v", err)
			}
		})
	}
}

// TestOutdatedCacheDoesNotFreeTheLock verifies that a replica whose cache lags behind the API lets no second machine
// initialize the cluster.
func TestOutdatedCacheDoesNotFreeTheLock(t *testing.T) {
	cluster := ports.Key{Namespace: "default", Name: "c1"}
	cases := map[string]struct {
		// hide lets the cache lack what the API has.
		hide func(client.Object) error
		// change changes the API after the first machine has taken the lock.
		change func(t *testing.T, c client.Client)
		want   error
	}{
		"the holder": {
			func(o client.Object) error {
				if machine, ok := o.(*clusterv1.Machine); ok && machine.Name == "m1" {
					return apierrors.NewNotFound(clusterv1.GroupVersion.WithResource("machines").GroupResource(), "m1")
				}
				return nil
			},
			func(*testing.T, client.Client) {}, ports.ErrLocked,
		},
		"the initialization": {
			func(o client.Object) error {
				if c, ok := o.(*clusterv1.Cluster); ok {
					c.Status.Conditions = nil
				}
				return nil
			},
			func(t *testing.T, c client.Client) {
				t.Helper()
				initialize(t, c, cluster)
				if err := capi.NewInitLock(c, c, capi.NewObjectReader(c, c)).Release(t.Context(), cluster, ""); err != nil {
					t.Fatal(err)
				}
			},
			ports.ErrInitialized,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := newLockClient(t)
			if _, err := capi.NewInitLock(c, c, capi.NewObjectReader(c, c)).Acquire(t.Context(), cluster, "m1"); err != nil {
				t.Fatal(err)
			}
			tc.change(t, c)
			outdated := interceptor.NewClient(c, interceptor.Funcs{Get: func(ctx context.Context, c client.WithWatch,
				key client.ObjectKey, o client.Object, options ...client.GetOption,
			) error {
				o.SetName(key.Name)
				return errors.Join(c.Get(ctx, key, o, options...), tc.hide(o))
			}})
			holder, err := capi.NewInitLock(outdated, c, capi.NewObjectReader(c, c)).Acquire(t.Context(), cluster, "m2")
			if !errors.Is(err, tc.want) {
				t.Errorf("%q %v, want %v", holder, err, tc.want)
			}
		})
	}
}

// TestRememberedLockIsVerified lets another replica release the lock of a machine, and another machine acquire it. The
// first replica, whose cache still contains the first lock, does not let the first machine initialize the cluster.
func TestRememberedLockIsVerified(t *testing.T) {
	cluster, c := ports.Key{Namespace: "default", Name: "c1"}, newLockClient(t)
	outdated := capi.NewInitLock(c, c, capi.NewObjectReader(fake.NewClientBuilder().Build(), c))
	other := capi.NewInitLock(c, c, capi.NewObjectReader(c, c))
	if _, err := outdated.Acquire(t.Context(), cluster, "m1"); err != nil {
		t.Fatal(err)
	}
	if err := other.Release(t.Context(), cluster, "m1"); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Acquire(t.Context(), cluster, "m2"); err != nil {
		t.Fatal(err)
	}
	if holder, err := outdated.Acquire(t.Context(), cluster, "m1"); !errors.Is(err, ports.ErrLocked) || holder != "m2" {
		t.Errorf("%q holds the lock, error %v", holder, err)
	}
}

func initialize(t *testing.T, c client.Client, key ports.Key) {
	t.Helper()
	cluster := &clusterv1.Cluster{}
	if err := c.Get(t.Context(), client.ObjectKey(key), cluster); err != nil {
		t.Fatal(err)
	}
	conditions.Set(cluster, metav1.Condition{
		Type: clusterv1.ClusterControlPlaneInitializedCondition, Status: metav1.ConditionTrue, Reason: "Initialized",
	})
	if err := c.Update(t.Context(), cluster); err != nil {
		t.Fatal(err)
	}
}
