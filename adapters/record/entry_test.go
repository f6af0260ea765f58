package record_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/test/golden"
)

// everyField is a journal in which each field of entries and originals is set.
func everyField() journal.Journal {
	digest := strings.Repeat("ab", 32)
	at := time.Date(2026, 11, 1, 2, 3, 4, 5e6, time.UTC)
	file := journal.Original{
		Type: journal.ResourcePath, Name: "/etc/fstab", Exists: true, Size: 3, SHA256: digest, Mode: 0o640, UID: 1, GID: 2,
	}
	started := func(step string, p document.Phase, action string, o journal.Original) journal.Entry {
		return journal.Entry{
			Event: journal.EventStarted, At: at, Step: step, Phase: p, Path: "documents[0]", Summary: action, Original: o,
		}
	}
	return journal.Journal{
		{Event: journal.EventBegun, At: at, Digest: digest, Partial: true},
		started("1", document.PhaseDisk, "mount /data", journal.Original{Name: "mount /data", Parts: []journal.Original{
			file, {Type: journal.ResourceMount, Name: "/data", NewDirs: []string{"/data"}},
		}}),
		{Event: journal.EventDone, At: at, Step: "1"},
		started("2", document.PhaseFile, "make /etc/d", journal.Original{
			Type: journal.ResourcePath, Name: "/etc/d", Exists: true, Directory: true, Mode: 0o1777,
		}),
		started("3", document.PhaseFile, "link /etc/l", journal.Original{
			Type: journal.ResourcePath, Name: "/etc/l", Exists: true, Link: "fstab", Mode: 0o777,
		}),
		started("4", document.PhaseJoin, "run kubeadm", journal.Original{
			Type: journal.ResourceCommand, Name: "kubeadm", State: map[string]string{journal.StateUndo: "kubeadm reset"},
		}),
		{Event: journal.EventFailed, At: at, Step: "4", Failure: "kubeadm: exit code 1"},
		{Event: journal.EventPrepared, At: at, Digest: digest},
		{Event: journal.EventCompleted, At: at, Digest: digest},
		{Event: journal.EventReset, At: at},
	}
}

// TestJournalFile compares the file with testdata/journal.jsonl. A journal outlives the agent that wrote it: a change
// of the golden needs another version.
func TestJournalFile(t *testing.T) {
	want := everyField()
	for _, e := range journal.Events() {
		if !slices.ContainsFunc(want, func(entry journal.Entry) bool { return entry.Event == e }) {
			t.Errorf("the golden has no entry %s", e)
		}
	}
	d := record.Linux(t.TempDir())
	if err := record.NewJournal(d).Append(t.Context(), want...); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(d.State, record.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, "testdata/journal.jsonl", text)
	got, err := record.NewJournal(d).Load(t.Context())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, entries (-want +got):\n%s", err, diff)
	}
}

// TestJournalIsRefused changes one entry of the golden.
func TestJournalIsRefused(t *testing.T) {
	text, err := os.ReadFile("testdata/journal.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct{ reason, old, text, want string }{
		"version": {
			"a newer agent wrote it", "machineadm.io/v1alpha1", "machineadm.io/v9", "use the machineadm that wrote the journal",
		},
		"no version": {"it is another file", `"apiVersion":"machineadm.io/v1alpha1",`, "", "another version"},
		"kind":       {"it is another file", "JournalEntry", "Entry", "not an entry"},
		"field":      {"what it describes would not be undone", `"directory"`, `"folder"`, "use the machineadm that wrote"},
		"event":      {"there is no such event", `"Begun"`, `"Start"`, "use the machineadm that wrote"},
		"phase":      {"phases have names", `"join"`, `"8"`, "use the machineadm that wrote"},
		"mode":       {"modes are octal", `"0640"`, `"0o640"`, "not an entry"},
		"no JSON":    {"the file is damaged", "{", "[", "not an entry"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			changed := bytes.Replace(text, []byte(c.old), []byte(c.text), 1)
			if bytes.Equal(text, changed) {
				t.Fatalf("the golden has no %s", c.old)
			}
			d := record.Linux(t.TempDir())
			at := filepath.Join(d.State, record.JournalFile)
			if err := os.MkdirAll(d.State, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, changed, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := record.NewJournal(d).Load(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), at) {
				t.Errorf("%s: got %v, want an error with %q and the path", c.reason, err, c.want)
			}
		})
	}
}
