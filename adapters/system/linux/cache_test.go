//go:build linux

package linux_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// counted is a systemctl that records each verb.
const counted = "#!/bin/sh\necho \"$2\" >>/srv/calls\nexec /usr/bin/systemctl \"$@\"\n"

// TestFactsAreReadOnce checks that all stages of an operation query systemd once, and that the next operation queries
// it again.
func TestFactsAreReadOnce(t *testing.T) {
	d := newDebian(t, "bookworm")
	d.put(t, "/usr/local/sbin/systemctl", counted)
	if err := os.Chmod(d.root+"/usr/local/sbin/systemctl", 0o755); err != nil { //nolint:gosec // it is a program
		t.Fatal(err)
	}
	d.put(t, "/usr/lib/systemd/system/app.service",
		"[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n")
	enabled := true
	op := action.EnsureUnit{Unit: machine.Unit{Name: "app.service", Enabled: &enabled}}
	differs := func(original journal.Original) bool {
		t.Helper()
		change, err := d.Diff(t.Context(), op, original)
		if err != nil {
			t.Fatal(err)
		}
		return !change.IsEmpty()
	}

	if !differs(journal.Original{}) {
		t.Error("the unit is not enabled, and Diff reports no difference")
	}
	original, err := d.Capture(t.Context(), op)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Apply(t.Context(), op, original); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("is-enabled\nenable\n", d.get("/srv/calls")); diff != "" {
		t.Errorf("calls of systemctl (-want +got):\n%s", diff)
	}
	for _, verb := range []string{"enable", "mask", "unmask", "disable"} {
		command := exec.Command("chroot", d.root, "/usr/bin/systemctl", "--root=/", verb, "app.service")
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if want := verb == "mask" || verb == "disable"; differs(original) != want {
			t.Errorf("after %s it differs: %v", verb, !want)
		}
	}
}
