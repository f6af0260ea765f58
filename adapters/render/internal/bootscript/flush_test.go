package bootscript_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
)

// TestMain replaces sync(1), which would write the caches of the machine that runs the tests for each program.
func TestMain(m *testing.M) {
	bin, err := os.MkdirTemp("", "")
	if err == nil {
		err = os.WriteFile(bin+"/sync", []byte("#!/bin/sh\n"), 0o700) //nolint:gosec // A program.
	}
	if err == nil {
		err = os.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(bin)
	os.Exit(code)
}

// syncing is a sync that logs which files of the machine exist, and whether the program still has its steps.
const syncing = `#!/bin/sh
cd "$MACHINE" || exit
state=
for file in var/lib/machineadm/started written var/lib/machineadm/done; do
  [ ! -e $file ] || state="$state ${file##*/}"
done
! grep -q 'echo>' program || state="$state steps"
echo "sync:$state" >>log
`

// TestMarkersAreNotMoreDurable checks what a power cut leaves: no marker of a program without the program, and no
// marker of success without what the steps wrote, because they do not run again.
func TestMarkersAreNotMoreDurable(t *testing.T) {
	cases := map[string]struct {
		reason  string
		options bootscript.Options
		want    string
	}{
		"steps": {
			"the steps are removed after a sync",
			bootscript.Options{},
			"sync: steps\nsync: started written steps\n",
		},
		"agent": {"the agent flushes what it writes", bootscript.Options{Agent: true}, "sync: steps\n"},
	}
	for name, tc := range cases {
		for _, shell := range shells() {
			t.Run(name+"/"+shell, func(t *testing.T) {
				r, bin := newRoot(t), t.TempDir()
				if err := os.WriteFile(bin+"/sync", []byte(syncing), 0o700); err != nil { //nolint:gosec // A program.
					t.Fatal(err)
				}
				t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
				t.Setenv("MACHINE", r.dir)
				program := mustProgram(t, []plan.SourcedStep{
					command(document.PhaseJoin, "spec.node", "echo>"+r.dir+"/written"),
				}, tc.options)
				if code, out := r.run(t, shell, program); code != 0 || !r.exists("/written") {
					t.Fatal(out)
				}
				got, err := os.ReadFile(r.dir + "/log")
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tc.want, string(got)); diff != "" {
					t.Errorf("%s: %s", tc.reason, diff)
				}
			})
		}
	}
}
