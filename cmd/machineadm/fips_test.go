//go:build !unit

package main

import (
	"bytes"
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/seal"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/fips"
	"github.com/machineadm/machineadm/test/programs"
)

// fipsAgent builds the agent with the module.
func fipsAgent(t *testing.T) string {
	t.Helper()
	at := filepath.Join(t.TempDir(), "machineadm")
	command := exec.Command("go", "build", "-ldflags=-s", programs.LinkCache(), "-o", at, ".")
	command.Env = append(os.Environ(), "GOFIPS140="+fips.Module, "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := buildinfo.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range info.Settings {
		if s.Key == "GOFIPS140" && strings.HasPrefix(s.Value, fips.Module) {
			return at
		}
	}
	t.Fatalf("the agent was built with %v", info.Settings)
	return ""
}

// configuration returns what a machine reads whose name is given, encrypted for the one of the other name.
func configuration(t *testing.T, name, owner string) []byte {
	t.Helper()
	file := document.Document{Value: machine.File{Path: "/etc/motd", Content: document.Text("welcome\n")}}
	text, err := codec.Codec{}.Encode([]document.Document{file})
	if err != nil {
		t.Fatal(err)
	}
	c, err := seal.Seal(secret.New(text), secret.FromString("a passphrase of the site"), owner, seal.Header{
		Provider: "file", PassphraseURI: "file:///etc/site", Iterations: indirect.MinIterations,
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := codec.Codec{}.Encode([]document.Document{{Value: indirect.MachineIdentity{Machine: name}}, {Value: c}})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFIPS decrypts with an agent of a FIPS release, in the mode that refuses all algorithms that are not approved.
func TestFIPS(t *testing.T) {
	agent := fipsAgent(t)
	for name, c := range map[string]struct{ mode, want string }{
		"the default":        {"", `"fipsModule": "` + fips.Module},
		"only approved":      {"fips140=only", `"fipsModule": "` + fips.Module},
		"without the module": {"fips140=off", "and GODEBUG disables it; remove fips140=off"},
	} {
		command := exec.Command(agent, "version", "-o", "json")
		command.Env = append(os.Environ(), "GODEBUG="+c.mode)
		out, err := command.CombinedOutput()
		if !strings.Contains(string(out), c.want) || (err == nil) != (c.mode != "fips140=off") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	for name, c := range map[string]struct {
		owner, message string
		applied        bool
	}{
		"for this machine": {owner: "m", applied: true},
		"for another":      {owner: "n", message: "cannot be decrypted"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.MkdirAll(filepath.Join(root, "etc"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, "etc/site"), []byte("a passphrase of the site\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			command := exec.Command(agent, "apply", "--root", root, "--path", "-")
			command.Env = append(os.Environ(), "GODEBUG=fips140=only")
			command.Stdin = bytes.NewReader(configuration(t, "m", c.owner))
			out, err := command.CombinedOutput()
			if (err == nil) != c.applied || !strings.Contains(string(out), c.message) {
				t.Fatalf("%v\n%s", err, out)
			}
			if _, err := os.Stat(filepath.Join(root, "etc/motd")); (err == nil) != c.applied {
				t.Errorf("/etc/motd: %v", err)
			}
		})
	}
}
