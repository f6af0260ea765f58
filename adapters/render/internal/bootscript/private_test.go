package bootscript_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/canary"
)

// TestSecretFilesAreForRootAlone checks a secret file that the program writes with the default umask, which makes files
// world-readable. Another process holds the existing file and the temporary file of an earlier run open.
func TestSecretFilesAreForRootAlone(t *testing.T) {
	cases := map[string]struct {
		reason string
		file   machine.File
		before os.FileMode
		want   os.FileMode
	}{
		"written":             {"", machine.File{Secret: true}, 0, 0o600},
		"by its mode":         {"", machine.File{Mode: 0o600}, 0, 0o600},
		"in place of another": {"what others have open is another file", machine.File{Secret: true}, 0o644, 0o600},
		"added to nothing": {
			"no mode is given, and there is no file whose mode could count",
			machine.File{Secret: true, Append: true},
			0, 0o600,
		},
		"added with a mode": {"", machine.File{Mode: 0o640, Secret: true, Append: true}, 0, 0o640},
		"added and closed": {"what others have open is another file", machine.File{
			Mode: 0o600, Secret: true,
			Append: true,
		}, 0o644, 0o600},
		"added to a file": {
			"a secret in a world-readable file must be requested explicitly",
			machine.File{Secret: true, Append: true},
			0o644, 0o644,
		},
		"no secret": {"", machine.File{Append: true}, 0, 0o644},
	}
	for name, tc := range cases {
		for _, shell := range shells() {
			t.Run(name+"/"+shell, func(t *testing.T) {
				r := newRoot(t)
				f := tc.file
				f.Path, f.Content = filepath.Join(r.dir, "etc/keys/it's a key"), document.Text(canary.Mark)
				open := []*os.File{kept(t, linuxcmd.Temporary(f.Path), 0o644)}
				if tc.before != 0 {
					open = append(open, kept(t, f.Path, tc.before))
				}
				program := mustProgram(t, []plan.SourcedStep{step("spec.file", action.WriteFile{File: f})}, bootscript.Options{})
				if code, out := r.run(t, shell, append([]byte("umask 022\n"), program...)); code != 0 {
					t.Fatal(out)
				}
				info, err := os.Stat(f.Path)
				if err != nil || info.Mode().Perm() != tc.want {
					t.Errorf("%s: %v, error %v, want %v", tc.reason, info.Mode(), err, tc.want)
				}
				for _, o := range open {
					if seen, err := io.ReadAll(o); err != nil || tc.want&0o004 == 0 && len(seen) > 0 {
						t.Errorf("%s: who has %s open reads %d bytes, error %v", tc.reason, o.Name(), len(seen), err)
					}
				}
			})
		}
	}
}

// kept returns a new file that stays open.
func kept(t *testing.T, path string, mode os.FileMode) *os.File {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, mode)); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// TestAddedSecretsKeepTheLink checks that an append follows a link, such as /etc/resolv.conf on many systems.
func TestAddedSecretsKeepTheLink(t *testing.T) {
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			r := newRoot(t)
			target, link := filepath.Join(r.dir, "etc/target\n"), filepath.Join(r.dir, "etc/link")
			kept(t, target, 0o644)
			if err := errors.Join(os.WriteFile(target, []byte("old\n"), 0o644), os.Symlink(target, link)); err != nil {
				t.Fatal(err)
			}
			f := machine.File{Path: link, Content: document.Text(canary.Mark), Mode: 0o600, Secret: true, Append: true}
			program := mustProgram(t, []plan.SourcedStep{step("spec.file", action.WriteFile{File: f})}, bootscript.Options{})
			if code, out := r.run(t, shell, program); code != 0 {
				t.Fatal(out)
			}
			text, err := os.ReadFile(target)
			if to, linkErr := os.Readlink(link); err != nil || linkErr != nil || to != target ||
				string(text) != "old\n"+canary.Mark {
				t.Errorf("the link leads to %q, which holds %d bytes; errors %v, %v", to, len(text), err, linkErr)
			}
		})
	}
}
