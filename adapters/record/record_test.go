package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

var (
	_ ports.Journal  = (*record.Journal)(nil)
	_ ports.Reporter = record.Publisher{}
)

func entry(step string) journal.Entry {
	return journal.Entry{
		Event: journal.EventStarted, At: time.Date(2026, 11, 1, 2, 3, 4, 5e6, time.UTC), Step: step,
		Phase: document.PhaseFile, Path: "documents[0]",
		Summary: "write /a", Original: journal.Original{
			Type: journal.ResourcePath, Exists: true, Size: 3, SHA256: strings.Repeat("ab", 32),
			Mode: 0o640, Parts: []journal.Original{{State: map[string]string{"a": "b"}}},
		},
	}
}

func TestJournalIsReadBack(t *testing.T) {
	d := record.Linux(t.TempDir())
	for _, step := range []string{"1", "2"} {
		if err := record.NewJournal(d).Append(t.Context(), entry(step)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := record.NewJournal(d).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(journal.Journal{entry("1"), entry("2")}, got); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(filepath.Join(d.State, record.JournalFile))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the journal has the mode %v, %v", info.Mode(), err)
	}
}

// TestTornEntry cuts the file at each of its bytes: what was whole before stays, and the next entry follows.
func TestTornEntry(t *testing.T) {
	d := record.Linux(t.TempDir())
	j := record.NewJournal(d)
	for _, step := range []string{"1", "2"} {
		if err := j.Append(t.Context(), entry(step)); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(d.State, record.JournalFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		j := record.NewJournal(d)
		if err := j.Append(t.Context(), entry("3")); err != nil {
			t.Fatal(err)
		}
		got, err := j.Load(t.Context())
		want := 1 + n/(len(whole)/2)
		if err != nil || len(got) != want || got[len(got)-1].Step != "3" {
			t.Fatalf("cut at byte %d: %d entries, want %d, error %v", n, len(got), want, err)
		}
	}
}

func TestPublisher(t *testing.T) {
	d := record.Linux(t.TempDir())
	p := record.Publisher{Directories: d}
	failed := status.Status{State: status.StateFailed, Failure: &status.Failure{
		Phase:    document.PhaseJoin,
		Document: "documents[1].spec", Action: "run kubeadm", ExitCode: 1, Cause: "c", Log: "l",
	}}
	if err := p.Report(t.Context(), failed); err != nil {
		t.Fatal(err)
	}
	sentinel, public := filepath.Join(d.Sentinel, record.SentinelFile), filepath.Join(d.Sentinel, record.PublicFailureFile)
	if _, err := os.Stat(sentinel); err == nil {
		t.Error("a failure left the sentinel of success")
	}
	got, err := os.ReadFile(public)
	want := "{\n  \"phase\": \"join\",\n  \"step\": \"documents[1].spec\",\n  \"action\": \"run kubeadm\",\n  " +
		"\"exitCode\": 1,\n  \"cause\": \"c\",\n  \"log\": \"l\"\n}\n"
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if err := p.Report(t.Context(), status.Status{
		State: status.StateSucceeded,
		Steps: []status.Step{{Phase: document.PhaseUser, Outcome: status.OutcomeChanged}},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(public); err == nil {
		t.Error("the record of the failure outlived it")
	}
	if _, err := os.Stat(sentinel); err != nil {
		t.Error(err)
	}
	read, err := record.Read(d)
	if err != nil || read.State != "Succeeded" || read.Changes != 1 || read.Steps[0].Phase != "user" {
		t.Errorf("read %+v, %v", read, err)
	}
}

// TestAnotherFileSystemOverTheState has a step mount something over the folder of the journal: the next boot finds
// that.
func TestAnotherFileSystemOverTheState(t *testing.T) {
	d := record.Linux(t.TempDir())
	j := record.NewJournal(d)
	for i, step := range []string{"1", "2", "3"} {
		if i == 2 {
			if err := os.Rename(d.State, d.State+".hidden"); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Append(t.Context(), entry(step)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := record.NewJournal(d).Load(t.Context())
	if diff := cmp.Diff(journal.Journal{entry("1"), entry("2"), entry("3")}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func publish(t *testing.T, p record.Publisher, s status.Status) {
	t.Helper()
	if err := p.Report(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestRebootRestoresStatus has a machine boot again: what lies where a reboot clears it comes back, with the story of
// the run that did it.
func TestRebootRestoresStatus(t *testing.T) {
	cases := map[string]struct {
		reason string
		last   status.State
	}{
		"complete":        {"the status is final", status.StateSucceeded},
		"cut off at last": {"the power failed between the journal's last entry and the status", status.StateRunning},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := record.Linux(t.TempDir())
			p := record.Publisher{Directories: d}
			publish(t, p, status.Status{State: c.last, Steps: []status.Step{{Outcome: status.OutcomeChanged}}})
			if err := os.RemoveAll(filepath.Dir(d.Run)); err != nil {
				t.Fatal(err)
			}
			publish(t, p, status.Status{State: status.StateSucceeded, Again: true})
			got, err := record.Read(d)
			if err != nil || got.State != "Succeeded" || got.Changes != 1 || len(got.Steps) != 1 {
				t.Errorf("%s: read %+v, %v", c.reason, got, err)
			}
			if !exists(filepath.Join(d.Run, record.StatusFile)) || !exists(filepath.Join(d.Sentinel, record.SentinelFile)) {
				t.Error("the status or the sentinel did not come back")
			}
		})
	}
}

// TestFailureWithoutRoom cannot write the state's directory: the directories that a reboot clears contain the failure.
func TestFailureWithoutRoom(t *testing.T) {
	d := record.Linux(t.TempDir())
	if err := os.MkdirAll(filepath.Dir(d.State), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.State, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := record.Publisher{Directories: d}.Report(t.Context(), status.Status{
		State:   status.StateFailed,
		Failure: &status.Failure{Cause: "no room"},
	})
	if err == nil {
		t.Error("the failed write of the state was not reported")
	}
	if got, _ := os.ReadFile(filepath.Join(d.Sentinel, record.PublicFailureFile)); !strings.Contains(string(got),
		"no room") {
		t.Errorf("the record of the failure is %q", got)
	}
}

// TestRepeatedFailure boots a machine whose run failed again: the failure is reported whatever files it left.
func TestRepeatedFailure(t *testing.T) {
	first, again := &status.Failure{Phase: document.PhasePre, Cause: "no room", Log: "more"},
		&status.Failure{Cause: "no room"}
	cases := map[string]struct {
		reason string
		last   status.Status
		want   string
	}{
		"record": {"the first record is more detailed", status.Status{
			State:   status.StateFailed,
			Failure: first,
		}, "more"},
		"full disk": {"the status could not be replaced", status.Status{State: status.StateRunning}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := record.Linux(t.TempDir())
			p := record.Publisher{Directories: d}
			publish(t, p, c.last)
			publish(t, p, status.Status{State: status.StateFailed, Again: true, Failure: again})
			got, err := record.Read(d)
			if err != nil || got.State != "Failed" || got.Failure == nil || got.Failure.Cause != "no room" ||
				got.Failure.Log != c.want {
				t.Errorf("%s: read %+v, %v", c.reason, got, err)
			}
			if !exists(filepath.Join(d.Sentinel, record.PublicFailureFile)) ||
				!exists(filepath.Join(d.State, record.FailureFile)) {
				t.Errorf("%s: the record of the failure is gone", c.reason)
			}
		})
	}
}

// TestOtherConfiguration applies another configuration to a machine that is complete: that is recorded only where there
// is no record of its success.
func TestOtherConfiguration(t *testing.T) {
	cases := map[string]struct {
		reason string
		booted bool
		want   string
	}{
		"this boot": {"the machine is what it was made, and there is a sentinel or a record, never both", false, "Succeeded"},
		"an image":  {"who waits for the sentinel learns why there is none", true, "Failed"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := record.Linux(t.TempDir())
			p := record.Publisher{Directories: d}
			publish(t, p, status.Status{State: status.StateSucceeded, Steps: []status.Step{{Outcome: status.OutcomeChanged}}})
			if c.booted {
				if err := os.RemoveAll(filepath.Dir(d.Run)); err != nil {
					t.Fatal(err)
				}
			}
			publish(t, p, status.Status{State: status.StateFailed, Again: true, Failure: &status.Failure{Cause: "another one"}})
			got, err := record.Read(d)
			if err != nil || got.State != c.want || got.Changes != 1 || (got.Failure != nil) != c.booted {
				t.Errorf("%s: read %+v, %v", c.reason, got, err)
			}
			if exists(filepath.Join(d.Sentinel, record.PublicFailureFile)) != c.booted ||
				exists(filepath.Join(d.Sentinel, record.SentinelFile)) == c.booted {
				t.Errorf("%s: both, or neither", c.reason)
			}
		})
	}
}

// TestUnreadableJournalOfACompleteMachine boots a complete machine with an older agent, which cannot read the journal.
// A failure record would make others regard the machine as failed.
func TestUnreadableJournalOfACompleteMachine(t *testing.T) {
	failed := status.Status{State: status.StateFailed, Failure: &status.Failure{Cause: "read the journal"}}
	cases := map[string]struct {
		reason string
		before status.State
		want   string
	}{
		"complete":   {"the bootstrap has not failed", status.StateSucceeded, "Succeeded"},
		"incomplete": {"clients learn why there is no sentinel", status.StateRunning, "Failed"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := record.Linux(t.TempDir())
			p := record.Publisher{Directories: d}
			publish(t, p, status.Status{State: c.before})
			if err := os.RemoveAll(filepath.Dir(d.Run)); err != nil {
				t.Fatal(err)
			}
			publish(t, p, failed)
			if got, err := record.Read(d); err != nil || got.State != c.want {
				t.Errorf("%s: read %+v, error %v", c.reason, got, err)
			}
			for _, at := range []string{
				filepath.Join(d.Sentinel, record.PublicFailureFile), filepath.Join(d.State, record.FailureFile),
			} {
				if exists(at) == (c.want == "Succeeded") {
					t.Errorf("%s: %s exists: %v", c.reason, at, exists(at))
				}
			}
		})
	}
}

func TestReset(t *testing.T) {
	d := record.Linux(t.TempDir())
	p := record.Publisher{Directories: d}
	publish(t, p, status.Status{State: status.StateSucceeded})
	// With this mark the failure of new userdata would not be reported.
	if err := os.WriteFile(filepath.Join(d.State, record.ReportedFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	publish(t, p, status.Status{State: status.StateReset})
	for _, dir := range []string{d.State, d.Run, d.Sentinel} {
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s has still %s", dir, left[0].Name())
		}
	}
}

// TestLockOfWindowsIsPrivate holds that users cannot hold the agent's lock: no user but the administrators can open
// files in the state directory.
func TestLockOfWindowsIsPrivate(t *testing.T) {
	if d := record.Windows(); filepath.Dir(d.WindowsLock()) != d.State {
		t.Errorf("the lock is %s", d.WindowsLock())
	}
}
