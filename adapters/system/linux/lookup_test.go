//go:build linux

package linux_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// owned returns the operation that writes a file with the owner.
func owned(user, group string) action.Operation {
	return action.WriteFile{File: machine.File{Path: "/srv/owned", Owner: machine.Owner{User: user, Group: group}}}
}

// ownerOf returns the UID and GID of the file.
func ownerOf(t *testing.T, path string) string {
	t.Helper()
	var s syscall.Stat_t
	if err := syscall.Stat(path, &s); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d:%d", s.Uid, s.Gid)
}

// TestOwners uses a tree whose image contains account files, as in CoreOS.
func TestOwners(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "/etc/passwd", "ada:x:1001:1002::/home/ada:/bin/sh\n77:x:78:79::/:/bin/sh\nboth:x:1:1::/:/bin/sh\n", "")
	put(t, dir, "/etc/group", "crew:x:1003:\n", "")
	put(t, dir, "/usr/lib/passwd", "chrony:x:990:989::/:/sbin/nologin\nboth:x:2:2::/:/bin/sh\n", "")
	put(t, dir, "/usr/lib/group", "chrony:x:989:\n", "")
	cases := map[string]struct{ reason, user, group, want string }{
		"names": {"", "ada", "crew", "1001:1003"},
		"user alone": {
			"a user does not bring their group: cloud-init, Ignition and shell leave it to root",
			"ada", "", "1001:0",
		},
		"group alone":      {"", "", "crew", "0:1003"},
		"number alone":     {"", "1001", "", "1001:0"},
		"numbers":          {"no user has them", "1000", "2000", "1000:2000"},
		"zero":             {"", "0", "0", "0:0"},
		"leading zeros":    {"they are no octal digits", "010", "010", "10:10"},
		"last number":      {"", "4294967294", "4294967294", "4294967294:4294967294"},
		"digits of a name": {"chown(1) looks for the name first", "77", "root", "78:0"},
		"image's":          {"what /etc has not is in /usr/lib", "chrony", "chrony", "990:989"},
		"in both":          {"/etc is above the image", "both", "root", "1:0"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := carryOut(t, open(t, dir), owned(c.user, c.group))
			if got := ownerOf(t, dir+"/srv/owned"); got != c.want {
				t.Errorf("%s: got %s, want %s", c.reason, got, c.want)
			}
			if err := open(t, dir).Revert(t.Context(), o); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestNoOwners(t *testing.T) {
	cases := map[string]struct{ reason, user, group, want string }{
		"user":         {"", "nobody-knows", "", "there is no user nobody-knows"},
		"group":        {"", "root", "nobody-knows", "there is no group nobody-knows"},
		"out of range": {"to the kernel it means no change", "4294967295", "", "is not the number of a user or group"},
		"33 bits":      {"it is not 0", "", "4294967296", "is not the number of a user or group"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := open(t, t.TempDir()).Apply(t.Context(), owned(c.user, c.group), journal.Original{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %q", c.reason, err, c.want)
			}
		})
	}
}

// nameService wraps getent with the accounts of a directory service. It passes all other keys to the real getent.
const nameService = `#!/bin/sh
case "$1 $2" in
'passwd EXAMPLE\svc') echo 'warning: the cache is old' >&2; echo ` +
	`'svc@example.org:*:60001:60002:Service:/srv/svc:/bin/sh';;
'passwd svc') echo 'svc:*:60001:60002:Service:/srv/svc:/bin/sh';;
'group EXAMPLE\Domain Users') echo 'domain users@example.org:*:60003:a,b';;
'group crew') echo 'crew:*:60004:';;
'group 60002') echo 'services:*:60002:';;
'passwd broken') echo why; exit 3;;
*) exec /usr/bin/getent "$@";;
esac
`

// newDirectory returns a running Debian with a directory service.
func newDirectory(t *testing.T) (debianHost, *linux.Host) {
	t.Helper()
	d := newDebian(t, "bookworm")
	d.put(t, "/usr/local/sbin/getent", nameService)
	if err := os.Chmod(d.root+"/usr/local/sbin/getent", 0o755); err != nil {
		t.Fatal(err)
	}
	return d, linux.Asking(d.Host)
}

func TestOwnersOfADirectoryService(t *testing.T) {
	d, h := newDirectory(t)
	cases := map[string]struct{ reason, user, group, want string }{
		"names": {"", "svc", "crew", "60001:60004"},
		"other spelling": {
			"the service answers with its own, and warns", `EXAMPLE\svc`, `EXAMPLE\Domain Users`,
			"60001:60003",
		},
		"own":           {"users in /etc are not looked up", "games", "users", "5:100"},
		"number":        {"no user has it", "4711", "4712", "4711:4712"},
		"number of one": {"the service finds an account by its number", "5", "100", "5:100"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := carryOut(t, h, owned(c.user, c.group))
			if got := ownerOf(t, d.root+"/srv/owned"); got != c.want {
				t.Errorf("%s: got %s, want %s", c.reason, got, c.want)
			}
			if err := h.Revert(t.Context(), o); err != nil {
				t.Error(err)
			}
		})
	}
	for user, want := range map[string]string{
		"nobody-knows": "there is no user nobody-knows",
		"broken":       "look for broken in passwd",
	} {
		if err := h.Apply(t.Context(), owned(user, ""), journal.Original{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestAccountsOutsideOfEtc adds keys and a sudoers rule to a user of a directory service and to one of the image.
// useradd refuses such users, and usermod and chpasswd change only users in /etc.
func TestAccountsOutsideOfEtc(t *testing.T) {
	directory, asking := newDirectory(t)
	image := newDebian(t, "trixie")
	image.put(t, "/usr/lib/passwd", "svc:x:60001:60002:Service:/srv/svc:/bin/sh\n")
	image.put(t, "/usr/lib/group", "services:x:60002:\ncrew:x:60004:\n")
	for name, m := range map[string]struct {
		debianHost
		h *linux.Host
	}{"directory service": {directory, asking}, "image": {image, image.Host}} {
		t.Run(name, func(t *testing.T) {
			before := m.files(t)
			o := carryOut(t, m.h, action.EnsureUser{User: machine.User{
				Name: "svc", Shell: "/bin/sh", PrimaryGroup: "services", SSHAuthorizedKeys: []string{"ssh-ed25519 AAAA one"},
				Sudo: "ALL=(ALL) ALL",
			}})
			if got := m.get("/srv/svc/.ssh/authorized_keys"); got != "ssh-ed25519 AAAA one\n" {
				t.Errorf("the keys are %q", got)
			}
			if got := ownerOf(t, m.root+"/srv/svc/.ssh/authorized_keys"); got != "60001:60002" {
				t.Errorf("the keys belong to %s", got)
			}
			crew := action.EnsureGroup{Group: machine.Group{Name: "crew"}}
			if c, err := m.h.Diff(t.Context(), crew, journal.Original{}); err != nil || !c.IsEmpty() {
				t.Errorf("the group: %v, error %v", c.Lines, err)
			}
			if err := m.h.Revert(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, m.files(t)); diff != "" {
				t.Errorf("something is left: %s", diff)
			}
		})
	}
}
