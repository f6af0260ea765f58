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

// event is what is needed of an event of `go doc test2json`. What a build says has an ImportPath in place of a Package.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// test is a test of a package; the package itself has the name "".
type test struct{ pkg, name string }

type watcher struct {
	search canary.Search
	to     io.Writer
	// said is what tests that still run have said, or, of one that has failed, what has not been printed yet.
	said map[test]*strings.Builder
	good bool
}

// watch copies the stream to the writer in the form that people read, and reports whether all is well.
func watch(from io.Reader, to io.Writer) (bool, error) {
	search, err := canary.For()
	if err != nil {
		return false, err
	}
	w := &watcher{search: search, to: to, said: map[test]*strings.Builder{}, good: true}
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
		// What `go` itself says is no JSON.
		e = event{Action: "build-output", Output: line}
	}
	t := test{pkg: e.Package, name: e.Test}
	switch e.Action {
	case "output":
		w.output(t, e.Output)
	case "build-output":
		w.look("the build of "+e.ImportPath, e.Output)
		w.print(e.Output)
	case "pass", "skip":
		w.end(t)
	case "fail", "build-fail":
		w.good = false
		w.tell(t)
		w.end(t)
	}
}

func (w *watcher) output(t test, text string) {
	if w.said[t] == nil {
		w.said[t] = &strings.Builder{}
	}
	w.said[t].WriteString(text)
	if t.name == "" && strings.HasPrefix(text, "ok  \t") {
		w.print(text)
	}
}

// end searches what the test has said, which is complete now: a secret may be torn over several outputs.
func (w *watcher) end(t test) {
	if said := w.said[t]; said != nil {
		w.look(strings.TrimSpace(t.pkg+" "+t.name), said.String())
	}
	delete(w.said, t)
}

// tell prints what a test that has failed has said. With its package come those that never ended.
func (w *watcher) tell(t test) {
	for other, said := range w.said {
		if t.name == "" && other.pkg == t.pkg && other.name != "" {
			w.print(said.String())
			w.end(other)
		}
	}
	if said := w.said[t]; said != nil {
		w.print(said.String())
	}
}

func (w *watcher) look(who, text string) {
	for _, sighting := range w.search.In(text) {
		w.good = false
		w.print(fmt.Sprintf("FAIL\t%s shows %s\n", who, sighting))
	}
}

// print shows no secret even where it tells of one.
func (w *watcher) print(text string) { _, _ = io.WriteString(w.to, w.search.Redact(text)) }
