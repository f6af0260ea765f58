//go:build linux && e2e

package controlplanes_test

import (
	"testing"

	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/test/planes"
)

// TestScale scales a control plane up and down, and replaces its machines.
func TestScale(t *testing.T) {
	o := observe(t, planes.New(t).Create(planes.Options{Name: "scale"}))
	o.step("1 → 3", o.scale(3))
	o.step("rollout of 3", o.roll)
	o.step("3 → 5", o.scale(5))
	o.step("5 → 3", o.scale(3))
	o.step("3 → 1", o.scale(1))
	o.step("rollout of 1", o.roll)
}

// roll replaces the machines, and waits until the controller has begun to.
func (o *observed) roll() {
	old := map[string]bool{}
	for _, m := range o.Machines() {
		old[m.Name] = true
	}
	o.Change(func(s *controlplanev1.MachineadmControlPlaneSpec) { s.Rollout.After = metav1.Now() })
	o.Eventually(func() bool {
		for _, m := range o.Machines() {
			if old[m.Name] {
				return false
			}
		}
		return true
	}).Should(BeTrue(), o.Describe)
}
