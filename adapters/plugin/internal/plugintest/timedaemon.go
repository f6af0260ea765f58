package plugintest

import (
	"slices"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// CheckTimeDaemon checks that the expander claims the documents that name its daemon, and no others. The Windows Time
// service need not be named on Windows. own is TimeDaemonAuto for the expander that detects the daemon on Linux.
func CheckTimeDaemon(t *testing.T, x ports.Selector, own machine.TimeDaemon) {
	t.Helper()
	for _, distribution := range []string{"ubuntu", "windows-server-2022"} {
		target := Target(t, distribution)
		usual := machine.TimeDaemonAuto
		if distribution != "ubuntu" {
			usual = machine.TimeDaemonW32Time
		}
		for named, chosen := range map[machine.TimeDaemon]machine.TimeDaemon{
			machine.TimeDaemonAuto: usual, machine.TimeDaemonTimesyncd: machine.TimeDaemonTimesyncd,
			machine.TimeDaemonChronyd: machine.TimeDaemonChronyd, machine.TimeDaemonNTPD: machine.TimeDaemonNTPD,
			machine.TimeDaemonW32Time: machine.TimeDaemonW32Time,
		} {
			d := at("doc", machine.TimeSyncConfig{Daemon: named})
			if got, want := claims(x, d, target), chosen == own; got != want {
				t.Errorf("claims a document for %q on %s: %v, want %v", named, distribution, got, want)
			}
		}
		if d := at("doc", document.Opaque{Type: machine.KindTimeSync}); claims(x, d, target) {
			t.Error("claims a document that it cannot read")
		}
		if d := at("doc", machine.File{}); claims(x, d, target) {
			t.Error("claims a document of another kind")
		}
	}
}

// claims reports whether the planner passes the document to the expander.
func claims(x ports.Selector, d document.Document, t osprofile.Target) bool {
	return slices.Contains(x.Describe().Kinds, d.Kind()) && x.Matches(d, t)
}
