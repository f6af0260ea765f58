package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/machineadm/machineadm/test/canary"
)

// event contains the needed fields of an event of `go doc test2json`. A build's event has an ImportPath in place of a
// Package.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// test is a test of a package; the package itself has the name "".
type test struct{ pkg, name string }

type watcher struct {
	search canary.Search
	to     io.Writer
	// output is the output of tests that still run, and of failed tests the part that has not been printed yet.
	output map[test]*strings.Builder
	good   bool
}

// watch copies the stream to the writer in the form that people read, and reports whether all is well.
func watch(from io.Reader, to io.Writer) (bool, error) {
	search, err := canary.For()
	if err != nil {
		return false, err
	}
	w := &watcher{search: search, to: to, output: map[test]*strings.Builder{}, good: true}
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			w.line(line)
		}
		if errors.Is(err, io.EOF) {
			return w.good, nil
		}
		if err != nil {
			return false, fmt.Errorf("read the tests' output: %w", err)
		}
	}
}

func (w *watcher) line(line string) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
		// The messages of `go` itself are not JSON.
		e = event{Action: "build-output", Output: line}
	}
	t := test{pkg: e.Package, name: e.Test}
	switch e.Action {
	case "output":
		w.add(t, e.Output)
	case "build-output":
		w.look("the build of "+e.ImportPath, e.Output)
		w.print(e.Output)
	case "pass", "skip":
		w.end(t)
	case "fail", "build-fail":
		w.good = false
		w.flush(t)
		w.end(t)
	}
}

func (w *watcher) add(t test, text string) {
	if w.output[t] == nil {
		w.output[t] = &strings.Builder{}
	}
	w.output[t].WriteString(text)
	if t.name == "" && strings.HasPrefix(text, "ok  \t") {
		w.print(text)
	}
}

// end searches the test's output, which is complete now: a secret may be split over several events.
func (w *watcher) end(t test) {
	if output := w.output[t]; output != nil {
		w.look(strings.TrimSpace(t.pkg+" "+t.name), output.String())
	}
	delete(w.output, t)
}

// flush prints the output of a failed test. With a package's result it also prints the tests that never ended.
func (w *watcher) flush(t test) {
	for other, output := range w.output {
		if t.name == "" && other.pkg == t.pkg && other.name != "" {
			w.print(output.String())
			w.end(other)
		}
	}
	if output := w.output[t]; output != nil {
		w.print(output.String())
	}
}

func (w *watcher) look(who, text string) {
	for _, sighting := range w.search.In(text) {
		w.good = false
		w.print(fmt.Sprintf("FAIL\t%s shows %s\n", who, sighting))
	}
}

// print redacts secrets, also in its reports about secrets.
func (w *watcher) print(text string) { _, _ = io.WriteString(w.to, w.search.Redact(text)) }
