package host_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/pluginhost/host"
)

func put(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	put(t, first, "machineadm-timesync-plugin-ptp")
	put(t, first, "machineadm-timesync-plugin-")
	put(t, first, "machineadm")
	put(t, second, "machineadm-timesync-plugin-ptp")
	put(t, second, "machineadm-plugin-encryption-provider-tpm")
	put(t, second, "machineadm-container-runtime-plugin-youki")
	linked := filepath.Join(t.TempDir(), "linked")
	if err := os.Symlink(second, linked); err != nil {
		t.Fatal(err)
	}
	files, r := host.Search{Directories: []string{first, "/nonexistent", ".", linked}}.Find()
	want := []host.File{
		{Type: host.TypeTimeSync, Name: "ptp", Path: filepath.Join(first, "machineadm-timesync-plugin-ptp")},
		{
			Type: host.TypeContainerRuntime, Name: "youki",
			Path: filepath.Join(second, "machineadm-container-runtime-plugin-youki"),
		},
		{Type: host.TypeEncryption, Name: "tpm", Path: filepath.Join(second, "machineadm-plugin-encryption-provider-tpm")},
	}
	if diff := cmp.Diff(want, files); diff != "" || len(r) > 0 {
		t.Errorf("%v (-want +got):\n%s", r, diff)
	}
}

func TestTrust(t *testing.T) {
	const name = "machineadm-timesync-plugin-ptp"
	cases := map[string]struct {
		reason string
		spoil  func(t *testing.T, dir, path string) error
		pins   map[string]string
		want   string
	}{
		"another's": {
			reason: "its owner can change it", want: " does not belong to root",
			spoil: func(_ *testing.T, _, path string) error { return os.Chown(path, 1000, 0) },
		},
		"writable": {
			reason: "its group can change it", want: "users other than root can write ",
			spoil: func(_ *testing.T, _, path string) error { return os.Chmod(path, 0o775) },
		},
		"in a folder that a group writes": {
			reason: "the group can put another in its place", want: "users other than root can write ",
			spoil: func(_ *testing.T, dir, _ string) error { return os.Chmod(dir, 0o775) },
		},
		"in another's folder": {
			reason: "the folder's owner can replace it", want: " does not belong to root",
			spoil: func(_ *testing.T, dir, _ string) error { return os.Chown(dir, 1000, 0) },
		},
		"a link": {
			reason: "what it leads through is not looked at", want: "is a symbolic link",
			spoil: func(_ *testing.T, dir, path string) error {
				return os.Rename(path, filepath.Join(dir, "program"))
			},
		},
		"no program": {
			reason: "it is not executable", want: "is not a program",
			spoil: func(_ *testing.T, _, path string) error { return os.Chmod(path, 0o644) },
		},
		"a folder": {
			reason: "that is no program", want: "is not a program",
			spoil: func(t *testing.T, _, path string) error {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				return os.Mkdir(path, 0o755)
			},
		},
		"wrong pin": {
			reason: "userdata speaks of another program", want: "want the pinned 00ff",
			spoil: func(*testing.T, string, string) error { return nil }, pins: map[string]string{name: "00ff"},
		},
	}
	for title, tc := range cases {
		t.Run(title, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "plugins")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			path := put(t, dir, name)
			if err := tc.spoil(t, dir, path); err != nil {
				t.Fatal(err)
			}
			if title == "a link" {
				if err := os.Symlink("program", path); err != nil {
					t.Fatal(err)
				}
			}
			files, r := host.Search{Directories: []string{dir}, Pins: tc.pins}.Find()
			if len(files) > 0 || len(r) != 1 || r.HasErrors() || !strings.Contains(r[0].Message, tc.want) ||
				!strings.HasPrefix(r[0].Message, path+" is not used: ") {
				t.Errorf("found %v with %v; want %q: %s", files, r, tc.want, tc.reason)
			}
		})
	}
}

func TestPin(t *testing.T) {
	path := put(t, t.TempDir(), "machineadm-timesync-plugin-ptp")
	digest, err := host.File{Path: path}.Digest()
	if err != nil {
		t.Fatal(err)
	}
	s := host.Search{
		Directories: []string{filepath.Dir(path)},
		Pins:        map[string]string{"machineadm-timesync-plugin-ptp": strings.ToUpper(digest)},
	}
	files, r := s.Find()
	if len(files) != 1 || !files[0].Pinned() || len(r) > 0 {
		t.Fatalf("found %v, %v", files, r)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho evil\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := newHarness(t).Start(context.Background(), files[0]); err == nil || !strings.Contains(err.Error(),
		"want the pinned") {
		t.Errorf("a plugin that changed since is started: %v", err)
	}
}
