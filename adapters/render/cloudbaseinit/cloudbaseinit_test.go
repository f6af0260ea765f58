package cloudbaseinit_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/render/cloudbaseinit"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/windows"
)

func planOf(t testing.TB, ops ...action.Operation) plan.Plan {
	t.Helper()
	profile, known := osprofile.Lookup("windows-server-2022")
	if !known {
		t.Fatal("no such profile")
	}
	docs := make([]document.Document, len(ops))
	expansions := make([]plan.Expansion, len(ops))
	for i, op := range ops {
		docs[i] = document.Document{Value: machine.Command{}, Source: document.Source{Path: report.Path("doc").Index(i)}}
		expansions[i].Actions = action.Of(op)
	}
	return plan.New(osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3"},
		docs, expansions)
}

func render(t testing.TB, ops ...action.Operation) (string, report.Report) {
	t.Helper()
	rendering, findings, err := cloudbaseinit.New().Render(t.Context(), planOf(t, ops...))
	if err != nil {
		t.Fatal(err)
	}
	return string(rendering.Payload.Data.Reveal()), findings
}

var packedPattern = regexp.MustCompile(`Install-Program '([A-Za-z0-9+/=]+)'`)

// script returns the layout of a payload of either kind, and the program in it.
func script(t testing.TB, payload string) (string, windows.Program) {
	t.Helper()
	layout, isScript := strings.CutPrefix(payload, "#ps1_sysnative\n")
	if !isScript {
		layout = cloudConfig(t, payload)
	}
	m := packedPattern.FindStringSubmatch(layout)
	if m == nil {
		t.Fatal("the layout holds no program")
	}
	text, err := windows.Unpack(m[1])
	if err != nil {
		t.Fatal(err)
	}
	program, err := windows.ReadProgram(text)
	if err != nil {
		t.Fatal(err)
	}
	return layout, program
}

// cloudConfig reads a document as cloudbase-init does. It knows these keys, and these encodings of files
// (cloudbaseinit/plugins/common/userdataplugins/cloudconfigplugins).
func cloudConfig(t testing.TB, payload string) string {
	t.Helper()
	known := []string{
		"write_files", "set_timezone", "timezone", "set_hostname", "hostname", "ntp", "groups",
		"users", "runcmd",
	}
	var keys map[string]any
	if err := yaml.Unmarshal([]byte(payload), &keys); err != nil || !strings.HasPrefix(payload, "#cloud-config\n") {
		t.Fatalf("%v: %.80q", err, payload)
	}
	for key := range keys {
		if !slices.Contains(known, key) {
			t.Errorf("cloudbase-init passes over %s", key)
		}
	}
	var document struct {
		WriteFiles []struct{ Path, Encoding, Content string } `yaml:"write_files"`
		RunCmd     []string                                   `yaml:"runcmd"`
	}
	if err := yaml.Unmarshal([]byte(payload), &document); err != nil || len(document.WriteFiles) != 1 ||
		document.WriteFiles[0].Encoding != "gz+b64" {
		t.Fatalf("%v: %v", err, document)
	}
	if len(document.RunCmd) != 1 || !strings.HasSuffix(document.RunCmd[0], " -File "+document.WriteFiles[0].Path) {
		t.Errorf("%v does not run %s", document.RunCmd, document.WriteFiles[0].Path)
	}
	layout, err := windows.Unpack(document.WriteFiles[0].Content)
	if err != nil {
		t.Fatal(err)
	}
	return string(layout)
}

func file(f machine.File) action.Operation { return action.WriteFile{File: f} }

func TestKindOfPayload(t *testing.T) {
	cases := map[string]struct {
		reason string
		do     []action.Operation
		want   string
		last   string
	}{
		"plain": {
			reason: "all of it is in the subset", want: "#cloud-config\nset_timezone: UTC\nwrite_files:\n",
			do: []action.Operation{
				file(machine.File{Path: `C:\a`}),
				action.ConfigureHost{HostConfig: machine.HostConfig{TimeZone: "UTC"}},
			},
			last: "exit 0\n",
		},
		"secret": {
			reason: "write_files has no access control", do: []action.Operation{file(machine.File{Path: `C:\a`, Secret: true})},
			want: "#ps1_sysnative\n", last: "exit 0\n",
		},
		"password": {
			reason: "nor is a password for every user", want: "#ps1_sysnative\n", last: "exit 0\n",
			do: []action.Operation{action.EnsureUser{User: machine.User{Name: "a", Password: secret.FromString("x")}}},
		},
		"zone in a script": {
			do: []action.Operation{
				file(machine.File{Path: `C:\a`, Mode: 0o600}),
				action.ConfigureHost{HostConfig: machine.HostConfig{TimeZone: "UTC"}},
			},
			want: "#ps1_sysnative\n", last: "Set-TimeZone -Id 'UTC'\n& powershell.exe",
		},
		"name": {
			reason: "it counts after a reboot, and 1001 does not run the script again",
			do:     []action.Operation{action.ConfigureHost{HostConfig: machine.HostConfig{Hostname: "win-1", Locale: "de-DE"}}},
			want:   "#ps1_sysnative\n",
			last: "Set-WinSystemLocale -SystemLocale 'de-DE'\nSet-Culture -CultureInfo 'de-DE'\n" +
				"if ($env:COMPUTERNAME -ne 'win-1') { Rename-Computer -NewName 'win-1' -Force }\nexit 1001\n",
		},
		"domain": {
			do: []action.Operation{action.JoinDomain{DomainJoin: machine.DomainJoin{
				Domain: "a.example", Username: "joe", Password: secret.FromString("it's"), OrganizationalUnit: "OU=Ä",
			}}},
			want: "#ps1_sysnative\n",
			last: `Join-Domain 'a.example' (ConvertFrom-Base64Text 'T1U9w4Q=') 'a.example\joe' 'it''s'` + "\nexit 1001\n",
		},
		"domain offline": {
			do: []action.Operation{action.JoinDomain{DomainJoin: machine.DomainJoin{ProvisioningData: secret.FromString(
				"YQ==")}}},
			want: "#ps1_sysnative\n", last: "Join-DomainOffline 'YQ=='\nexit 1001\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			payload, r := render(t, tc.do...)
			if len(r) > 0 || !strings.HasPrefix(payload, tc.want) {
				t.Fatalf("%s: %v: got %.60q, want %q", tc.reason, r, payload, tc.want)
			}
			if layout, _ := script(t, payload); !strings.Contains(layout, tc.last) {
				t.Errorf("%s: the installer does not contain %s:\n%s", tc.reason, tc.last,
					layout[strings.Index(layout, "Register-Scheduled"):])
			}
		})
	}
}

// TestEC2LaunchRunsAScript renders scripts for EC2Launch, which ignores exit codes and does not read cloud-config.
func TestEC2LaunchRunsAScript(t *testing.T) {
	for name, c := range map[string]struct {
		op   action.Operation
		last string
	}{
		"plain": {file(machine.File{Path: `C:\a`}), "Start-ScheduledTask -TaskName 'machineadm'\n}\n"},
		"name": {
			action.ConfigureHost{HostConfig: machine.HostConfig{Hostname: "win-1"}},
			"{ Rename-Computer -NewName 'win-1' -Force }\nRestart-Computer -Force\n}\n",
		},
		"tags": {
			action.JoinDomain{DomainJoin: machine.DomainJoin{
				Domain: "a.example", Username: "joe", Password: secret.FromString("</powershell>"),
			}},
			" (ConvertFrom-Base64Text 'PC9wb3dlcnNoZWxsPg==')\nRestart-Computer -Force\n}\n",
		},
	} {
		p := planOf(t, c.op)
		p.EC2Launch = true
		rendering, findings, err := cloudbaseinit.New().Render(t.Context(), p)
		got := string(rendering.Payload.Data.Reveal())
		if err != nil || len(findings) > 0 || !strings.HasPrefix(got, "$ErrorActionPreference = 'Stop'\n") ||
			!strings.Contains(got, c.last) || strings.Contains(got, "exit 1001") {
			t.Errorf("%s: %v, %v: the script does not contain %q:\n%s", name, err, findings, c.last, got)
		}
	}
}

func TestProgramArrives(t *testing.T) {
	payload, _ := render(t, file(machine.File{Path: `C:\ä`, Content: document.Text("\x00{{\r\n")}),
		action.RunCommand{Script: "é\n", When: document.PhasePost})
	_, program := script(t, payload)
	if diff := cmp.Diff(map[string][]byte{`C:\ä`: []byte("\x00{{\r\n")}, program.Files); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"é\n"}, program.Scripts); diff != "" {
		t.Error(diff)
	}
}

func TestRefuses(t *testing.T) {
	host := machine.HostConfig{RandomHostname: true, UILanguage: "de-DE", Keyboard: "de-DE"}
	payload, r := render(t, action.ConfigureHost{HostConfig: host}, action.Link{Path: `C:\a`, Target: `C:\b`})
	want := `error: doc[0].randomHostname: only an answer file can set it; leave it out, or use the format unattend
error: doc[0].uiLanguage: only an answer file can set it; leave it out, or use the format unattend
error: doc[0].keyboard: only an answer file can set it; leave it out, or use the format unattend
error: doc[1]: Windows cannot link C:\a to C:\b; leave it out, or write a script in preCommands`
	if diff := cmp.Diff(want, r.String()); diff != "" || payload != "" {
		t.Errorf("%.60q\n%s", payload, diff)
	}
	p := planOf(t)
	p.Snippets = []plan.Snippet{{
		Snippet: delivery.Snippet{Format: delivery.FormatCloudbaseInit},
		Source:  document.Source{Path: "snippets[0]"},
	}}
	if _, r, err := cloudbaseinit.New().Render(t.Context(), p); err != nil || !strings.HasPrefix(r.String(),
		"error: snippets[0]: ") {
		t.Errorf("got %v, %v", r, err)
	}
}
