package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/test/programs"
)

// TestOneDemo checks that a demo refuses to start while another one runs, and starts after its end.
func TestOneDemo(t *testing.T) {
	const name = "@machineadm-demo-test"
	var first, second demo
	if err := first.onlyOne(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	if err := second.onlyOne(t.Context(), name); err == nil || !strings.Contains(err.Error(), "another demo runs") {
		t.Errorf("error %v", err)
	}
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	if err := second.onlyOne(t.Context(), name); err != nil {
		t.Error(err)
	}
	if err := second.stop(); err != nil {
		t.Error(err)
	}
}

// TestFailedStepKeepsClusters checks that clusters that the user keeps, and that exist, survive a failed step.
func TestFailedStepKeepsClusters(t *testing.T) {
	for name, c := range map[string]struct {
		keep, applied bool
		err           error
		want          bool
	}{
		"kept":                               {keep: true, applied: true, want: true},
		"kept, a step failed":                {keep: true, applied: true, err: errors.New("x"), want: true},
		"kept, nothing was applied":          {keep: true, err: errors.New("x")},
		"not kept":                           {applied: true},
		"not kept, a step failed":            {applied: true, err: errors.New("x")},
		"kept, and nothing is to be applied": {keep: true, want: true},
	} {
		if got := (&demo{applied: c.applied}).runsOn(options{keep: c.keep}, c.err); got != c.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}

// TestDemoIsChosen checks what the variables of the Makefile select, and the command that selects the same.
func TestDemoIsChosen(t *testing.T) {
	for _, c := range []struct{ kind, image, command, problem string }{
		{command: "make demo"},
		{kind: "qemu", image: "flatcar.img", command: "make demo DEMO=qemu IMAGE=flatcar.img"},
		{kind: "ssh", command: "make demo DEMO=ssh"},
		{kind: "shh", problem: "DEMO=shh: unknown demo; use DEMO=ssh, DEMO=qemu or no DEMO"},
		{
			kind: "ssh", image: "flatcar.img",
			problem: "IMAGE=flatcar.img: only DEMO=qemu boots an image; add DEMO=qemu or omit IMAGE",
		},
	} {
		o := options{image: c.image}
		err := o.choose(c.kind)
		if err != nil && err.Error() != c.problem || err == nil && c.problem != "" {
			t.Errorf("%+v: error %v", c, err)
		}
		if err == nil && o.command() != c.command {
			t.Errorf("%+v: command %s", c, o.command())
		}
	}
	o := options{keep: true}
	if o.command() != "make demo KEEP=1" {
		t.Error(o.command())
	}
}

// TestMakeBuildsTheDemo checks what users meet who become root: a PATH without Go, and the clone of another user.
func TestMakeBuildsTheDemo(t *testing.T) {
	fake := filepath.Join(t.TempDir(), "go")
	for _, want := range []string{
		fake + ` is not in PATH; with sudo, run "sudo env PATH=$PATH make demo KEEP=1"`,
		"GOFLAGS=-trimpath -buildvcs=false\n",
	} {
		c := exec.CommandContext(t.Context(), "make", "demo", "KEEP=1", "GO="+fake)
		c.Dir, c.Env = programs.Root(), append(os.Environ(), "GOFLAGS=", "MAKEFLAGS=")
		if output, err := c.CombinedOutput(); err == nil || !strings.Contains(string(output), want) {
			t.Errorf("%v: the output does not contain %q:\n%s", err, want, output)
		}
		//nolint:gosec // It is a program.
		if err := os.WriteFile(fake, []byte("#!/bin/sh\necho \"GOFLAGS=$GOFLAGS\"\nexit 1\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInterrupted replaces the error of a step only after Ctrl-C.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	failed := errors.New("start etcd: context canceled")
	if err := interrupted(ctx, failed); !errors.Is(err, failed) {
		t.Errorf("without an interrupt: %v", err)
	}
	cancel()
	if err := interrupted(ctx, failed); err == nil || err.Error() != "interrupted; everything that it started has ended" {
		t.Errorf("after an interrupt: %v", err)
	}
	if err := interrupted(ctx, nil); err != nil {
		t.Errorf("after the end: %v", err)
	}
}

// TestUnfinishedStep checks that the error of a step says what has not happened, and why.
func TestUnfinishedStep(t *testing.T) {
	for want, err := range map[string]error{
		"not all nodes were Ready within 15 minutes, which happens on a busy host": fmt.Errorf(
			"list: %w", context.DeadlineExceeded),
		"not all nodes were Ready: connection refused": errors.New("connection refused"),
	} {
		if got := unfinished("not all nodes were Ready", patience, err); got.Error() != want {
			t.Errorf("%v, and not %s", got, want)
		}
	}
}

// TestWatch ends the demo when the management cluster has failed three times in a row, and not before.
func TestWatch(t *testing.T) {
	failed := errors.New("connection refused")
	for _, c := range []struct {
		answers []error
		problem string
	}{
		{[]error{nil, failed, failed, nil, failed, failed}, ""},
		{[]error{nil, failed, failed, failed}, "the management cluster does not respond, so that the demo ends"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		err := watch(ctx, time.Microsecond, func(context.Context) error {
			asked++
			if asked == len(c.answers) && c.problem == "" {
				cancel()
			}
			return c.answers[asked-1]
		})
		if (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%v: error %v", c.answers, err)
		}
		if asked != len(c.answers) {
			t.Errorf("%v: asked %d times", c.answers, asked)
		}
		cancel()
	}
}
