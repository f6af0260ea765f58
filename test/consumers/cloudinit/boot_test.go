package cloudinit_test

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

const hash = "$6$rounds=5000$abc./ABC$canary7q9zk2xw5vGHIJKLMNOPQRSTUVWXYZ./" +
	"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNO"

// contents are bytes that renderers are known to break.
func contents() map[string]string {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return map[string]string{
		"empty": "", "plain": "a\nb\n", "no-newline": "a", "newlines": "a\n\n\n", "only-newlines": "\n\n",
		"lead-blank": "  a\nb\n",
		"lead-tab":   "\ta\n", "lead-newline": "\n\na\n", "crlf": "a\r\nb\r\n", "cr": "a\rb", "nul": "a\x00b\n",
		"all-bytes": string(all),
		"jinja":     "{{ ds.meta_data }}\n{% if x %}\n", "jinja-header": "## template: jinja\n{{ v1.instance_id }}\n",
		"percent": "100% %s %n\n",
		"dollar":  "$HOME `id` $(id)\n", "yaml": "- a: &b *c !d # e\n---\n...\n", "quotes": "it's \"so\" \\n\n",
		"unicode":         "Grüße 日本 🙂\n",
		"line-separators": "a\u2028b\u2029c\u0085d\ufeff\n", "blank-end": "a  \n", "blank-lines": "a\n   \nb\n",
		"invalid":   "\xff\xfe\xc3\n",
		"long-line": strings.Repeat("x", 70000) + "\n", "big": strings.Repeat("0123456789abcdef", 1<<16), "dash": "-\n",
		"colon": ": \n",
	}
}

// richPlan has one of everything, in an order that naive renderers lose.
func richPlan() []action.Action {
	yes, uid, gid := true, 1234, 2345
	actions := []action.Action{
		do(action.EnsureGroup{Group: dm.Group{Name: "off"}}),
		do(action.EnsureGroup{Group: dm.Group{Name: "fixed", GID: &gid}}),
		do(action.EnsureGroup{Group: dm.Group{Name: "sysg", System: true}}),
		do(action.EnsureUser{User: dm.User{
			Name: "yes", UID: &uid, Comment: "Foo: Bar"[:3] + " #1 'x' \"y\" {{ z }} Grüße", PrimaryGroup: "fixed",
			Groups: []string{"off", "sysg"}, Home: "/home/other place", Shell: "/bin/sh", Sudo: "ALL=(ALL) NOPASSWD: /bin/true",
			PasswordHash: secret.FromString(hash), Unlocked: true,
			SSHAuthorizedKeys: []string{`command="echo \"hi\" # $x",no-pty ssh-ed25519 ` +
				`AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw it's me`},
		}}),
		do(action.EnsureUser{User: dm.User{Name: "gone", Inactive: true, NoCreateHome: true}}),
		do(action.EnsureUser{User: dm.User{Name: "daemon", Shell: "/bin/bash", Groups: []string{"off"}}}),
		file("/etc/app/twice", "first"),
		do(action.WriteFile{File: dm.File{Path: "/etc/app/a #b: c", Content: document.Text("x"), Mode: 0o4711}}),
		do(action.WriteFile{File: dm.File{
			Path: "/etc/app/twice", Content: document.Text("+second"), Append: true,
			Mode: 0o600,
		}}),
		do(action.WriteFile{File: dm.File{
			Path: "/home/other place/mine", Content: document.Text("mine"), Mode: 0o640,
			Owner: dm.Owner{User: "yes", Group: "off"},
		}}),
		do(action.WriteFile{File: dm.File{
			Path: "/home/other place/mine", Content: document.Text("+more"), Append: true, Mode: 0o640,
			Owner: dm.Owner{User: "yes", Group: "off"},
		}}),
		do(action.WriteFile{File: dm.File{
			Path: "/srv/new/dir/owned", Content: document.Text("o"),
			Owner: dm.Owner{User: "yes"},
		}}),
		do(action.WriteFile{File: dm.File{
			Path: "/srv/number", Content: document.Text("n"),
			Owner: dm.Owner{User: "4711", Group: "4712"},
		}}),
		do(action.WriteFile{File: dm.File{Path: "/etc/shadow-", Content: document.Text("# appended\n"), Append: true}}),
		do(action.WriteFile{File: dm.File{Path: "/tmp/temporary", Content: document.Text("t")}}),
		do(action.MakeDirectory{Path: "/srv/made", Mode: 0o750, Owner: dm.Owner{User: "yes", Group: "fixed"}}),
		do(action.Link{Path: "/srv/link", Target: "/srv/made"}),
		file("/srv/link/through", "through"),
		do(action.WriteFile{File: dm.File{Path: "/etc/app/facts", Content: document.Join(document.Text("h="),
			document.FromFact(document.FactHostname),
			document.Text(" i="), document.FromFact(document.FactInstanceID), document.Text("\n"))}}),
		do(action.EnsureUnit{Unit: dm.Unit{
			Name:    "app.service",
			Content: document.Text("[Service]\nType=oneshot\nExecStart=/bin/echo 100%% $$ '{{ x }}'\n"),
			Enabled: &yes,
			DropIns: []dm.DropIn{{Name: "10-x.conf", Content: document.Text("[Unit]\nDescription=\"d\" %n\n")}},
		}}),
		do(action.EnsureUnit{Unit: dm.Unit{Name: "bad.service", Masked: true}}),
		run(document.PhaseBoot, "echo boot >>/var/log/phases"),
		run(document.PhasePre, "echo pre >>/var/log/phases"),
		join(),
		run(document.PhasePost, "echo post >>/var/log/phases"),
	}
	for name, content := range contents() {
		actions = append(actions, file("/etc/bytes/"+name, content))
	}
	return actions
}

func TestRichPlanArrives(t *testing.T) {
	eachSuite(t, bookworm, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		userdata := render(t, target(), richPlan()...)
		m.boot(t, userdata)
		if !m.sentinel() {
			t.Fatalf("no sentinel\n%s", m.Log())
		}
		if errs := m.errors(t); len(errs) > 0 {
			t.Errorf("cloud-init counts errors: %v", errs)
		}
		for name, want := range contents() {
			if got := m.Read(t, "/etc/bytes/"+name); got != want {
				t.Errorf("%s: %d bytes instead of %d: %.80q", name, len(got), len(want), got)
			}
		}
		m.checkFiles(t)
		m.checkAccounts(t)
		if diff := cmp.Diff("boot\npre\npost\n", m.Read(t, "/var/log/phases")); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"kubeadm join --config /etc/machineadm/kubeadm.yaml"},
			m.calls(t, "kubeadm")); diff != "" {
			t.Error(diff)
		}
		units := strings.Join(m.calls(t, "systemctl"), "\n")
		for _, call := range []string{
			"daemon-reload", "enable --now app.service", "mask --now bad.service",
			"enable --now machineadm-boot.service",
		} {
			if !strings.Contains(units, "systemctl "+call) {
				t.Errorf("systemctl was not called with %s:\n%s", call, units)
			}
		}
	})
}

func (m *machine) checkFiles(t *testing.T) {
	t.Helper()
	files := map[string]struct {
		reason, content string
		entry
	}{
		"/etc/app/twice":         {"appended in order", "first+second", entry{0o600, 0, 0}},
		"/etc/app/a #b: c":       {"a path that YAML cuts off", "x", entry{0o711 | fs.ModeSetuid, 0, 0}},
		"/home/other place/mine": {"in a home, of its user, appended", "mine+more", entry{0o640, 1234, m.gid(t, "off")}},
		"/srv/new/dir/owned":     {"of a user, in a new directory", "o", entry{0o644, 1234, 0}},
		"/srv/number":            {"of numbers", "n", entry{0o644, 4711, 4712}},
		"/tmp/temporary":         {"cleaned by others early in the boot", "t", entry{0o644, 0, 0}},
		"/srv/made/through":      {"through a link", "through", entry{0o644, 0, 0}},
		"/etc/app/facts":         {"facts", "h=node-1 i=i-test-1\n", entry{0o644, 0, 0}},
		"/etc/bytes/plain":       {"the default mode", "a\nb\n", entry{0o644, 0, 0}},
		"/etc/systemd/system/app.service": {
			"a unit",
			"[Service]\nType=oneshot\nExecStart=/bin/echo 100%% $$ '{{ x }}'\n",
			entry{0o644, 0, 0},
		},
		"/etc/systemd/system/app.service.d/10-x.conf": {"a drop-in", "[Unit]\nDescription=\"d\" %n\n", entry{0o644, 0, 0}},
	}
	for name, want := range files {
		if diff := cmp.Diff(want.content, m.Read(t, name)); diff != "" {
			t.Errorf("%s (%s): %s", name, want.reason, diff)
		}
		if diff := cmp.Diff(want.entry, m.stat(t, name)); diff != "" {
			t.Errorf("%s (%s): %s", name, want.reason, diff)
		}
	}
	if program := m.Read(t, "/etc/machineadm/bootstrap"); strings.Contains(program, "kubeadm") {
		t.Errorf("the program still holds its steps: %s", program)
	}
	if got := m.stat(t, "/etc/shadow-"); got.Mode != 0o640 && got.Mode != 0o600 ||
		!strings.HasSuffix(m.Read(t, "/etc/shadow-"), "\n# appended\n") {
		t.Errorf("what was appended to a file of the image changed it: %+v", got)
	}
	for name, want := range map[string]entry{
		"/srv/new": {0o755, 0, 0}, "/srv/new/dir": {0o755, 0, 0},
		"/srv/made": {0o750, 1234, 2345},
	} {
		if diff := cmp.Diff(want, m.stat(t, name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if target, err := os.Readlink(m.Path("/srv/link")); err != nil || target != "/srv/made" {
		t.Errorf("link to %q: %v", target, err)
	}
}

func (m *machine) gid(t *testing.T, group string) uint32 {
	t.Helper()
	var gid uint32
	if _, err := fmt.Sscan(m.account(t, "/etc/group", group)[2], &gid); err != nil {
		t.Fatal(err)
	}
	return gid
}

func (m *machine) checkAccounts(t *testing.T) {
	t.Helper()
	want := []string{"yes", "x", "1234", "2345", "Foo #1 'x' \"y\" {{ z }} Grüße", "/home/other place", "/bin/sh"}
	if diff := cmp.Diff(want, m.account(t, "/etc/passwd", "yes")); diff != "" {
		t.Error(diff)
	}
	if got := m.account(t, "/etc/shadow", "yes")[1]; got != hash {
		t.Errorf("hash %q", got)
	}
	if got := m.account(t, "/etc/group", "off")[3]; got != "yes,daemon" {
		t.Errorf("members of off: %q", got)
	}
	if got := m.account(t, "/etc/passwd", "daemon")[6]; got != "/bin/bash" {
		t.Errorf("the image's own user has shell %q", got)
	}
	gone := m.account(t, "/etc/shadow", "gone")
	if gone[7] != "1" || !strings.HasPrefix(gone[1], "!") || m.Exists("/home/gone") {
		t.Errorf("an account that is not active: %q", gone)
	}
	if m.gid(t, "sysg") >= 1000 {
		t.Error("a system group has an ordinary number")
	}
	keys := m.Read(t, "/home/other place/.ssh/authorized_keys")
	if !strings.Contains(keys,
		`command="echo \"hi\" # $x",no-pty ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw `+
			`it's me`) {
		t.Errorf("authorized keys: %s", keys)
	}
	if sudo := m.Read(t, "/etc/sudoers.d/90-cloud-init-users"); !strings.Contains(sudo,
		"\nyes ALL=(ALL) NOPASSWD: /bin/true\n") {
		t.Errorf("sudoers: %s", sudo)
	}
	if m.Exists("/home/debian") {
		t.Error("the image's default user was created without a request")
	}
}

func TestSchemaAccepts(t *testing.T) {
	eachSuite(t, trixie, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		m.Put(t, "/root/userdata", string(render(t, target(), richPlan()...)), 0o600)
		m.command(t, "cloud-init schema --config-file /root/userdata")
	})
}

func TestFailedPreCommandLeavesARecord(t *testing.T) {
	eachSuite(t, bookworm, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		userdata := render(t, target(), run(document.PhasePre, "echo something broke; exit 7"), join())
		m.boot(t, userdata)
		want := failure{Phase: "pre", Step: "steps[0]", ExitCode: 7}
		got := m.failure(t)
		if !strings.Contains(got.Log, "something broke") {
			t.Errorf("log tail %q", got.Log)
		}
		got.Log = ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if m.sentinel() || m.Exists("/var/log/calls") && len(m.calls(t, "kubeadm")) > 0 {
			t.Error("the bootstrap went on after a failure")
		}
		if len(m.errors(t)) == 0 {
			t.Error("cloud-init counts no error")
		}
		if diff := cmp.Diff(entry{0o700, 0, 0}, m.stat(t, "/etc/machineadm/bootstrap")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestSecondBootDoesNotRunAgain(t *testing.T) {
	eachSuite(t, trixie, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		userdata := render(t, target(), file("/etc/once", "as written"), run(document.PhasePre, "echo pre >>/var/log/phases"),
			join())
		m.boot(t, userdata)
		m.Put(t, "/etc/once", "changed since", 0o644)
		m.boot(t, userdata)
		if !m.sentinel() {
			t.Errorf("the second boot leaves no sentinel\n%s", m.Log())
		}
		if got := m.Read(t, "/var/log/phases"); got != "pre\n" {
			t.Errorf("the commands ran: %q", got)
		}
		if got := m.Read(t, "/etc/once"); got != "changed since" {
			t.Errorf("the file was written again: %q", got)
		}
	})
}

func TestInterruptedRunFailsLoudly(t *testing.T) {
	eachSuite(t, bookworm, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		// The power goes while the command runs: nothing after it is done, and no record is left.
		userdata := render(t, target(), run(document.PhasePre, "kill -9 $$"), join())
		m.boot(t, userdata)
		if !m.Exists("/var/lib/machineadm/started") || m.Exists("/var/lib/machineadm/failure.json") {
			t.Fatalf("the run was not interrupted\n%s", m.Log())
		}
		m.boot(t, userdata)
		if got := m.failure(t); got.Phase != "start" || got.Step != "interrupted" || got.ExitCode == 0 {
			t.Errorf("record %+v", got)
		}
		if m.sentinel() || m.Exists("/var/log/calls") && len(m.calls(t, "kubeadm")) > 0 {
			t.Error("an interrupted bootstrap went on")
		}
	})
}

func TestUnwritableFileFailsLoudly(t *testing.T) {
	cases := map[string]struct {
		reason string
		file   dm.File
		want   failure
	}{
		"Early": {
			reason: "write_files ends before it writes the program",
			file:   dm.File{Path: "/etc/passwd/file", Content: document.Text("x")},
			want:   failure{Phase: "file", Step: "write_files", ExitCode: 1, Log: "see /var/log/cloud-init.log"},
		},
		"Deferred": {
			reason: "the program is written, the deferred file is not",
			file:   dm.File{Path: "/etc/x", Content: document.Text("x"), Owner: dm.Owner{User: "unknown-user"}},
			want:   failure{Phase: "file", Step: "steps[0]", ExitCode: 1},
		},
	}
	eachSuite(t, trixie, func(t *testing.T, suite string) {
		for name, tc := range cases {
			t.Run(name, func(t *testing.T) {
				m := newMachine(t, suite)
				m.boot(t, render(t, target(), do(action.WriteFile{File: tc.file}), join()))
				got := m.failure(t)
				if tc.want.Log == "" {
					got.Log = ""
				}
				if diff := cmp.Diff(tc.want, got); diff != "" || m.sentinel() {
					t.Errorf("%s: sentinel %t, %s", tc.reason, m.sentinel(), diff)
				}
			})
		}
	})
}
