package plugintest

import (
	"slices"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// CheckTimeDaemon checks that the expander claims the documents that name its daemon, those that name none where the
// profile does, and no others.
func CheckTimeDaemon(t *testing.T, x ports.Selector, own machine.TimeDaemon) {
	t.Helper()
	daemons := []machine.TimeDaemon{
		machine.TimeDaemonTimesyncd, machine.TimeDaemonChronyd, machine.TimeDaemonNTPD,
		machine.TimeDaemonW32Time,
	}
	for _, usual := range daemons {
		target := Target(t, "ubuntu")
		target.Profile.TimeDaemon = usual
		check := func(named, chosen machine.TimeDaemon) {
			t.Helper()
			d := at("doc", machine.TimeSyncConfig{Daemon: named})
			if got, want := claims(x, d, target), chosen == own; got != want {
				t.Errorf("claims a document for %q where %s is usual: %v, want %v", named, usual, got, want)
			}
		}
		check(machine.TimeDaemonAuto, usual)
		for _, named := range daemons {
			check(named, named)
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
