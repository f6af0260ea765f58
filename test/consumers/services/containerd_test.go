package services_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	plugin "github.com/machineadm/machineadm/adapters/plugin/containerd"
	domain "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/debian"
)

// everything has a value in each field that the main file shows.
func everything(version int) domain.ContainerdConfig {
	return domain.ContainerdConfig{
		Version: version, SandboxImage: "registry.example/pause:3.10", DefaultRuntime: "quick",
		Runtimes: []domain.Runtime{
			{Name: "quick", Path: "/opt/bin/crun", Options: map[string]string{"NoPivotRoot": "true", "IoUid": "7"}},
			{Name: "kata", Type: "io.containerd.kata.v2", Options: map[string]string{"ConfigPath": "/etc/kata.toml"}},
		},
		Registries: []domain.Registry{{
			Host: "docker.io", Auth: &domain.RegistryAuth{Username: "ada", Password: secret.FromString(`pa"s\s'`)},
		}},
		RawTOML: "root = '/srv/containerd'\n",
	}
}

// TestContainerdReadsEveryValue dumps the effective configuration of containerd: it must contain each of our values,
// and containerd must not have complained about a key.
func TestContainerdReadsEveryValue(t *testing.T) {
	debian.Packages(t, "containerd")
	old, current := "/usr/bin/containerd", debian.Tool(t, "containerd")
	cases := map[string]struct {
		reason, program string
		version         int
	}{
		"version 2, 1.x": {reason: "Debian's containerd", program: old, version: 2},
		"version 2, 2.x": {reason: "a newer containerd migrates it", program: current, version: 2},
		"version 3, 2.x": {reason: "the version of 2.0", program: current, version: 3},
		"version 4, 2.x": {reason: "the version of 2.3", program: current, version: 4},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := expanded(t, plugin.New(), target(t, "debian"), everything(tc.version))
			written, err := os.ReadFile(m.path(plugin.File))
			if err != nil {
				t.Fatal(err)
			}
			dump, log := run(t, tc.program, "-c", m.path(plugin.File), "config", "dump")
			if strings.Contains(log, "gnoring unknown key") {
				t.Errorf("%s: containerd does not know a key:\n%s", tc.reason, log)
			}
			shown := leaves(t, dump)
			for key, want := range leaves(t, string(written)) {
				if got := find(shown, key, tc.program == current); got != want && key != "version" &&
					!strings.HasPrefix(key, "imports") {
					t.Errorf("%s: %s is %s, want %s", tc.reason, key, got, want)
				}
			}
		})
	}
}

// TestContainerdComplainsOfUnknownKeys shows that the test above would notice.
func TestContainerdComplainsOfUnknownKeys(t *testing.T) {
	c := domain.ContainerdConfig{Version: 3, RawTOML: "[plugins.'io.containerd.cri.v1.images']\nbogus = 1\n"}
	m := expanded(t, plugin.New(), target(t, "debian"), c)
	dump, log := run(t, debian.Tool(t, "containerd"), "-c", m.path(plugin.File), "config", "dump")
	if !strings.Contains(log, "gnoring unknown key") || strings.Contains(dump, "bogus") {
		t.Errorf("containerd took a key that it does not know:\n%s", log)
	}
}

// leaves returns each value of TOML text by the path of its keys.
func leaves(t *testing.T, text string) map[string]string {
	t.Helper()
	tree := map[string]any{}
	if err := toml.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	found := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		table, ok := v.(map[string]any)
		if !ok {
			found[strings.TrimPrefix(path, "/")] = fmt.Sprint(v)
			return
		}
		for key, below := range table {
			walk(path+"/"+key, below)
		}
	}
	walk("", tree)
	return found
}

// find looks a key of ours up. Version 2's one CRI plugin is two since 2.0, and the pause image has another key.
func find(shown map[string]string, key string, migrated bool) string {
	rest, old := strings.CutPrefix(key, "plugins/io.containerd.grpc.v1.cri/")
	switch {
	case !old || !migrated:
		return shown[key]
	case rest == "sandbox_image":
		return shown["plugins/io.containerd.cri.v1.images/pinned_images/sandbox"]
	case strings.HasPrefix(rest, "registry"):
		return shown["plugins/io.containerd.cri.v1.images/"+rest]
	default:
		return shown["plugins/io.containerd.cri.v1.runtime/"+rest]
	}
}
