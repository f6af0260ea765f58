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
	"github.com/machineadm/machineadm/domain/facts"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
)

// The facts of the platform's metadata that both cloud-init and afterburn know.
const (
	metadataUUID       document.Fact = "metadata.uuid"
	metadataProviderID document.Fact = "metadata.provider_id"
)

func allFacts() []document.Fact { return append(document.Facts(), metadataUUID, metadataProviderID) }

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
		"addr add 10.9.9.9/32 dev lo&&ip -6 addr add fe80::1/64 dev lo&&ip -6 addr add 2001:db8::9/128 dev lo nodad&&ip -6 " +
		"addr add 2001:db8::7/128 dev lo nodad"); failed {
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
	for _, f := range allFacts() {
		if value, err := (linux.Facts{Host: is}).Lookup(t.Context(), f); err == nil && facts.IsValue(value) {
			known[f] = value
		}
	}
	return known
}

// byProgram returns what the format's program writes. One program writes the expected facts, which are the first column
// of the lines. Each other fact has a program of its own, which must fail; of those one is tried, and all in a nightly
// run.
func (h host) byProgram(t *testing.T, target osprofile.Target, want factSet) factSet {
	t.Helper()
	var parts []document.Content
	var others []document.Fact
	for _, f := range allFacts() {
		if want[f] == "" {
			others = append(others, f)
			continue
		}
		parts = append(parts, document.Text(string(f)+" "), document.FromFact(f), document.Text("\n"))
	}
	set := factSet{}
	output, failed := h.write(t, target, document.Join(parts...))
	if failed {
		t.Errorf("the expected facts: %s", output)
	}
	for line := range strings.Lines(output) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		set[document.Fact(name)] = value
	}
	for _, f := range nightly.Or(others, others[:min(1, len(others))]) {
		if value, failed := h.write(t, target, document.FromFact(f)); !failed {
			set[f] = value
		}
	}
	return set
}

// write runs the program that writes the content, and returns what it wrote, or its output and true if it failed.
func (h host) write(t *testing.T, target osprofile.Target, content document.Content) (output string, failed bool) {
	t.Helper()
	text, known := program(t, target, content)
	if !known {
		return "refused", true
	}
	output, failed = h.bootstrap(t, text)
	written, err := os.ReadFile(h.root + "/etc/fact")
	if failed != (err != nil) {
		t.Fatalf("%v: %s", err, output)
	}
	if failed {
		return output, true
	}
	return string(written), false
}

// program returns the bootstrap program that writes the content. It is false if the format refuses a fact.
func program(t *testing.T, target osprofile.Target, content document.Content) (text string, known bool) {
	t.Helper()
	file := machine.File{Path: "/etc/fact", Content: content}
	p := plan.Plan{Target: target}.With(document.Document{Value: file}, action.Of(action.WriteFile{File: file}))
	var renderer ports.Renderer = cloudinit.Renderer{}
	if target.Profile.Metadata != nil {
		renderer = ignition.New()
	}
	rendering, findings, err := renderer.Render(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if findings.HasErrors() {
		return findings.String(), false
	}
	return extracted(t, rendering.Payload.Data.Reveal()), true
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
