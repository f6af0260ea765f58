package winscript_test

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/internal/winscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/secret"
)

func step(op action.Operation) plan.SourcedStep {
	return plan.SourcedStep{Step: plan.Step{Phase: op.Phase(), Do: op}, Source: document.Source{Path: "doc"}}
}

// steps returns the lines of the program that carry out the operations, without those of every program.
func steps(t *testing.T, ops ...action.Operation) (lines []string, findings string) {
	t.Helper()
	var all []plan.SourcedStep
	for _, op := range ops {
		all = append(all, step(op))
	}
	program, r := winscript.Program(all, winscript.Options{})
	for line := range strings.Lines(string(program)) {
		if strings.HasPrefix(line, "Invoke-Step ") && !strings.HasPrefix(line, "Invoke-Step 'start'") &&
			!strings.Contains(line, "'finish'") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines, r.String()
}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func TestSteps(t *testing.T) {
	on, off := true, false
	file := func(f machine.File) action.Operation {
		f.Path = `C:\k\it's`
		return action.WriteFile{File: f}
	}
	cases := map[string]struct {
		reason string
		do     []action.Operation
		want   []string
	}{
		"file": {
			do:   []action.Operation{file(machine.File{Content: document.Text("a")})},
			want: []string{`Invoke-Step 'file' 'doc' { Write-File 'C:\k\it''s' $false @('YQ==') }`},
		},
		"empty file": {
			do:   []action.Operation{file(machine.File{})},
			want: []string{`Invoke-Step 'file' 'doc' { Write-File 'C:\k\it''s' $false @() }`},
		},
		"secret file": {
			reason: "only SYSTEM and the administrators read it", do: []action.Operation{file(machine.File{Secret: true})},
			want: []string{`Invoke-Step 'file' 'doc' { Write-File 'C:\k\it''s' $true @() }`},
		},
		"fact": {
			do: []action.Operation{file(machine.File{Content: document.Join(document.Text("a"),
				document.FromFact(document.FactHostname))})},
			want: []string{`Invoke-Step 'file' 'doc' { Write-File 'C:\k\it''s' $false @('YQ==', (Get-Fact 'hostname')) }`},
		},
		"appended": {
			reason: "what is there keeps its access", do: []action.Operation{file(machine.File{Append: true, Secret: true})},
			want: []string{`Invoke-Step 'file' 'doc' { Add-File 'C:\k\it''s' $false @() }`},
		},
		"directory": {
			do: []action.Operation{action.MakeDirectory{Path: `C:\a`, Mode: 0o700}},
			want: []string{`Invoke-Step 'file' 'doc' { $null = [IO.Directory]::CreateDirectory('C:\a'); Protect-Directory ` +
				`'C:\a' }`},
		},
		"download": {
			do: []action.Operation{action.FetchFile{
				Path: `C:\k\a.exe`, URL: "https://a.example/a",
				SHA512: "ab", Mode: 0o755,
			}},
			want: []string{`Invoke-Step 'file' 'doc' { Get-Download 'https://a.example/a' 'C:\k\a.exe' $false SHA512 'ab' }`},
		},
		"group": {
			do:   []action.Operation{action.EnsureGroup{Group: machine.Group{Name: "ops"}}},
			want: []string{`Invoke-Step 'user' 'doc' { Set-Group 'ops' }`},
		},
		"user": {
			do: []action.Operation{action.EnsureUser{User: machine.User{
				Name: "ops", Comment: "Öps", Groups: []string{"Administrators"}, Password: secret.FromString("it's"),
				Inactive:          true,
				SSHAuthorizedKeys: []string{"ssh-x a"},
			}}},
			want: []string{
				`Invoke-Step 'user' 'doc' { $account = Get-AccountName 'ops'; Set-Password $account 'it''s'; Set-LocalUser -Name ` +
					`$account -FullName ` +
					`(ConvertFrom-Base64Text '` + b64("Öps") +
					`'); Add-Member $account 'Administrators'; Disable-LocalUser -Name $account }`,
				`Invoke-Step 'user' 'doc' { Add-File 'C:\ProgramData\ssh\administrators_authorized_keys' $true @('` +
					b64("ssh-x a\r\n") + `') }`,
			},
		},
		"user without a password": {
			reason: "no one knows it", do: []action.Operation{action.EnsureUser{User: machine.User{Name: "ops"}}},
			want: []string{`Invoke-Step 'user' 'doc' { $account = Get-AccountName 'ops'; Set-RandomPassword $account }`},
		},
		"services": {
			reason: "restarts are once, at the end of the phase",
			do: []action.Operation{
				action.EnsureUnit{
					Unit:      machine.Unit{Name: "containerd", Enabled: &on},
					RestartOn: []document.Kind{machine.KindProxy},
				},
				action.EnsureUnit{Unit: machine.Unit{Name: "containerd.service"}, RestartOn: []document.Kind{machine.KindProxy}},
				action.EnsureUnit{Unit: machine.Unit{Name: "sshd", Enabled: &on}},
				action.EnsureUnit{Unit: machine.Unit{Name: "wuauserv", Enabled: &off}},
				action.RunCommand{Script: "x", When: document.PhasePre},
			},
			want: []string{
				`Invoke-Step 'unit' 'doc' { Set-Service -Name 'containerd' -StartupType Automatic }`,
				`Invoke-Step 'unit' 'doc' { Set-Service -Name 'sshd' -StartupType Automatic; Start-Service -Name 'sshd' }`,
				`Invoke-Step 'unit' 'doc' { Set-Service -Name 'wuauserv' -StartupType Disabled; Stop-Service -Name 'wuauserv' ` +
					`-Force }`,
				`Invoke-Step 'unit' 'doc' { Restart-Service -Name 'containerd' -Force }`,
				`Invoke-Step 'pre' 'doc' { Invoke-Script '` + b64("\ufeffx") + `' }`,
			},
		},
		"boot commands": {
			reason: "they have files, since they run again",
			do:     []action.Operation{action.RunCommand{Script: "\ufeffx", When: document.PhaseBoot}},
			want:   []string{`Invoke-Step 'boot' 'doc' { Invoke-BootScript '0001' '` + b64("\ufeffx") + `' }`},
		},
		"name and domain": {
			reason: "whatever gave them, they are looked at",
			do: []action.Operation{
				action.ConfigureHost{HostConfig: machine.HostConfig{Hostname: "win-1", TimeZone: "UTC"}},
				action.JoinDomain{DomainJoin: machine.DomainJoin{Domain: "corp.example"}},
			},
			want: []string{
				`Invoke-Step 'trust' 'doc' { Assert-Name 'win-1' }`,
				`Invoke-Step 'trust' 'doc' { Assert-Domain 'corp.example' }`,
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, findings := steps(t, tc.do...)
			if diff := cmp.Diff(tc.want, got); diff != "" || findings != "" {
				t.Errorf("%s: %s (-want +got):\n%s", tc.reason, findings, diff)
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	one := 1
	cases := map[string]struct {
		reason string
		do     action.Operation
		want   string
	}{
		"path": {do: action.WriteFile{File: machine.File{Path: "/etc/a"}}, want: `"/etc/a" is not a Windows path`},
		"owner": {
			do:   action.WriteFile{File: machine.File{Path: `C:\a`, Owner: machine.Owner{User: "x"}}},
			want: "files on Windows belong to SYSTEM and the administrators",
		},
		"fact": {
			do:   action.WriteFile{File: machine.File{Path: `C:\a`, Content: document.FromFact(document.FactZone)}},
			want: "the machine's zone is not known on Windows",
		},
		"URL": {do: action.FetchFile{Path: `C:\a`, URL: `https://a.example/"`}, want: "write them percent-encoded"},
		"unit": {
			do:   action.EnsureUnit{Unit: machine.Unit{Name: "a.service", Content: document.Text("[Unit]")}},
			want: "create the service with New-Service in preCommands",
		},
		"timer": {
			do:   action.EnsureUnit{Unit: machine.Unit{Name: "a.timer"}},
			want: "Windows has services instead of units",
		},
		"link":      {do: action.Link{Path: `C:\a`, Target: `C:\b`}, want: `Windows cannot link C:\a to C:\b`},
		"disk":      {do: action.PartitionDisk{}, want: "Windows cannot partition"},
		"swap":      {do: action.EnableSwap{}, want: "Windows cannot use swap"},
		"packages":  {do: action.InstallPackages{}, want: "Windows cannot install"},
		"NUL":       {do: action.RunCommand{Script: "a\x00"}, want: "UTF-8 text without NUL bytes"},
		"not UTF-8": {do: action.RunCommand{Script: "a\xff"}, want: "UTF-8 text without NUL bytes"},
		"group":     {do: action.EnsureGroup{Group: machine.Group{Name: "a", GID: &one}}, want: "leave gid and system out"},
		"user": {
			do:   action.EnsureUser{User: machine.User{Name: "a", Sudo: "ALL"}},
			want: "error: doc.sudo: Windows accounts have no sudo",
		},
		"hash": {
			do:   action.EnsureUser{User: machine.User{Name: "a", PasswordHash: secret.FromString("$6$")}},
			want: "error: doc.passwordHash: Windows does not accept password hashes",
		},
		"long name": {
			do:   action.EnsureUser{User: machine.User{Name: strings.Repeat("a", 21)}},
			want: "use at most 20 characters",
		},
		"user's key": {
			do:   action.EnsureUser{User: machine.User{Name: "a", SSHAuthorizedKeys: []string{"x"}}},
			want: "error: doc.sshAuthorizedKeys",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			lines, findings := steps(t, tc.do)
			if !strings.Contains(findings, tc.want) || len(lines) > 0 {
				t.Errorf("%s: got %q and %v, want %q", tc.reason, findings, lines, tc.want)
			}
		})
	}
}

// PowerShell reads a file without a byte order mark in the system's own code page.
func TestProgramIsASCII(t *testing.T) {
	program, r := winscript.Program([]plan.SourcedStep{
		step(action.WriteFile{File: machine.File{Path: "C:\\Ä\u2019", Content: document.Text("ß")}}),
		step(action.RunCommand{Script: "‘é’", When: document.PhasePost}),
		{
			Step:   plan.Step{Phase: document.PhasePost, Do: action.RunCommand{Script: "x"}},
			Source: document.Source{Path: `a["'; Remove-Item C:\ #` + "\u2019\n" + `"]`},
		},
	}, winscript.Options{AfterSetup: true})
	if len(r) > 0 {
		t.Fatal(r)
	}
	if i := strings.IndexFunc(string(program), func(c rune) bool { return c > '~' || (c < ' ' && c != '\n') }); i >= 0 {
		t.Errorf("%q is not ASCII", program[i:i+10])
	}
	if !strings.Contains(string(program), b64(`a["'; Remove-Item C:\ #`+"\u2019\n"+`"]`)) {
		t.Error("the path of a document is parsed as PowerShell")
	}
}

// The stages of a program, whose order is its guarantee.
func TestOrder(t *testing.T) {
	steps := []plan.SourcedStep{step(action.RunCommand{Script: "x", When: document.PhasePre})}
	program, _ := winscript.Program(steps, winscript.Options{AfterSetup: true})
	for _, stages := range [][]string{
		{
			"Wait-Setup\n", "Initialize-State\n", `Exists("$state\started")`, `Create("$state\started")`, "'answer files'",
			"Invoke-Step 'pre'", "{ Complete-Bootstrap",
		},
		{"function Complete-Bootstrap", `bootstrap.ps1" $true`, `Create("$state\done")`, "bootstrap-success.complete"},
	} {
		at := -1
		for _, stage := range stages {
			next := strings.LastIndex(string(program), stage)
			if next <= at {
				t.Errorf("%q is at %d, want it after %d", stage, next, at)
			}
			at = next
		}
	}
	if n := len(regexp.MustCompile(`'success'`).FindAllString(string(program), -1)); n != 1 {
		t.Errorf("success is published in %d places", n)
	}
}

// TestPrivateFilesAreCreatedPrivate holds that a private file has its access control list from the call that creates
// it: a list that is set later does not protect it from users who opened it or own it.
func TestPrivateFilesAreCreatedPrivate(t *testing.T) {
	program, _ := winscript.Program(nil, winscript.Options{})
	for _, text := range []string{string(program), winscript.Installer("''", "")} {
		if !strings.Contains(text, "New-Object IO.FileStream($Path, [IO.FileMode]::CreateNew, $rights, "+
			"[IO.FileShare]::None, ") ||
			strings.Contains(text, "[IO.File]::SetAccessControl") {
			t.Error("the list of a private file is set after the file is created")
		}
	}
	if !strings.Contains(winscript.Installer("''", ""), `New-PrivateFile "$state\bootstrap.ps1"`) {
		t.Error("the program is written to a file that another user may have created")
	}
	lines, _ := steps(t, action.FetchFile{
		Path: `C:\k\key`, URL: "https://a.example/a", SHA256: "ab",
		Mode: machine.SecretFileMode,
	})
	want := `Invoke-Step 'file' 'doc' { Get-Download 'https://a.example/a' 'C:\k\key' $true SHA256 'ab' }`
	if !slices.Contains(lines, want) {
		t.Errorf("got %q, want %q", lines, want)
	}
}

// TestModesHaveAnEffectOnWindows renders modes of Linux, which most templates for Windows contain.
func TestModesHaveAnEffectOnWindows(t *testing.T) {
	for mode, want := range map[machine.Mode]struct{ finding, line string }{
		0o600: {"", `Write-File 'C:\a' $true`},
		0o755: {"", `Write-File 'C:\a' $false`},
		0o640: {
			`info: doc: Windows has no permissions 0640; C:\a is for SYSTEM and the administrators only`,
			`Write-File 'C:\a' $true`,
		},
		0o744: {
			`info: doc: Windows has no permissions 0744; C:\a inherits the permissions of its directory`,
			`Write-File 'C:\a' $false`,
		},
	} {
		lines, findings := steps(t, action.WriteFile{File: machine.File{Path: `C:\a`, Mode: mode}})
		if findings != want.finding || len(lines) != 1 || !strings.Contains(lines[0], want.line) {
			t.Errorf("%04o: got %q and %v", uint32(mode), findings, lines)
		}
	}
}

// TestAgentCompletesTheBootstrap verifies that a program that starts the agent does not write the sentinel, and that it
// takes no restart of Windows for a failure.
func TestAgentCompletesTheBootstrap(t *testing.T) {
	start := step(action.RunCommand{Name: "machineadm apply", Script: "& 'C:\\a.exe' apply", When: document.PhaseJoin})
	program, findings := winscript.Program([]plan.SourcedStep{start}, winscript.Options{Agent: true})
	want := "\nInvoke-Step 'join' 'doc' { Invoke-Agent '" + b64("\ufeff& 'C:\\a.exe' apply") + "' }\n"
	if len(findings) > 0 || !strings.HasSuffix(string(program), want) {
		t.Errorf("%v; the program ends in %s", findings, program[max(0, len(program)-300):])
	}
	for _, text := range []string{"function Invoke-Agent(", "@(143, -1073741510, 1073807364) -contains $LASTEXITCODE"} {
		if !strings.Contains(string(program), text) {
			t.Errorf("the program does not contain %s", text)
		}
	}
	if strings.Contains(string(program), "Invoke-Step 'post' 'finish'") {
		t.Error("the program completes the bootstrap in place of the agent")
	}
	native, _ := winscript.Program([]plan.SourcedStep{start}, winscript.Options{})
	if strings.Contains(string(native), "Invoke-Agent") {
		t.Error("a command of a program without an agent starts it")
	}
}

// TestAuthoritiesAreRefused verifies that a download does not ignore the authorities that it must trust alone.
func TestAuthoritiesAreRefused(t *testing.T) {
	lines, findings := steps(t, action.FetchFile{
		Path: `C:\a`, URL: "https://a", SHA256: strings.Repeat("0", 64), Authorities: "-----BEGIN CERTIFICATE-----",
	})
	if len(lines) > 0 || findings != "error: doc: a download on Windows trusts only the certificates of the machine; "+
		"add the authorities to trustedCAs" {
		t.Errorf("%s, %q", findings, lines)
	}
}

// TestUsersCannotWriteTheResult holds that the directory of the sentinel and the failure is protected before the
// program runs: in other directories of the drive all users can create and replace files.
func TestUsersCannotWriteTheResult(t *testing.T) {
	program, _ := winscript.Program(nil, winscript.Options{})
	for _, text := range []string{string(program), winscript.Installer("''", "")} {
		_, initialize, _ := strings.Cut(text, "function Initialize-State {")
		initialize, _, _ = strings.Cut(initialize, "\n}\n")
		lines := strings.Split(strings.Join(strings.Fields(initialize), " "), " Protect-Directory ")
		want := []string{
			"$null = [IO.Directory]::CreateDirectory($state)", "$state $null = [IO.Directory]::CreateDirectory($public)",
			"$public '(A;OICI;0x1200a9;;;BU)' Write-Log 'start'",
		}
		if !slices.Equal(lines, want) || !strings.Contains(text, "'O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)' + $Others") {
			t.Errorf("the directories are created by %q", lines)
		}
	}
}
