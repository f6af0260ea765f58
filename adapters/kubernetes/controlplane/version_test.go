package controlplane_test

import (
	"testing"
	"time"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/report"
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

// TestRevertedUpgrade checks that an upgrade can be reverted as long as no machine of the newer version has joined. The
// machine that never joined is then replaced.
func TestRevertedUpgrade(t *testing.T) {
	cases := map[string]struct {
		reason  string
		change  func(*clusterv1.Machine)
		refused bool
	}{
		"never joined": {"the machine cannot boot", func(*clusterv1.Machine) {}, false},
		"node":         {"its API server served", func(m *clusterv1.Machine) { m.Status.NodeRef.Name = "n" }, true},
		"member": {"Cluster API waits for the provider ID of the node", func(m *clusterv1.Machine) {
			m.Annotations[v1alpha1.MemberAnnotation] = "1"
		}, true},
		"certificate": {"its API server answered, with external etcd", func(m *clusterv1.Machine) {
			m.Annotations[clusterv1.MachineCertificatesExpiryDateAnnotation] = "2030-01-01T00:00:00Z"
		}, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, newCluster(), newPlane())
			machine := w.creates(t)
			update(t, w, w.machine(t, machine), func(m *clusterv1.Machine) {
				m.Spec.Version = "v1.37.0"
				c.change(m)
			})
			m := w.machine(t, machine)
			c.change(m)
			if err := w.Status().Update(t.Context(), m); err != nil {
				t.Fatal(err)
			}
			read := w.read(t)
			if report.Report(read.Findings).HasErrors() != c.refused {
				t.Errorf("%s: %s", c.reason, read.Findings)
			}
			operation, _ := controlplane.Plan(read.Desired, read.Observed, time.Unix(1_800_000_000, 0))
			want := controlplane.Operation{Kind: controlplane.KindDeleteMachine, Machine: machine}
			if !c.refused && operation != want {
				t.Errorf("%s: %+v", c.reason, operation)
			}
		})
	}
}
