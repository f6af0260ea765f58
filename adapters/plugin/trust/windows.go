package trust

import (
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// windows writes each certificate into our own directory and has certutil add it to the machine's trusted roots, which
// programs that use Windows's or Go's own verification read. containerd is restarted, which has read the old ones.
func windows(c machine.TrustedCAsConfig, e ports.Expansion) ([]action.Action, report.Report) {
	store := osprofile.Trust{Directory: "/etc/machineadm/trust", Extension: ".crt"}
	operations, r := certificates(c, store, e.Document.Source.Path)
	if r.HasErrors() {
		return nil, r
	}
	commands := []string{}
	for i, op := range operations {
		write, ok := op.(action.WriteFile)
		if !ok {
			continue
		}
		write.Path = expand.Place(e.Target, write.Path)
		operations[i] = write
		commands = append(commands, "certutil.exe -f -addstore Root "+expand.PowerShell(write.Path),
			"if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }")
	}
	operations = append(operations, action.RunCommand{
		Name: "add certificates to the trust store", Script: strings.Join(commands, "\n") + "\n", When: document.PhaseTrust,
	})
	restart := expand.Restarted(expand.RuntimeUnit(e.Target, e.Others), machine.KindTrustedCAs)
	return append(action.During(document.PhaseTrust, operations...), action.Of(restart)...), nil
}
