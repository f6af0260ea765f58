package windows_test

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

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/system/windows"
)

// double is a Windows machine in memory. It executes the commands that the agent's sessions run after the functions of
// windowscmd, and fails the test for any other command. It says nothing about PowerShell itself.
type double struct {
	*windows.Host
	t     *testing.T
	drive string
	// groups are the members of the local groups.
	groups   map[string]map[string]bool
	users    map[string]*account
	services map[string]*serviceState
	// computer are the properties of the machine, and pending those that take effect after a restart.
	computer, pending map[string]string
	restarts          int
	// restarted is called when Windows restarts.
	restarted func()
	// arguments are the command lines of all programs.
	arguments []string
	account   string
}

type account struct {
	password, comment string
	enabled           bool
}

type serviceState struct{ startType, status string }

func newDouble(t *testing.T) *double {
	t.Helper()
	d := &double{
		t: t, drive: t.TempDir(), groups: map[string]map[string]bool{"Administrators": {}, "Users": {}},
		users:    map[string]*account{"Administrator": {enabled: true}},
		services: map[string]*serviceState{"containerd": {"Manual", "Stopped"}, "spooler": {"Automatic", "Running"}},
		computer: map[string]string{"name": "WIN-1", "timeZone": "UTC", "locale": "en-US"},
		pending:  map[string]string{},
	}
	h, err := windows.New(d.drive, d, &memory.Originals{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	d.Host = h
	return d
}

// Run starts a program: icacls, shutdown or a session of PowerShell.
func (d *double) Run(_ context.Context, argv ...string) ([]byte, int, error) {
	d.arguments = append(d.arguments, strings.Join(argv, " "))
	switch argv[0] {
	case "icacls.exe":
		return nil, 0, nil
	case "shutdown.exe":
		d.restarts++
		maps.Copy(d.computer, d.pending)
		clear(d.pending)
		if d.restarted != nil {
			d.restarted()
		}
		return nil, 0, nil
	}
	text, err := os.ReadFile(filepath.Join(d.drive, "ProgramData/machineadm/step.ps1"))
	if err != nil {
		return nil, 0, err
	}
	head := "\xef\xbb\xbf$ErrorActionPreference = 'Stop'\r\n" + windowscmd.Session(`C:\ProgramData\machineadm`)
	commands, isSession := strings.CutPrefix(string(text), head)
	if !isSession {
		return nil, 0, fmt.Errorf("this is not a session: %.100s", text)
	}
	var out strings.Builder
	for commands = strings.TrimSpace(commands); commands != ""; commands = strings.TrimLeft(commands, "; \n") {
		if commands, err = d.execute(commands, &out); err != nil {
			return []byte(err.Error()), 1, nil //nolint:nilerr // A command that fails ends the session with exit code 1.
		}
	}
	return []byte(out.String()), 0, nil
}

// execute executes the first command, and returns the others.
func (d *double) execute(commands string, out *strings.Builder) (string, error) {
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
func decoded(t *testing.T, argument string) string {
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

// command returns a command. In its text, ? is one argument, and ~ is the rest of a list of arguments.
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

func (d *double) commands() []doubleCommand {
	return slices.Concat(d.showCommands(), d.accountCommands(), d.restoreCommands(), d.serviceCommands(),
		d.computerCommands())
}

func show(out *strings.Builder, name, value string) {
	fmt.Fprintf(out, "%s=%s\r\n", name, base64.StdEncoding.EncodeToString([]byte(value)))
}

func (d *double) showCommands() []doubleCommand {
	return []doubleCommand{
		doubleOf("Show-Group ?", func(v []string, out *strings.Builder) error {
			if d.groups[v[0]] != nil {
				show(out, "exists", "True")
			}
			return nil
		}),
		doubleOf("Show-User ? ~", func(v []string, out *strings.Builder) error {
			u := d.users[v[0]]
			if u == nil {
				return nil
			}
			out.WriteString("a module loads\r\n")
			show(out, "exists", "True")
			show(out, "enabled", map[bool]string{true: "True", false: "False"}[u.enabled])
			show(out, "comment", u.comment)
			for name, members := range d.groups {
				if members[v[0]] && strings.Contains(v[1], "'"+name+"'") {
					show(out, "member", name)
				}
			}
			return nil
		}),
		doubleOf("Show-Service ?", func(v []string, out *strings.Builder) error {
			if s := d.services[v[0]]; s != nil {
				show(out, "exists", "True")
				show(out, "startType", s.startType)
				show(out, "status", s.status)
			}
			return nil
		}),
		doubleOf("Show-Computer", func(_ []string, out *strings.Builder) error {
			for name, value := range d.computer {
				show(out, name, value)
			}
			return nil
		}),
	}
}

// password sets the password of an account, and creates it if it does not exist.
func (d *double) password(name, password string) {
	if d.users[name] == nil {
		d.users[name] = &account{enabled: true}
	}
	d.users[name].password = password
}

func (d *double) accountCommands() []doubleCommand {
	return []doubleCommand{
		changing("Set-Group ?", func(v []string) error {
			if d.groups[v[0]] == nil {
				d.groups[v[0]] = map[string]bool{}
			}
			return nil
		}),
		changing("$account = Get-AccountName ?", func(v []string) error { d.account = v[0]; return nil }),
		changing("Set-Password $account ?", func(v []string) error { d.password(d.account, v[0]); return nil }),
		changing("Set-RandomPassword $account", func([]string) error {
			if d.users[d.account] == nil {
				d.password(d.account, "random")
			}
			return nil
		}),
		changing("Set-LocalUser -Name $account -FullName ?", func(v []string) error {
			d.users[d.account].comment = v[0]
			return nil
		}),
		changing("Add-Member $account ?", func(v []string) error {
			if d.groups[v[0]] == nil {
				return fmt.Errorf("there is no group %s", v[0])
			}
			d.groups[v[0]][d.account] = true
			return nil
		}),
		changing("Disable-LocalUser -Name $account", func([]string) error {
			d.users[d.account].enabled = false
			return nil
		}),
	}
}

func (d *double) restoreCommands() []doubleCommand {
	return []doubleCommand{
		changing("Get-LocalGroup -Name ? -ErrorAction SilentlyContinue | Remove-LocalGroup", func(v []string) error {
			delete(d.groups, v[0])
			return nil
		}),
		changing("$account = Get-LocalUser -Name (Get-AccountName ?) -ErrorAction SilentlyContinue", func(v []string) error {
			d.account = v[0]
			return nil
		}),
		changing("if ($account) { Remove-LocalUser -Name $account.Name }", func([]string) error {
			delete(d.users, d.account)
			for _, members := range d.groups {
				delete(members, d.account)
			}
			return nil
		}),
		changing("Set-LocalUser -Name $account.Name -FullName ?", func(v []string) error {
			d.users[d.account].comment = v[0]
			return nil
		}),
		changing("Remove-LocalGroupMember -Group (Get-GroupName ?) -Member $account.Name -ErrorAction SilentlyContinue",
			func(v []string) error { delete(d.groups[v[0]], d.account); return nil }),
		changing("Enable-LocalUser -Name $account.Name", func([]string) error {
			d.users[d.account].enabled = true
			return nil
		}),
	}
}

// set changes a service.
func (d *double) set(name string, change func(s *serviceState)) error {
	if d.services[name] == nil {
		return fmt.Errorf("cannot find any service with service name %s", name)
	}
	change(d.services[name])
	return nil
}

func (d *double) serviceCommands() []doubleCommand {
	return []doubleCommand{
		changing("Set-Service -Name ? -StartupType %", func(v []string) error {
			return d.set(v[0], func(s *serviceState) { s.startType = v[1] })
		}),
		changing("Start-Service -Name ?", func(v []string) error {
			return d.set(v[0], func(s *serviceState) { s.status = "Running" })
		}),
		changing("Stop-Service -Name ? -Force", func(v []string) error {
			return d.set(v[0], func(s *serviceState) { s.status = "Stopped" })
		}),
	}
}

func (d *double) computerCommands() []doubleCommand {
	later := func(name string) func(v []string) error {
		return func(v []string) error { d.pending[name] = v[len(v)-1]; return nil }
	}
	return []doubleCommand{
		changing("Set-TimeZone -Id ?", func(v []string) error { d.computer["timeZone"] = v[0]; return nil }),
		changing("Set-WinSystemLocale -SystemLocale ?", later("locale")),
		changing("Set-Culture -CultureInfo ?", func([]string) error { return nil }),
		changing("if ($env:COMPUTERNAME -ne ?) { Rename-Computer -NewName ? -Force }", later("name")),
		changing("Join-Domain ? ? ? ?", func(v []string) error {
			if v[3] != "canary7q9zk2xw5v" {
				return fmt.Errorf("the domain refuses %s", v[2])
			}
			d.pending["domain"] = v[0]
			return nil
		}),
		changing("Join-DomainOffline ?", func([]string) error { d.pending["domain"] = "offline.example"; return nil }),
	}
}
