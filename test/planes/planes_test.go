//go:build linux && e2e

package planes_test

import (
	"os"
	"testing"

	"github.com/machineadm/machineadm/test/planes"
)

func TestMain(m *testing.M) { os.Exit(planes.Main(m)) }

// TestOneMachine creates a control plane of one machine.
func TestOneMachine(t *testing.T) {
	c := planes.New(t).Create(planes.Options{Name: "one"})
	c.Complete()
}
