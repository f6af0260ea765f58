package workload

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// TestSettingsOfDeletedControlPlanesAreForgotten observes one control plane after another one has been deleted.
func TestSettingsOfDeletedControlPlanesAreForgotten(t *testing.T) {
	s, now := &settings{}, time.Unix(1000, 0)
	seen := ports.Workload{Initialized: true, JoinPrepared: true, AddonsCurrent: true}
	for _, name := range []string{"deleted", "other"} {
		s.remember(ports.ControlPlane{Key: ports.Key{Namespace: "n", Name: name}}, seen, now)
		now = now.Add(settingsPeriod)
	}
	if len(s.planes) != 1 {
		t.Errorf("%d control planes are remembered, want 1", len(s.planes))
	}
}

// TestSettingsAreReadRarely observes a control plane for which nothing is to be done, and then changes something.
func TestSettingsAreReadRarely(t *testing.T) {
	complete := ports.ControlPlane{Key: ports.Key{Namespace: "n", Name: "cp"}, ClusterName: "c"}
	complete.Desired.Replicas, complete.Desired.Template.Version = 1, "v1.28.1"
	complete.Observed.Machines = []controlplane.Machine{{
		Name: "n1", NodeName: "n1", Phase: controlplane.PhaseRunning, Template: complete.Desired.Template,
	}}
	incomplete := complete
	incomplete.Desired.Replicas = 2
	other := complete
	other.Network.PodSubnets = []string{"10.0.0.0/8"}
	due := complete
	due.Desired.RolloutAfter = time.Unix(1, 0)
	afterJoinPeriod := func(_ *Cluster, c *memory.Clock) error {
		c.Advance(joinPeriod)
		return nil
	}
	cases := map[string]struct {
		reason string
		plane  ports.ControlPlane
		before func(*Cluster, *memory.Clock) error
		reads  int
	}{
		"nothing changes": {reason: "the first observation was enough", plane: complete},
		"machine is missing": {
			reason: "it must join with current settings", plane: incomplete, reads: 1,
			before: afterJoinPeriod,
		},
		"machine is outdated": {
			reason: "its replacement joins", plane: due, reads: 1,
			before: afterJoinPeriod,
		},
		"a short time":   {reason: "the settings were read at this time", plane: incomplete},
		"other settings": {reason: "they may differ from those of the cluster", plane: other, reads: 1},
		"a long time": {
			reason: "a user may have changed them", plane: complete, reads: 1,
			before: func(_ *Cluster, c *memory.Clock) error {
				c.Advance(settingsPeriod)
				return nil
			},
		},
		"change": {
			reason: "it may have failed", plane: complete, reads: 2,
			before: func(w *Cluster, _ *memory.Clock) error { return w.UpdateAddons(t.Context(), complete) },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			config := &corev1.ConfigMap{ObjectMeta: addonMeta(kubeadmConfig), Data: map[string]string{configurationKey: stored}}
			c := newAddonsCluster(config, controlPlaneNodeObject("n1", "v1.28.1"))
			w := c.of(func(string, node.Cluster, node.ControlPlaneConfig) ([]byte, report.Report) {
				return []byte(stored), nil
			})
			clock := memory.NewClock(time.Unix(1000, 0))
			w.options.Clock = clock
			if err := w.PrepareJoin(t.Context(), complete); err != nil {
				t.Fatal(err)
			}
			if got, err := w.Observe(t.Context(), complete); err != nil || !got.JoinPrepared || !got.AddonsCurrent {
				t.Fatalf("observed %+v, error %v", got, err)
			}
			c.dials = 0
			if tc.before != nil {
				if err := tc.before(w, clock); err != nil {
					t.Fatal(err)
				}
			}
			for range 3 {
				if got, err := w.Observe(t.Context(), tc.plane); err != nil || !got.Initialized || !got.JoinPrepared {
					t.Fatalf("observed %+v, error %v", got, err)
				}
			}
			if c.dials != tc.reads {
				t.Errorf("%s: connected %d times, want %d", tc.reason, c.dials, tc.reads)
			}
		})
	}
}
