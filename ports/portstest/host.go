package portstest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// HostMachine is a machine and how a test looks at it from outside.
type HostMachine struct {
	ports.Host
	// State returns all state that an operation may change, by name. It leaves out irrelevant state, such as times.
	State func(t *testing.T) map[string]string
	// Serve has the content fetched from an address, and returns that.
	Serve func(t *testing.T, content string) string
}

// The text that no difference shows, and the command that fails.
const (
	hostCanary = "c4n4ry7q9zk2xw5v"
	// FailingCommand is a command's name; where no script is run, the machine has it print "why" and end with exit code 7.
	FailingCommand = "fails"
)

// hostCase is an operation on a machine on which others were carried out before.
type hostCase struct {
	reason string
	before []action.Operation
	do     func(served string) action.Operation
}

func just(op action.Operation) func(string) action.Operation {
	return func(string) action.Operation { return op }
}

// Host checks an implementation; fresh returns a machine that has the directory /etc, the group users, and the unit
// chrony.service, which is enabled.
func Host(t *testing.T, fresh func(t *testing.T) HostMachine) {
	m := fresh(t)
	for name, c := range hostCases() {
		t.Run(name, func(t *testing.T) {
			for _, op := range c.before {
				o := carriedOut(t, m, op)
				defer func() { want(t, "take back "+op.Summary(), m.Revert(t.Context(), o), nil) }()
			}
			there(t, m, c)
		})
	}
	t.Run("appends, one after the other", func(t *testing.T) { appends(t, m) })
	t.Run("existing paths", func(t *testing.T) { existing(t, m) })
	t.Run("files, at the same time", func(t *testing.T) { atOnce(t, m) })
	t.Run("wrong digest", func(t *testing.T) { wrongDigest(t, m) })
	t.Run("failing command", func(t *testing.T) { failingCommand(t, m) })
	t.Run("not stopping", func(t *testing.T) {
		if m.IsStopping(t.Context()) {
			t.Error("the machine of the test shuts down")
		}
	})
	t.Run("nothing secret", func(t *testing.T) { nothingSecret(t, m) })
}

func hostCases() map[string]hostCase {
	cases := hostFiles()
	for name, c := range hostAccounts() {
		cases[name] = c
	}
	yes, no := true, false
	cases["new unit"] = hostCase{reason: "a unit comes with its files", do: just(action.EnsureUnit{Unit: machine.Unit{
		Name:    "m-app.service",
		Content: document.Text("[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n"),
		Enabled: &yes,
		DropIns: []machine.DropIn{{Name: "10-a.conf", Content: document.Text("[Service]\nNice=1\n")}},
	}})}
	cases["unit off"] = hostCase{
		reason: "the image's own unit is disabled",
		do:     just(action.EnsureUnit{Unit: machine.Unit{Name: "chrony.service", Enabled: &no}}),
	}
	cases["unit masked"] = hostCase{
		reason: "the image's own unit is masked",
		do:     just(action.EnsureUnit{Unit: machine.Unit{Name: "chrony.service", Masked: true}}),
	}
	cases["unit unmasked"] = hostCase{
		reason: "what is masked has to be unmasked first, and masked again by a reset",
		before: []action.Operation{action.EnsureUnit{Unit: machine.Unit{Name: "chrony.service", Masked: true}}},
		do:     just(action.EnsureUnit{Unit: machine.Unit{Name: "chrony.service", Enabled: &yes}}),
	}
	return cases
}

func hostFiles() map[string]hostCase {
	const content = "\x00\xff\r\n {{ %"
	sum := sha256.Sum256([]byte(content))
	file := func(f machine.File) action.Operation { return action.WriteFile{File: f} }
	return map[string]hostCase{
		"new file": {
			reason: "bytes are bytes, and directories are made",
			do:     just(file(machine.File{Path: "/etc/m/a/new", Content: document.Text(content), Mode: 0o640})),
		},
		"other content": {
			reason: "what was there comes back", before: []action.Operation{file(machine.File{
				Path:    "/etc/m-a",
				Content: document.Text("old"), Mode: 0o600,
			})},
			do: just(file(machine.File{Path: "/etc/m-a", Content: document.Text("new")})),
		},
		"other mode": {
			reason: "a mode is a difference, too", before: []action.Operation{file(machine.File{Path: "/etc/m-a"})},
			do: just(file(machine.File{Path: "/etc/m-a", Mode: 0o4711})),
		},
		"append": {
			reason: "what is there stays in front", before: []action.Operation{file(machine.File{
				Path:    "/etc/m-a",
				Content: document.Text("old"),
			})},
			do: just(file(machine.File{Path: "/etc/m-a", Content: document.Text("new"), Append: true})),
		},
		"append to nothing": {
			reason: "an append makes the file",
			do:     just(file(machine.File{Path: "/etc/m-a", Content: document.Text("new"), Append: true})),
		},
		"owner": {
			reason: "an owner is a name",
			do:     just(file(machine.File{Path: "/etc/m-a", Owner: machine.Owner{User: "root", Group: "users"}})),
		},
		"other owner": {
			reason: "an owner is a difference, too, and may be a number without a user",
			before: []action.Operation{file(machine.File{Path: "/etc/m-a"})},
			do:     just(file(machine.File{Path: "/etc/m-a", Owner: machine.Owner{User: "4711", Group: "4712"}})),
		},
		"directory": {
			reason: "the sticky bit is a part of the mode",
			do:     just(action.MakeDirectory{Path: "/etc/m/d", Mode: 0o1777}),
		},
		"link": {reason: "a target needs not be there", do: just(action.Link{Path: "/etc/m/l", Target: "../nowhere"})},
		"link in place of a file": {
			reason: "a file comes back as it was", before: []action.Operation{file(machine.File{
				Path:    "/etc/m-a",
				Content: document.Text("old"),
			})},
			do: just(action.Link{Path: "/etc/m-a", Target: "/etc/hosts"}),
		},
		"fetched": {reason: "its digest is right", do: func(served string) action.Operation {
			return action.FetchFile{Path: "/etc/m/f", URL: served, SHA256: hex.EncodeToString(sum[:]), Mode: 0o755}
		}},
	}
}

func hostAccounts() map[string]hostCase {
	hash := secret.FromString(
		"$6$salt$FJe7hMHTYGDMYMIbG93oIZlRyr0ajzmn1kWMPmnqIGwLdRLtCX2gRCkmmaCKwFyQFwVi8sxmhzELSmMaBf0Ig/")
	number := 4711
	user := func(u machine.User) action.Operation { return action.EnsureUser{User: u} }
	return map[string]hostCase{
		"group": {
			reason: "the number is ours to choose",
			do:     just(action.EnsureGroup{Group: machine.Group{Name: "m-g", GID: &number}}),
		},
		"system group": {
			reason: "the number is the system's to choose",
			do:     just(action.EnsureGroup{Group: machine.Group{Name: "m-g", System: true}}),
		},
		"user": {reason: "no password, no keys", do: just(user(machine.User{Name: "m-u"}))},
		"user, all fields": {reason: "every field counts", do: just(user(machine.User{
			Name: "m-u", UID: &number, Comment: "A b", PrimaryGroup: "users", Groups: []string{"adm", "audio"},
			Home: "/home/elsewhere", Shell: "/bin/sh",
			PasswordHash: hash, Unlocked: true, Inactive: true, SSHAuthorizedKeys: []string{"ssh-ed25519 AAAA one"},
			Sudo: "ALL=(ALL) NOPASSWD:ALL",
		}))},
		"user without password": {
			reason: "an empty password is one",
			do:     just(user(machine.User{Name: "m-u", Unlocked: true})),
		},
		"known user": {
			reason: "an account is brought in line, and back",
			before: []action.Operation{user(machine.User{Name: "m-u", Groups: []string{"adm"}, PasswordHash: hash})},
			do: just(user(machine.User{
				Name: "m-u", Comment: "other", Shell: "/bin/sh", Groups: []string{"audio"},
				Inactive: true,
			})),
		},
		"more keys": {
			reason: "keys that are there stay", before: []action.Operation{user(machine.User{
				Name:              "m-u",
				SSHAuthorizedKeys: []string{"ssh-ed25519 AAAA one"},
			})},
			do: just(user(machine.User{Name: "m-u", SSHAuthorizedKeys: []string{"ssh-ed25519 AAAA two"}})),
		},
	}
}

// there holds that an operation is seen, done, not done twice, and taken back, twice if need be.
func there(t *testing.T, m HostMachine, c hostCase) {
	t.Helper()
	op := c.do(m.Serve(t, "\x00\xff\r\n {{ %"))
	before := m.State(t)
	original := captured(t, m, op)
	if diff := cmp.Diff(before, m.State(t)); diff != "" {
		t.Fatalf("%s: a look changed the machine:\n%s", c.reason, diff)
	}
	apply(t, m, op, original)
	after := m.State(t)
	if cmp.Equal(before, after) {
		t.Errorf("%s: nothing was done", c.reason)
	}
	want(t, "apply again", m.Apply(t.Context(), op, original), nil)
	if diff := cmp.Diff(after, m.State(t)); diff != "" {
		t.Errorf("%s: the second time changed something:\n%s", c.reason, diff)
	}
	for range 2 {
		want(t, "revert", m.Revert(t.Context(), original), nil)
		if diff := cmp.Diff(before, m.State(t)); diff != "" {
			t.Errorf("%s: something is left:\n%s", c.reason, diff)
		}
	}
}

func captured(t *testing.T, m HostMachine, op action.Operation) journal.Original {
	t.Helper()
	o, err := m.Capture(t.Context(), op)
	want(t, "capture for "+op.Summary(), err, nil)
	return o
}

func difference(t *testing.T, m HostMachine, op action.Operation, o journal.Original) string {
	t.Helper()
	c, err := m.Diff(t.Context(), op, o)
	want(t, "compare for "+op.Summary(), err, nil)
	return strings.Join(c.Lines, "\n")
}

// apply applies and holds that a difference is seen before and none after.
func apply(t *testing.T, m HostMachine, op action.Operation, o journal.Original) {
	t.Helper()
	if difference(t, m, op, o) == "" {
		t.Errorf("%s: no difference is seen before", op.Summary())
	}
	want(t, op.Summary(), m.Apply(t.Context(), op, o), nil)
	if left := difference(t, m, op, o); left != "" {
		t.Errorf("%s: a difference is seen after:\n%s", op.Summary(), left)
	}
}

func carriedOut(t *testing.T, m HostMachine, op action.Operation) journal.Original {
	t.Helper()
	o := captured(t, m, op)
	apply(t, m, op, o)
	return o
}

// atOnce writes files into a directory that none of them finds.
func atOnce(t *testing.T, m HostMachine) {
	t.Helper()
	before := m.State(t)
	var group sync.WaitGroup
	ops := make([]action.Operation, 8)
	originals := make([]journal.Original, len(ops))
	errs := make([]error, len(ops))
	for i := range ops {
		name := "/etc/together/" + string(rune('a'+i))
		ops[i] = action.WriteFile{File: machine.File{Path: name, Content: document.Text(name)}}
		var err error
		originals[i], err = m.Capture(t.Context(), ops[i])
		want(t, "capture "+name, err, nil)
	}
	for i, op := range ops {
		group.Go(func() { errs[i] = m.Apply(t.Context(), op, originals[i]) })
	}
	group.Wait()
	for i, op := range ops {
		want(t, "apply "+op.Summary(), errs[i], nil)
		difference, err := m.Diff(t.Context(), op, originals[i])
		want(t, "diff "+op.Summary(), err, nil)
		if !difference.IsEmpty() {
			t.Errorf("%s: %v", op.Summary(), difference.Lines)
		}
	}
	for i := range ops {
		want(t, "take back "+ops[i].Summary(), m.Revert(t.Context(), originals[i]), nil)
	}
	if diff := cmp.Diff(before, m.State(t)); diff != "" {
		t.Errorf("what is taken back was not there before:\n%s", diff)
	}
}

// appends holds that two appends to one file are two, also if the first is carried out again, and are taken back one by
// one.
func appends(t *testing.T, m HostMachine) {
	before := m.State(t)
	var originals []journal.Original
	for _, text := range []string{"one\n", "two\n"} {
		op := action.WriteFile{File: machine.File{Path: "/etc/m-log", Content: document.Text(text), Append: true}}
		originals = append(originals, carriedOut(t, m, op))
	}
	all := m.State(t)
	written := carriedOut(t, m, action.WriteFile{File: machine.File{
		Path:    "/etc/m-log",
		Content: document.Text("one\ntwo\nx"),
	}})
	want(t, "revert", m.Revert(t.Context(), written), nil)
	if diff := cmp.Diff(all, m.State(t)); diff != "" {
		t.Error(diff)
	}
	for i := len(originals) - 1; i >= 0; i-- {
		want(t, "revert", m.Revert(t.Context(), originals[i]), nil)
	}
	if diff := cmp.Diff(before, m.State(t)); diff != "" {
		t.Error(diff)
	}
}

// existing holds that paths are found without following a link.
func existing(t *testing.T, m HostMachine) {
	originals := []journal.Original{
		carriedOut(t, m, action.WriteFile{File: machine.File{Path: "/etc/m/file"}}),
		carriedOut(t, m, action.MakeDirectory{Path: "/etc/m/dir"}),
		carriedOut(t, m, action.Link{Path: "/etc/m/link", Target: "nowhere"}),
	}
	for path, there := range map[string]bool{
		"/etc/m/file": true, "/etc/m/dir": true, "/etc/m/link": true, "/etc/m/none": false, "/etc/none/none": false,
	} {
		got, err := m.Exists(t.Context(), path)
		want(t, "look for "+path, err, nil)
		if got != there {
			t.Errorf("%s exists: %v", path, got)
		}
	}
	for _, o := range slices.Backward(originals) {
		want(t, "revert", m.Revert(t.Context(), o), nil)
	}
}

func wrongDigest(t *testing.T, m HostMachine) {
	op := action.FetchFile{Path: "/etc/m/f", URL: m.Serve(t, "other"), SHA256: strings.Repeat("0", 64)}
	o, before := captured(t, m, op), m.State(t)
	err := m.Apply(t.Context(), op, o)
	if err == nil || !strings.Contains(err.Error(), "digest") {
		t.Errorf("got %v, want an error that names the digest", err)
	}
	want(t, "revert", m.Revert(t.Context(), o), nil)
	if diff := cmp.Diff(before, m.State(t)); diff != "" {
		t.Error(diff)
	}
}

func failingCommand(t *testing.T, m HostMachine) {
	op := action.RunCommand{Name: FailingCommand, Script: "echo why\nexit 7", When: document.PhasePre}
	err := m.Apply(t.Context(), op, captured(t, m, op))
	var failed *ports.CommandError
	if !errors.As(err, &failed) || failed.ExitCode != 7 || !strings.Contains(string(failed.Output), "why") {
		t.Errorf("got %v, want exit code 7 and the output", err)
	}
}

func nothingSecret(t *testing.T, m HostMachine) {
	for _, op := range []action.Operation{
		action.WriteFile{File: machine.File{Path: "/etc/m-s", Content: document.Text(hostCanary), Secret: true}},
		action.EnsureUser{User: machine.User{Name: "m-s", PasswordHash: secret.FromString("$6$salt$" + hostCanary)}},
		action.RunCommand{Name: "x", Script: "exit 0", Undo: hostCanary, When: document.PhasePre},
	} {
		if text := difference(t, m, op, captured(t, m, op)); text == "" || strings.Contains(text, hostCanary) {
			t.Errorf("%s: the difference is %q", op.Summary(), text)
		}
	}
}
