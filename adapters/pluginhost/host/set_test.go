package host_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// set returns a set of plugins in one folder under the names.
func (h *harness) set(t *testing.T, pins map[string]string, names ...string) (*host.Set, string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.Rename(installed(t, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s := host.NewSet(h.Host, host.Search{Directories: []string{dir}, Pins: pins})
	t.Cleanup(s.Close)
	return s, dir
}

// started is how many plugins have a socket.
func (h *harness) started(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir(h.Sockets)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return len(entries)
}

func TestSetStartsWhatIsNeeded(t *testing.T) {
	digest, err := host.File{Path: program}.Digest()
	if err != nil {
		t.Fatal(err)
	}
	const runtime, widgets, junk = "machineadm-container-runtime-plugin-youki", "machineadm-document-plugin-widgets",
		"machineadm-document-plugin-crash"
	containerd := []document.Kind{machine.KindContainerd}
	cases := map[string]struct {
		reason         string
		names          []string
		pins           map[string]string
		known, unknown []document.Kind
		started, want  int
		// finding is the one finding's beginning; with none nothing may be found.
		finding string
	}{
		"nothing asked": {names: []string{runtime, widgets, junk}, known: []document.Kind{machine.KindFile}},
		"core kinds, not pinned": {
			reason: "it may not take the place of a core plugin", names: []string{runtime},
			known: containerd,
		},
		"core kinds, pinned": {
			names: []string{runtime}, known: containerd, pins: map[string]string{runtime: digest},
			started: 1, want: 1,
		},
		"pinned, not needed": {
			names: []string{runtime}, known: []document.Kind{machine.KindTimeSync},
			pins: map[string]string{runtime: digest},
		},
		"unknown kind": {names: []string{widgets}, unknown: []document.Kind{"Widget"}, started: 1, want: 1},
		"one suffices": {
			names: []string{runtime, widgets}, unknown: []document.Kind{"Widget"},
			started: 1, want: 1,
		},
		"another is broken": {
			reason: "that is no harm", names: []string{junk, widgets}, unknown: []document.Kind{"Widget"}, started: 1, want: 1,
			finding: "warning: plugins: ",
		},
		"the only one is broken": {names: []string{junk}, unknown: []document.Kind{"Widget"}, finding: "error: plugins: "},
		"wrong pin": {
			names: []string{widgets}, pins: map[string]string{widgets: strings.Repeat("0", 64)}, finding: "error: plugins: ",
			known: []document.Kind{machine.KindFile},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			s, _ := h.set(t, tc.pins, tc.names...)
			if n := h.started(t); n != 0 {
				t.Errorf("%d plugins run before they are needed", n)
			}
			expanders, findings := s.Expanders(t.Context(), tc.known, tc.unknown)
			if len(expanders) != tc.want || h.started(t) != tc.started {
				t.Errorf("%d expanders and %d plugins, want %d and %d: %s", len(expanders), h.started(t), tc.want,
					tc.started, tc.reason)
			}
			for _, x := range expanders {
				if x.Pinned != (len(tc.pins) > 0) {
					t.Errorf("pinned is %v", x.Pinned)
				}
			}
			checkFinding(t, findings, tc.finding)
			s.Close()
			if n := h.started(t); n != 0 {
				t.Errorf("%d plugins are left", n)
			}
		})
	}
}

func checkFinding(t *testing.T, r report.Report, want string) {
	t.Helper()
	switch {
	case want == "" && len(r) > 0:
		t.Errorf("found %v", r)
	case want != "" && (len(r) != 1 || !strings.HasPrefix(r[0].String(), want) || !strings.Contains(r[0].Message,
		" is not used: ")):
		t.Errorf("found %v, want %s…", r, want)
	}
}

func TestProviders(t *testing.T) {
	h := newHarness(t)
	_, dir := h.set(t, nil, string(host.TypeRemote)+"shelf", string(host.TypeRemote)+"other",
		string(host.TypeEncryption)+"keyring")
	if err := os.Chmod(filepath.Join(dir, string(host.TypeRemote)+"other"), 0o777); err != nil {
		t.Fatal(err)
	}
	s := host.NewSet(h.Host, host.Search{Directories: []string{dir}})
	t.Cleanup(s.Close)
	if data, err := s.Fetch(t.Context(), indirect.RemoteConfig{Provider: "shelf", URI: "shelf://a"}); string(
		data) != "---\n# shelf\n" || err != nil {
		t.Errorf("Fetch = %q, %v", data, err)
	}
	for name, want := range map[string]string{
		"cloud": "it would be machineadm-remote-configuration-provider-cloud",
		"other": "users other than root can write",
	} {
		if _, err := s.Fetch(t.Context(), indirect.RemoteConfig{Provider: name}); !errors.Is(err, ports.ErrNoProvider) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("Fetch from %s: %v", name, err)
		}
	}
	if _, err := s.Passphrase(t.Context(), indirect.PassphraseRef{Provider: "shelf", URI: ""}); !errors.Is(err,
		ports.ErrNoProvider) {
		t.Errorf("a source gives a passphrase: %v", err)
	}
	if n := h.started(t); n != 1 {
		t.Errorf("%d plugins run", n)
	}
}

func TestPassphrases(t *testing.T) {
	s, _ := newHarness(t).set(t, nil, string(host.TypeEncryption)+"keyring")
	if value, err := s.Passphrase(t.Context(), indirect.PassphraseRef{
		Provider: "keyring", URI: "a",
		Machine: "m",
	}); string(value.Reveal()) != "keyring\x00am" || err != nil {
		t.Errorf("Passphrase = %d bytes, %v", value.Len(), err)
	}
	for uri, want := range map[string]error{"away": ports.ErrKeysUnavailable, "locked": ports.ErrKeyRefused} {
		_, err := s.Passphrase(t.Context(), indirect.PassphraseRef{Provider: "keyring", URI: uri})
		if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "plugin keyring: passphrase: "+want.Error()+": ") {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if _, err := s.Passphrase(t.Context(), indirect.PassphraseRef{Provider: "tpm", URI: ""}); !errors.Is(err,
		ports.ErrNoProvider) {
		t.Errorf("another provider: %v", err)
	}
}

func TestDataKeys(t *testing.T) {
	s, _ := newHarness(t).set(t, nil, string(host.TypeEncryption)+"keyring")
	value, uri, err := s.NewPassphrase(t.Context(), indirect.KeyName{Provider: "keyring", Key: "a"}, "default/m/1")
	if string(value.Reveal()) != "newdefault/m/1" || uri != "kms://bmV3@a" || err != nil {
		t.Errorf("NewPassphrase = %d bytes, %s, %v", value.Len(), uri, err)
	}
	if _, _, err := s.NewPassphrase(t.Context(), indirect.KeyName{Provider: "keyring", Key: "locked"},
		"default/m/1"); !errors.Is(err, ports.ErrKeyRefused) {
		t.Errorf("refused: %v", err)
	}
	if _, _, err := s.NewPassphrase(t.Context(), indirect.KeyName{Provider: "tpm"}, "default/m/1"); !errors.Is(err,
		ports.ErrNoProvider) {
		t.Errorf("another provider: %v", err)
	}
}

func TestReporters(t *testing.T) {
	h := newHarness(t)
	h.Deadlines.Report = 300 * time.Millisecond
	s, dir := h.set(t, nil, string(host.TypeReporter)+"board", string(host.TypeReporter)+"mute",
		string(host.TypeDocument)+"widgets")
	err := s.Report(context.Background(), status.Status{State: status.StateRunning})
	if err == nil || !strings.Contains(err.Error(), "plugin mute: report: it did not answer within 300ms") {
		t.Errorf("the error is %v", err)
	}
	posted := filepath.Join(dir, string(host.TypeReporter)+"board.posted")
	if data, err := os.ReadFile(posted); err != nil || !strings.Contains(string(data), string(status.StateRunning)) {
		t.Errorf("posted %s, %v", data, err)
	}
	// Who did not answer once is not asked again, and the others are.
	if err := os.Remove(posted); err != nil {
		t.Fatal(err)
	}
	requested := func() int { return strings.Count(h.log.String(), "asked how it goes") }
	gomega.NewWithT(t).Eventually(requested).WithTimeout(10 * time.Minute).Should(gomega.Equal(1))
	if err := s.Report(context.Background(), status.Status{State: status.StateSucceeded}); !errors.Is(err,
		host.ErrNoResponse) {
		t.Errorf("the second error is %v", err)
	}
	if n := requested(); n != 1 {
		t.Errorf("the mute one was asked %d times", n)
	}
	if _, err := os.Stat(posted); err != nil {
		t.Error(err)
	}
}
