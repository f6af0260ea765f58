package workload

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

func controlPlaneNodeObject(name, version string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{controlPlaneNode: ""}}}
	n.Status.NodeInfo.KubeletVersion = version
	return n
}

// staticPod returns the mirror Pod of the API server of a node.
func staticPod(node string, change func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: metav1.NamespaceSystem, Name: "kube-apiserver-" + node,
		Labels: map[string]string{"tier": controlPlaneTier},
	}}
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	change(p)
	return p
}

func TestObserveHealth(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*corev1.Pod)
		want   controlplane.Health
	}{
		"ready": {change: func(*corev1.Pod) {}, want: controlplane.HealthHealthy},
		"not ready": {
			change: func(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse },
			want:   controlplane.HealthUnhealthy,
		},
		"node does not respond": {
			change: func(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionUnknown },
			want:   controlplane.HealthUnhealthy,
		},
		"failed": {
			change: func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }, want: controlplane.HealthUnhealthy,
		},
		"new": {
			reason: "kubelet has not reported yet", change: func(p *corev1.Pod) { p.Status.Conditions = nil },
		},
		"of another node": {
			reason: "the Pod of this one does not exist yet", change: func(p *corev1.Pod) { p.Name = "kube-apiserver-n10" },
		},
		"not a component": {
			reason: "a user gave a Pod the name of a static Pod, in another tier",
			change: func(p *corev1.Pod) { p.Labels = nil },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := newAddonsCluster(controlPlaneNodeObject("n1", "v1.36.3"), staticPod("n1", tc.change))
			got, err := c.of(nil).Observe(t.Context(), ports.ControlPlane{})
			want := map[string]map[controlplane.Component]controlplane.Health{"n1": {}}
			if tc.want != controlplane.HealthUnknown {
				want["n1"][controlplane.ComponentAPIServer] = tc.want
			}
			if diff := cmp.Diff(want, got.Components); diff != "" || err != nil || got.Initialized {
				t.Errorf("initialized: %t, error %v, %s (-want +got):\n%s", got.Initialized, err, tc.reason, diff)
			}
		})
	}
}

// TestObserveOtherNodes verifies that workers are left out, and that the version of a node is bounded.
func TestObserveOtherNodes(t *testing.T) {
	worker := controlPlaneNodeObject("worker", "v1.36.3")
	worker.Labels = nil
	c := newAddonsCluster(worker, controlPlaneNodeObject("n1", "v1\nReady: "+strings.Repeat("x", 1<<10)))
	got, err := c.of(nil).Observe(t.Context(), ports.ControlPlane{})
	version := got.KubeletVersions["n1"]
	if err != nil || len(got.KubeletVersions) != 1 || len(version) > maxVersion || strings.Contains(version, "\n") {
		t.Errorf("versions %q, error %v", got.KubeletVersions, err)
	}
}

// TestObserveDefaultTaint verifies which nodes count as tainted by kubeadm.
func TestObserveDefaultTaint(t *testing.T) {
	tainted, other := controlPlaneNodeObject("tainted", "v1.36.3"), controlPlaneNodeObject("other", "v1.36.3")
	tainted.Spec.Taints = []corev1.Taint{{Key: controlPlaneNode, Effect: corev1.TaintEffectNoSchedule}}
	other.Spec.Taints = []corev1.Taint{{Key: controlPlaneNode, Effect: corev1.TaintEffectPreferNoSchedule}}
	got, err := newAddonsCluster(tainted, other).of(nil).Observe(t.Context(), ports.ControlPlane{})
	if err != nil || !got.Tainted["tainted"] || got.Tainted["other"] {
		t.Errorf("tainted %v, error %v", got.Tainted, err)
	}
}

// TestObserveTalos verifies that a cluster of Talos needs no objects of kubeadm.
func TestObserveTalos(t *testing.T) {
	plane := ports.ControlPlane{}
	plane.Desired.Type = node.ControlPlaneTalos
	for initialized, c := range map[bool]*addonsCluster{
		false: newAddonsCluster(), true: newAddonsCluster(controlPlaneNodeObject("n1", "v1.36.3")),
	} {
		w := c.of(nil)
		got, err := w.Observe(t.Context(), plane)
		if err != nil || got.Initialized != initialized || !got.JoinPrepared || !got.AddonsCurrent {
			t.Errorf("observed %+v, error %v", got, err)
		}
		err = errors.Join(w.PrepareJoin(t.Context(), plane), w.UpdateAddons(t.Context(), plane))
		if err != nil || c.writes > 0 {
			t.Errorf("%d writes, error %v", c.writes, err)
		}
	}
}

// TestMistakesDoNotHideHealth verifies that a specification which kubeadm does not support is reported by PrepareJoin.
// It does not prevent the observation of machines that may have to be replaced.
func TestMistakesDoNotHideHealth(t *testing.T) {
	config := &corev1.ConfigMap{ObjectMeta: addonMeta(kubeadmConfig), Data: map[string]string{configurationKey: stored}}
	c := newAddonsCluster(config, controlPlaneNodeObject("n1", "v1.35.1"), staticPod("n1", func(*corev1.Pod) {}))
	w := c.of(func(string, node.Cluster, node.ControlPlaneConfig) ([]byte, report.Report) {
		return nil, report.Report{report.Errorf("spec.version", "this version is not known")}
	})
	got, err := w.Observe(t.Context(), ports.ControlPlane{})
	if err != nil || !got.Initialized || got.JoinPrepared || len(got.Components["n1"]) != 1 {
		t.Errorf("observed %+v, error %v", got, err)
	}
	err = w.PrepareJoin(t.Context(), ports.ControlPlane{})
	if err == nil || !strings.Contains(err.Error(), "this version is not known") || c.writes > 0 {
		t.Errorf("%d writes, error %v", c.writes, err)
	}
}

// TestMissingConfigurationIsNoOutdatedAddon deletes the configuration of kubeadm in a cluster that runs. An update of
// the add-ons would be repeated without an end, because it does not restore it.
func TestMissingConfigurationIsNoOutdatedAddon(t *testing.T) {
	plane := addonsPlane("")
	plane.Observed.Initialized = true
	for image, want := range map[string]bool{"r.example/kube-proxy:v1.36.3": true, "r.example/kube-proxy:v1.35.1": false} {
		got, err := newAddonsCluster(proxySet(image)).of(nil).Observe(t.Context(), plane)
		if err != nil || got.AddonsCurrent != want || got.JoinPrepared {
			t.Errorf("%s: observed %+v, error %v", image, got, err)
		}
	}
}

// disconnected is a ClusterCache without a connection.
type disconnected struct{ Clusters }

func (disconnected) GetReader(context.Context, client.ObjectKey) (client.Reader, error) {
	return nil, clustercache.ErrClusterNotConnected
}

func TestDisconnected(t *testing.T) {
	w := NewCluster(ClusterOptions{Clusters: disconnected{}})
	if _, err := w.Observe(t.Context(), ports.ControlPlane{}); !errors.Is(err, ports.ErrUnreachable) {
		t.Errorf("error %v, want %v", err, ports.ErrUnreachable)
	}
}
