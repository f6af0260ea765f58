package controller_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// blocked are the conditions of a config without a machine or a cluster.
func blocked(reason string) map[string]string {
	return map[string]string{
		"Ready": "False " + reason, "DataSecretAvailable": "False " + reason,
		"CertificatesAvailable": "Unknown NotLookedUp", "Paused": "False NotPaused",
	}
}

func TestMissingOwnerIsReported(t *testing.T) {
	owned := metav1.OwnerReference{APIVersion: clusterv1.GroupVersion.String(), Kind: "MachineSet", Name: "a", UID: "b"}
	cases := map[string]struct {
		reason  string
		change  func(*v1alpha1.MachineBootstrapConfig, *clusterv1.Cluster, *clusterv1.Machine)
		want    map[string]string
		message string
	}{
		"no owner": {
			reason: "A user has created it.",
			change: func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
				c.OwnerReferences = nil
			},
			want: blocked("WaitingForOwner"), message: "create one whose spec.bootstrap.configRef names m1",
		},
		"MachineSet": {
			reason: "Its controller creates the Machine, and reports its own errors.",
			change: func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
				c.OwnerReferences = []metav1.OwnerReference{owned}
			},
			want: map[string]string{},
		},
		"no cluster": {
			reason: "The Machine names another cluster.",
			change: func(_ *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, m *clusterv1.Machine) {
				m.Spec.ClusterName = "none"
			},
			want: blocked("WaitingForCluster"), message: "the Cluster none does not exist",
		},
		"paused cluster": {
			reason: "Cluster API sets no owner while the cluster is paused.",
			change: func(c *v1alpha1.MachineBootstrapConfig, cluster *clusterv1.Cluster, _ *clusterv1.Machine) {
				c.OwnerReferences, cluster.Spec.Paused = nil, ptr.To(true)
			},
			want: map[string]string{"Paused": "True Paused"},
		},
		"unknown label": {
			reason: "The label of the cluster is wrong, too.",
			change: func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
				c.OwnerReferences, c.Labels = nil, map[string]string{clusterv1.ClusterNameLabel: "none"}
			},
			want: blocked("WaitingForOwner"), message: "MachineBootstrapConfigTemplate",
		},
		"published": {
			reason: "Published data stays published, and its Machine may just be deleted.",
			change: func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
				c.OwnerReferences, c.Status.Initialization.DataSecretCreated = nil, ptr.To(true)
			},
			want: map[string]string{},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, tc.change)
			w.clock.Advance(time.Hour)
			w.reconcile()
			got := w.reconcile()
			if diff := cmp.Diff(tc.want, conditions(got)); diff != "" {
				t.Errorf("%s\nconditions (-want +got):\n%s", tc.reason, diff)
			}
			if !strings.Contains(messageOf(got, "Ready"), tc.message) || w.patches > 1 {
				t.Errorf("%s: message %q, %d patches", tc.reason, messageOf(got, "Ready"), w.patches)
			}
		})
	}
}

// TestNewConfigsGetTimeForAnOwner checks that a new config costs no request, and is reconciled once more.
func TestNewConfigsGetTimeForAnOwner(t *testing.T) {
	w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
		c.OwnerReferences, c.CreationTimestamp = nil, metav1.NewTime(time.Unix(3600, 0))
	})
	w.clock.Advance(time.Hour + 3*time.Second)
	request := ctrl.Request{NamespacedName: client.ObjectKey{Namespace: "default", Name: "m1"}}
	again, err := w.Reconcile(t.Context(), request)
	if err != nil || again.RequeueAfter != 7*time.Second || w.patches != 0 {
		t.Errorf("%v, again after %s, %d patches", err, again.RequeueAfter, w.patches)
	}
	w.clock.Advance(again.RequeueAfter)
	again, err = w.Reconcile(t.Context(), request)
	if err != nil || again.RequeueAfter != 0 || w.patches != 1 {
		t.Errorf("%v, again after %s, %d patches", err, again.RequeueAfter, w.patches)
	}
}
