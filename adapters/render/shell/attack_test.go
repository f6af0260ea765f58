//go:build !unit

package shell_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/test/nightly"
)

// victim creates a user with a home directory, and a key and a password hash of root. look prints files of root that
// have changed, and files of the user with content of root. It prints nothing on success.
const victim = `useradd -u 4711 -m u
mkdir -p /etc/machineadm /root/.ssh /home/u/.ssh /home/u/.app /home/u/d
echo root:ROOTS-HASH:19000:0:99999:7::: >>/etc/shadow
echo roots-key >/root/.ssh/authorized_keys
chmod 600 /root/.ssh/authorized_keys
chown -R u:u /home/u
mkdir /home/shared /var/lib/svc
chown u:u /var/lib/svc
chown root:u /home/shared && chmod 2775 /home/shared
`

// eyes defines look and stores its initial output in before.
const (
	eyes = `look() {
	stat -c '%n %u %a' /etc /etc/shadow /root /root/.ssh /root/.ssh/authorized_keys /etc/profile.d
	ls /etc /etc/profile.d
	cat /root/.ssh/authorized_keys
	find /home/u -user u -type f -exec grep -l ROOTS-HASH {} + 2>/dev/null
	return 0
}
`
	before = eyes + "look >/root/before\n"
)

// runs runs the program several times from the initial state, and calls look after each run.
const runs = `ok=0 i=0
while [ $i -lt %d ]; do
	rm -rf /var/lib/machineadm /run/cluster-api /etc/machineadm/*
	dash /root/machine-$((i %% %d)).sh >/root/out 2>&1 && ok=$((ok+1))
	kill -STOP $attacker 2>/dev/null
	look >/root/after
	kill -CONT $attacker 2>/dev/null
	cmp -s /root/before /root/after || { echo "run $i escaped:"; diff /root/before /root/after; exit 1; }
	i=$((i+1))
done
echo $i runs, $ok succeeded
`

// below returns operations in the home directory, each for a separate program.
func below() []action.Operation {
	of := machine.Owner{User: "u", Group: "u"}
	file := func(f machine.File) action.Operation {
		f.Path, f.Content = "/home/u/.app/"+f.Path, document.Text("x\n")
		return action.WriteFile{File: f}
	}
	return []action.Operation{
		action.EnsureUser{User: machine.User{Name: "u", SSHAuthorizedKeys: []string{"ssh-ed25519 AAAA the-key-of-u"}}},
		file(machine.File{Path: "env.sh", Owner: of}),
		file(machine.File{Path: "new/root.sh"}),
		file(machine.File{Path: "README", Append: true}),
		action.MakeDirectory{Path: "/home/u/d", Mode: 0o700, Owner: of},
		action.Link{Path: "/home/u/.app/link.sh", Target: "/home/u/x"},
		action.FetchFile{Path: "/home/u/.app/got.sh", URL: "https://example.com/x", SHA256: digestOfDownload},
	}
}

// digestOfDownload is the SHA-256 of the content that the stub of curl writes.
const digestOfDownload = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

// attacked sets up the machine and the attack, and runs the program.
func attacked(t *testing.T, attack string, count int, ops ...action.Operation) string {
	t.Helper()
	m := prepared(t, ops...)
	code, out := m.run(t, "dash -s", victim+before+attack+fmt.Sprintf(runs, count, len(ops)))
	if code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
	return out
}

// prepared returns a machine with a separate program for each operation.
func prepared(t *testing.T, ops ...action.Operation) *machineRoot {
	t.Helper()
	m := newMachine(t)
	m.Put(t, "/usr/local/sbin/curl", download, 0o755)
	for i, op := range ops {
		m.Put(t, fmt.Sprintf("/root/machine-%d.sh", i), string(render(t, op).Payload.Data.Reveal()), 0o600)
	}
	return m
}

// TestKeysOfAnAttacker replaces authorized_keys and its directory with links to files of root.
func TestKeysOfAnAttacker(t *testing.T) {
	cases := map[string]struct{ reason, attack, want string }{
		"link to root's keys": {
			"the user's key would be root's",
			"ln -s /root/.ssh/authorized_keys /home/u/.ssh/authorized_keys", "1 runs, 1 succeeded",
		},
		"link to a secret": {
			"the lines that are kept would be those of /etc/shadow",
			"ln -s /etc/shadow /home/u/.ssh/authorized_keys", "1 runs, 0 succeeded",
		},
		"second name": {
			"no link is found", "echo 0 2>/dev/null >/proc/sys/fs/protected_hardlinks; ln /etc/shadow " +
				"/home/u/.ssh/authorized_keys; look >/root/before", "1 runs, 0 succeeded",
		},
		"link to /etc": {
			"/etc would have the mode 0700", "rm -r /home/u/.ssh; ln -s /etc /home/u/.ssh",
			"1 runs, 0 succeeded",
		},
		"file": {"no attack", ":", "1 runs, 1 succeeded"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if out := attacked(t, c.attack+"\n", 1, below()[0]); !strings.Contains(out, c.want) {
				t.Errorf("%s: %s", c.reason, out)
			}
		})
	}
}

// TestPathsBelowAnAttackersDirectories runs every step with a path against a link in a directory of a user, and without
// one.
func TestPathsBelowAnAttackersDirectories(t *testing.T) {
	ops := below()[1:]
	for target, command := range map[string]string{
		"the directory": "rm -r /home/u/.app /home/u/d; ln -s /etc/profile.d /home/u/.app; ln -s /etc /home/u/d; chown -h " +
			"u:u /home/u/.app /home/u/d\n",
		"the file": "for f in env.sh README link.sh got.sh new; do ln -s /etc/shadow /home/u/.app/$f; done; rmdir " +
			"/home/u/d; ln -s /etc /home/u/d; chown -h u:u /home/u/.app/* /home/u/d\n",
	} {
		out := attacked(t, command, len(ops), ops...)
		// A file and a link replace an existing link.
		if want := map[string]string{
			"the directory": "6 runs, 0 succeeded",
			"the file":      "6 runs, 3 succeeded",
		}[target]; !strings.Contains(out, want) {
			t.Errorf("a link in the place of %s: %s", target, out)
		}
	}
}

// TestFilesOfUsersBelongToThem checks the files that the steps create in a home directory.
func TestFilesOfUsersBelongToThem(t *testing.T) {
	out := attacked(t, "finish() { stat -c '%n %U:%G %a' /home/u/.app /home/u/.app/* /home/u/.app/new/* "+
		"/home/u/d; }; trap finish EXIT\n", 6, below()[1:]...)
	const want = "/home/u/.app u:u 755\n/home/u/.app/README u:u 644\n/home/u/.app/env.sh u:u 644\n/home/u/.app/got.sh " +
		"root:root 644\n/home/u/.app/link.sh root:root 777\n" +
		"/home/u/.app/new u:u 755\n/home/u/.app/new/root.sh root:root 644\n/home/u/d u:u 700\n"
	if !strings.Contains(out, want) {
		t.Errorf("got %s", out)
	}
}

// exchange is a process of the user that keeps exchanging directories and files with links. It uses Perl, which every
// Debian has, because mv(1) cannot exchange files.
const exchange = `cat >/tmp/attack.pl <<'END'
$( = 4711; $) = '4711 4711'; $< = $> = 4711;
my $call = (split ' ', qx(uname -m))[0] eq 'aarch64' ? 276 : 316;
sub swap { my ($a, $b) = @_; syscall($call, -100, $a, -100, $b, 2) }
chdir '/home/u';
symlink '/etc', '.ssh-link'; symlink '/etc/profile.d', '.app-link'; symlink '/root/.ssh/authorized_keys', ` +
	`'.ssh/link'; symlink '/root/.ssh', 'd-link';
symlink '/etc/shadow', '.ssh/authorized_keys';
for (my $i = 0; ; $i++) {
	swap('.ssh', '.ssh-link'); swap('.app', '.app-link'); swap('d', 'd-link');
	swap('.ssh/authorized_keys', '.ssh/link');
	unlink '.ssh/authorized_keys', '.app/env.sh' if $i % 16 == 0;
}
END
perl /tmp/attack.pl 2>/dev/null &
attacker=$!
`

// TestRaceOfAnAttacker runs the program while a process of the user exchanges entries of the home directory. The
// variants use setpriv(1), su(1) alone, and a home directory on a separate file system, to which mv(1) copies.
func TestRaceOfAnAttacker(t *testing.T) {
	const batch = 20
	count := nightly.Or(500, batch)
	const mounted = "mount -t tmpfs tmpfs /home/u; mkdir /home/u/.ssh /home/u/.app /home/u/d; chown -R u:u /home/u; " +
		"chmod 755 /home/u\n"
	for name, system := range map[string]struct{ installed, booted string }{
		"setpriv": {}, "su": {withoutSetpriv, ""}, "file system": {"", mounted},
	} {
		t.Run(name, func(t *testing.T) {
			m := prepared(t, below()...)
			if code, out := m.run(t, "dash -s", victim+before+system.installed); code != 0 {
				t.Fatal(out)
			}
			for done := batch; done <= count; done += batch {
				code, out := m.run(t, "dash -s", eyes+system.booted+exchange+fmt.Sprintf(runs, batch, len(below())))
				if code != 0 || !strings.Contains(out, fmt.Sprintf("%d runs, ", batch)) {
					t.Fatalf("exit code %d: %s", code, out)
				}
				t.Logf("%d of %d: %s", done, count, out)
			}
		})
	}
}
