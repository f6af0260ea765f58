//go:build linux && !unit

package planes_test

import (
	"os"
	"testing"

	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/test/planes"
)

func TestMain(m *testing.M) { os.Exit(planes.Main(m)) }

// TestOneMachine creates a control plane of one machine, and replaces the machine. test/consumers/controlplanes has the
// other scenarios, which make nightly runs.
func TestOneMachine(t *testing.T) {
	c := planes.New(t).Create(planes.Options{Name: "one"})
	first := c.Complete()
	quorum := c.WatchQuorum()
	quorum.Write("before", "the rollout")
	c.Change(func(s *controlplanev1.MachineadmControlPlaneSpec) { s.Rollout.After = metav1.Now() })
	second := c.Complete()
	c.Expect(second[0].Name).NotTo(Equal(first[0].Name))
	quorum.Check()
}
