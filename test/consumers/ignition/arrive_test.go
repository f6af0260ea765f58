package ignition_test

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/ignitionv2"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/nightly"
)

const hash = "$6$rounds=5000$abc./ABC$canary7q9zk2xw5vGHIJKLMNOPQRSTUVWXYZ./" +
	"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNO"

// run is a renderer's output and an engine that reads it.
type run struct {
	reason   string
	engine   engine
	renderer ports.Renderer
	target   osprofile.Target
}

// runs pairs each version with the newest engine, and with the oldest at hand that reads it.
func runs(t *testing.T) map[string]run {
	t.Helper()
	all := map[string]run{
		"2.3": {
			reason: "old Flatcar", engine: oldFlatcar, renderer: ignitionv2.New(),
			target: target(t, "flatcar", "2905.2.0", ""),
		},
	}
	for _, v := range []string{"3.0.0", "3.1.0", "3.2.0", "3.3.0", "3.4.0", "3.5.0", "3.6.0"} {
		r := run{
			reason: "the newest engine reads all", engine: newest, renderer: ignition.New(),
			target: target(t, "fedora-coreos", "", v),
		}
		all[v] = r
		if v <= "3.3.0" {
			r.reason, r.engine = "the distribution's engine is of that time", distribution
			all[v+"-distribution"] = r
		}
	}
	return all
}

func served(t *testing.T) (url string, content []byte) {
	t.Helper()
	content = []byte("fetched\x00\xff")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if _, err := w.Write(content); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/a%20b?c=d&e=%25", content
}

// rich contains everything that the engine and the program apply between them, in an order that naive renderers lose.
func rich(t *testing.T, target osprofile.Target) plan.Plan {
	t.Helper()
	on, off, gid, uid := true, false, 2345, 1234
	url, content := served(t)
	sum256, sum512 := sha256.Sum256(content), sha512.Sum512(content)
	fetch := action.FetchFile{Path: "/opt/fetched", URL: url, SHA512: hex.EncodeToString(sum512[:]), Mode: 0o755}
	if target.FormatVersion > "3.0.0" {
		fetch.SHA512, fetch.SHA256 = "", hex.EncodeToString(sum256[:])
	}
	return planOf(target,
		action.MountFilesystem{Mount: dm.Mount{
			Source: "/dev/vdc", Path: "/var/data-disk/a b%c", Type: "ext4",
			Options: []string{"x=1%"},
		}},
		action.EnsureGroup{Group: dm.Group{Name: "off"}},
		action.EnsureGroup{Group: dm.Group{Name: "fixed", GID: &gid}},
		action.EnsureGroup{Group: dm.Group{Name: "sysg", System: true}},
		action.EnsureUser{User: dm.User{
			Name: "yes", UID: &uid, Comment: "Foo #1 'x' \"y\" {{ z }} Grüße", PrimaryGroup: "fixed",
			Groups: []string{"off", "sysg"}, Home: "/home/other place", Shell: "/bin/sh", Sudo: "ALL=(ALL) NOPASSWD: /bin/true",
			PasswordHash: secret.FromString(hash), Unlocked: true,
			SSHAuthorizedKeys: []string{`no-pty ssh-ed25519 AAAA it's me`, `no-pty ssh-ed25519 AAAA it's me`},
		}},
		action.EnsureUser{User: dm.User{Name: "locked", PasswordHash: secret.FromString(hash)}},
		action.EnsureUser{User: dm.User{Name: "gone", Inactive: true, NoCreateHome: true}},
		action.EnsureUser{User: dm.User{Name: "off"}},
		text("/etc/app/twice", " first"),
		appended("/etc/app/twice", "+second"),
		appended("/etc/hosts", "10.0.0.1 one\n"),
		appended("/etc/hosts", "10.0.0.2 two\n"),
		action.WriteFile{File: dm.File{Path: "/etc/app/a #b: c", Content: document.Text("x"), Mode: 0o4711}},
		action.WriteFile{File: dm.File{
			Path: "/home/other place/mine", Content: document.Text("mine"), Mode: 0o640,
			Owner: dm.Owner{User: "yes", Group: "off"},
		}},
		action.WriteFile{File: dm.File{
			Path: "/srv/number", Content: document.Text("n"),
			Owner: dm.Owner{User: "4711", Group: "4712"},
		}},
		action.WriteFile{File: dm.File{
			Path: "/var/data-disk/a b%c/file", Content: document.Text("behind a mount"), Owner: dm.Owner{User: "yes"},
		}},
		action.MakeDirectory{Path: "/srv/made/deep", Mode: 0o2750, Owner: dm.Owner{User: "yes", Group: "fixed"}},
		action.MakeDirectory{Path: "/srv/plain"},
		action.Link{Path: "/srv/link", Target: "/srv/made"},
		text("/srv/link/through", "through"),
		text("/etc/big", strings.Repeat("compress me\n", 1000)),
		action.WriteFile{File: dm.File{Path: "/etc/secret", Content: document.Text("s"), Secret: true}},
		action.WriteFile{File: dm.File{
			Path: "/etc/fact", Content: document.Join(document.Text("h="), document.FromFact(document.FactHostname),
				document.Text("\n")),
		}},
		fetch,
		action.EnsureUnit{Unit: dm.Unit{
			Name: "app.service", Enabled: &on,
			Content: document.Text("[Service]\nType=oneshot\nExecStart=/bin/echo 100%% $$ '{{ x }}'\n" +
				"[Install]\nWantedBy=multi-user.target\n"),
			DropIns: []dm.DropIn{
				{Name: "10-x.conf", Content: document.Text("[Unit]\nDescription=\"d\" %n\n")}, {Name: "20-empty.conf"},
			},
		}},
		action.EnsureUnit{Unit: dm.Unit{Name: "odd.service", Content: document.Text("garbage that no engine parses\n\\")}},
		action.EnsureUnit{Unit: dm.Unit{Name: "bad.service", Masked: true}},
		action.EnsureUnit{Unit: dm.Unit{Name: "cron.service", Enabled: &off}},
		action.RunCommand{Name: "boot", When: document.PhaseBoot, Script: "echo boot >>/var/log/phases"},
		action.RunCommand{Name: "pre", When: document.PhasePre, Script: "echo pre >>/var/log/phases"},
		action.RunCommand{Name: "join", When: document.PhaseJoin, Script: "kubeadm join"},
		action.RunCommand{Name: "post", When: document.PhasePost, Script: "echo post >>/var/log/phases"},
	)
}

func TestPlansArrive(t *testing.T) {
	for name, r := range nightly.Cases(t, runs(t), "2.3", "3.0.0-distribution", "3.3.0", "3.6.0") {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			if b, err := os.ReadFile(m.Lower + "/etc/hosts"); err == nil {
				m.Put(t, "/etc/hosts", string(b), 0o640)
			}
			config := render(t, r.renderer, rich(t, r.target))
			m.mustBoot(t, r.engine, config)
			m.checkFiles(t)
			m.checkTree(t)
			m.checkAccounts(t)
			m.checkUnits(t)
			if log, err := os.ReadFile(m.State + "/engine"); err != nil || len(log) == 0 || bytes.Contains(log, []byte(hash)) {
				t.Errorf("the engine's log, which goes to the journal, is missing or has a password hash: %v", err)
			}
		})
	}
}

func (m *machine) checkFiles(t *testing.T) {
	t.Helper()
	hosts, err := os.ReadFile(m.Lower + "/etc/hosts")
	if err != nil {
		hosts = nil
	}
	files := map[string]struct {
		content string
		entry
	}{
		"/etc/app/twice":                {" first+second", entry{0o644, "root", "root"}},
		"/etc/app/a #b: c":              {"x", entry{0o711 | fs.ModeSetuid, "root", "root"}},
		"/home/other place/mine":        {"mine", entry{0o640, "yes", "off"}},
		"/srv/number":                   {"n", entry{0o644, "4711", "4712"}},
		"/var/data-disk/a b%c/file":     {"behind a mount", entry{0o644, "yes", "root"}},
		"/srv/made/through":             {"through", entry{0o644, "root", "root"}},
		"/etc/big":                      {strings.Repeat("compress me\n", 1000), entry{0o644, "root", "root"}},
		"/etc/secret":                   {"s", entry{0o600, "root", "root"}},
		"/etc/fact":                     {"h=node-1.example\n", entry{0o644, "root", "root"}},
		"/opt/fetched":                  {"fetched\x00\xff", entry{0o755, "root", "root"}},
		"/etc/sudoers.d/machineadm-yes": {"yes ALL=(ALL) NOPASSWD: /bin/true\n", entry{0o440, "root", "root"}},
		"/var/log/phases":               {"boot\npre\npost\n", entry{0o644, "root", "root"}},
		"/etc/systemd/system/app.service.d/10-x.conf":     {"[Unit]\nDescription=\"d\" %n\n", entry{0o644, "root", "root"}},
		"/etc/systemd/system/app.service.d/20-empty.conf": {"", entry{0o644, "root", "root"}},
		"/etc/systemd/system/odd.service": {
			"garbage that no engine parses\n\\",
			entry{0o644, "root", "root"},
		},
		"/etc/hosts": {
			string(hosts) + "10.0.0.1 one\n10.0.0.2 two\n",
			entry{0o640, "root", "root"},
		},
	}
	for path, want := range files {
		if diff := cmp.Diff(want.content, m.Read(t, path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
		if diff := cmp.Diff(want.entry, m.stat(t, path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func (m *machine) checkTree(t *testing.T) {
	t.Helper()
	entries := map[string]entry{
		"/srv/made":      {fs.ModeDir | 0o755, "root", "root"},
		"/srv/made/deep": {fs.ModeDir | fs.ModeSetgid | 0o750, "yes", "fixed"},
		"/srv/plain":     {fs.ModeDir | 0o755, "root", "root"},
		"/etc/app":       {fs.ModeDir | 0o755, "root", "root"},
	}
	for path, want := range entries {
		if diff := cmp.Diff(want, m.stat(t, path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	for path, want := range map[string]string{"/srv/link": "/srv/made", "/etc/systemd/system/bad.service": "/dev/null"} {
		if got, err := os.Readlink(m.Path(path)); err != nil || got != want {
			t.Errorf("%s leads to %q, %v", path, got, err)
		}
	}
}

func (m *machine) checkAccounts(t *testing.T) {
	t.Helper()
	lines := map[string][]string{
		"/etc/passwd": {"yes:x:1234:2345:Foo #1 'x' \"y\" {{ z }} Grüße:/home/other place:/bin/sh"},
		"/etc/shadow": {"yes:" + hash + ":", "locked:!" + hash + ":", "off:*:"},
		"/etc/group":  {"fixed:x:2345:"},
	}
	for table, wanted := range lines {
		for _, want := range wanted {
			if !strings.Contains("\n"+m.Read(t, table), "\n"+want) {
				t.Errorf("%s lacks %q:\n%s", table, want, m.Read(t, table))
			}
		}
	}
	for _, group := range []string{"off", "sysg"} {
		if !strings.Contains(m.Read(t, "/etc/group"), "\n"+group+":x:") {
			t.Errorf("no group %s", group)
		}
	}
	for line := range strings.Lines(m.Read(t, "/etc/shadow")) {
		if strings.HasPrefix(line, "gone:") && strings.Split(line, ":")[7] != "1" {
			t.Errorf("gone is not expired: %s", line)
		}
	}
	key := ""
	for _, path := range []string{"ignition", "flatcar-ignition"} {
		if b, err := os.ReadFile(m.Path("/home/other place/.ssh/authorized_keys.d/" + path)); err == nil {
			key = string(b)
		}
	}
	if diff := cmp.Diff("no-pty ssh-ed25519 AAAA it's me", strings.TrimSpace(key)); diff != "" {
		t.Errorf("authorized keys (-want +got):\n%s", diff)
	}
}

func (m *machine) checkUnits(t *testing.T) {
	t.Helper()
	presets := m.Read(t, "/etc/systemd/system-preset/20-ignition.preset")
	for _, want := range []string{
		"enable app.service", "enable machineadm-bootstrap.service",
		`enable var-data\x2ddisk-a\x20b\x25c.mount`,
	} {
		if !strings.Contains(presets, want+"\n") {
			t.Errorf("presets lack %q:\n%s", want, presets)
		}
	}
	wants := "/etc/systemd/system/multi-user.target.wants/"
	for _, unit := range []string{"app.service", "machineadm-bootstrap.service", "machineadm-boot.service"} {
		if _, err := os.Readlink(m.Path(wants + unit)); err != nil {
			t.Errorf("%s is not enabled: %v", unit, err)
		}
	}
	mount := m.Read(t, `/etc/systemd/system/var-data\x2ddisk-a\x20b\x25c.mount`)
	if !strings.Contains(mount, "\nWhere=/var/data-disk/a b%%c\n") || !strings.Contains(mount, "\nOptions=x=1%%\n") {
		t.Errorf("mount unit:\n%s", mount)
	}
}
