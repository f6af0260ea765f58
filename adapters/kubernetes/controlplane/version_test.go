package controlplane_test

import (
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// TestHeld checks that machines wait for a version that the topology controller is about to set.
func TestHeld(t *testing.T) {
	cases := map[string]struct {
		reason, topology, step string
		first, held            bool
	}{
		"none":    {"the Cluster has no topology", "", "", false, false},
		"same":    {"nothing is pending", "v1.36.3", "", false, false},
		"pending": {"the version of the topology is newer", "v1.37.0", "", false, true},
		"step":    {"this is a step of the upgrade", "v1.38.0", "v1.36.3", false, false},
		"next":    {"the next step is pending", "v1.38.0", "v1.37.0", false, true},
		"first": {
			"Cluster API changes the version only after a machine exists, as in computeControlPlaneVersion", "v1.37.0", "",
			true, false,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := newCluster()
			if c.topology != "" {
				o.Spec.Topology = clusterv1.Topology{
					ClassRef: clusterv1.ClusterClassRef{Name: "class"}, Version: c.topology,
				}
			}
			if c.step != "" {
				o.Annotations = map[string]string{clusterv1.ClusterTopologyUpgradeStepAnnotation: c.step}
			}
			w := newWorld(t, o, newPlane())
			if !c.first {
				w.creates(t)
			}
			if got := w.read(t).Desired.Held; (got != "") != c.held {
				t.Errorf("%s: %q", c.reason, got)
			}
		})
	}
}
