package winscript

import (
	"strings"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// Identity collects what counts after a reboot alone: a name, languages, a domain. It is for a format that cannot say
// them and may ask for a reboot.
type Identity struct{ lines []string }

// Reboots reports whether Windows has to be started again before the program can run.
func (i *Identity) Reboots() bool { return len(i.lines) > 0 }

// Script returns the PowerShell that brings it about, for the last lines of a layout.
func (i *Identity) Script() string {
	if len(i.lines) == 0 {
		return ""
	}
	return "    " + strings.Join(i.lines, "\n    ") + "\n"
}

// Host adds a host's settings. A script cannot set what belongs to the profile of somebody who logs in, nor draw a
// name.
func (i *Identity) Host(c machine.HostConfig, at report.Path) report.Report {
	var r report.Report
	for _, field := range []struct {
		name  string
		given bool
	}{{"randomHostname", c.RandomHostname}, {"uiLanguage", c.UILanguage != ""}, {"keyboard", c.Keyboard != ""}} {
		if field.given {
			r = append(r, report.Errorf(at.Field(field.name), "only an answer file can say it").To(
				"leave it out, or use the format unattend"))
		}
	}
	if c.Locale != "" {
		i.lines = append(i.lines, "Set-WinSystemLocale -SystemLocale "+Quote(c.Locale), "Set-Culture -CultureInfo "+
			Quote(c.Locale))
	}
	if c.Hostname != "" {
		i.lines = append(i.lines, "if ($env:COMPUTERNAME -ne "+Quote(c.Hostname)+") { Rename-Computer -NewName "+
			Quote(c.Hostname)+" -Force }")
	}
	return r
}

// Join adds a domain. The account that it makes has the new name, if there is one: it is not in force yet.
func (i *Identity) Join(j machine.DomainJoin) {
	if data := j.OfflineData(); data != "" {
		i.lines = append(i.lines,
			`$blob = "$state\blob"`,
			"(New-PrivateFile $blob).Close()",
			"[IO.File]::WriteAllText($blob, "+Quote(data)+", [Text.Encoding]::Unicode)",
			`& djoin.exe /requestodj /loadfile $blob /windowspath C:\Windows /localos`,
			"$result = $LASTEXITCODE",
			"[IO.File]::Delete($blob)",
			`if ($result -ne 0) { throw "djoin ended with exit code $result" }`)
		return
	}
	user := j.Username
	if !strings.ContainsAny(user, `\@`) {
		user = j.Domain + `\` + user
	}
	unit := ""
	if j.OrganizationalUnit != "" {
		unit = " -OUPath " + Quote(j.OrganizationalUnit)
	}
	i.lines = append(i.lines,
		"$secure = ConvertTo-SecureString -AsPlainText -Force -String "+Quote(string(j.Password.Reveal())),
		"$credential = New-Object Management.Automation.PSCredential("+Quote(user)+", $secure)",
		"Add-Computer -DomainName "+Quote(j.Domain)+unit+
			" -Credential $credential -Options @('JoinWithNewName', 'AccountCreate') -Force")
}
