package bootscript_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/canary"
)

// TestSecretFilesAreForRootAlone looks at a file that the program writes under the usual umask, which lets everybody read what is made.
func TestSecretFilesAreForRootAlone(t *testing.T) {
	cases := map[string]struct {
		reason string
		file   machine.File
		before os.FileMode
		want   os.FileMode
	}{
		"written":           {"", machine.File{Secret: true}, 0, 0o600},
		"by its mode":       {"", machine.File{Mode: 0o600}, 0, 0o600},
		"added to nothing":  {"no mode is given, and there is no file whose mode could count", machine.File{Secret: true, Append: true}, 0, 0o600},
		"added with a mode": {"", machine.File{Mode: 0o640, Secret: true, Append: true}, 0, 0o640},
		"added to a file":   {"whoever has a secret added to a file that all read says so", machine.File{Secret: true, Append: true}, 0o644, 0o644},
		"no secret":         {"", machine.File{Append: true}, 0, 0o644},
	}
	for name, tc := range cases {
		for _, shell := range shells() {
			t.Run(name+"/"+shell, func(t *testing.T) {
				r := newRoot(t)
				f := tc.file
				f.Path, f.Content = filepath.Join(r.dir, "etc/keys/key"), document.Text(canary.Mark)
				if tc.before != 0 {
					if err := errors.Join(os.Mkdir(filepath.Dir(f.Path), 0o755), os.WriteFile(f.Path, nil, tc.before)); err != nil {
						t.Fatal(err)
					}
				}
				program := mustProgram(t, []plan.SourcedStep{step("spec.file", action.WriteFile{File: f})}, bootscript.Options{})
				if code, out := r.run(t, shell, append([]byte("umask 022\n"), program...)); code != 0 {
					t.Fatal(out)
				}
				info, err := os.Stat(f.Path)
				if err != nil || info.Mode().Perm() != tc.want {
					t.Errorf("%s: %v, error %v, want %v", tc.reason, info.Mode(), err, tc.want)
				}
			})
		}
	}
}
