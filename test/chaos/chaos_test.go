package main

import (
	"os"
	"testing"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

// TestMachinesSurviveChaos is a short version of the command, with all kinds of disturbances.
func TestMachinesSurviveChaos(t *testing.T) {
	s := settings{machines: 40, clusters: 4, kills: 3, restarts: 1, seed: 1}
	r, err := run(t.Context(), t.TempDir(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", r.table())
	for _, v := range r.found.violations {
		t.Error(v)
	}
	if f := r.found; f.secrets != s.machines || f.created+f.unanswered != s.machines || f.changed != 0 ||
		f.inits != s.clusters || f.tokens != s.machines-s.clusters {
		t.Errorf("got %+v", f)
	}
	if r.killed != s.kills {
		t.Errorf("%d managers were killed, want %d", r.killed, s.kills)
	}
	for _, f := range faults() {
		if r.injected[f] == 0 {
			t.Errorf("no %s were injected", f)
		}
	}
}
