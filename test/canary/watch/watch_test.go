package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/test/canary"
)

// stream returns the events as `go test -json` writes them.
func stream(t *testing.T, events ...event) string {
	t.Helper()
	var b strings.Builder
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(string(line) + "\n")
	}
	return b.String()
}

func TestWatch(t *testing.T) {
	const pkg = "example/a"
	out := func(name, text string) event { return event{Action: "output", Package: pkg, Test: name, Output: text} }
	done := func(action, name string) event { return event{Action: action, Package: pkg, Test: name} }
	cases := map[string]struct {
		reason string
		events []event
		good   bool
		want   string
	}{
		"Passed": {
			reason: "the output of a test that passes is not printed", good: true,
			events: []event{
				out("TestA", "a.go:1: hello\n"), done("pass", "TestA"), out("", "PASS\n"),
				out("", "ok  \texample/a\t1s\n"), done("pass", ""),
			},
			want: "ok  \texample/a\t1s\n",
		},
		"Failed": {
			reason: "the output of a test that fails is printed",
			events: []event{out("TestA", "a.go:1: broken\n"), done("fail", "TestA"), out("", "FAIL\n"), done("fail", "")},
			want:   "a.go:1: broken\nFAIL\n",
		},
		"Killed": {
			reason: "a test that never ended belongs to its package",
			events: []event{out("TestA", "panic: test timed out\n"), out("", "FAIL\texample/a\n"), done("fail", "")},
			want:   "panic: test timed out\nFAIL\texample/a\n",
		},
		"Build": {
			reason: "the output of the compiler is printed",
			events: []event{
				{Action: "build-output", ImportPath: pkg, Output: "a.go:1:1: syntax error\n"},
				{Action: "build-fail", ImportPath: pkg},
			},
			want: "a.go:1:1: syntax error\n",
		},
		"Shown": {
			reason: "a test passes, and its log shows a secret, torn in two",
			events: []event{
				out("TestA", "password "+canary.Mark[:5]), out("TestA", canary.Mark[5:]+"\n"),
				done("pass", "TestA"),
			},
			want: "FAIL\texample/a TestA shows a secret of 16 characters after \"password \"\n",
		},
		"ShownByPackage": {
			reason: "a program that the tests started wrote to their output",
			events: []event{out("", "level=info "+canary.Mark+"\n"), out("", "ok  \texample/a\t1s\n"), done("pass", "")},
			want:   "ok  \texample/a\t1s\nFAIL\texample/a shows a secret of 16 characters after \"level=info \"\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var printed strings.Builder
			good, err := watch(strings.NewReader(stream(t, tc.events...)), &printed)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, printed.String()); diff != "" || good != tc.good {
				t.Errorf("%s: good %t, %s", tc.reason, good, diff)
			}
		})
	}
}

func TestWatchOfNoEvents(t *testing.T) {
	var printed strings.Builder
	good, err := watch(strings.NewReader("go: no such module "+canary.Mark+"\n"), &printed)
	if err != nil || good || strings.Contains(printed.String(), canary.Mark) {
		t.Errorf("good %t, %v", good, err)
	}
}
