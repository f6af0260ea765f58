//go:build !unit

package shell_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/shell"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/test/debian"
)

// withoutSetpriv removes setpriv(1), so that only su(1) is available.
const withoutSetpriv = "rm /usr/bin/setpriv; ! command -v setpriv || exit 1\n"

// TestKeysBySu adds a user's keys on a system without setpriv(1).
func TestKeysBySu(t *testing.T) {
	const link = withoutSetpriv + "ln -s /etc/shadow /home/u/.ssh/authorized_keys\n"
	if out := attacked(t, link, 1, below()[0]); !strings.Contains(out, "1 runs, 0 succeeded") {
		t.Errorf("a link: %s", out)
	}
	const look = withoutSetpriv + "finish() { stat -c '%n %U:%G %a' /home/u/.ssh/*; cat " +
		"/home/u/.ssh/*; }; trap finish EXIT\n"
	if out := attacked(t, look, 1, below()[0]); !strings.Contains(out,
		"/home/u/.ssh/authorized_keys u:u 600\nssh-ed25519 AAAA the-key-of-u\n") {
		t.Errorf("no attack: %s", out)
	}
}

// busyBox puts the programs of BusyBox first in PATH. Its setpriv cannot change the user, so su(1) is used.
const busyBox = `rm /usr/bin/setpriv
for a in $(busybox --list); do
	case $a in busybox|sh|ash|su|useradd|chpasswd|mount|umount|passwd) ;; *) ln -s /usr/bin/busybox ` +
	`/usr/local/sbin/$a;; esac
done
dash() { busybox sh "$@"; }
trap 'cat /home/u/.ssh/authorized_keys' EXIT
`

// TestProgramsOfBusyBox runs each step with the shell and the programs of BusyBox.
func TestProgramsOfBusyBox(t *testing.T) {
	debian.Packages(t, "busybox")
	path, err := exec.LookPath("busybox")
	if err != nil {
		t.Fatal(err)
	}
	m := prepared(t, below()...)
	m.Install(t, "/usr/bin/busybox", path)
	code, out := m.run(t, "dash -s", victim+before+busyBox+fmt.Sprintf(runs, len(below()), len(below())))
	if code != 0 || !strings.Contains(out, "7 runs, 7 succeeded\nssh-ed25519 AAAA the-key-of-u\n") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// TestUsersWithoutAName appends in a directory of a UID without an account: some su(1) take an empty name for root.
func TestUsersWithoutAName(t *testing.T) {
	const gone = "chown 4712:4712 /home/u /home/u/.app; ln -s /etc/profile.d/x.sh /home/u/.app/README\n"
	const root = "cat >/usr/local/sbin/su <<'END'\n#!/bin/sh\n[ ! \"$3\" ]||exec /usr/bin/su \"$@\"\nshift 3;exec sh " +
		"\"$@\"\nEND\nchmod 755 /usr/local/sbin/su\n"
	for name, system := range map[string]string{"setpriv": "", "su": withoutSetpriv + root} {
		t.Run(name, func(t *testing.T) {
			if out := attacked(t, gone+system, 1, below()[3]); !strings.Contains(out, "1 runs, 0 succeeded") {
				t.Errorf("%s", out)
			}
		})
	}
}

// TestDirectoriesThatRootDoesNotOwnAlone creates links of the user in directories that the steps do not give away.
// These are public directories, directories of a group or of a user of the image, and a directory behind a link of
// root.
func TestDirectoriesThatRootDoesNotOwnAlone(t *testing.T) {
	file := func(path string) action.Operation {
		return action.WriteFile{File: machine.File{Path: path, Content: document.Text("x\n")}}
	}
	add := func(path string) action.Operation {
		return action.WriteFile{File: machine.File{Path: path, Content: document.Text("x\n"), Append: true, Mode: 0o644}}
	}
	const mine = "mkdir /var/tmp/d; chown u:u /var/tmp/d; "
	cases := map[string]struct {
		reason, attack string
		op             action.Operation
		want           string
	}{
		"public directory": {
			"the name under which a file is completed is known",
			mine + "ln -s /etc/profile.d/x.sh /var/tmp/d/env.sh.machineadm-new", file("/var/tmp/d/env.sh"), "1 succeeded",
		},
		"link in a public directory": {
			"", "ln -s /etc/profile.d /var/tmp/d; chown -h u:u /var/tmp/d",
			file("/var/tmp/d/env.sh"), "0 succeeded",
		},
		"append in a public directory": {
			"/etc/shadow would be for all to read",
			"ln -s /etc/shadow /var/tmp/f; chown -h u:u /var/tmp/f", add("/var/tmp/f"), "0 succeeded",
		},
		"append in a group's directory": {
			"root appended there as root", "ln -s /etc/shadow /home/shared/notes",
			add("/home/shared/notes"), "0 succeeded",
		},
		"file in a group's directory": {
			"", "ln -s /etc/shadow /home/shared/notes", file("/home/shared/notes"),
			"1 succeeded",
		},
		"append of a user of the image": {
			"no step gives the directory away", "ln -s /etc/shadow /var/lib/svc/f",
			add("/var/lib/svc/f"), "0 succeeded",
		},
		"file of a user of the image": {
			"", "ln -s /etc/profile.d/x.sh /var/lib/svc/f.machineadm-new",
			file("/var/lib/svc/f"), "1 succeeded",
		},
		"behind a link of root's": {"", "ln -s /home/u/.app /opt/app; ln -s /etc/profile.d/x.sh " +
			"/home/u/.app/f.machineadm-new", file("/opt/app/f"), "1 succeeded"},
		"other home directories": {
			"Fedora CoreOS has them here",
			"mv /home /var/home; ln -s /var/home /home; ln -s /etc/profile.d /var/home/u/l",
			file("/var/home/u/l/x.sh"), "0 succeeded",
		},
		"directory of another user": {
			"what the user has put there would be root's", mine + ":",
			action.MakeDirectory{Path: "/var/tmp/d"},
			"0 succeeded",
		},
		"home in a user's directory": {
			"useradd takes a name", ":",
			action.EnsureUser{User: machine.User{Name: "v", Home: "/home/u/.app/v"}},
			"0 succeeded",
		},
		"root's own directories": {"no attack", "mkdir /var/tmp/r", add("/var/tmp/r/a b/-%s"), "1 succeeded"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if out := attacked(t, c.attack+"\n", 1, c.op); !strings.Contains(out, "1 runs, "+c.want) {
				t.Errorf("%s: %s", c.reason, out)
			}
		})
	}
}

// TestMountsBelowUsersAreRefused uses mount points that a user can exchange, and others.
func TestMountsBelowUsersAreRefused(t *testing.T) {
	for path, refused := range map[string]bool{
		"/home/u/data": true, "/var/home/u/data": true, "/tmp/x": true, "/srv/u/data": true, "/srv/given/data": true,
		"/home/u": false, "/srv/u": false, "/mnt/data": false,
	} {
		p := planOf(osprofile.Target{},
			action.EnsureUser{User: machine.User{Name: "u", Home: "/srv/u"}},
			action.MakeDirectory{Path: "/srv/given", Owner: machine.Owner{User: "u"}},
			action.MountFilesystem{Mount: machine.Mount{Source: "/dev/vdb", Path: path}},
		)
		_, findings, err := shell.Renderer{}.Render(t.Context(), p)
		if err != nil || findings.HasErrors() != refused {
			t.Errorf("%s: findings %v, error %v", path, findings, err)
		}
	}
}

// hold is a process of the user that traces the processes that root starts as the user, and discards signals to them.
const hold = `rm -f /home/u/.app/README; mkfifo /home/u/.app/README; chown u:u /home/u/.app/README
cat >/usr/local/sbin/timeout <<'END'
#!/bin/sh
for a; do shift; case $a in 60) a=1;; -k5) a=-k1;; esac; set -- "$@" "$a"; done
exec /usr/bin/timeout "$@"
END
chmod 755 /usr/local/sbin/timeout
cat >/tmp/hold.pl <<'END'
my $call = (split ' ', qx(uname -m))[0] eq 'aarch64' ? 117 : 101;
$( = 4711; $) = '4711 4711'; $< = $> = 4711;
my %seen = ($$ => 1);
for (;;) {
	for my $dir (</proc/[0-9]*>) {
		my ($pid) = $dir =~ /(\d+)/;
		next if $seen{$pid} || ((stat $dir)[4] // 0) != 4711;
		$seen{$pid} = 1 if syscall($call, 0x4206, $pid + 0, 0, 0) == 0;
	}
	while ((my $pid = waitpid(-1, 0x40000001)) > 0) { syscall($call, 7, $pid, 0, 0) }
	select(undef, undef, undef, 0.01);
}
END
perl /tmp/hold.pl 2>/dev/null &
attacker=$!
(sleep 20; echo held; for p in /proc/[0-9]*; do [ "$(cat $p/comm)" != timeout ] || kill -9 ${p#/proc/}; done) &
`

// TestUsersDoNotKeepTheProgramWaiting replaces a file with a FIFO, while the user discards signals to the process that
// blocks on it.
func TestUsersDoNotKeepTheProgramWaiting(t *testing.T) {
	if out := attacked(t, hold, 1, below()[3]); !strings.Contains(out, "1 runs, 0 succeeded") ||
		strings.Contains(out, "held") {
		t.Errorf("%s", out)
	}
}
