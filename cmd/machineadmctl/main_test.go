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

// exitSecret is the exit code of a program that has printed a planted secret. No session expects it.
const exitSecret = 99

// watched runs the program and searches its output for planted secrets, except the data that render prints.
func watched(args []string, in io.Reader, out, errs io.Writer) int {
	var printed, searched strings.Builder
	code := run(args, in, io.MultiWriter(out, &printed), io.MultiWriter(errs, &searched))
	if len(args) == 0 || args[0] != "render" {
		searched.WriteString(printed.String())
	}
	search, err := canary.For()
	if err != nil {
		fmt.Fprintln(errs, err)
		return exitSecret
	}
	for _, sighting := range search.In(searched.String()) {
		fmt.Fprintf(errs, "%v prints %s\n", args, sighting)
		code = exitSecret
	}
	return code
}

// TestSessionsAreWatched checks that a secret in an argument is found in the output.
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

// TestSessions runs the sessions of testdata/cli. A program that prints a planted secret fails its session. The command
// "exits CODE PROGRAM…" of a session runs a program and checks its exit code.
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
