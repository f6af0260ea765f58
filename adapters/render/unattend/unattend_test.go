package unattend_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/unattend"
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

func target(t testing.TB) osprofile.Target {
	t.Helper()
	profile, known := osprofile.Lookup("windows-server-2022")
	if !known {
		t.Fatal("no such profile")
	}
	return osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3"}
}

// planOf has one document for each operation, at doc[i].
func planOf(t testing.TB, ops ...action.Operation) plan.Plan {
	t.Helper()
	docs := make([]document.Document, len(ops))
	expansions := make([]plan.Expansion, len(ops))
	for i, op := range ops {
		docs[i] = document.Document{Value: machine.Command{}, Source: document.Source{Path: report.Path("doc").Index(i)}}
		expansions[i].Actions = action.Of(op)
	}
	return plan.New(target(t), docs, expansions)
}

// answer is an answer file read back.
type answer struct {
	*windows.Node

	windows.Program
	places []string
}

func render(t testing.TB, ops ...action.Operation) (answer, report.Report) {
	t.Helper()
	rendering, findings, err := unattend.New().Render(t.Context(), planOf(t, ops...))
	if err != nil {
		t.Fatal(err)
	}
	if findings.HasErrors() {
		return answer{}, findings
	}
	root, err := windows.Parse(rendering.Payload.Data.Reveal())
	if err != nil {
		t.Fatal(err)
	}
	windows.Check(t, root)
	program, err := windows.Unpack(root.At("Machineadm/Program").Text)
	if err != nil {
		t.Fatal(err)
	}
	read, err := windows.ReadProgram(program)
	if err != nil {
		t.Fatal(err)
	}
	return answer{Node: root, Program: read, places: rendering.Places}, findings
}

func hidden(password, element string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(password + element)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return base64.StdEncoding.EncodeToString(b)
}

func TestSettings(t *testing.T) {
	user := func(u machine.User) action.Operation {
		u.Password = secret.FromString("pä<ss")
		return action.EnsureUser{User: u}
	}
	join := func(j machine.DomainJoin) action.Operation { return action.JoinDomain{DomainJoin: j} }
	password := secret.FromString("p'<&>\"s")
	cases := map[string]struct {
		reason string
		do     action.Operation
		at     string
		want   []string
		places string
	}{
		"name": {
			do: action.ConfigureHost{HostConfig: machine.HostConfig{Hostname: "win-1", TimeZone: "UTC"}},
			at: "specialize/Microsoft-Windows-Shell-Setup", want: []string{"win-1", "UTC"},
			places: "specialize/Microsoft-Windows-Shell-Setup, Machineadm/Program",
		},
		"random name": {
			do: action.ConfigureHost{HostConfig: machine.HostConfig{RandomHostname: true}},
			at: "specialize/Microsoft-Windows-Shell-Setup/ComputerName", want: []string{"*"},
			places: "specialize/Microsoft-Windows-Shell-Setup",
		},
		"languages": {
			do: action.ConfigureHost{HostConfig: machine.HostConfig{
				Locale: "de-DE", UILanguage: "en-US",
				Keyboard: "0407:00000407",
			}},
			at: "oobeSystem/Microsoft-Windows-International-Core", want: []string{"0407:00000407", "de-DE", "en-US", "de-DE"},
			places: "oobeSystem/Microsoft-Windows-International-Core",
		},
		"join": {
			reason: "the domain of the account is its own",
			do: join(machine.DomainJoin{
				Domain: "a.example", Username: `CORP\joe`, Password: password,
				OrganizationalUnit: "OU=a",
			}),
			at: "specialize/Microsoft-Windows-UnattendedJoin", want: []string{
				"CORP", "p'<&>\"s", "joe",
				"a.example", "OU=a",
			},
			places: "specialize/Microsoft-Windows-UnattendedJoin/Identification, Machineadm/Program",
		},
		"join as a user of the domain": {
			do: join(machine.DomainJoin{Domain: "a.example", Username: "joe", Password: password}),
			at: "specialize/Microsoft-Windows-UnattendedJoin", want: []string{"a.example", "p'<&>\"s", "joe", "a.example"},
			places: "specialize/Microsoft-Windows-UnattendedJoin/Identification, Machineadm/Program",
		},
		"join by a principal's name": {
			do: join(machine.DomainJoin{Domain: "a.example", Username: "joe@b.example", Password: password}),
			at: "specialize/Microsoft-Windows-UnattendedJoin", want: []string{"p'<&>\"s", "joe@b.example", "a.example"},
			places: "specialize/Microsoft-Windows-UnattendedJoin/Identification, Machineadm/Program",
		},
		"join offline": {
			do: join(machine.DomainJoin{ProvisioningData: secret.FromString("YQ==\r\n")}),
			at: "specialize/Microsoft-Windows-UnattendedJoin/Identification/Provisioning/AccountData", want: []string{"YQ=="},
			places: "specialize/Microsoft-Windows-UnattendedJoin/Identification, Machineadm/Program",
		},
		"administrator": {
			do:     user(machine.User{Name: "Administrator"}),
			at:     "oobeSystem/Microsoft-Windows-Shell-Setup/UserAccounts/AdministratorPassword",
			want:   []string{hidden("pä<ss", "AdministratorPassword"), "false"},
			places: "oobeSystem/Microsoft-Windows-Shell-Setup/UserAccounts",
		},
		"account": {
			reason: "other groups may be made later", do: user(machine.User{
				Name: "ops", Comment: "O'Ps",
				Groups: []string{"Administrators", "app"},
			}),
			at:     "oobeSystem/Microsoft-Windows-Shell-Setup/UserAccounts/LocalAccounts/LocalAccount",
			want:   []string{hidden("pä<ss", "Password"), "false", "O'Ps", "Administrators", "ops"},
			places: "oobeSystem/Microsoft-Windows-Shell-Setup/UserAccounts, Machineadm/Program",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, r := render(t, tc.do)
			if len(r) > 0 {
				t.Fatal(r)
			}
			if diff := cmp.Diff(tc.want, strings.Fields(strings.ReplaceAll(got.At(tc.at).Texts(), " ", ""))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if got.places[0] != tc.places {
				t.Errorf("Places: %s, want %s", got.places[0], tc.places)
			}
			if strings.Contains(got.Program.Text, "pä<ss") {
				t.Error("the program has a password that set-up has set")
			}
		})
	}
}

// What set-up does not do is the program's, which asks for the account without its password.
func TestAccountsGroupsAreThePrograms(t *testing.T) {
	got, _ := render(t, action.EnsureUser{User: machine.User{
		Name: "ops", Groups: []string{"app"}, Password: secret.FromString("x"), Inactive: true,
	}})
	want := `{ $account = Get-AccountName 'ops'; Set-RandomPassword $account; Add-Member $account 'app'; ` +
		`Disable-LocalUser -Name $account }`
	if !strings.Contains(got.Program.Text, want) {
		t.Errorf("the program does not contain %s", want)
	}
}

func TestRefuses(t *testing.T) {
	join := machine.DomainJoin{Domain: "a.example", Username: "joe", Password: secret.FromString("x")}
	with := func(password string) action.Operation {
		j := join
		j.Password = secret.FromString(password)
		return action.JoinDomain{DomainJoin: j}
	}
	cases := map[string]struct {
		reason string
		do     action.Operation
		want   string
	}{
		"control": {
			reason: "XML has no such character", do: with("c4n4ry\x01"),
			want: "error: doc[0].password: the value contains characters that XML does not support",
		},
		"no UTF-8": {reason: "an encoder would replace it", do: with("c4n4ry\xff"), want: "error: doc[0].password"},
		"blank": {
			reason: "set-up may drop it", do: with("c4n4ry "),
			want: "error: doc[0].password: the value begins or ends with a blank",
		},
		"hash": {
			do:   action.EnsureUser{User: machine.User{Name: "a", PasswordHash: secret.FromString("$6$c4n4ry")}},
			want: "error: doc[0].passwordHash",
		},
		"comment": {do: action.EnsureUser{User: machine.User{
			Name: "a", Comment: "\x02",
			Password: secret.FromString("c4n4ry"),
		}}, want: "error: doc[0].gecos"},
		"disk": {do: action.PartitionDisk{}, want: "error: doc[0]: Windows cannot partition"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, r := render(t, tc.do)
			if got := r.String(); !strings.Contains(got, tc.want) || strings.Contains(got, "c4n4ry") {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}

func TestRefusesSnippets(t *testing.T) {
	p := planOf(t)
	p.Snippets = []plan.Snippet{{
		Snippet: delivery.Snippet{Format: delivery.FormatUnattend, Text: "<unattend/>"},
		Source:  document.Source{Path: "snippets[0]"},
	}}
	_, r, err := unattend.New().Render(t.Context(), p)
	if err != nil || !strings.HasPrefix(r.String(), "error: snippets[0]: two answer files cannot be merged") {
		t.Errorf("got %v, %v", r, err)
	}
}

// The one command of the answer file stays within its limit, and reads elements of the file.
func TestCommandIsShort(t *testing.T) {
	got, _ := render(t)
	command := got.At("specialize/Microsoft-Windows-Deployment/RunSynchronous/RunSynchronousCommand")
	if n := len(command.At("Path").Text); n > 259 || command.At("Order").Text != "1" {
		t.Errorf("the command has %d characters", n)
	}
	for _, name := range []string{"Installer", "Program"} {
		if !strings.Contains(command.At("Path").Text+got.At("Machineadm/Installer").Text, "$x.unattend.Machineadm."+name) ||
			got.At("Machineadm/"+name).Text == "" {
			t.Errorf("nothing reads %s", name)
		}
	}
}
