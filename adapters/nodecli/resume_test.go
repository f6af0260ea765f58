package nodecli_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// parts are a machine that knows files, and whose configuration is one.
type parts struct{}

func (parts) Detect(_ context.Context, t osprofile.Target) (osprofile.Target, error) { return t, nil }
func (parts) Report(context.Context, status.Status) error                            { return nil }
func (parts) Now() time.Time {
	return time.Unix(1_800_000_000, 0)
}

func (parts) Encode([]document.Document) ([]byte, error) { return nil, errors.ErrUnsupported }

func (parts) Decode(context.Context, []byte) ([]document.Document, report.Report) {
	return []document.Document{{Value: machine.File{Path: "/etc/motd"}}}, nil
}

func (parts) Describe() ports.Capability {
	return ports.Capability{Name: "plain", Kinds: []document.Kind{machine.KindFile}}
}

func (parts) Expand(context.Context, ports.Expansion) ([]action.Action, report.Report, error) {
	return action.Of(action.WriteFile{File: machine.File{Path: "/etc/motd"}}), nil, nil
}

// TestLaterBootsTrustTheSame holds that a later boot has the configuration and the pins of the command line that it
// goes on with.
func TestLaterBootsTrustTheSame(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	pin := "--pin=machineadm-document-plugin-x=" + strings.Repeat("0a", 32)
	cases := map[string]struct {
		reason string
		args   []string
		want   []string
	}{
		"the default": {"it is kept where it is", []string{"apply"}, []string{"/usr/bin/machineadm", "apply", "--resume"}},
		"a file": {"it is still there", []string{"apply", "--path", file}, []string{
			"/usr/bin/machineadm", "apply",
			"--resume", "--path=" + file,
		}},
		"plugins": {
			"a later boot trusts no other",
			[]string{"apply", "--plugin-path", pin, "--path", file},
			[]string{"/usr/bin/machineadm", "apply", "--resume", "--path=" + file, "--plugin-path", pin},
		},
		"bootstrap": {"the proposal's word for it", []string{"--bootstrap", "--path", file}, []string{
			"/usr/bin/machineadm",
			"apply", "--resume", "--path=" + file,
		}},
		"input":   {"it is gone", []string{"apply", "--path", "-"}, nil},
		"image":   {"it does not boot", []string{"apply", "--root", t.TempDir(), "--path", file}, nil},
		"prepare": {"it is not provisioned", []string{"prepare", "--path", file}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := &memory.Resumption{}
			output, code := carriedOut(t, r, nil, c.args...)
			if diff := cmp.Diff(c.want, r.Argv); diff != "" || code != nodecli.ExitOK {
				t.Errorf("%s: exit code %d: %s\n%s", c.reason, code, diff, output)
			}
		})
	}
}

// opener returns what opens a machine in memory.
func opener(host ports.Host, past ports.Journal, r ports.Resumption) func(nodecli.Setup) (*nodecli.Machine, error) {
	return func(s nodecli.Setup) (*nodecli.Machine, error) {
		service, err := agent.New(agent.Dependencies{
			Host: host, Detector: parts{}, Journal: past, Codec: parts{}, Clock: parts{}, Publisher: parts{},
			Expanders: []ports.Expander{parts{}}, Resumption: r, Progress: s.Progress,
		})
		return &nodecli.Machine{Service: service, Close: func() error { return nil }}, err
	}
}

// carriedOut runs a command line on a machine in memory, and returns its output and its exit code.
func carriedOut(t *testing.T, r *memory.Resumption, console func(string), args ...string) (string, int) {
	t.Helper()
	open := opener(memory.NewHost(), &memory.Journal{}, r)
	var output bytes.Buffer
	code := nodecli.Run(t.Context(), nodecli.Options{
		Out: &output, Err: &output, In: strings.NewReader(""), Open: open, Program: "/usr/bin/machineadm", Console: console,
		Version: "v1.2.3",
	}, args)
	return output.String(), code
}

// full is a host without room for anything.
type full struct{ ports.Host }

func (full) Apply(context.Context, action.Operation, journal.Original) error { return syscall.ENOSPC }

// TestResetRemovesFilesOfUserdata resets a machine that failed with its configuration: it cannot be joined again
// with that. A configuration that the user named stays.
func TestResetRemovesFilesOfUserdata(t *testing.T) {
	root := t.TempDir()
	own := filepath.Join(root, "own.yaml")
	laid := []string{filepath.Join(root, delivery.ConfigurationPath), filepath.Join(root, delivery.ReportPath)}
	for _, at := range append(laid, own) {
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var output bytes.Buffer
	o := nodecli.Options{Out: &output, Err: &output, Open: opener(full{memory.NewHost()}, &memory.Journal{},
		&memory.Resumption{})}
	for _, args := range [][]string{{"apply", "--root", root}, {"apply", "--root", root, "--path", own}} {
		if code := nodecli.Run(t.Context(), o, args); code != nodecli.ExitFailed {
			t.Fatalf("exit code %d: %s", code, output.String())
		}
	}
	for range 2 {
		if code := nodecli.Run(t.Context(), o, []string{"reset", "--root", root}); code != nodecli.ExitOK {
			t.Fatalf("exit code %d: %s", code, output.String())
		}
	}
	for _, at := range laid {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", at, err)
		}
	}
	if _, err := os.Stat(own); err != nil {
		t.Error(err)
	}
}

// TestConfigurationThatARebootRemoved has a configuration in /tmp, for example: only a resuming run accepts that it is
// missing.
func TestConfigurationThatARebootRemoved(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone.yaml")
	if output, code := carriedOut(t, &memory.Resumption{}, nil, "apply", "--resume", "--path",
		gone); code != nodecli.ExitOK {
		t.Errorf("exit code %d: %s", code, output)
	}
	if output, code := carriedOut(t, &memory.Resumption{}, nil, "apply", "--path", gone); code != nodecli.ExitFailed ||
		!strings.Contains(output, "gone.yaml") {
		t.Errorf("exit code %d: %s", code, output)
	}
}
