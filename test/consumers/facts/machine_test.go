// Package facts_test compares the agent's facts about a machine with those that the formats' own commands find on the
// same machine: a configuration means the same, whichever program applies it.
package facts_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/vincent-petithory/dataurl"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/debian"
)

// factSet contains facts; unknown ones are absent.
type factSet map[document.Fact]string

// host is a Debian in which a program of any format can run.
type host struct{ root string }

// newHost gives the test a network and a name of its own: one address, on the loopback interface, that is not a private
// one.
func newHost(t *testing.T, suite string) host {
	t.Helper()
	// The thread ends with the test, and is of no other use.
	runtime.LockOSThread()
	if err := syscall.Unshare(syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS); err != nil {
		t.Fatal(err)
	}
	h := host{root: debian.New(t, suite).Mount(t)}
	for _, dir := range []string{"/dev", "/proc"} {
		debian.Mount(t, dir, h.root+dir, "", syscall.MS_BIND, "")
	}
	if out, failed := h.run("hostname kernels-name&&ip link set lo up&&ip addr add 198.51.100.7/32 dev lo&&ip " +
		"addr add 10.9.9.9/32 dev lo"); failed {
		t.Fatal(out)
	}
	return h
}

// run runs a script in the root and returns its output.
func (h host) run(script string) (output string, failed bool) {
	out, err := exec.CommandContext(context.Background(), "chroot", h.root, "/usr/bin/env", "-i",
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "sh", "-c", script).CombinedOutput()
	return string(out), err != nil
}

func (h host) put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(h.root+path[:strings.LastIndex(path, "/")], 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.root+path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// byAgent returns what the agent knows.
func (h host) byAgent(t *testing.T) factSet {
	t.Helper()
	is, err := linux.New(linux.Options{Root: h.root})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = is.Close() }()
	known := factSet{}
	for _, f := range document.Facts() {
		if value, err := (linux.Facts{Host: is}).Lookup(t.Context(), f); err == nil {
			known[f] = value
		}
	}
	return known
}

// byProgram returns what the format's program writes into files, each of them made by a program of its own. The prelude
// comes before it.
func (h host) byProgram(t *testing.T, target osprofile.Target, prelude string) factSet {
	t.Helper()
	known := factSet{}
	for _, f := range document.Facts() {
		h.put(t, "/program", program(t, target, f))
		output, failed := h.run("rm -rf /var/lib/machineadm /var/log/machineadm.log /etc/fact;" + prelude +
			"exec sh /program")
		fact, err := os.ReadFile(h.root + "/etc/fact")
		if failed != (err != nil) {
			t.Fatalf("%s: %v: %s", f, err, output)
		}
		if !failed {
			known[f] = string(fact)
		}
	}
	return known
}

// program returns the bootstrap program that writes the fact.
func program(t *testing.T, target osprofile.Target, f document.Fact) string {
	t.Helper()
	file := machine.File{Path: "/etc/fact", Content: document.FromFact(f)}
	p := plan.Plan{Target: target}.With(document.Document{Value: file}, action.Of(action.WriteFile{File: file}))
	var renderer ports.Renderer = cloudinit.Renderer{}
	if target.Profile.Metadata != nil {
		renderer = ignition.New()
	}
	rendering, findings, err := renderer.Render(t.Context(), p)
	if err != nil || findings.HasErrors() {
		t.Fatal(err, findings)
	}
	return extracted(t, rendering.Payload.Data.Reveal())
}

// extracted returns the program from Ignition's JSON or cloud-init's YAML, both of which YAML reads.
func extracted(t *testing.T, text []byte) string {
	t.Helper()
	var files struct {
		WriteFiles []struct{ Path, Content string } `yaml:"write_files"`
		Storage    struct {
			Files []struct {
				Path     string
				Contents struct{ Source string }
			}
		}
	}
	if err := yaml.Unmarshal(text, &files); err != nil {
		t.Fatal(err)
	}
	const at = "/etc/machineadm/bootstrap"
	for _, f := range files.WriteFiles {
		if f.Path == "/root/.machineadm"+at {
			return f.Content
		}
	}
	for _, f := range files.Storage.Files {
		if f.Path != at {
			continue
		}
		source, err := dataurl.DecodeString(f.Contents.Source)
		if err != nil {
			t.Fatal(err)
		}
		return unzipped(t, source.Data)
	}
	t.Fatalf("there is no program in %s", text)
	return ""
}

// unzipped returns the text of a file that may be compressed.
func unzipped(t *testing.T, data []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if errors.Is(err, gzip.ErrHeader) {
		return string(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
