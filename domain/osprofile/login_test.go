package osprofile_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestCheckLogin(t *testing.T) {
	ops := machine.User{Name: "ops"}
	key := machine.User{Name: "admin", SSHAuthorizedKeys: []string{"ssh-ed25519 AAAA"}}
	hashed := machine.User{PasswordHash: secret.FromString("$6$")}
	keyFile := machine.File{Path: "/home/ops/.ssh/authorized_keys"}
	settings := machine.File{Path: "/etc/ssh/sshd_config.d/a.conf"}
	for name, c := range map[string]struct {
		reason, system string
		values         []document.Value
		// replaced and beside are the severities with and without the default user of the image, or empty.
		replaced, beside string
	}{
		"no users": {reason: "the provider sets the keys of the default user", system: "ubuntu"},
		"no key": {
			reason: "it was forgotten", system: "ubuntu", values: []document.Value{ops}, replaced: "warning", beside: "info",
		},
		"key":       {reason: "a user can log in", system: "ubuntu", values: []document.Value{ops, key}},
		"hash":      {"a user can log in", "debian", []document.Value{hashed}, "", ""},
		"unlocked":  {"a user can log in", "debian", []document.Value{machine.User{Unlocked: true}}, "", ""},
		"inactive":  {"its key does not help", "debian", []document.Value{inactive(key)}, "warning", ""},
		"programs":  {"a program runs as the user", "debian", []document.Value{machine.User{System: true}}, "warning", ""},
		"no shell":  {"a program runs as it", "rocky", []document.Value{machine.User{Shell: "/sbin/nologin"}}, "warning", ""},
		"key file":  {"a file has the key", "ubuntu", []document.Value{ops, keyFile}, "", ""},
		"SSH":       {"SSH may find keys elsewhere", "ubuntu", []document.Value{ops, settings}, "", ""},
		"no people": {"users are a finding already", "talos", []document.Value{ops}, "", ""},
		"Windows":   {"users need a password", "windows-server-2022", []document.Value{ops}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			profile, _ := osprofile.Lookup(c.system)
			var docs []document.Document
			for i, v := range c.values {
				docs = append(docs, document.Document{Value: v, Source: document.Source{Path: report.Path("users").Index(i)}})
			}
			for replaced, want := range map[bool]string{true: c.replaced, false: c.beside} {
				found := osprofile.CheckLogin(docs, osprofile.Target{Profile: profile}, replaced)
				got := ""
				if len(found) > 0 {
					got = found[0].Severity.String()
				}
				if got != want || len(found) > 1 || len(found) == 1 && (found[0].Path != "users[0]" || found[0].Remedy == "") {
					t.Errorf("%s: with the default user replaced %t: %v, want %q", c.reason, replaced, found, want)
				}
			}
		})
	}
}

func inactive(u machine.User) machine.User {
	u.Inactive = true
	return u
}
