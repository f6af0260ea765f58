package controller

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/app/bootstrap"
)

// TestReleasedLockTriggersTheMachinesThatNeedIt releases a lock. The config of a machine that is stalled for another
// reason is not triggered: its next attempt would acquire and release the lock, and so trigger the attempt after it.
func TestReleasedLockTriggersTheMachinesThatNeedIt(t *testing.T) {
	for reason, want := range map[bootstrap.Reason]bool{
		"": true, bootstrap.ReasonInitLock: true, bootstrap.ReasonLockNotOwned: true,
		bootstrap.ReasonInvalid: false, bootstrap.ReasonPlugin: false,
	} {
		t.Run(string(reason), func(t *testing.T) {
			c := &v1alpha1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{
				Namespace: "default", Name: "m1", Labels: map[string]string{clusterv1.ClusterNameLabel: "c1"},
			}}
			if reason != "" {
				setCondition(c, ConditionReady, metav1.ConditionFalse, string(reason), "a message")
			}
			r := &Reconciler{Client: indexed(t, c)}
			q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[ctrl.Request]())
			defer q.ShutDown()
			lock := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "c1-lock"}}
			r.onConfigMap().Delete(t.Context(), event.DeleteEvent{Object: lock}, q)
			if got := q.Len() == 1; got != want {
				t.Errorf("the config is triggered: %v, want %v", got, want)
			}
		})
	}
}

// TestDeletedForeignSecretTriggersTheConfigOfItsName deletes a Secret of another object that has the name of the data.
func TestDeletedForeignSecretTriggersTheConfigOfItsName(t *testing.T) {
	for _, published := range []bool{false, true} {
		c := &v1alpha1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "m1"}}
		if published {
			c.Status.Initialization.DataSecretCreated = ptr.To(true)
		}
		r := &Reconciler{Client: indexed(t, c)}
		q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[ctrl.Request]())
		foreign := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "m1"}}
		r.onSecret().Delete(t.Context(), event.DeleteEvent{Object: foreign}, q)
		if got := q.Len() == 1; got == published {
			t.Errorf("published %v: the config is triggered: %v", published, got)
		}
		q.ShutDown()
	}
}

// TestConfigsWithoutDataAreTriggered changes what a config waits for: its reference, and the networks of its cluster.
func TestConfigsWithoutDataAreTriggered(t *testing.T) {
	for name, tc := range map[string]struct {
		reason    string
		published bool
		status    metav1.ConditionStatus
		want      bool
	}{
		"new":       {reason: "it was never published", want: true},
		"published": {reason: "it has its data", published: true, status: metav1.ConditionTrue},
		"deleted": {
			reason: "its data was deleted and is published again", published: true, status: metav1.ConditionFalse, want: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := &v1alpha1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{
				Namespace: "default", Name: "m1", Labels: map[string]string{clusterv1.ClusterNameLabel: "c1"},
			}}
			c.Spec.Machine = &v1alpha1.MachineSpec{Files: []v1alpha1.FileSpec{
				{Path: "/a", ContentFrom: &v1alpha1.ContentSource{Secret: &v1alpha1.KeyReference{Name: "s", Key: "k"}}},
			}}
			c.Status.Initialization.DataSecretCreated = &tc.published
			if tc.status != "" {
				setCondition(c, ConditionData, tc.status, "Reason", "")
			}
			r := &Reconciler{Client: indexed(t, c)}
			triggers := func(what string, change func(queue)) {
				q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[ctrl.Request]())
				defer q.ShutDown()
				change(q)
				if got := q.Len() == 1; got != tc.want {
					t.Errorf("%s: %s triggers the config: %t", tc.reason, what, got)
				}
			}
			triggers("a Secret", func(q queue) {
				s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "s"}}
				r.onSecret().Create(t.Context(), event.CreateEvent{Object: s}, q)
			})
			triggers("a network", func(q queue) {
				before := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "c1"}}
				after := before.DeepCopy()
				after.Spec.ClusterNetwork.Pods.CIDRBlocks = []string{"10.0.0.0/16"}
				r.onCluster().Update(t.Context(), event.UpdateEvent{ObjectOld: before, ObjectNew: after}, q)
			})
		})
	}
}

// indexed returns a client with the config, as the manager's cache indexes it.
func indexed(t *testing.T, c *v1alpha1.MachineBootstrapConfig) client.Client {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return fake.NewClientBuilder().WithScheme(scheme).WithObjects(c).
		WithIndex(&v1alpha1.MachineBootstrapConfig{}, referenceIndex, ReferencesOf).Build()
}
