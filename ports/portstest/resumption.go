package portstest

import (
	"slices"
	"testing"

	"github.com/machineadm/machineadm/ports"
)

// Resumption checks an implementation on a machine that is not armed. Armed returns the command that a later boot would
// start, or none if there is none.
func Resumption(t *testing.T, r ports.Resumption, armed func(t *testing.T) []string) {
	t.Helper()
	if err := r.Disable(t.Context()); err != nil || len(armed(t)) != 0 {
		t.Errorf("a machine that was never armed: %v, %q", err, armed(t))
	}
	for _, argv := range [][]string{
		{"/usr/bin/machineadm", "apply"}, {
			"/opt/bin/machineadm", "apply", "--resume",
			`--path=/srv/it's "100%" $HOME\new`, "--pin=a=b",
		},
	} {
		if err := r.Enable(t.Context(), argv); err != nil {
			t.Fatal(err)
		}
		if got := armed(t); !slices.Equal(got, argv) {
			t.Errorf("armed with %q it starts %q", argv, got)
		}
	}
	for range 2 {
		if err := r.Disable(t.Context()); err != nil || len(armed(t)) != 0 {
			t.Errorf("disarmed: %v, %q", err, armed(t))
		}
	}
}
