package portstest

import (
	"slices"
	"testing"

	"github.com/machineadm/machineadm/domain/preflight"
	"github.com/machineadm/machineadm/ports"
)

// Preflight checks an implementation on a machine that has the program sh, no program no-such-program, some room in
// /var, and not a tebibyte of tebibytes.
func Preflight(t *testing.T, p ports.Preflight) {
	cases := map[string]struct {
		reason string
		need   preflight.Requirements
		want   []string
	}{
		"nothing": {reason: "what is not asked for is not lacking"},
		"there": {reason: "it has that", need: preflight.Requirements{
			Programs: []string{"sh"},
			FreeMiB:  map[string]int{"/var": 1},
		}},
		"programs": {
			reason: "each by its name, in their order",
			need:   preflight.Requirements{Programs: []string{"no-such-program", "sh", "also-missing"}},
			want:   []string{"Program-no-such-program", "Program-also-missing"},
		},
		"units": {
			reason: "a unit that does not exist cannot be enabled",
			need:   preflight.Requirements{Units: []string{"systemd-journald.service", "no-such.service"}},
			want:   []string{"Unit-no-such.service"},
		},
		"room": {
			reason: "the directory's name is in the check's",
			need:   preflight.Requirements{FreeMiB: map[string]int{"/var": 1 << 40}}, want: []string{"DiskSpace-/var"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			lacks, err := p.Check(t.Context(), c.need)
			want(t, "check", err, nil)
			var names []string
			for _, l := range lacks {
				names = append(names, l.Name)
				if l.Message == "" || l.Remedy == "" {
					t.Errorf("%s has no message or no remedy", l.Name)
				}
			}
			if !slices.Equal(names, c.want) {
				t.Errorf("%s: it lacks %v, want %v", c.reason, names, c.want)
			}
		})
	}
}
