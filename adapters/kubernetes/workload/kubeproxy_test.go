package workload

import (
	"errors"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/node"
)

// proxyConfig is a part of what kubeadm writes.
const proxyConfig = `apiVersion: kubeproxy.config.k8s.io/v1alpha1
clusterCIDR: 10.244.0.0/16
conntrack:
  maxPerCore: null
  tcpEstablishedTimeout: 24h0m0s
featureGates: null
kind: KubeProxyConfiguration
mode: iptables
nodePortAddresses: null
`

// TestProxyConfiguration checks that a change of controlPlane.kubeProxy.config reaches the cluster, also after an
// interruption, and that it restarts the Pods once.
func TestProxyConfiguration(t *testing.T) {
	cases := map[string]struct {
		reason string
		fields node.Tree
		// text is the configuration in the cluster; empty if there is none.
		text string
		// contains is a line of the changed configuration; empty if nothing changes.
		contains string
		refused  bool
	}{
		"not specified": {reason: "kube-proxy may have no ConfigMap"},
		"same": {
			reason: "kubeadm writes durations and empty values in its own way", text: proxyConfig,
			fields: node.Tree{
				"mode": "iptables", "nodePortAddresses": []any{}, "conntrack": map[string]any{"tcpEstablishedTimeout": "24h"},
			},
		},
		"changed": {
			reason: "the mode is another one", text: proxyConfig, contains: "mode: nftables\n",
			fields: node.Tree{"mode": "nftables"},
		},
		"nested": {
			reason: "only the field of the object changes", text: proxyConfig,
			contains: "conntrack:\n  maxPerCore: null\n  min: 7\n  tcpEstablishedTimeout: 24h0m0s\n",
			fields:   node.Tree{"conntrack": map[string]any{"min": int64(7)}},
		},
		"added": {
			reason: "the object does not exist yet", text: proxyConfig, contains: "featureGates:\n  A: false\n",
			fields: node.Tree{"featureGates": map[string]any{"A": false}},
		},
		"missing": {reason: "a user deleted it", fields: node.Tree{"mode": "nftables"}, refused: true},
		"invalid": {reason: "a user broke it", fields: node.Tree{"mode": "nftables"}, text: "a: [", refused: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			objects := []client.Object{proxySet("registry.k8s.io/kube-proxy:v1.36.3")}
			if tc.text != "" {
				objects = append(objects, &corev1.ConfigMap{
					ObjectMeta: addonMeta(kubeProxy), Data: map[string]string{"config.conf": tc.text, "kubeconfig.conf": "kept"},
				})
			}
			c, plane := newAddonsCluster(objects...), addonsPlane("")
			plane.Config.KubeProxyConfig = tc.fields
			current, err := addonsCurrent(t.Context(), c, plane)
			if settled := tc.contains == "" && !tc.refused; err != nil || current != settled {
				t.Errorf("%s: current %t, error %v", tc.reason, current, err)
			}
			err = c.of(nil).UpdateAddons(t.Context(), plane)
			if (err != nil) != tc.refused || tc.contains == "" && c.writes > 0 {
				t.Errorf("%s: %d writes, error %v", tc.reason, c.writes, err)
			}
			if tc.contains == "" {
				return
			}
			c.isConfigured(t, tc.contains)
			// The second write is that of the DaemonSet.
			c = newAddonsCluster(objects...)
			c.failing = 1
			if err := c.of(nil).UpdateAddons(t.Context(), plane); !errors.Is(err, errInterrupted) {
				t.Errorf("error %v", err)
			}
			for range 2 {
				if err := c.of(nil).UpdateAddons(t.Context(), plane); err != nil {
					t.Error(err)
				}
			}
			if c.isConfigured(t, tc.contains); c.writes != 2 {
				t.Errorf("%d writes, want one for the ConfigMap and one for the DaemonSet", c.writes)
			}
			if current, err := addonsCurrent(t.Context(), c, plane); !current || err != nil {
				t.Errorf("afterwards: current %t, error %v", current, err)
			}
		})
	}
}

// isConfigured checks the configuration, and that the Pods were restarted with it.
func (c *addonsCluster) isConfigured(t *testing.T, line string) {
	t.Helper()
	set, config := &appsv1.DaemonSet{}, &corev1.ConfigMap{}
	key := client.ObjectKey{Namespace: "kube-system", Name: kubeProxy}
	if err := errors.Join(c.Get(t.Context(), key, set), c.Get(t.Context(), key, config)); err != nil {
		t.Fatal(err)
	}
	text := config.Data["config.conf"]
	if !strings.Contains(text, line) || !strings.Contains(text, "clusterCIDR: 10.244.0.0/16\n") ||
		config.Data["kubeconfig.conf"] != "kept" {
		t.Errorf("the ConfigMap has %q", config.Data)
	}
	if len(set.Spec.Template.Annotations) != 1 {
		t.Errorf("the Pods are not restarted: %v", set.Spec.Template.Annotations)
	}
}
