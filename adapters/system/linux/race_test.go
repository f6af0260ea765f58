//go:build linux

package linux_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/test/nightly"
)

// attackIn is the environment variable with the home directory in which this program acts as the attacker.
const attackIn = "MACHINEADM_TEST_ATTACK"

func TestMain(m *testing.M) {
	if home := os.Getenv(attackIn); home != "" {
		attack(home)
		return
	}
	os.Exit(m.Run())
}

// attack runs until it is killed. It exchanges directories and files of the user with links to files of root, and
// removes files that root creates.
func attack(home string) {
	links := map[string]string{
		".ssh-link": "/etc", ".app-link": "/etc/profile.d", ".ssh/link": "/etc/shadow", ".ssh/authorized_keys": "/etc/shadow",
		".app/link": "/etc/shadow",
	}
	for name, target := range links {
		_ = os.Symlink(target, home+"/"+name)
	}
	fmt.Println("ready")
	exchange := func(a, b string) {
		_ = unix.Renameat2(unix.AT_FDCWD, home+"/"+a, unix.AT_FDCWD, home+"/"+b, unix.RENAME_EXCHANGE)
	}
	for i := 0; ; i++ {
		exchange(".ssh", ".ssh-link")
		exchange(".app", ".app-link")
		exchange(".ssh-link/authorized_keys", ".ssh-link/link")
		if i%16 == 0 {
			_ = os.Remove(home + "/.ssh/authorized_keys")
			_ = os.Rename(home+"/.app/.env.sh.machineadm-new", home+"/.ssh/authorized_keys")
			_ = os.Rename(home+"/.app/d", home+"/.app/e")
			_ = os.Remove(home + "/.app/e")
		}
	}
}

// attacked starts a process of the user that runs attack.
func attacked(t *testing.T, dir string) {
	t.Helper()
	self := exec.CommandContext(t.Context(), "/proc/self/exe")
	self.Env = []string{attackIn + "=" + dir + "/home/u"}
	self.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: attacker, Gid: attacker}}
	out, err := self.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = self.Process.Kill(); _ = self.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("the attacker printed %q, %v", line, err)
	}
}

// TestRaceOfAnAttacker applies operations to a home directory while a process of the user exchanges directories and
// links. Root may fail, but it never writes elsewhere, gives away files of root or reads them for the user.
func TestRaceOfAnAttacker(t *testing.T) {
	rounds := nightly.Or(10_000, 500)
	dir := victim(t)
	h := open(t, dir)
	attacked(t, dir)
	of := machine.Owner{User: "u", Group: "u"}
	done := 0
	for i := range rounds {
		ops := []action.Operation{
			user(ownKey),
			action.WriteFile{File: machine.File{
				Path:    "/home/u/.app/env.sh",
				Content: document.Text(strconv.Itoa(i)), Owner: of,
			}},
			action.MakeDirectory{Path: "/home/u/.app/d", Mode: 0o700, Owner: of},
			action.FetchFile{Path: "/home/u/.app/env.sh", URL: "file:///etc/profile.d/README", SHA256: digest("")},
			action.WriteFile{File: machine.File{Path: "/home/u/.app/n/env.sh", Content: document.Text("x"), Append: true}},
		}
		if err := h.Apply(t.Context(), ops[i%len(ops)], journal.Original{}); err == nil {
			done++
		}
		untouched(t, dir, fmt.Sprintf("attempt %d", i))
		if (i+1)%1000 == 0 {
			t.Logf("%d of %d calls, %d not refused", i+1, rounds, done)
		}
	}
	t.Logf("%d calls, of which %d were not refused", rounds, done)
	if done == 0 || done == rounds {
		t.Error("either nothing was applied, or nothing was attacked")
	}
}
