package linuxcmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/secret"
)

func ref[T any](v T) *T { return &v }

func TestCommands(t *testing.T) {
	table, input := linuxcmd.Partition(machine.Disk{Device: "/dev/vdb", Partitions: []machine.Partition{
		{SizeMiB: 1, Label: `a "b\`}, {Number: 1, SizeMiB: 2, StartMiB: 4}, {SizePercent: 25, GUID: "Y"}, {TypeGUID: "X"},
	}}, func(percent int) string { return strconv.Itoa(percent * 10) })
	user := machine.User{Name: "ada", UID: ref(7), Groups: []string{"a", "b"}, Inactive: true, Comment: "it's"}
	cases := map[string]struct {
		reason string
		got    linuxcmd.Command
		want   string
	}{
		"table": {"signatures never stop it", table, "sfdisk -q -X gpt -w always -W always /dev/vdb"},
		"ext4": {"forced, options last", linuxcmd.MakeFilesystem(machine.Filesystem{
			Device: "/dev/a", Format: "ext4",
			Label: "l", Options: []string{"-m", "0"},
		}), "mkfs.ext4 -F -L l -m 0 /dev/a"},
		"vfat": {"its own flags", linuxcmd.MakeFilesystem(machine.Filesystem{
			Device: "/dev/a", Format: "vfat",
			Label: "l",
		}), "mkfs.vfat -I -n l /dev/a"},
		"ext3": {"as ext4", linuxcmd.MakeFilesystem(machine.Filesystem{
			Device: "/dev/a", Format: "ext3",
		}), "mkfs.ext3 -F /dev/a"},
		"group": {"", linuxcmd.Groupadd(machine.Group{Name: "g", GID: ref(7), System: true}), "groupadd -r -g 7 g"},
		"new user": {
			"keys log in", linuxcmd.Useradd(user),
			"useradd -p '*' -m -u 7 -U -G a,b -c 'it'\\''s' -e 1970-01-02 ada",
		},
		"user":      {"the number stays", linuxcmd.Usermod(user), "usermod -a -G a,b -c 'it'\\''s' -e 1970-01-02 ada"},
		"same user": {"there is nothing to do", linuxcmd.Usermod(machine.User{Name: "ada", UID: ref(7)}), ""},
		"root mount": {
			"its name begins with a dash", linuxcmd.Systemctl("-.mount", "enable", "--now"),
			"systemctl enable --now -- -.mount",
		},
	}
	for name, c := range cases {
		if diff := cmp.Diff(c.want, c.got.String()); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, c.reason, diff)
		}
	}
	if diff := cmp.Diff("2: size=1MiB, name=\"a \\x22b\\x5c\"\n1: size=2MiB, start=4MiB\n"+
		"3: size=250MiB, uuid=Y\n4: size=+, type=X\n",
		input); diff != "" {
		t.Errorf("the input of sfdisk (-want +got):\n%s", diff)
	}
}

func TestPackageCommands(t *testing.T) {
	all := action.InstallPackages{Refresh: true, PackagesConfig: machine.PackagesConfig{
		Install: []string{"a", "b=1~*"}, Upgrade: true,
	}}
	text, err := os.ReadFile("await.sh")
	if err != nil {
		t.Fatal(err)
	}
	await := "sh -c " + action.Quote(script.StripShell(string(text))) + " sh "
	for id, want := range map[osprofile.PackageManager]string{
		osprofile.PackageManagerAPT: await + "dpkg --force-confold --configure -a\n" + await +
			`apt-get -yq -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=300 update
apt-get -yq -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=300 upgrade
apt-get -yq -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=300 install a 'b=1~*'`,
		osprofile.PackageManagerDNF:  "dnf -yq makecache\ndnf -yq upgrade\ndnf -yq install a 'b=1~*'",
		osprofile.PackageManagerTDNF: "tdnf -yq makecache\ntdnf -yq upgrade\ntdnf -yq install a 'b=1~*'",
		osprofile.PackageManagerZypper: "zypper -nq refresh\nzypper -nq update\n" +
			`sh -c '"$@";_code=$?;[ $_code = 106 ]||exit $_code' sh ` +
			"zypper -nq install a 'b=1~*'",
	} {
		m, ok := linuxcmd.FindPackageManager(id)
		var got []string
		for _, c := range m.Commands(all, all.Install) {
			got = append(got, c.String())
		}
		if diff := cmp.Diff(want, strings.Join(got, "\n")); !ok || diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	if _, ok := linuxcmd.FindPackageManager(osprofile.PackageManagerNone); ok {
		t.Error("a system without a package manager has one")
	}
}

// TestSkippedRepository installs with a zypper that skips a repository, and fails otherwise.
func TestSkippedRepository(t *testing.T) {
	m, _ := linuxcmd.FindPackageManager(osprofile.PackageManagerZypper)
	for name, c := range map[string]struct {
		reason       string
		zypper, want int
	}{
		"installed": {"", 0, 0},
		"skipped":   {"the other repositories have the package", 106, 0},
		"not found": {"the package is missing", 104, 104},
		"failed":    {"", 4, 4},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			stub := fmt.Sprintf("#!/bin/sh\n[ \"$*\" = '-nq install jq' ] && exit %d\nexit 1\n", c.zypper)
			if err := os.WriteFile(filepath.Join(dir, "zypper"), []byte(stub), 0o700); err != nil { //nolint:gosec // a program
				t.Fatal(err)
			}
			install := m.Commands(action.InstallPackages{}, []string{"jq"})[0].String()
			sh := exec.CommandContext(t.Context(), "sh", "-c", install)
			sh.Env = []string{"PATH=" + dir + ":/usr/bin:/bin"}
			if out, err := sh.CombinedOutput(); sh.ProcessState.ExitCode() != c.want {
				t.Errorf("%s: got %v and the output %q", c.reason, err, out)
			}
		})
	}
}

// TestHasProgram runs the condition with programs that print a status of the package.
func TestHasProgram(t *testing.T) {
	for name, c := range map[string]struct {
		reason  string
		manager osprofile.PackageManager
		// status is what dpkg-query prints, which fails without one.
		status  string
		program string
		want    bool
	}{
		"no program":       {"it must be installed", osprofile.PackageManagerAPT, "", "other", false},
		"of the image":     {"the package is not known", osprofile.PackageManagerAPT, "", "tool", true},
		"removed":          {"the image has another package", osprofile.PackageManagerAPT, "config-files 1.0", "tool", true},
		"installed":        {"", osprofile.PackageManagerAPT, "installed 1.0", "tool", true},
		"half-installed":   {"dpkg was unpacking it", osprofile.PackageManagerAPT, "half-installed 1.0", "tool", false},
		"unpacked":         {"its services are not set up", osprofile.PackageManagerAPT, "unpacked 1.0", "tool", false},
		"half-configured":  {"its script ended", osprofile.PackageManagerAPT, "half-configured 1.0", "tool", false},
		"one of two":       {"", osprofile.PackageManagerAPT, "installed 1.0\nunpacked 1.0", "tool", false},
		"a manager of RPM": {"the program suffices", osprofile.PackageManagerDNF, "unpacked 1.0", "tool", true},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := linuxcmd.FindPackageManager(c.manager)
			dir := t.TempDir()
			query := "#!/bin/sh\n[ \"$5\" = pkg ] && printf '%s\\n' '" + c.status + "'\n"
			if c.status == "" {
				query = "#!/bin/sh\necho no packages found >&2\nexit 1\n"
			}
			for file, text := range map[string]string{c.program: "#!/bin/sh\n", "dpkg-query": query} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o700); err != nil { //nolint:gosec // a program
					t.Fatal(err)
				}
			}
			sh := exec.CommandContext(t.Context(), "sh", "-c", m.HasProgram("tool", []string{"pkg"}))
			sh.Env = []string{"PATH=" + dir + ":/usr/bin:/bin"}
			out, err := sh.CombinedOutput()
			if (err == nil) != c.want || len(out) > 0 {
				t.Errorf("%s: got %v and the output %q", c.reason, err, out)
			}
		})
	}
}

// TestLocksAreAwaited runs the first command for apt with stubs: grep finds the lock in /proc/locks unless it is free.
func TestLocksAreAwaited(t *testing.T) {
	apt, _ := linuxcmd.FindPackageManager(osprofile.PackageManagerAPT)
	command := apt.Commands(action.InstallPackages{}, []string{"a"})[0]
	for name, c := range map[string]struct {
		reason      string
		fails, code int
		free        bool
		calls       int
	}{
		"free":          {reason: "the usual case", calls: 1, free: true},
		"held":          {reason: "unattended upgrades end", fails: 2, calls: 3},
		"another error": {reason: "waiting does not help", fails: 9, free: true, code: 2, calls: 1},
		"too long":      {reason: "the bootstrap fails at last", fails: 999, code: 2, calls: 61},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			grep := "exit 0"
			if c.free {
				grep = "exit 1"
			}
			for program, body := range map[string]string{
				"stat": "echo ':7 '", "sleep": ":", "grep": grep,
				"dpkg": "echo >>" + dir + "/calls; [ $(wc -l <" + dir + "/calls) -gt " + strconv.Itoa(c.fails) + " ] || exit 2",
			} {
				if err := os.WriteFile(filepath.Join(dir, program), []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			sh := exec.Command(command[0], command[1:]...)
			sh.Env = []string{"PATH=" + dir + ":/usr/bin:/bin"}
			out, err := sh.CombinedOutput()
			calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
			if code := sh.ProcessState.ExitCode(); code != c.code || len(calls) != c.calls {
				t.Errorf("%s: exit code %d after %d calls, want %d after %d: %v: %s", c.reason, code, len(calls), c.code, c.calls,
					err, out)
			}
		})
	}
}

func TestPasswordField(t *testing.T) {
	hash := secret.FromString("$6$a$b")
	for name, c := range map[string]struct {
		user machine.User
		want string
	}{
		"no password": {machine.User{}, "*"},
		"empty":       {machine.User{Unlocked: true}, ""},
		"locked":      {machine.User{PasswordHash: hash}, "!$6$a$b"},
		"unlocked":    {machine.User{PasswordHash: hash, Unlocked: true}, "$6$a$b"},
		"lock":        {machine.User{PasswordHash: secret.FromString("!x")}, "!x"},
	} {
		if got := linuxcmd.PasswordField(c.user); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestSudoersFile(t *testing.T) {
	for name, want := range map[string]string{
		"ada": "/etc/sudoers.d/machineadm-ada: ada ALL", "a.b~": "/etc/sudoers.d/machineadm-a%2Eb%7E: a.b~ ALL",
		"ADA": `/etc/sudoers.d/machineadm-ADA: "ADA" ALL`,
	} {
		f := linuxcmd.SudoersFile(machine.User{Name: name, Sudo: "ALL"})
		content, _ := f.Content.Static()
		if got := f.Path + ": " + string(content); got != want+"\n" {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTemporary(t *testing.T) {
	long := strings.Repeat("n", 255)
	if got := linuxcmd.Temporary("/etc/a"); got != "/etc/.a.machineadm-new" {
		t.Errorf("got %s", got)
	}
	if got := linuxcmd.Temporary("/etc/" + long); len(got) > len("/etc/")+255 ||
		got == linuxcmd.Temporary("/etc/x"+long[1:]) {
		t.Errorf("got %s", got)
	}
}
