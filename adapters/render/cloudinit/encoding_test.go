package cloudinit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestUsers(t *testing.T) {
	uid := 0
	rendering := render(t, planOf(
		action.Action{Do: action.EnsureUser{User: machine.User{
			Name: "yes", UID: &uid, Comment: "Foo: Bar", PrimaryGroup: "no", Groups: []string{"on", "1"}, Home: "/h: #x",
			Shell:        "/bin/sh",
			NoCreateHome: true, System: true, PasswordHash: secret.FromString("$6$a$b"), Unlocked: true, Inactive: true,
			SSHAuthorizedKeys: []string{"ssh-rsa A: #b"}, Sudo: "ALL=(ALL) ALL",
		}}},
		action.Action{Do: action.EnsureUser{User: machine.User{Name: "~"}}},
	))
	unlocked := false
	want := []yamlUser{
		{
			Name: "yes", UID: &uid, Gecos: "Foo: Bar", PrimaryGroup: "no", Groups: []string{"on", "1"}, Homedir: "/h: #x",
			Shell:        "/bin/sh",
			NoCreateHome: true, System: true, HashedPasswd: "$6$a$b", LockPasswd: &unlocked, Expiredate: "1970-01-02",
			SSHAuthorizedKeys: []string{"ssh-rsa A: #b"}, Sudo: "ALL=(ALL) ALL",
		},
		{Name: "~"},
	}
	u := read(t, rendering.Payload.Data.Reveal())
	if diff := cmp.Diff(want, u.Users); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(string(u.program(t)), "$6$") {
		t.Error("the program has a password hash")
	}
}

func TestRefused(t *testing.T) {
	mbr := machine.Disk{
		Device: "/dev/vdb", Table: machine.TableMBR,
		Partitions: []machine.Partition{{SizeMiB: 1}, {Label: "x"}},
	}
	cases := map[string]struct {
		reason string
		action action.Action
		want   report.Finding
	}{
		"DefaultUser": {
			reason: "cloud-init takes it for the image's own user",
			action: action.Action{Do: action.EnsureUser{User: machine.User{Name: "default"}}},
			want: report.Errorf("steps[0]", "cloud-init reserves the name default for the image's own user").
				To("choose another name, or write the name of the image's own user"),
		},
		"NULInPath": {
			reason: "no path has it",
			action: file("/etc/a\x00b", "x"),
			want:   report.Errorf("steps[0]", `"/etc/a\x00b" is not UTF-8 text without NUL bytes`),
		},
		"PathNotUTF8": {
			reason: "YAML is Unicode",
			action: file("/etc/\xff", "x"),
			want:   report.Errorf("steps[0]", `"/etc/\xff" is not UTF-8 text without NUL bytes`),
		},
		"MountOverVar": {
			reason: "cloud-init's own state would vanish",
			action: action.Action{Do: action.MountFilesystem{Mount: machine.Mount{Source: "/dev/vdb", Path: "/var/lib"}}},
			want: report.Errorf("steps[0]", "cloud-init runs from /var/lib and cannot mount over it").
				To("mount a directory below it, or add the mount to the image"),
		},
		"LabelOnMBR": {
			reason: "an MBR has no labels",
			action: action.Action{Do: action.PartitionDisk{Disk: mbr}},
			want: report.Errorf("steps[0].partitions[1]", "a partition of an MBR has neither label nor GUIDs").
				To("use tableType gpt, or leave them out"),
		},
		"NULInCommand": {
			reason: "no shell reads it",
			action: run(document.PhasePre, "a\x00"),
			want:   report.Errorf("steps[0]", "a command cannot contain a NUL byte").To("remove it"),
		},
		"SystemUserWithHome": {
			reason: "cloud-init makes none, and the user may do without",
			action: action.Action{Do: action.EnsureUser{User: machine.User{Name: "svc", System: true}}},
			want:   report.Infof("steps[0]", "cloud-init creates no home directory for a system user"),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(report.Report{tc.want}, findingsOf(t, planOf(tc.action))); diff != "" {
				t.Errorf("%s: %s", tc.reason, diff)
			}
		})
	}
}

// hostileContents returns content with bytes that often break renderers.
func hostileContents() []string {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	contents := []string{
		"", "a", "a\n", "a\n\n", "\n", "\n\n", " a", "\ta", "\n a\n", "  a\nb\n", "a\r\nb\r\n", "a\rb", "\x00", "a\x00b\n",
		"{{ x }}", "{% x %}",
		"## template: jinja\n", "#cloud-config\n", "%", "%s", "$x `y`", "---\n", "...\n", "- a\n", "a: b\n", "*a", "&a", "!a",
		"|\n", ">\n", "'", `"`,
		`\`, "é\n", "\xff\n", "\u0085\n", "\u2028\n", "\ufeff\n", "🙂", "\x7f", "\x1b[0m", string(all), "a \n",
		"a\n \n", " \n", "\t\n",
		strings.Repeat("abcdefgh", 1<<17), strings.Repeat("a\n", 5000),
	}
	for b := range 256 {
		contents = append(contents, string([]byte{byte(b)}), "x"+string([]byte{byte(b)})+"\n", string([]byte{byte(b)})+"x\n")
	}
	return contents
}

func TestBytesAreBytes(t *testing.T) {
	var actions []action.Action
	for _, content := range hostileContents() {
		actions = append(actions, file("/etc/x", content))
	}
	u := read(t, render(t, planOf(actions...)).Payload.Data.Reveal())
	for i, want := range hostileContents() {
		if got := u.WriteFiles[i].bytes(t); string(got) != want {
			t.Errorf("%.40q became %.40q", want, got)
		}
	}
}

func TestEncodings(t *testing.T) {
	noise := make([]byte, 100<<10)
	state := uint32(1)
	for i := range noise {
		state = state*1664525 + 1013904223
		noise[i] = byte(state >> 24)
	}
	cases := map[string]struct{ reason, content, want string }{
		"Text":       {"people read it, and test beds that know no encodings", "a\nb\n", ""},
		"Binary":     {"YAML has no bytes", "\x00\x01", "b64"},
		"LongText":   {"it takes a fraction of the room", strings.Repeat("some words\n", 2000), "gz+b64"},
		"ShortText":  {"too little to gain", strings.Repeat("some words\n", 100), ""},
		"LongRandom": {"compression does not help", string(noise), "b64"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			u := read(t, render(t, planOf(file("/etc/x", tc.content))).Payload.Data.Reveal())
			if got := u.WriteFiles[0]; got.Encoding != tc.want || string(got.bytes(t)) != tc.content {
				t.Errorf("encoding %q instead of %q, though %s", got.Encoding, tc.want, tc.reason)
			}
		})
	}
}
