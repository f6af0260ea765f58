package ignition

import (
	"github.com/coreos/ignition/v2/config/v3_6/types"

	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// merge adds the user's snippets.
func merge(c types.Config, _ specification, _ osprofile.Target) (types.Config, report.Report) {
	return c, nil
}
