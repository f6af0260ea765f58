//go:build linux

package linux_test

import (
	"os"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/canary"
)

// TestPasswordsAreNoArguments wraps each account program to record its arguments, because all users can read arguments.
func TestPasswordsAreNoArguments(t *testing.T) {
	d := newDebian(t, "bookworm")
	for _, name := range []string{"useradd", "usermod", "chpasswd"} {
		at := "/usr/sbin/" + name
		if err := os.Rename(d.root+at, d.root+at+".real"); err != nil {
			t.Fatal(err)
		}
		d.put(t, at, "#!/bin/sh\n{ echo \"$0 $*\"; env; } >>/root/seen\nexec "+at+".real \"$@\"\n")
		if err := os.Chmod(d.root+at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	hash := "$6$" + canary.Mark + "$" + strings.Repeat("a", 86)
	user := machine.User{Name: "eve", PasswordHash: secret.FromString(hash), Unlocked: true}
	carryOut(t, d.Host, action.EnsureUser{User: user})
	user.PasswordHash, user.Shell = secret.FromString(hash[:len(hash)-1]+"b"), "/bin/sh"
	carryOut(t, d.Host, action.EnsureUser{User: user})
	if shadow := d.get("/etc/shadow"); !strings.Contains(shadow, "eve:"+hash[:len(hash)-1]+"b:") {
		t.Error("the hash did not arrive")
	}
	seen := d.get("/root/seen")
	for _, name := range []string{"useradd", "usermod", "chpasswd"} {
		if !strings.Contains(seen, "/usr/sbin/"+name+" ") {
			t.Errorf("the witness of %s saw nothing:\n%s", name, seen)
		}
	}
	canary.Check(t, "arguments or the environment", seen)
}

// TestAgentsFilesAreForRootAlone checks the script of a step while it runs, and that it is removed afterwards.
func TestAgentsFilesAreForRootAlone(t *testing.T) {
	d := newDebian(t, "bookworm")
	script := "stat -c %a:%U \"$0\" >/root/mode\ntr '\\0' ' ' </proc/$$/cmdline >/root/arguments\n: " + canary.Mark + "\n"
	if err := d.try(t, action.RunCommand{Name: "look", Script: script, When: document.PhasePre}); err != nil {
		t.Fatal(err)
	}
	if mode := d.get("/root/mode"); mode != "600:root\n" {
		t.Errorf("the script has the mode %q", mode)
	}
	arguments := d.get("/root/arguments")
	if !strings.HasPrefix(arguments, "/bin/sh ") {
		t.Errorf("the arguments are %q", arguments)
	}
	canary.Check(t, "the arguments", arguments)
	if left, err := os.ReadDir(d.root + "/run/machineadm"); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
