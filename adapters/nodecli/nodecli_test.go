package nodecli_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/nodecli"
)

func TestCommandLine(t *testing.T) {
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		want   []string
	}{
		"all phases": {
			"the file is written",
			[]string{"apply", "--path", "-"},
			nodecli.ExitOK,
			[]string{"file  Changed   write /etc/motd", "machineadm: Succeeded: 1 of 1 steps"},
		},
		"skipped": {"the end of such a run is not the end of a bootstrap", []string{
			"apply", "--path", "-",
			"--skip-phase", "file,join",
		}, nodecli.ExitOK, []string{"machineadm: Prepared: 0 of 1 steps"}},
		"one phase": {
			"nothing is of that phase",
			[]string{"apply", "--path", "-", "--phase", "pre"},
			nodecli.ExitOK,
			[]string{"machineadm: Prepared: 0 of 1 steps"},
		},
		"no phase": {
			"it is named wrong",
			[]string{"apply", "--path", "-", "--skip-phase", "files"},
			nodecli.ExitUsage,
			[]string{`"files" is not a phase; use one of [disk trust`},
		},
		"dry run": {
			"it shows what would change",
			[]string{"apply", "--path", "-", "--dry-run"},
			nodecli.ExitOK,
			[]string{"# file: write /etc/motd", "+ write /etc/motd"},
		},
		"no command": {"there is help", nil, nodecli.ExitOK, []string{"Available Commands:"}},
		"no such":    {"it is named wrong", []string{"aply"}, nodecli.ExitUsage, []string{`unknown command "aply"`}},
		"no file": {
			"it cannot be read",
			[]string{"apply", "--path", "/nowhere/c.yaml"},
			nodecli.ExitFailed,
			[]string{"no such file or directory"},
		},
		"bash": {"shells complete", []string{"completion", "bash"}, nodecli.ExitOK, []string{"__start_machineadm"}},
		"fish": {
			"shells complete",
			[]string{"completion", "fish"},
			nodecli.ExitOK,
			[]string{"complete -c machineadm"},
		},
		"phases": {
			"a shell asks what a flag takes",
			[]string{"__complete", "apply", "--skip-phase", ""},
			nodecli.ExitOK,
			[]string{"disk\ntrust\nuser\nfile\nunit\nboot\npre\njoin\npost\n"},
		},
		"outputs": {
			"a shell asks what a flag takes",
			[]string{"__complete", "status", "-o", ""},
			nodecli.ExitOK,
			[]string{"json\nyaml\n"},
		},
		"check": {
			"a program reads it",
			[]string{"check", "--path", "-", "-o", "json"},
			nodecli.ExitOK,
			[]string{`"kind": "CheckReport",`, `"steps": 1,`, `"findings": [],`, `"problems": []`},
		},
		"as YAML": {
			"people read it",
			[]string{"check", "--path", "-", "-o", "yaml"},
			nodecli.ExitOK,
			[]string{"kind: CheckReport\n"},
		},
		"no output": {
			"it is named wrong",
			[]string{"check", "--path", "-", "-o", "xml"},
			nodecli.ExitUsage,
			[]string{`"xml" is not an output format; use json or yaml`},
		},
		"shorthand": {
			"users expect it for a file",
			[]string{"apply", "-f", "-"},
			nodecli.ExitOK,
			[]string{"machineadm: Succeeded: 1 of 1 steps"},
		},
		"differences": {
			"scripts ask whether there are any",
			[]string{"diff", "-f", "-"},
			nodecli.ExitDifferent,
			[]string{"# file: write /etc/motd"},
		},
		"differences for programs": {
			"a program reads them",
			[]string{"diff", "-f", "-", "-o", "json"},
			nodecli.ExitDifferent,
			[]string{`"kind": "DiffReport",`, `"phase": "file",`, `"action": "write /etc/motd",`, `"+ write /etc/motd"`},
		},
		"diff without a file": {
			"an error is not a difference",
			[]string{"diff", "-f", "/nowhere/c.yaml"},
			nodecli.ExitUsage,
			[]string{"/nowhere/c.yaml: no such file or directory"},
		},
		"version": {"it is a flag, too", []string{"--version"}, nodecli.ExitOK, []string{"v1.2.3"}},
		"version for programs": {
			"a program reads it",
			[]string{"version", "-o", "json"},
			nodecli.ExitOK,
			[]string{`"version": "v1.2.3"`},
		},
		"contract": {
			"a machine in memory has no tree",
			[]string{"check", "--os-contract"},
			nodecli.ExitFailed,
			[]string{"applies only to Linux"},
		},
		"two of them": {"a command is one", []string{"apply", "reset"}, nodecli.ExitUsage, []string{"unknown command"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			// The output has no colours, on any terminal: NO_COLOR changes nothing.
			t.Setenv("TERM", "xterm-256color")
			output, code := carriedOut(t, &memory.Resumption{}, nil, c.args...)
			for _, want := range c.want {
				if !strings.Contains(output, want) {
					t.Errorf("%s: it does not print %q:\n%s", c.reason, want, output)
				}
			}
			if code != c.code || strings.Contains(output, "\x1b") {
				t.Errorf("%s: exit code %d:\n%q", c.reason, code, output)
			}
		})
	}
}

// TestConsoleReportsOnce checks that the result is on one line of the machine's screen.
func TestConsoleReportsOnce(t *testing.T) {
	cases := map[string]struct {
		reason string
		args   []string
		want   []string
	}{
		"asked": {
			"it ended well",
			[]string{"apply", "--path", "-", "--console"},
			[]string{"machineadm: Succeeded: 1 of 1 steps changed something, 0s"},
		},
		"as usual": {"who started it sees it", []string{"apply", "--path", "-"}, nil},
		"dry run":  {"nothing happened", []string{"apply", "--path", "-", "--console", "--dry-run"}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var lines []string
			carriedOut(t, &memory.Resumption{}, func(line string) { lines = append(lines, line) }, c.args...)
			if diff := cmp.Diff(c.want, lines); diff != "" {
				t.Errorf("%s: %s", c.reason, diff)
			}
		})
	}
}

// TestConsoleOfAnotherConfiguration asks another configuration of a machine that is complete.
func TestConsoleOfAnotherConfiguration(t *testing.T) {
	at := filepath.Join(t.TempDir(), "c.yaml")
	var lines []string
	open := opener(memory.NewHost(), &memory.Journal{}, &memory.Resumption{})
	for _, text := range []string{"a", "b"} {
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		nodecli.Run(t.Context(), nodecli.Options{
			Out: io.Discard, Err: io.Discard, Open: open, Console: func(line string) { lines = append(lines, line) },
		}, []string{"apply", "--path", at, "--console"})
	}
	want := []string{
		"machineadm: Succeeded: 1 of 1 steps changed something, 0s",
		"machineadm: Failed in phase start: this machine was bootstrapped with another configuration; reset it first",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}
