package hostile

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/canary"
)

// WindowsDir is where the cases for Windows put their files.
const WindowsDir = `C:\hostile`

// WindowsCases returns the inputs that a machine of Windows must take or refuse by their field: the contents of the
// table, and what breaks PowerShell, XML and Windows's own names. Scripts are what Files holds under the name of the
// case.
func WindowsCases() []Case {
	var all []Case
	for _, c := range contentCases() {
		f, isFile := c.Documents[0].Value.(machine.File)
		if !isFile || len(c.Documents) > 1 || len(f.Content.Facts()) > 0 {
			continue
		}
		f.Path = WindowsDir + `\` + c.Name
		all = append(all, file("windows-"+c.Name, c.Reason, f))
	}
	for _, group := range [][]Case{windowsPaths(), windowsCommands(), windowsAccounts(), windowsHosts()} {
		all = append(all, group...)
	}
	for i := range all {
		for j := range all[i].Documents {
			all[i].Documents[j].Source.Path = report.Path("windows").Index(i).Field("documents").Index(j)
		}
	}
	return all
}

func windowsPath(name, reason, p string) Case {
	return file("windows-path-"+name, reason, machine.File{Path: WindowsDir + `\` + p, Content: document.Text(name)})
}

func noPath(name, reason, p string) Case {
	return refused("windows-path-"+name, reason, machine.File{Path: p})
}

// reserved is a path that only the expanders refuse: it is a valid path of other systems' documents.
func reserved(name, reason, p string) Case {
	f := machine.File{Path: p}
	return Case{Name: "windows-path-" + name, Reason: reason, Documents: []document.Document{doc(f)}}
}

func windowsPaths() []Case {
	return []Case{
		windowsPath("quote", "ends a string of PowerShell", `it's`),
		windowsPath("curly-quote", "PowerShell takes it for a quote", "it\u2019s \u201cso\u201d"),
		windowsPath("variable", "PowerShell would fill it in", `$env $(Get-Date) ${x}`),
		windowsPath("percent", "cmd would fill it in", `%TEMP%`),
		windowsPath("wildcard", "cmdlets take it for a pattern", `[a-z]`),
		windowsPath("backtick", "escapes in PowerShell", "`n`0"),
		windowsPath("braces", "format strings", `{0} {{x}}`),
		windowsPath("ampersand", "XML and cmd", `a & b ^ (c) ; d`),
		windowsPath("emoji", "two units of UTF-16", "😀"),
		windowsPath("accent", "not in every code page", "Straße é"),
		windowsPath("dash", "an option", `-Force`),
		reserved("state", "runs as SYSTEM at each start", `C:\ProgramData\machineadm\boot\0001.ps1`),
		reserved("state-case", "the same file in another case", `c:\programdata\MACHINEADM\bootstrap.ps1`),
		reserved("sentinel", "fakes a success", `C:\run\cluster-api\bootstrap-success.complete`),
		noPath("stream", "an alternate stream of another file", `C:\a:b`),
		noPath("device", "opens a device", `C:\a\NUL.txt`),
		noPath("question", "no name", `C:\a?`),
		noPath("slash", "another spelling of the same file", `C:/a`),
		noPath("dot", "Windows drops it", `C:\a.`),
		noPath("blank", "Windows drops it", `C:\a `),
		noPath("parent", "climbs out", `C:\a\..\b`),
		noPath("newline", "ends a step", "C:\\a\nb"),
		noPath("long", "longer than MAX_PATH", `C:\`+repeat("a", 300)),
		noPath("share", "another machine's", `\\server\share\a`),
		noPath("drive", "relative to the drive's directory", `C:a`),
	}
}

func windowsCommand(name, reason, script string) Case {
	return Case{
		Name: "windows-command-" + name, Reason: reason, Files: map[string][]byte{"windows-command-" + name: []byte(script)},
		Documents: []document.Document{doc(machine.Command{Phase: document.PhasePre, Script: script})},
	}
}

func windowsCommands() []Case {
	return []Case{
		windowsCommand("here-string", "ends at a quote and an at sign", "$x = @'\n'@ # '\nWrite-Output $x\n"),
		windowsCommand("quotes", "all that PowerShell takes for quotes",
			"Write-Output 'a' \"b\" \u2018c\u2019 \u201cd\u201d\n"),
		windowsCommand("xml", "ends the element or the section", "Write-Output '</Program>]]>&amp;<!--'\n"),
		windowsCommand("crlf", "XML would make one character of them", "Write-Output a\r\nWrite-Output b\r"),
		windowsCommand("block", "ends the block that contains the steps", "}\n#>\nexit 0 }\n"),
		windowsCommand("no-newline", "no final line break", "Write-Output a"),
		windowsCommand("unicode", "code pages", "Write-Output 'Straße 😀 \u2028'\n"),
	}
}

func windowsAccounts() []Case {
	user := func(name, reason, password string) Case {
		u := machine.User{Name: "hostile", Password: secret.FromString(canary.Mark + password)}
		return Case{Name: "windows-password-" + name, Reason: reason, Documents: []document.Document{doc(u)}}
	}
	join := func(name, reason, password string) Case {
		j := machine.DomainJoin{Domain: "a.example", Username: `A\joe`, Password: secret.FromString(canary.Mark + password)}
		return Case{Name: "windows-join-" + name, Reason: reason, Documents: []document.Document{doc(j)}}
	}
	return []Case{
		user("quotes", "ends a string", "it's \"so\" \u2019"), user("xml", "markup", "<&>]]>"),
		user("unicode", "UTF-16", "ß😀"),
		user("control", "not in XML", "a\x01"), user("blank", "might be trimmed", " "),
		refused("windows-password-lines", "a second line",
			machine.User{Name: "a", Password: secret.FromString(canary.Mark + "\nb")}),
		join("quotes", "ends a string", "it's \"so\" \u2019"), join("xml", "markup", "<&>]]>"),
		join("control", "not in XML", "a\x01"),
		join("blank", "might be trimmed", " "),
		refused("windows-join-blob", "no base64", machine.DomainJoin{ProvisioningData: secret.FromString(canary.Mark + "é")}),
	}
}

func windowsHosts() []Case {
	host := func(name, reason string, h machine.HostConfig) Case {
		return Case{Name: "windows-host-" + name, Reason: reason, Documents: []document.Document{doc(h)}}
	}
	return []Case{
		host("long", "longer than a NetBIOS name", machine.HostConfig{Hostname: "windows-node-016"}),
		host("zone", "of another system", machine.HostConfig{TimeZone: "Europe/Nowhere"}),
		refused("windows-host-zone", "climbs out", machine.HostConfig{TimeZone: "../../etc/shadow"}),
		refused("windows-host-name", "two names", machine.HostConfig{Hostname: "a b"}),
		refused("windows-host-locale", "a second setting", machine.HostConfig{Locale: "de-DE\nLC_ALL=C"}),
	}
}
