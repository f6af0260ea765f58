package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/machineadm/machineadm/test/canary"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"machineadmctl": func() { os.Exit(watched(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// exitSecret is the exit code, in sessions, of a program that has shown a planted secret. No session expects it.
const exitSecret = 99

// watched runs the program and searches what it says, but for the data that render is there to print.
func watched(args []string, in io.Reader, out, errs io.Writer) int {
	var printed, said strings.Builder
	code := run(args, in, io.MultiWriter(out, &printed), io.MultiWriter(errs, &said))
	if len(args) == 0 || args[0] != "render" {
		said.WriteString(printed.String())
	}
	search, err := canary.For()
	if err != nil {
		fmt.Fprintln(errs, err)
		return exitSecret
	}
	for _, sighting := range search.In(said.String()) {
		fmt.Fprintf(errs, "%v shows %s\n", args, sighting)
		code = exitSecret
	}
	return code
}

// TestSessionsAreWatched shows a secret as a user would who gives one for a name.
func TestSessionsAreWatched(t *testing.T) {
	manifests := filepath.Join(dir, "worker", "manifests.yaml")
	for _, args := range [][]string{
		{"render", "-f", manifests, "--machine", canary.Mark},
		{"explain", "-f", canary.Mark},
	} {
		var out, errs strings.Builder
		if code := watched(args, strings.NewReader(""), &out, &errs); code != exitSecret {
			t.Errorf("%s: exit code %d", args[0], code)
		}
	}
}

// TestSessions plays the sessions of testdata/cli; a program that shows a planted secret fails its session. Their
// command "exits CODE PROGRAM…" runs a program and holds its exit code.
func TestSessions(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/cli",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE") != "" && os.Getenv("CI") != "true",
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got, err = exit.ExitCode(), nil
	}
	ts.Check(err)
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
