package cloudinit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/envelope"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/scenarios"
)

// wrap lays the envelope around cloud-config.
func wrap(t *testing.T, userdata []byte, e delivery.Envelope) []byte {
	t.Helper()
	out, err := envelope.Wrapper{}.Wrap(delivery.Payload{Format: delivery.FormatCloudInit, Data: secret.New(userdata)}, e)
	if err != nil {
		t.Fatal(err)
	}
	return out.Data.Reveal()
}

// scripts are parts that cloud-init runs itself. The hook's text holds what a message cannot hold as it is.
func scripts() []delivery.Part {
	return []delivery.Part{
		{Name: "00-early.sh", ContentType: delivery.ContentShellScript, Text: "#!/bin/sh\necho \"$0\" >>/var/log/parts\n"},
		{Name: "hook.sh", ContentType: delivery.ContentBootHook, Text: "#!/bin/sh\n# Grüße " + strings.Repeat("x", 2000) +
			"\necho hook >>/var/log/parts\n"},
	}
}

func TestEnvelopesBoot(t *testing.T) {
	cases := map[string]delivery.Envelope{
		"gzip": {Gzip: true}, "mime": {Parts: scripts()}, "mime and gzip": {Parts: scripts(), Gzip: true},
	}
	eachSuite(t, trixie, func(t *testing.T, suite string) {
		for name, e := range nightly.Cases(t, cases, "mime and gzip") {
			t.Run(name, func(t *testing.T) {
				m := newMachine(t, suite)
				m.boot(t, wrap(t, render(t, target(), file("/etc/app", "MIME-Version: 1.0\r\n\x00é"),
					run(document.PhasePre, "echo pre >>/var/log/parts"), join()), e))
				if !m.sentinel() {
					t.Fatalf("no sentinel\n%s", m.Log())
				}
				if errs := m.errors(t); len(errs) > 0 {
					t.Errorf("cloud-init counts errors: %v", errs)
				}
				if diff := cmp.Diff("MIME-Version: 1.0\r\n\x00é", m.Read(t, "/etc/app")); diff != "" {
					t.Errorf("the file (-want +got):\n%s", diff)
				}
				want := "pre\n"
				if len(e.Parts) > 0 {
					// The hook runs once in each of the two stages that look at the userdata of a boot, or in one of them.
					want = "hook\n/var/lib/cloud/instance/scripts/00-early.sh\npre\n"
				}
				if diff := cmp.Diff(want, strings.Replace(m.Read(t, "/var/log/parts"), "hook\nhook\n", "hook\n", 1)); diff != "" {
					t.Errorf("the parts (-want +got):\n%s", diff)
				}
			})
		}
	})
}

// Cluster API's provider for AWS fetches the data into a file, which an include names. What it has not compressed
// itself is read from there all the same.
func TestCompressedBehindAnInclude(t *testing.T) {
	eachSuite(t, bookworm, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		m.Put(t, "/etc/secret-userdata.txt", string(wrap(t, render(t, target(), file("/etc/app", "here"), join()),
			delivery.Envelope{Gzip: true})), 0o600)
		m.boot(t, []byte("#include\nfile:///etc/secret-userdata.txt\n"))
		if !m.sentinel() || m.Read(t, "/etc/app") != "here" {
			t.Errorf("not read\n%s", m.Log())
		}
	})
}

// cloud-init treats a configuration that contains the header of a message as a message, and corrupts what is not ASCII.
// A nightly run shows that this is still so.
func TestConfigurationThatLooksLikeAMessage(t *testing.T) {
	const mail = "MIME-Version: 1.0\nGrüße 日本\n"
	eachSuite(t, trixie, func(t *testing.T, suite string) {
		userdata := render(t, target(), file("/etc/mail", mail), join())
		if nightly.Enabled() {
			bare := newMachine(t, suite)
			bare.boot(t, userdata)
			if bare.sentinel() && bare.Read(t, "/etc/mail") == mail {
				t.Error("cloud-init reads it without an envelope, so it need not be wrapped")
			}
		}
		wrapped := newMachine(t, suite)
		wrapped.boot(t, wrap(t, userdata, delivery.Envelope{Multipart: true}))
		if !wrapped.sentinel() || wrapped.Read(t, "/etc/mail") != mail {
			t.Errorf("not read as a part\n%s", wrapped.Log())
		}
	})
}

// reader parses userdata with cloud-init's own code, and prints each part. What is in base64 goes through the data
// source of Hetzner Cloud first: no other one of those that the table names decodes it in both generations.
const reader = `import base64, glob, json, os
from cloudinit import helpers, user_data, util
try:
    from cloudinit.util import maybe_b64decode
except ImportError:
    from cloudinit.sources.helpers.hetzner import maybe_b64decode
for name in glob.glob("/srv/in/*"):
    blob = open(name, "rb").read()
    if name.endswith(".b64"):
        blob = maybe_b64decode(blob)
    found = []
    for part in user_data.UserDataProcessor(helpers.Paths({})).process(blob).walk():
        if not part.is_multipart():
            payload = part.get_payload(decode=True)
            data = base64.b64encode(payload).decode()
            found.append({"type": part.get_content_type(), "name": part.get_filename() or "", "data": data})
    json.dump(found, open("/srv/out/" + os.path.basename(name), "w"))
`

// piece is what cloud-init found.
type piece struct {
	Type string `json:"type"`
	Name string `json:"name"`
	Data []byte `json:"data"`
}

// Each golden comes out of each envelope as it went in: one of each scenario in a run that is not nightly.
func TestEnvelopesOfGoldens(t *testing.T) {
	envelopes := map[string]delivery.Envelope{
		"gzip": {Gzip: true}, "mime": {Parts: scripts()}, "mime-gzip": {Parts: scripts(), Gzip: true},
		"alone":    {Multipart: true},
		"gzip.b64": {Gzip: true, Base64: true}, "mime-gzip.b64": {Parts: scripts(), Gzip: true, Base64: true},
		"plain.b64": {Base64: true},
	}
	eachSuite(t, bookworm, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		m.Put(t, "/srv/read.py", reader, 0o644)
		m.Put(t, "/srv/out/.keep", "", 0o644)
		want := map[string][]byte{}
		for _, golden := range scenarios.Sample(t, "cloud-init") {
			for name, e := range envelopes {
				name = golden.Scenario + "-" + golden.System + "-" + name
				want[name] = golden.Data
				m.Put(t, "/srv/in/"+name, string(wrap(t, golden.Data, e)), 0o644)
			}
		}
		m.command(t, "python3 /srv/read.py")
		for name, userdata := range want {
			m.checkPieces(t, name, userdata, strings.Contains(name, "mime"))
		}
	})
}

func (m *machine) checkPieces(t *testing.T, name string, userdata []byte, parts bool) {
	t.Helper()
	var got []piece
	if err := json.Unmarshal([]byte(m.Read(t, "/srv/out/"+name)), &got); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, m.Log())
	}
	var want []piece
	if parts {
		for _, p := range scripts() {
			want = append(want, piece{Type: p.ContentType, Name: p.Name, Data: []byte(p.Text)})
		}
	}
	config := piece{Type: "text/cloud-config", Name: "part-001", Data: userdata}
	if len(got) > 0 {
		config.Name = got[len(got)-1].Name
	}
	if diff := cmp.Diff(append(want, config), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}
