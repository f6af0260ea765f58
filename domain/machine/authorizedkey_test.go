package machine_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

func TestAuthorizedKeys(t *testing.T) {
	const key = "AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw"
	for name, c := range map[string]struct {
		reason, line string
		want         string
	}{
		"key":       {"the usual line", "ssh-ed25519 " + key, ""},
		"comment":   {"ssh-keygen adds one", "ssh-ed25519 " + key + " operator@example", ""},
		"tabs":      {"sshd skips them", "\tssh-ed25519\t" + key, ""},
		"option":    {"options precede the type", "restrict,pty ssh-ed25519 " + key, ""},
		"quoted":    {"a value may contain spaces", `command="echo \"ssh-rsa AAAA\" x",pty ssh-ed25519 ` + key, ""},
		"new type":  {"the type is not compared with a list", "new@example AAAAC25ld0BleGFtcGxlAA==", ""},
		"garbage":   {"there is no key", "garbage", "warning"},
		"ellipsis":  {"the placeholder of examples", "ssh-ed25519 AAAA…", "warning"},
		"short":     {"the base64 has no type", "ssh-ed25519 AAAA", "warning"},
		"type only": {"the key was lost", "ssh-ed25519", "warning"},
		"no type":   {"the type was lost", key, "warning"},
		"other":     {"the key is of another type", "ssh-rsa " + key, "warning"},
		"prefix":    {"the type in the key is longer", "ssh-ed2551 " + key, "warning"},
		"cut":       {"nothing follows the type", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5", "warning"},
		"long":      {"the length exceeds the key", "ssh-ed25519 /////3NzaC1lZDI1NTE5AAAA", "warning"},
		"padding":   {"sshd refuses base64 without its padding", "new@example AAAAC25ld0BleGFtcGxlAA", "warning"},
		"open":      {"the quotation does not end", `command="a ssh-ed25519 ` + key, "warning"},
		"late":      {"a key in the comment is not read", "a b ssh-ed25519 " + key, "warning"},
		"lines":     {"a line break is an error, and no warning", "garbage\ngarbage", "error"},
	} {
		t.Run(name, func(t *testing.T) {
			found := machine.User{Name: "u", SSHAuthorizedKeys: []string{c.line}}.Check("")
			var got []string
			for _, f := range found {
				got = append(got, f.Severity.String())
				if f.Path != "sshAuthorizedKeys[0]" || f.Severity == report.Warning && strings.Contains(f.String(), "garbage") {
					t.Errorf("%s: %s", c.reason, f)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s: %s, want %s", c.reason, found, c.want)
			}
		})
	}
}
