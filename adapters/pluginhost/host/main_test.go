package host_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/programs"
)

// program is the plugin of the tests, built as its author would build it: in a module of its own.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "plugin")
	if err == nil {
		program, err = build(dir)
	}
	code := 1
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func build(dir string) (string, error) {
	tree, err := filepath.Abs("../../..")
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile("testdata/plugin/main.go")
	if err != nil {
		return "", err
	}
	sums, err := os.ReadFile(filepath.Join(tree, "go.sum"))
	if err != nil {
		return "", err
	}
	mod := "module plugin.example\n\ngo 1.26\n\nrequire github.com/machineadm/machineadm v0.0.0\n\nreplace " +
		"github.com/machineadm/machineadm => " + tree + "\n"
	for name, data := range map[string][]byte{"main.go": source, "go.sum": sums, "go.mod": []byte(mod)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("go", "build", "-ldflags=-s", programs.LinkCache(), "-o", "plugin", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the plugin: %w\n%s", err, out)
	}
	return filepath.Join(dir, "plugin"), nil
}

// installed returns the plugin under another name, in a folder of its own.
func installed(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// harness is a host and what it logs.
type harness struct {
	host.Host
	log journal
}

// journal is a log for several goroutines.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	// The path of a socket is short, and a test's folder is not.
	sockets, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(sockets) })
	h := &harness{}
	h.Host = host.Host{Codec: codec.Codec{}, Deadlines: host.DefaultDeadlines(), Sockets: filepath.Join(sockets,
		"plugins"), Log: &h.log, Encode: record.Codec{}.WriteStatus}
	return h
}

// find returns the plugin as it is found in its folder.
func find(t *testing.T, path string) host.File {
	t.Helper()
	files, r := host.Search{Directories: []string{filepath.Dir(path)}}.Find()
	if len(files) != 1 || len(r) > 0 {
		t.Fatalf("found %v, %v", files, r)
	}
	return files[0]
}

// start starts the plugin of the type and name.
func (h *harness) start(t *testing.T, typ host.Type, name string) *host.Plugin {
	t.Helper()
	p, err := h.Start(context.Background(), find(t, installed(t, string(typ)+name)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// widget is an expansion of a document that only the plugin knows.
func widget(spec string, others ...document.Document) ports.Expansion {
	profile, _ := osprofile.Lookup("ubuntu")
	return ports.Expansion{
		Document: document.Document{
			Value: document.Opaque{Type: "Widget", Body: []byte("apiVersion: widgets.example/v1\nkind: Widget\nspec: " + spec +
				"\n")},
			Source: document.Source{Path: report.Path("documents").Index(3).Field("spec")},
		},
		Others: others, Target: osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3"},
	}
}
