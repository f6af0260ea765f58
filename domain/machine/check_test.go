package machine_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// verdict is a value and the fields at which it is refused; none means that it is accepted.
type verdict struct {
	reason string
	value  document.Value
	want   []string
}

// hold checks each value and compares the paths of the error findings, in their order and each once.
func hold(t *testing.T, cases map[string]verdict) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := tc.value.Check("at")
			got, want := strings.Join(errorPaths(r), " "), strings.Join(tc.want, " ")
			if got != want {
				t.Errorf("refused at %q, want %q: %s\n%s", got, want, tc.reason, r)
			}
		})
	}
}

func errorPaths(r report.Report) []string {
	var paths []string
	for _, f := range r {
		p := strings.TrimPrefix(strings.TrimPrefix(string(f.Path), "at"), ".")
		if p == "" {
			p = "."
		}
		if f.Severity == report.Error && (len(paths) == 0 || paths[len(paths)-1] != p) {
			paths = append(paths, p)
		}
	}
	return paths
}

// Linux forbids NUL in a path and nothing else; what may make a fool of a renderer must come through.
func TestAnyLegalPathIsAccepted(t *testing.T) {
	legal := []string{
		"/etc/a b", "/etc/a\tb", "/etc/new\nline", "/etc/a\rb", "/etc/'quoted'", `/etc/"quoted"`, "/etc/a #b", "/etc/{{x}}",
		"/etc/{% x %}",
		"/etc/100%", "/etc/$HOME", "/etc/`id`", "/etc/$(id)", "/etc/\\", "/etc/*", "/etc/-rf", "/-", "/etc/ü", "/etc/日本",
		"/etc/a:b", "/etc/&x",
		"/etc/yes", "/~", "/etc/...", "/etc/..a", "/etc/!x", "/etc/a;b", "/etc/a|b", "/etc/\x01", "/etc/\x7f", "/etc/\u2028",
		"/etc/\ufeffx", "/ ",
		"/" + strings.Repeat("x", 255), strings.Repeat("/"+strings.Repeat("x", 254), 16),
	}
	for _, path := range legal {
		if r := (machine.File{Path: path}).Check("at"); len(r) > 0 {
			t.Errorf("%.60q: %s", path, r)
		}
	}
	illegal := []string{
		"", "/", "etc/a", "./a", "~/a", "/etc//a", "/etc/a/", "/etc/../a", "/etc/./a", "//a", "/a\x00b", "/\xff",
		"/a\xc3", " /a",
		"/" + strings.Repeat("x", 256), strings.Repeat("/"+strings.Repeat("x", 254), 16) + "/" + strings.Repeat("x", 254),
	}
	for _, path := range illegal {
		if r := (machine.File{Path: path}).Check("at"); !r.HasErrors() || r[0].Path != "at.path" {
			t.Errorf("%.60q is accepted: %s", path, r)
		}
	}
}

func TestFileCheck(t *testing.T) {
	owned := func(user, group string) document.Value {
		return machine.File{Path: "/a", Owner: machine.Owner{User: user, Group: group}}
	}
	hold(t, map[string]verdict{
		"any content": {value: machine.File{Path: "/a", Content: document.Literal([]byte("\x00\xff{{\r\n"))}},
		"all bits":    {value: machine.File{Path: "/a", Mode: 0o7777}},
		"mode too large": {
			reason: "decimal 644 written as octal 0o1204 is legal; 0o10000 is not",
			value:  machine.File{Path: "/a", Mode: 0o10000}, want: []string{"permissions"},
		},
		"owner":          {value: owned("app", "app")},
		"numbers":        {value: owned("1000", "1000")},
		"first and last": {value: owned("0", "4294967294")},
		"number too large": {
			reason: "to the kernel it means no change", value: owned("4294967295", ""),
			want: []string{"owner"},
		},
		"33 bits": {
			reason: "some programs would take it for 0", value: owned("", "4294967296"),
			want: []string{"owner"},
		},
		"more than 64 bits": {value: owned("99999999999999999999", ""), want: []string{"owner"}},
		"plus":              {reason: "only chown takes it for a number", value: owned("+5", ""), want: []string{"owner"}},
		"digit first":       {value: owned("1a", "+b")},
		"directory service": {
			reason: "the owner may come from Active Directory",
			value:  owned(`EXAMPLE\svc`, `EXAMPLE\Domain Users`),
		},
		"realm":              {value: owned("svc@example.org", "")},
		"machine account":    {value: owned("host$", "")},
		"colon in owner":     {reason: "chown would split it", value: owned("a:b", ""), want: []string{"owner"}},
		"option as owner":    {value: owned("", "--reference=x"), want: []string{"owner"}},
		"newline in owner":   {value: owned("a\nb", ""), want: []string{"owner"}},
		"NUL in owner":       {value: owned("a\x00", ""), want: []string{"owner"}},
		"both owners bad":    {value: owned("a:", "b:"), want: []string{"owner"}},
		"not UTF-8 in owner": {value: owned("\xff", ""), want: []string{"owner"}},
	})
}

func TestEffectiveMode(t *testing.T) {
	cases := map[string]struct {
		file machine.File
		want machine.Mode
	}{
		"default":       {machine.File{}, 0o644},
		"secret":        {machine.File{Secret: true}, 0o600},
		"given":         {machine.File{Mode: 0o755}, 0o755},
		"secret, given": {machine.File{Mode: 0o640, Secret: true}, 0o640},
	}
	for name, tc := range cases {
		if got := tc.file.EffectiveMode(); got != tc.want {
			t.Errorf("%s: %#o, want %#o", name, got, tc.want)
		}
	}
}

func TestPrivate(t *testing.T) {
	cases := map[string]struct {
		file machine.File
		want bool
	}{
		"default":         {machine.File{}, false},
		"secret":          {machine.File{Secret: true}, true},
		"secret for all":  {machine.File{Secret: true, Mode: 0o644}, true},
		"of root alone":   {machine.File{Mode: 0o600}, true},
		"of a group":      {machine.File{Mode: 0o640}, true},
		"a program":       {machine.File{Mode: 0o755}, false},
		"run, not read":   {machine.File{Mode: 0o711}, true},
		"read by others":  {machine.File{Mode: 0o604}, false},
		"special bits":    {machine.File{Mode: 0o4755}, false},
		"private program": {machine.File{Mode: 0o700}, true},
	}
	for name, tc := range cases {
		if got := tc.file.Private(); got != tc.want {
			t.Errorf("%s: %t, want %t", name, got, tc.want)
		}
	}
}

func ref[T any](v T) *T { return &v }

func TestUserAndGroupCheck(t *testing.T) {
	hash := func(s string) document.Value { return machine.User{Name: "u", PasswordHash: secret.FromString(s)} }
	hold(t, map[string]verdict{
		"user": {value: machine.User{
			Name: "app", UID: ref(0), Home: "/home/a b", Shell: "/bin/sh",
			Groups: []string{"wheel"},
		}},
		"yes": {reason: "a word that YAML re-types is a fine name", value: machine.User{
			Name:    "yes",
			Comment: "Foo Bar, #1 'x' \"y\" {{z}}",
		}},
		"capitals and dots": {value: machine.User{Name: "A.B-c_d"}},
		"no name":           {value: machine.User{}, want: []string{"name"}},
		"digit first":       {value: machine.User{Name: "1a"}, want: []string{"name"}},
		"33 letters":        {value: machine.User{Name: strings.Repeat("a", 33)}, want: []string{"name"}},
		"newline":           {value: machine.User{Name: "a\n"}, want: []string{"name"}},
		"colon in gecos": {reason: "it ends the field of passwd", value: machine.User{
			Name: "u", Comment: "Dr: No",
			Groups: []string{"a b"},
		}, want: []string{"gecos", "groups[0]"}},
		"newline in gecos": {
			reason: "it would make a second user", value: machine.User{Name: "u", Comment: "x\nroot2:0"},
			want: []string{"gecos"},
		},
		"home relative":       {value: machine.User{Name: "u", Home: "home"}, want: []string{"homeDir"}},
		"home with a newline": {value: machine.User{Name: "u", Home: "/a\nb"}, want: []string{"homeDir"}},
		"shell with a colon":  {value: machine.User{Name: "u", Shell: "/a:b"}, want: []string{"shell"}},
		"negative uid":        {value: machine.User{Name: "u", UID: ref(-1)}, want: []string{"uid"}},
		"uid of no user": {reason: "2^32-1 means none to the kernel", value: machine.User{
			Name: "u",
			UID:  ref(1<<32 - 1),
		}, want: []string{"uid"}},
		"primary group": {value: machine.User{Name: "u", PrimaryGroup: "a:b"}, want: []string{"primaryGroup"}},
		"two lines of a key": {value: machine.User{Name: "u", SSHAuthorizedKeys: []string{
			"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw x",
			"ssh-rsa A\nssh-rsa B",
		}}, want: []string{"sshAuthorizedKeys[1]"}},
		"empty key": {
			value: machine.User{Name: "u", SSHAuthorizedKeys: []string{" "}},
			want:  []string{"sshAuthorizedKeys[0]"},
		},
		"sudo on two lines": {value: machine.User{Name: "u", Sudo: "ALL\nother ALL"}, want: []string{"sudo"}},
		"sha512":            {value: hash("$6$salt$hash")},
		"yescrypt":          {value: hash("$y$j9T$salt$hash")},
		"bcrypt":            {value: hash("$2b$10$abcdefghijklmnopqrstuv")},
		"locked":            {value: hash("!")},
		"clear text": {
			reason: "it would be in the userdata and never match", value: hash("hunter2"),
			want: []string{"passwordHash"},
		},
		"colon in a hash":   {value: hash("$6$a:b$c"), want: []string{"passwordHash"}},
		"newline in a hash": {value: hash("$6$a$c\n"), want: []string{"passwordHash"}},
		"group":             {value: machine.Group{Name: "g", GID: ref(1000)}},
		"group without":     {value: machine.Group{GID: ref(-2)}, want: []string{"name", "gid"}},
	})
}

// A finding about a secret must not repeat it.
func TestFindingsRepeatNoSecret(t *testing.T) {
	canary := "canary7q9zk2xw5v"
	values := []document.Value{
		machine.User{Name: "u", PasswordHash: secret.FromString(canary)},
		machine.ProxyConfig{
			HTTPProxy:  secret.FromString(canary),
			HTTPSProxy: secret.FromString("http://u:" + canary + "@h:1/ x"),
		},
		machine.ContainerdConfig{Registries: []machine.Registry{{
			Host: "r", Server: "https://u:" + canary + "@h",
			Mirrors: []machine.RegistryEndpoint{
				{URL: "https://u:" + canary + "%zz@h"}, {URL: "https://h", Header: map[string]string{"Authorization": "Bearer " +
					canary + "\n"}},
			},
		}}},
		machine.KubernetesConfig{Artifacts: []machine.Artifact{
			{Name: "a", URL: "https://u:" + canary + "@h/x"}, {Name: "b", URL: "https://u:" + canary + "%zz@h/x"},
		}},
	}
	for _, v := range values {
		r := v.Check("at")
		if !r.HasErrors() || strings.Contains(r.String(), canary) {
			t.Errorf("%s: %s", v.Kind(), r)
		}
	}
}

// unitWithFact has a fact and a text in its unit file and in its drop-in.
func unitWithFact(text string) machine.Unit {
	content := document.Join(document.FromFact(document.FactZone), document.Text(text))
	return machine.Unit{
		Name: "a.service", Content: content, DropIns: []machine.DropIn{{Name: "a.conf", Content: content}},
	}
}

func TestUnitCheck(t *testing.T) {
	drop := func(name string) document.Value {
		return machine.Unit{
			Name: "a.service", DropIns: []machine.DropIn{{Name: name, Content: document.Text("[Service]\n")}},
		}
	}
	hold(t, map[string]verdict{
		"unit": {value: machine.Unit{Name: "a.service", Content: document.Text("[Service]\nExecStart=/bin/sh -c 'echo %% " +
			"{{ $x }}'\n"), Enabled: ref(true)}},
		"instance":   {value: machine.Unit{Name: `getty@tty1-\x2d.service`}},
		"template":   {value: machine.Unit{Name: "getty@.service"}},
		"mount":      {value: machine.Unit{Name: `var-lib-a\x2db.mount`}},
		"no type":    {value: machine.Unit{Name: "a"}, want: []string{"name"}},
		"other type": {value: machine.Unit{Name: "a.conf"}, want: []string{"name"}},
		"path":       {value: machine.Unit{Name: "../a.service"}, want: []string{"name"}},
		"space":      {value: machine.Unit{Name: "a b.service"}, want: []string{"name"}},
		"newline":    {value: machine.Unit{Name: "a.service\n"}, want: []string{"name"}},
		"long":       {value: machine.Unit{Name: strings.Repeat("a", 250) + ".service"}, want: []string{"name"}},
		"NUL": {
			value: machine.Unit{Name: "a.service", Content: document.Text("\x00")}, want: []string{"contents"},
		},
		"facts":            {value: unitWithFact("ok")},
		"NUL beside facts": {value: unitWithFact("\x00"), want: []string{"contents", "dropIns[0].contents"}},
		"not UTF-8": {
			value: machine.Unit{Name: "a.service", Content: document.Text("\xff")}, want: []string{"contents"},
		},
		"drop-in":           {value: drop("10-a b.conf")},
		"drop-in, unicode":  {value: drop("ü %i.conf")},
		"drop-in, no conf":  {value: drop("a.txt"), want: []string{"dropIns[0].name"}},
		"drop-in, hidden":   {reason: "systemd does not read it", value: drop(".a.conf"), want: []string{"dropIns[0].name"}},
		"drop-in, only end": {value: drop(".conf"), want: []string{"dropIns[0].name"}},
		"drop-in, path":     {value: drop("../a.conf"), want: []string{"dropIns[0].name"}},
		"masked":            {value: machine.Unit{Name: "a.service", Masked: true, Enabled: ref(false)}},
		"masked, contents": {
			value: machine.Unit{Name: "a.service", Masked: true, Content: document.Text("x")}, want: []string{"mask"},
		},
		"masked, enabled": {
			value: machine.Unit{Name: "a.service", Masked: true, Enabled: ref(true)},
			want:  []string{"mask"},
		},
	})
}

func TestCommandCheck(t *testing.T) {
	hold(t, map[string]verdict{
		"boot": {value: machine.Command{Phase: document.PhaseBoot, Script: "echo 'it''s' \"$x\" `id` {{ x }} %\n\techo " +
			"two\n"}},
		"pre":  {value: machine.Command{Phase: document.PhasePre, Script: "true"}},
		"post": {value: machine.Command{Phase: document.PhasePost, Script: "true"}},
		"join": {
			reason: "kubeadm alone runs there", value: machine.Command{Phase: document.PhaseJoin, Script: "true"},
			want: []string{"phase"},
		},
		"nowhere": {value: machine.Command{Script: "true"}, want: []string{"phase"}},
		"empty":   {value: machine.Command{Phase: document.PhasePre, Script: " \n"}, want: []string{"script"}},
		"NUL":     {value: machine.Command{Phase: document.PhasePre, Script: "a\x00b"}, want: []string{"script"}},
	})
}

func TestNumber(t *testing.T) {
	const none = -1
	for name, want := range map[string]int{
		"0": 0, "1000": 1000, "007": 7, "4294967294": 1<<32 - 2,
		"": none, "root": none, "1a": none, "+1": none, "-1": none, " 1": none, "4294967295": none,
		"99999999999999999999": none,
	} {
		got, ok := machine.Number(name)
		if !ok {
			got = none
		}
		if got != want {
			t.Errorf("%q is the number %d, want %d", name, got, want)
		}
	}
}
