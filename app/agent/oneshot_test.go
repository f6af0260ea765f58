package agent

import (
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
)

// TestOneShotPackages checks when completed packages are compared again: a refresh or an upgrade always differs.
func TestOneShotPackages(t *testing.T) {
	names := []string{"jq"}
	for name, c := range map[string]struct {
		op   action.InstallPackages
		want bool
	}{
		"packages":          {action.InstallPackages{PackagesConfig: machine.PackagesConfig{Install: names}}, false},
		"implied refresh":   {action.InstallPackages{Refresh: true}, false},
		"requested refresh": {action.InstallPackages{PackagesConfig: machine.PackagesConfig{Update: true}}, true},
		"upgrade":           {action.InstallPackages{PackagesConfig: machine.PackagesConfig{Upgrade: true}}, true},
	} {
		if got := isOneShot(c.op); got != c.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}
