package host_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/pluginhost"
	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

const canary = "canary8w2kq5zt1m"

func TestExpander(t *testing.T) {
	p := newHarness(t).start(t, host.TypeDocument, "widgets")
	want := ports.Capability{
		Name: "widgets", Kinds: []document.Kind{"Widget"}, Reads: []document.Kind{machine.KindProxy},
		Before: []string{"plain"}, After: []string{"trust"},
	}
	if diff := cmp.Diff(want, p.Expander().Describe()); diff != "" || p.Version != "1.2.3" {
		t.Errorf("version %q, capability (-want +got):\n%s", p.Version, diff)
	}
	if !p.Serves(pluginhost.ServiceExpander) || p.Serves(pluginhost.ServiceSource) {
		t.Error("its description contains another service")
	}
	proxy := document.Document{Value: machine.ProxyConfig{NoProxy: []string{"a.example"}}}
	actions, findings := portstest.Expander(t, p.Expander(), widget("{colour: red}", proxy))
	wantActions := []action.Action{
		{Do: action.WriteFile{File: machine.File{Path: "/etc/widget", Content: document.Text("red on ubuntu, 1 proxies\n")}}},
		{Phase: document.PhaseUnit, Do: action.EnsureUnit{
			Unit:      machine.Unit{Name: "widget.service"},
			RestartOn: []document.Kind{"Widget"},
		}},
		{Do: action.RunCommand{
			Name: "wind it up", Script: "widget \xff\n", When: document.PhasePost, Undo: "unwidget",
			Renew: "look",
		}},
	}
	if diff := cmp.Diff(wantActions, actions); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(report.Report{report.Warningf("documents[3].spec", "widgets are old")}, findings); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	_, findings = portstest.Expander(t, p.Expander(), widget("{}"))
	if diff := cmp.Diff(report.Report{report.Errorf("documents[3].spec.colour", "is required").To("write a colour")},
		findings); diff != "" {
		t.Errorf("findings of a mistake (-want +got):\n%s", diff)
	}
}

// TestErrorsRepeatNoAddress calls a plugin whose error contains the address of the request.
func TestErrorsRepeatNoAddress(t *testing.T) {
	shelf := newHarness(t).start(t, host.TypeRemote, "shelf")
	c := indirect.RemoteConfig{Provider: "shelf", URI: "drawer://me:" + canary + "@a/b?signature=" + canary}
	_, err := shelf.Fetch(context.Background(), c)
	if err == nil || strings.Contains(err.Error(), canary) || !strings.Contains(err.Error(),
		"no such shelf: drawer://[redacted]@a/b?[redacted]") {
		t.Errorf("the error is %v", err)
	}
}

func TestOtherServices(t *testing.T) {
	ctx, h := context.Background(), newHarness(t)
	shelf := h.start(t, host.TypeRemote, "shelf")
	if data, err := shelf.Fetch(ctx, indirect.RemoteConfig{Provider: "shelf", URI: "shelf://a"}); string(
		data) != "---\n# shelf\n" || err != nil {
		t.Errorf("Fetch = %q, %v", data, err)
	}
	if _, err := shelf.Fetch(ctx, indirect.RemoteConfig{Provider: "shelf", URI: "b"}); err == nil ||
		err.Error() != "plugin shelf: fetch: no such shelf: b" {
		t.Errorf("Fetch of what is not there: %v", err)
	}
	if _, _, err := shelf.Expander().Expand(ctx, widget("{colour: red}")); err == nil || !strings.Contains(err.Error(),
		"it does not serve this") {
		t.Errorf("Expand of a source: %v", err)
	}
	keyring := h.start(t, host.TypeEncryption, "keyring")
	if got, err := keyring.Passphrase(ctx, indirect.PassphraseRef{
		Provider: "keyring",
		URI:      "x",
	}); string(got.Reveal()) != "keyring\x00x" || err != nil {
		t.Errorf("Passphrase = %q, %v", got.Reveal(), err)
	}
	board := h.start(t, host.TypeReporter, "board")
	if err := board.Report(ctx, status.Status{State: status.StateRunning, Version: "v9"}); err != nil {
		t.Fatal(err)
	}
	posted, err := os.ReadFile(board.Path + ".posted")
	if got, unread := (record.Codec{}).ReadStatus(posted); err != nil || unread != nil ||
		got.State != status.StateRunning || got.Version != "v9" {
		t.Errorf("posted %s, %v, %v", posted, err, unread)
	}
}

// TestBadPlugins holds the host to an error in plain words for each way in which a plugin can be broken.
func TestBadPlugins(t *testing.T) {
	short := 300 * time.Millisecond
	cases := map[string]struct {
		reason string
		limit  func(*host.Deadlines)
		want   string
	}{
		"crash": {reason: "it ends before its handshake", want: "it does not start as a machineadm plugin"},
		"hang": {
			reason: "it sends no handshake", limit: func(d *host.Deadlines) { d.Start = short },
			want: "timeout while waiting for plugin to start",
		},
		"junk": {
			reason: "the error contains its output, without control characters",
			want:   "[31mhello , world!!!",
		},
		"stranger": {reason: "another version of the protocol", want: "99"},
		"netrpc":   {reason: "another protocol", want: `unsupported plugin protocol "netrpc"`},
		"deaf": {
			reason: "it listens and does not answer",
			limit:  func(d *host.Deadlines) { d.Start = 2 * time.Second }, want: "there is no answer within 2s",
		},
		"liar": {
			reason: "its name differs from its file's",
			want:   `its name is "honest" and its file's name is "liar"`,
		},
		"crash-expand": {
			reason: "it ends while it is asked",
			want:   "plugin crash-expand: expand: it ended, or cannot be reached",
		},
		"hang-expand": {
			reason: "it does not answer", limit: func(d *host.Deadlines) { d.Expand = short },
			want: "plugin hang-expand: expand: it did not answer within 300ms",
		},
		"fail-expand": {reason: "its error is passed on", want: "plugin fail-expand: expand: out of widgets"},
		"relative":    {reason: "its answer is checked", want: `path: "etc/widget" is not absolute`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			if tc.limit != nil {
				tc.limit(&h.Deadlines)
			}
			p, err := h.Start(context.Background(), find(t, installed(t, string(host.TypeDocument)+name)))
			if err == nil {
				defer p.Close()
				_, _, err = p.Expander().Expand(context.Background(), widget("{colour: red}"))
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("the error is %v; want %q: %s", err, tc.want, tc.reason)
			}
			if text := err.Error(); len(text) > 500 || strings.ContainsAny(text, "\x00\x1b\n") {
				t.Errorf("the error is not one line of text: %q", text)
			}
		})
	}
}

func TestCancelledRequest(t *testing.T) {
	p := newHarness(t).start(t, host.TypeDocument, "hang-expand")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := p.Expander().Expand(ctx, widget("{colour: red}")); err == nil || !strings.Contains(err.Error(),
		"context canceled") {
		t.Errorf("the error is %v", err)
	}
}

// TestPluginContentIsPrivate checks that neither the environment nor a document's content reaches places that other
// processes can read.
func TestPluginContentIsPrivate(t *testing.T) {
	t.Setenv("MACHINEADM_TEST_SECRET", canary)
	h := newHarness(t)
	h.KeyEnvironment = []string{"AWS_ROLE_ARN=" + canary}
	p := h.start(t, host.TypeDocument, "probe")
	actions, _, err := p.Expander().Expand(context.Background(), widget("{colour: "+canary+"2}"))
	if err != nil {
		t.Fatal(err)
	}
	seen, _ := actions[0].Do.(action.WriteFile).Content.Static()
	if !strings.Contains(string(seen), "PATH=/usr/sbin:") || strings.Contains(string(seen), canary) ||
		strings.Contains(string(seen), "HOME=") {
		t.Errorf("the plugin sees:\n%s", seen)
	}
	for _, name := range []string{"cmdline", "environ"} {
		data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.PID()), name))
		if err != nil || len(data) == 0 || strings.Contains(string(data), canary) {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if strings.Contains(h.log.String(), canary) {
		t.Errorf("logged:\n%s", h.log.String())
	}
}

// TestParentOfSockets starts a plugin before the first apply has created /run/machineadm: users read the status there.
func TestParentOfSockets(t *testing.T) {
	h := newHarness(t)
	parent := filepath.Join(h.Sockets, "machineadm")
	h.Sockets = filepath.Join(parent, "plugins")
	h.start(t, host.TypeDocument, "widgets")
	for path, want := range map[string]fs.FileMode{parent: 0o755, h.Sockets: 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has %v, error %v, want %v", path, info, err, want)
		}
	}
}

func TestSockets(t *testing.T) {
	h := newHarness(t)
	if err := os.MkdirAll(h.Sockets, 0o777); err != nil {
		t.Fatal(err)
	}
	h.start(t, host.TypeDocument, "widgets")
	info, err := os.Stat(h.Sockets)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of the sockets has %v, %v", info.Mode(), err)
	}
	entries, err := os.ReadDir(h.Sockets)
	if err != nil || len(entries) != 1 || entries[0].Type() != fs.ModeSocket {
		t.Errorf("in it are %v, %v", entries, err)
	}
}
