package delegate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/delegate"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// windowsPlan returns a plan for Windows with a host, a domain, two users and a service.
func windowsPlan(host machine.HostConfig) plan.Plan {
	p := plan.Plan{Target: osprofile.Target{
		Profile:      osprofile.Profile{Family: osprofile.FamilyWindows, Shell: osprofile.ShellPowerShell, BinDir: `C:\k`},
		Architecture: "amd64",
	}}
	add := func(path report.Path, v document.Value, op action.Operation) {
		p = p.With(document.Document{Value: v, Source: document.Source{Path: path}}, action.Of(op))
	}
	join := machine.DomainJoin{Domain: "a.example", Username: "joe", Password: secret.FromString("x")}
	ops := machine.User{Name: "ops", SSHAuthorizedKeys: []string{"ssh-ed25519 AAAA me"}}
	add("host", host, action.ConfigureHost{HostConfig: host})
	add("domain", join, action.JoinDomain{DomainJoin: join})
	add("user ops", ops, action.EnsureUser{User: ops})
	add("user app", machine.User{Name: "app"}, action.EnsureUser{User: machine.User{Name: "app"}})
	add("unit", machine.Unit{Name: "spooler"}, action.EnsureUnit{Unit: machine.Unit{Name: "spooler"}})
	return p
}

// TestPlanOnWindows verifies what userdata of Windows contains: the user who can log in, the agent, its configuration
// and the command that starts it. The name, the domain, other accounts and services are the agent's.
func TestPlanOnWindows(t *testing.T) {
	o := byAgent(delivery.Agent{Fetch: &delivery.AgentFetch{URL: "https://a/{arch}.exe", SHA256: "0"}})
	o.Plugins = []delivery.PluginPin{{Name: "machineadm-timesync-plugin-ptp", SHA256: "1"}}
	reduced, _, err := delegate.Encoder{Codec: paths{}}.Plan(t.Context(), windowsPlan(machine.HostConfig{Hostname: "a"}),
		o, "d")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"user user ops: ensure user ops",
		`file d: fetch C:\Program Files\machineadm\machineadm.exe from https://a/amd64.exe`,
		`file d: write C:\ProgramData\machineadm\machineadm_config.yaml`, "join d: run machineadm apply",
	}
	if diff := cmp.Diff(want, stepsOf(reduced)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("host\ndomain\nuser app\nunit\n", configurationOf(t, reduced)); diff != "" {
		t.Error(diff)
	}
	const script = `& 'C:\Program Files\machineadm\machineadm.exe' apply --pin 'machineadm-timesync-plugin-ptp=1'`
	if got := scriptOf(reduced); got != script {
		t.Errorf("the userdata runs %s", got)
	}
}

// configurationOf returns the agent's configuration, which is private.
func configurationOf(t *testing.T, p plan.Plan) string {
	t.Helper()
	file := fileOf(p)
	text, _ := file.Content.Static()
	if !file.Private() {
		t.Error("all users can read the configuration")
	}
	return string(text)
}

// scriptOf returns the script of the last step.
func scriptOf(p plan.Plan) string {
	command, _ := p.Steps[len(p.Steps)-1].Do.(action.RunCommand)
	return command.Script
}

// TestAnswerFileKeepsItsSettings verifies that a host with settings that only an answer file supports stays there.
func TestAnswerFileKeepsItsSettings(t *testing.T) {
	for name, host := range map[string]machine.HostConfig{
		"random name": {RandomHostname: true}, "menus": {UILanguage: "de-DE"}, "keyboard": {Keyboard: "de-DE"},
	} {
		t.Run(name, func(t *testing.T) {
			stays, moves := delegate.Split(windowsPlan(host), byAgent(delivery.Agent{}))
			if stays.Documents[0].Kind() != machine.KindHost || moves.Documents[0].Kind() != machine.KindDomainJoin {
				t.Errorf("stays: %v, moves: %v", stays.Documents[0].Kind(), moves.Documents[0].Kind())
			}
		})
	}
}

// TestHostilePathOfAgent verifies that no path ends the literal of PowerShell.
func TestHostilePathOfAgent(t *testing.T) {
	for _, path := range []string{
		`C:\it's\a.exe`, `C:\$(calc)\a.exe`, "C:\\`calc`\\a.exe", "C:\\\u2019; calc; \u2018\\a.exe", `C:\a; calc.exe`,
	} {
		found := delegate.Check(windowsPlan(machine.HostConfig{}).Target, delivery.Agent{Path: path}, "d")
		if len(found) > 0 {
			t.Errorf("%s: %v", path, found)
		}
		reduced, _, err := delegate.Encoder{Codec: paths{}}.Plan(t.Context(), windowsPlan(machine.HostConfig{}),
			byAgent(delivery.Agent{Path: path}), "d")
		if err != nil {
			t.Fatal(err)
		}
		doubled := strings.NewReplacer("'", "''", "\u2018", "\u2018\u2018", "\u2019", "\u2019\u2019").Replace(path)
		if got := scriptOf(reduced); got != "& '"+doubled+"' apply" {
			t.Errorf("%s: the userdata runs %s", path, got)
		}
	}
	for _, path := range []string{"C:\\a\n.exe", `C:\NUL\a.exe`, `C:\"&calc&".exe`, `C:\a\..\b.exe`, `\\share\a.exe`} {
		found := delegate.Check(windowsPlan(machine.HostConfig{}).Target, delivery.Agent{Path: path}, "d")
		if !found.HasErrors() {
			t.Errorf("%q is accepted", path)
		}
	}
}
