package hosts_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/host"
)

// TestDeletedMachineGetsItsProviderID deletes machines that booted and were not provisioned. Cluster API finds the Node
// that kubelet may have created only by the provider ID, and as long as the machine exists.
func TestDeletedMachineGetsItsProviderID(t *testing.T) {
	for name, end := range map[string]func(*world){
		"running": func(*world) {},
		"failed": func(w *world) {
			w.fleet.Finish(key("h"), "etcd does not answer")
			w.reconcile("m")
		},
		"unreachable": func(w *world) { w.fleet.Fail(key("h"), memory.HostFailure{Fault: host.FaultHostKeyChanged}) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.addHost("h")
			w.addMachine("m")
			w.reconcile("m")
			end(w)
			if w.machine("m").Identified {
				t.Fatal("the machine has its provider ID before it is deleted: after a move it would be provisioned")
			}
			var changes []string
			w.objects.Written = func(change string) error {
				if !strings.HasPrefix(change, "status") {
					changes = append(changes, change)
				} else if m := w.objects.Status(key("m")); m.Provisioned || w.machine("m").Provisioned {
					t.Errorf("the machine is provisioned: %+v", m)
				}
				return nil
			}
			w.delete("m")
			w.reconcile("m")
			if !w.host("h").Claim.IsZero() {
				// The reset takes long, and kubelet creates a Node before it ends.
				w.clock.Advance(time.Minute)
			}
			w.reconcile("m")
			if slices.Contains(changes, "finalizer") {
				t.Errorf("Cluster API had no time to read the provider ID: the changes are %q", changes)
			}
			w.clock.Advance(host.DefaultTimeouts().Poll)
			w.reconcile("m")
			if len(changes) < 3 || changes[0] != "provider ID" || changes[len(changes)-1] != "finalizer" {
				t.Errorf("the changes are %q", changes)
			}
			for _, c := range w.objects.Status(key("m")).Conditions {
				if c.Type == host.ConditionBootSucceeded && c.Status == host.StatusTrue {
					t.Errorf("%+v", c)
				}
			}
		})
	}
}
