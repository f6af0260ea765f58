package agent_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// TestBootCommandsOnWindows verifies that the agent runs the commands of the phase boot, and stores each in a file for
// the program of later starts. Windows has no units.
func TestBootCommandsOnWindows(t *testing.T) {
	w := newWorld(codec{"c": {
		machine.Command{Phase: document.PhaseBoot, Script: "first"},
		machine.Command{Phase: document.PhaseBoot, Script: "\ufeffsecond"},
	}})
	profile, _ := osprofile.Lookup("windows-server-2022")
	if _, _, err := w.service(t).Apply(t.Context(), agent.Request{
		Data: []byte("c"), Hint: osprofile.Target{Profile: profile},
	}); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for path, f := range w.host.Files {
		got[path] = string(f.Content)
		if f.Mode != machine.SecretFileMode {
			t.Errorf("%s has the mode %v", path, f.Mode)
		}
	}
	if diff := cmp.Diff(map[string]string{
		`C:\ProgramData\machineadm\boot\0001.ps1`: "\ufefffirst", `C:\ProgramData\machineadm\boot\0002.ps1`: "\ufeffsecond",
	}, got); diff != "" {
		t.Error(diff)
	}
	if want := []string{"first", "\ufeffsecond"}; !slices.Equal(w.host.Ran, want) {
		t.Errorf("ran %q", w.host.Ran)
	}
}

// TestNamesOfOneFileOnWindows verifies that two names of one file of Windows are written in their order, not at once.
func TestNamesOfOneFileOnWindows(t *testing.T) {
	for name, c := range map[string]struct {
		paths []string
		want  []int
	}{
		"other case": {[]string{`C:\k\a`, `C:\K\A`}, []int{1, 1, 2, 2}},
		"a folder":   {[]string{`C:\k\a`, `C:\k\a\b`}, []int{1, 1, 2, 2}},
		"two files":  {[]string{`C:\k\a`, `C:\k\b`}, []int{1, 2, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			var values []document.Value
			for _, path := range c.paths {
				values = append(values, machine.File{Path: path})
			}
			w := newWorld(codec{"c": values})
			noted := &appended{Journal: w.journal}
			w.journal = noted
			_, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")})
			if diff := cmp.Diff(c.want, noted.notes); err != nil || diff != "" {
				t.Errorf("%v; entries that are written at once (-want +got):\n%s", err, diff)
			}
		})
	}
}
