package machine_test

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// blob returns the base64 of a key with fields of the lengths.
func blob(keyType string, lengths ...int) string {
	key := append(binary.BigEndian.AppendUint32(nil, uint32(len(keyType))), keyType...) //nolint:gosec // names are short
	for _, n := range lengths {
		key = append(binary.BigEndian.AppendUint32(key, uint32(n)), make([]byte, n)...) //nolint:gosec // fields are short
	}
	return base64.StdEncoding.EncodeToString(key)
}

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
		"truncated": {"the end was not copied", "ssh-ed25519 " + key[:64], "warning"},
		"longer":    {"two keys are joined", "ssh-ed25519 " + key + key, "warning"},
		"excess":    {"a field follows the key", "ssh-ed25519 " + blob("ssh-ed25519", 32, 4), "warning"},
		"empty":     {"a field is empty", "ssh-rsa " + blob("ssh-rsa", 3, 0), "warning"},
		"rsa":       {"a key of RSA has two numbers", "ssh-rsa " + blob("ssh-rsa", 3, 257), ""},
		"rsa short": {"the modulus is missing", "ssh-rsa " + blob("ssh-rsa", 3), "warning"},
		"ecdsa":     {"the point follows the curve", "ecdsa-sha2-nistp256 " + blob("ecdsa-sha2-nistp256", 8, 65), ""},
		"point": {
			"the point is of another curve", "ecdsa-sha2-nistp384 " + blob("ecdsa-sha2-nistp384", 8, 65), "warning",
		},
		"token": {
			"hardware tokens have an application", "sk-ssh-ed25519@openssh.com " + blob("sk-ssh-ed25519@openssh.com", 32, 4), "",
		},
		"long":    {"the length exceeds the key", "ssh-ed25519 /////3NzaC1lZDI1NTE5AAAA", "warning"},
		"padding": {"sshd refuses base64 without its padding", "new@example AAAAC25ld0BleGFtcGxlAA", "warning"},
		"open":    {"the quotation does not end", `command="a ssh-ed25519 ` + key, "warning"},
		"late":    {"a key in the comment is not read", "a b ssh-ed25519 " + key, "warning"},
		"lines":   {"a line break is an error, and no warning", "garbage\ngarbage", "error"},
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
