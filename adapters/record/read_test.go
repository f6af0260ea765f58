package record_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

func TestStatusIsReadAsWritten(t *testing.T) {
	want := status.Status{
		State: status.StateFailed, Version: "v0.1.0", Digest: "ab", Started: time.Unix(5, 6).UTC(),
		Ended: time.Unix(7, 0).UTC(),
		Steps: []status.Step{{
			Phase: document.PhaseJoin, Document: "spec.node", Action: "join",
			Outcome: status.OutcomeFailed, Took: time.Second,
		}},
		Failure: &status.Failure{
			Phase: document.PhaseJoin, Document: "spec.node", Action: "join", ExitCode: 1, Cause: "no",
			Log: "line\n",
		},
	}
	data, err := record.Codec{}.WriteStatus(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := record.Codec{}.ReadStatus(data)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestReadStatusIsStrict(t *testing.T) {
	const head = `{"apiVersion":"machineadm.io/v1alpha1","kind":"BootstrapStatus",`
	cases := map[string]struct {
		reason, text string
		fine         bool
	}{
		"least": {
			reason: "a program without an agent knows no more",
			text:   head + `"state":"Succeeded"}`, fine: true,
		},
		"failure": {
			reason: "and a failure's status is read, too",
			text:   head + `"state":"Failed","failure":{"phase":"start","step":"interrupted","exitCode":1,"log":""}}`,
			fine:   true,
		},
		"empty":         {reason: "nothing was sent"},
		"no JSON":       {reason: "it is YAML", text: "state: canary"},
		"another kind":  {reason: "it is a Pod", text: `{"apiVersion":"v1","kind":"canary"}`},
		"unknown field": {reason: "unknown fields are refused", text: head + `"state":"Running","canary":1}`},
		"two":           {reason: "one at a time", text: head + `"state":"Running"}` + head + `"state":"canary"}`},
		"garbage":       {reason: "something follows", text: head + `"state":"Running"} canary`},
		"type":          {reason: "a state is a word", text: head + `"state":{"canary":1}}`},
		"state":         {reason: "there is no such state", text: head + `"state":"canary"}`},
		"reset":         {reason: "it is never written", text: head + `"state":"Reset"}`},
		"no failure":    {reason: "a failure has a cause", text: head + `"state":"Failed"}`},
		"failure of it": {reason: "success has none", text: head + `"state":"Succeeded","failure":{"phase":"join"}}`},
		"phase":         {reason: "there is no such phase", text: head + `"state":"Failed","failure":{"phase":"canary"}}`},
		"step's phase": {
			reason: "no step comes before the first phase",
			text:   head + `"state":"Running","steps":[{"phase":"start","outcome":"Changed"}]}`,
		},
		"outcome": {
			reason: "there is no such outcome",
			text:   head + `"state":"Running","steps":[{"phase":"join","outcome":"canary"}]}`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := record.Codec{}.ReadStatus([]byte(c.text))
			if (err == nil) != c.fine {
				t.Errorf("%s: %v", c.reason, err)
			}
			if err != nil && strings.Contains(err.Error(), "canary") {
				t.Errorf("the error quotes what it read: %v", err)
			}
		})
	}
}

// FuzzReadStatus holds what a report may cost, and that what is read is written and read alike.
func FuzzReadStatus(f *testing.F) {
	f.Add([]byte(`{"apiVersion":"` + record.APIVersion + `","kind":"` + record.Kind +
		`","state":"Running","started":"2026-01-02T03:04:05Z"}`))
	f.Add([]byte(`{"apiVersion":"` + record.APIVersion + `","kind":"` + record.Kind +
		`","state":"Failed","failure":{"phase":"start","cause":"x"}}`))
	f.Add([]byte(`{"steps":[{},{}]}`))
	hostile.Seed(func(text string) { f.Add([]byte(text)) })
	f.Fuzz(func(t *testing.T, data []byte) {
		var read status.Status
		var err error
		memory.Below(t, memory.Parse, func() { read, err = record.Codec{}.ReadStatus(data) })
		if err != nil {
			return
		}
		text, err := record.Codec{}.WriteStatus(read)
		if err != nil {
			t.Fatal(err)
		}
		again, err := record.Codec{}.ReadStatus(text)
		if diff := cmp.Diff(read, again, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	})
}
