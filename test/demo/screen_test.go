package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
)

var (
	booting = row{name: "a", data: "shell", state: stateBooting, detail: "Booting"}
	ready   = row{name: "a", data: "shell", state: stateReady, detail: "node a"}
	other   = row{name: "b", data: "ignition 3.4.0", state: stateFailed, detail: strings.Repeat("long ", 40)}
)

// TestLines prints one line for each change where there is no terminal.
func TestLines(t *testing.T) {
	var out bytes.Buffer
	s := &screen{out: &out, began: time.Now()}
	for _, rows := range [][]row{{booting}, {booting}, {ready, other}, {other}} {
		s.show(rows)
	}
	got := regexp.MustCompile(`(?m)^ +[0-9.]+s  `).ReplaceAllString(out.String(), "")
	want := "a (shell): Booting Booting\na (shell): Ready node a\nb (ignition 3.4.0): Failed " +
		strings.TrimSpace(other.detail) + "\na: Gone\n"
	if got != want {
		t.Errorf("got:\n%s", got)
	}
}

// TestTable redraws the table below the messages, with lines that fit the terminal.
func TestTable(t *testing.T) {
	var out bytes.Buffer
	s := &screen{out: &out, began: time.Now(), width: 60, colors: true}
	s.show([]row{booting, other})
	for line := range strings.Lines(out.String()) {
		if plain := regexp.MustCompile(`\x1b\[[0-9]*m`).ReplaceAllString(line, ""); len(plain) > 60 {
			t.Errorf("the line has %d characters: %q", len(plain), plain)
		}
	}
	if !strings.Contains(out.String(), "\x1b[33ma ") || !strings.Contains(out.String(), "\x1b[31mb ") {
		t.Errorf("the states have no colors: %q", out.String())
	}
	out.Reset()
	s.print("a message")
	erased, drawn := "\x1b[3A\x1b[J", strings.Count(out.String(), "\n")
	if !strings.HasPrefix(out.String(), erased) || drawn != 4 {
		t.Errorf("the table was not redrawn below the message: %q", out.String())
	}
}

// TestNoColor draws without colors.
func TestNoColor(t *testing.T) {
	var out bytes.Buffer
	s := &screen{out: &out, began: time.Now(), width: 60}
	s.show([]row{ready})
	if strings.Contains(out.String(), "\x1b[") {
		t.Errorf("%q", out.String())
	}
}

// TestQuoted quotes what a shell would change.
func TestQuoted(t *testing.T) {
	if got := quoted([]string{"get", "-o", `jsonpath={.a[?(@.b=="c")]}`}); got != `get -o 'jsonpath={.a[?(@.b=="c")]}'` {
		t.Error(got)
	}
}
