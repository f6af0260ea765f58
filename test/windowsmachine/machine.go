// Package windowsmachine is a Windows machine in memory, for tests of the agent on other systems. It executes the
// commands that the agent's sessions run after the functions of windowscmd, and fails the test for any other command.
// It shows nothing about PowerShell itself.
package windowsmachine

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/system/windows"
	"github.com/machineadm/machineadm/ports"
)

// stateAt is the agent's state directory, and stateDir is its place below the drive.
const (
	stateAt  = `C:\ProgramData\machineadm`
	stateDir = "ProgramData/machineadm"
)

// Machine is a Windows machine in memory, whose drive C: is a directory. It implements windows.Runner.
type Machine struct {
	t testing.TB
	// Drive is the directory of the drive.
	Drive string
	// Groups are the members of the local groups.
	Groups   map[string]map[string]bool
	Users    map[string]*Account
	Services map[string]*Service
	// Computer are the properties of the machine, and Pending those that take effect after a restart.
	Computer, Pending map[string]string
	Restarts          int
	// Restarted is called when Windows restarts.
	Restarted func()
	// Arguments are the command lines of all programs, and Scripts the scripts of users that ran.
	Arguments, Scripts []string
	// Registered reports whether a program runs at each start of Windows.
	Registered bool
	// Functions are those that each session must begin with; empty allows any.
	Functions string
	// DomainPassword is the password of the account that may join machines to a domain.
	DomainPassword string
	account        string
}

// Account is a local account.
type Account struct {
	Password, Comment string
	Enabled           bool
}

// Service is a service of Windows.
type Service struct{ StartType, Status string }

// New returns a machine with some services and accounts.
func New(t testing.TB) *Machine {
	t.Helper()
	return &Machine{
		t: t, Drive: t.TempDir(), Groups: map[string]map[string]bool{"Administrators": {}, "Users": {}},
		Users:    map[string]*Account{"Administrator": {Enabled: true}},
		Services: map[string]*Service{"containerd": {"Manual", "Stopped"}, "spooler": {"Automatic", "Running"}},
		Computer: map[string]string{"name": "WIN-1", "timeZone": "UTC", "locale": "en-US"},
		Pending:  map[string]string{},
	}
}

// Host returns the machine as the agent sees it, until the end of the test. The originals store replaced files.
func (d *Machine) Host(originals ports.Originals) *windows.Host {
	d.t.Helper()
	h, err := windows.New(d.Drive, d, originals)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = h.Close() })
	return h
}

// Run starts a program: icacls, shutdown or a session of PowerShell.
func (d *Machine) Run(_ context.Context, argv ...string) ([]byte, int, error) {
	d.Arguments = append(d.Arguments, strings.Join(argv, " "))
	switch argv[0] {
	case "icacls.exe":
		return nil, 0, nil
	case "shutdown.exe":
		d.Restarts++
		maps.Copy(d.Computer, d.Pending)
		clear(d.Pending)
		if d.Restarted != nil {
			d.Restarted()
		}
		return nil, 0, nil
	}
	if slices.Contains(argv, "-Command") {
		return []byte("Microsoft Windows Server 2022 Datacenter\r\n"), 0, nil
	}
	text, err := os.ReadFile(filepath.Join(d.Drive, stateDir, "step.ps1"))
	if err != nil {
		return nil, 0, err
	}
	if slices.Contains(argv, stateAt+`\run.ps1`) {
		d.Scripts = append(d.Scripts, strings.TrimPrefix(string(text), "\ufeff"))
		return nil, 0, nil
	}
	if _, restart, is := strings.Cut(string(text), "\r\nRestart-Service "); is {
		d.Scripts = append(d.Scripts, "Restart-Service "+restart)
		return nil, 0, nil
	}
	return d.session(string(text))
}

// endOfFunction ends a function. No command contains it.
const endOfFunction = "\n}\n"

// session executes the commands of a session.
func (d *Machine) session(text string) ([]byte, int, error) {
	head := "\ufeff$ErrorActionPreference = 'Stop'\r\n$state = '" + stateAt + "'\n" + d.Functions
	end := strings.LastIndex(text, endOfFunction)
	if !strings.HasPrefix(text, head) || end < 0 {
		return nil, 0, fmt.Errorf("this is not a session: %.100s", text)
	}
	var out strings.Builder
	var err error
	commands := strings.TrimSpace(text[end+len(endOfFunction):])
	for ; commands != ""; commands = strings.TrimLeft(commands, "; \n") {
		if commands, err = d.execute(commands, &out); err != nil {
			return []byte(err.Error()), 1, nil //nolint:nilerr // A command that fails ends the session with exit code 1.
		}
	}
	return []byte(out.String()), 0, nil
}

// execute executes the first command, and returns the others.
func (d *Machine) execute(commands string, out *strings.Builder) (string, error) {
	for _, c := range d.commands() {
		m := c.pattern.FindStringSubmatch(commands)
		if m == nil {
			continue
		}
		var values []string
		for _, v := range m[1:] {
			values = append(values, decoded(d.t, v))
		}
		return commands[len(m[0]):], c.run(values, out)
	}
	d.t.Errorf("the double does not know the command %q", commands)
	return "", nil
}

// decoded returns the value of an argument.
func decoded(t testing.TB, argument string) string {
	t.Helper()
	if text, encoded := strings.CutPrefix(argument, "(ConvertFrom-Base64Text '"); encoded {
		value, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(text, "')"))
		if err != nil {
			t.Fatal(err)
		}
		return string(value)
	}
	if !strings.HasPrefix(argument, "'") {
		return argument
	}
	return strings.ReplaceAll(argument[1:len(argument)-1], "''", "'")
}

type doubleCommand struct {
	pattern *regexp.Regexp
	run     func(values []string, out *strings.Builder) error
}

// doubleOf returns a command. In its text, ? is one argument, and ~ is the rest of a list of arguments.
func doubleOf(text string, run func(v []string, out *strings.Builder) error) doubleCommand {
	pattern := regexp.QuoteMeta(text)
	pattern = strings.ReplaceAll(pattern, `\?`, `('(?:[^']|'')*'|\(ConvertFrom-Base64Text '[A-Za-z0-9+/=]*'\))`)
	pattern = strings.ReplaceAll(pattern, `~`, `(@\([^)]*\))`)
	pattern = strings.ReplaceAll(pattern, `%`, `([A-Za-z]+)`)
	return doubleCommand{regexp.MustCompile(`^` + pattern), run}
}

// changing returns a command that prints nothing.
func changing(text string, run func(v []string) error) doubleCommand {
	return doubleOf(text, func(v []string, _ *strings.Builder) error { return run(v) })
}

func (d *Machine) commands() []doubleCommand {
	return slices.Concat(d.showCommands(), d.accountCommands(), d.restoreCommands(), d.serviceCommands(),
		d.computerCommands(), d.taskCommands())
}

func (d *Machine) taskCommands() []doubleCommand {
	set := func(registered bool) func([]string) error {
		return func([]string) error { d.Registered = registered; return nil }
	}
	return []doubleCommand{changing("Register-Program", set(true)), changing("Unregister-Program", set(false))}
}

func show(out *strings.Builder, name, value string) {
	fmt.Fprintf(out, "%s=%s\r\n", name, base64.StdEncoding.EncodeToString([]byte(value)))
}

func (d *Machine) showCommands() []doubleCommand {
	return []doubleCommand{
		doubleOf("Show-Proxy", func([]string, *strings.Builder) error { return nil }),
		doubleOf("Show-Group ?", func(v []string, out *strings.Builder) error {
			if d.Groups[v[0]] != nil {
				show(out, "exists", "True")
			}
			return nil
		}),
		doubleOf("Show-User ? ~", func(v []string, out *strings.Builder) error {
			u := d.Users[v[0]]
			if u == nil {
				return nil
			}
			out.WriteString("a module loads\r\n")
			show(out, "exists", "True")
			show(out, "enabled", map[bool]string{true: "True", false: "False"}[u.Enabled])
			show(out, "comment", u.Comment)
			for name, members := range d.Groups {
				if members[v[0]] && strings.Contains(v[1], "'"+name+"'") {
					show(out, "member", name)
				}
			}
			return nil
		}),
		doubleOf("Show-Service ?", func(v []string, out *strings.Builder) error {
			if s := d.Services[v[0]]; s != nil {
				show(out, "exists", "True")
				show(out, "startType", s.StartType)
				show(out, "status", s.Status)
			}
			return nil
		}),
		doubleOf("Show-Computer", func(_ []string, out *strings.Builder) error {
			for name, value := range d.Computer {
				show(out, name, value)
			}
			return nil
		}),
	}
}

// password sets the password of an account, and creates it if it does not exist.
func (d *Machine) password(name, password string) {
	if d.Users[name] == nil {
		d.Users[name] = &Account{Enabled: true}
	}
	d.Users[name].Password = password
}

func (d *Machine) accountCommands() []doubleCommand {
	return []doubleCommand{
		changing("Set-Group ?", func(v []string) error {
			if d.Groups[v[0]] == nil {
				d.Groups[v[0]] = map[string]bool{}
			}
			return nil
		}),
		changing("$account = Get-AccountName ?", func(v []string) error { d.account = v[0]; return nil }),
		changing("Set-Password $account ?", func(v []string) error { d.password(d.account, v[0]); return nil }),
		changing("Set-RandomPassword $account", func([]string) error {
			if d.Users[d.account] == nil {
				d.password(d.account, "random")
			}
			return nil
		}),
		changing("Set-LocalUser -Name $account -FullName ?", func(v []string) error {
			d.Users[d.account].Comment = v[0]
			return nil
		}),
		changing("Add-Member $account ?", func(v []string) error {
			if d.Groups[v[0]] == nil {
				return fmt.Errorf("there is no group %s", v[0])
			}
			d.Groups[v[0]][d.account] = true
			return nil
		}),
		changing("Disable-LocalUser -Name $account", func([]string) error {
			d.Users[d.account].Enabled = false
			return nil
		}),
	}
}

func (d *Machine) restoreCommands() []doubleCommand {
	return []doubleCommand{
		changing("Get-LocalGroup -Name ? -ErrorAction SilentlyContinue | Remove-LocalGroup", func(v []string) error {
			delete(d.Groups, v[0])
			return nil
		}),
		changing("$account = Get-LocalUser -Name (Get-AccountName ?) -ErrorAction SilentlyContinue", func(v []string) error {
			d.account = v[0]
			return nil
		}),
		changing("if ($account) { Remove-LocalUser -Name $account.Name }", func([]string) error {
			delete(d.Users, d.account)
			for _, members := range d.Groups {
				delete(members, d.account)
			}
			return nil
		}),
		changing("Set-LocalUser -Name $account.Name -FullName ?", func(v []string) error {
			d.Users[d.account].Comment = v[0]
			return nil
		}),
		changing("Remove-LocalGroupMember -Group (Get-GroupName ?) -Member $account.Name -ErrorAction SilentlyContinue",
			func(v []string) error { delete(d.Groups[v[0]], d.account); return nil }),
		changing("Enable-LocalUser -Name $account.Name", func([]string) error {
			d.Users[d.account].Enabled = true
			return nil
		}),
	}
}

// set changes a service.
func (d *Machine) set(name string, change func(s *Service)) error {
	if d.Services[name] == nil {
		return fmt.Errorf("cannot find any service with service name %s", name)
	}
	change(d.Services[name])
	return nil
}

func (d *Machine) serviceCommands() []doubleCommand {
	return []doubleCommand{
		changing("Set-Service -Name ? -StartupType %", func(v []string) error {
			return d.set(v[0], func(s *Service) { s.StartType = v[1] })
		}),
		changing("Start-Service -Name ?", func(v []string) error {
			return d.set(v[0], func(s *Service) { s.Status = "Running" })
		}),
		changing("Stop-Service -Name ? -Force", func(v []string) error {
			return d.set(v[0], func(s *Service) { s.Status = "Stopped" })
		}),
	}
}

func (d *Machine) computerCommands() []doubleCommand {
	later := func(name string) func(v []string) error {
		return func(v []string) error { d.Pending[name] = v[len(v)-1]; return nil }
	}
	return []doubleCommand{
		changing("Set-TimeZone -Id ?", func(v []string) error { d.Computer["timeZone"] = v[0]; return nil }),
		changing("Set-WinSystemLocale -SystemLocale ?", later("locale")),
		changing("Set-Culture -CultureInfo ?", func([]string) error { return nil }),
		changing("if ($env:COMPUTERNAME -ne ?) { Rename-Computer -NewName ? -Force }", later("name")),
		changing("Join-Domain ? ? ? ?", func(v []string) error {
			if v[3] != d.DomainPassword {
				return fmt.Errorf("the domain refuses %s", v[2])
			}
			d.Pending["domain"] = v[0]
			return nil
		}),
		changing("Join-DomainOffline ?", func([]string) error { d.Pending["domain"] = "offline.example"; return nil }),
	}
}
