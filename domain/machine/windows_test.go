package machine_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestWindowsPaths(t *testing.T) {
	cases := map[string]struct{ reason, path, want string }{
		"plain":   {path: `C:\k\kubelet.exe`},
		"unicode": {reason: "names are UTF-16, so nearly all is allowed", path: `D:\Straße\😀 {{'}}%`},
		"longest": {path: `C:\` + strings.Repeat("a", 256)},
		"long": {
			path: `C:\` + strings.Repeat("a", 257),
			want: "p.path: the path has 260 characters; Windows allows 259",
		},
		"long emoji": {
			reason: "Windows counts UTF-16", path: `C:\` + strings.Repeat("😀", 129),
			want: "p.path: the path has 261 characters; Windows allows 259",
		},
		"deep": {
			path: `C:\` + strings.Repeat("a", 245) + `\b`,
			want: "p.path: the directory has 248 characters; Windows allows 247",
		},
		"slashes": {path: `C:/k/x`, want: `p.path: "C:/k/x" has a slash; write "C:\\k\\x"`},
		"root":    {path: `C:\`, want: "p.path: the path must not be the root directory; choose a path below it"},
		"stream": {
			reason: "a colon names a stream of a file", path: `C:\a:b`,
			want: "p.path: \"C:\\\\a:b\" has a character",
		},
		"control": {path: "C:\\a\nb", want: "has a character that no path of Windows holds"},
		"device": {
			reason: "Windows would open the device", path: `C:\x\Nul.txt`,
			want: `p.path: "Nul.txt" is a device's name on Windows`,
		},
		"no device":   {path: `C:\x\nully`},
		"dot":         {reason: "Windows drops it", path: `C:\x.\y`, want: "ends in a blank or a dot, which Windows drops"},
		"blank":       {path: `C:\x `, want: "ends in a blank or a dot, which Windows drops"},
		"doubled":     {path: `C:\a\\b`, want: "is not clean"},
		"upwards":     {path: `C:\a\..\b`, want: "is not clean"},
		"final":       {path: `C:\a\`, want: "is not clean"},
		"not UTF-8":   {path: "C:\\\xff", want: "the path is not valid UTF-8; use another path"},
		"drive alone": {path: `C:a`, want: "is not absolute"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			check(t, tc.reason, tc.want, machine.File{Path: tc.path}.Check("p"))
		})
	}
}

// check compares findings with the beginning or a part of the text that is wanted; none means that nothing is found.
func check(t *testing.T, reason, want string, r report.Report) {
	t.Helper()
	if got := r.String(); (want == "") != (got == "") || !strings.Contains(got, want) {
		t.Errorf("%s: got %q, want %q", reason, got, want)
	}
}

func TestHost(t *testing.T) {
	cases := map[string]struct {
		reason string
		host   machine.HostConfig
		want   string
	}{
		"empty": {},
		"all": {host: machine.HostConfig{
			Hostname: "Node-1", TimeZone: "W. Europe Standard Time", Locale: "sr-Latn-RS",
			UILanguage: "en-US", Keyboard: "0407:00000407",
		}},
		"offset": {host: machine.HostConfig{TimeZone: "Etc/GMT+11"}},
		"digits": {
			reason: "Windows takes no name of digits alone, and an address would be one",
			host:   machine.HostConfig{Hostname: "123"}, want: "p.hostname",
		},
		"dot": {reason: "a domain is no part of it", host: machine.HostConfig{Hostname: "a.b"}, want: "p.hostname"},
		"two names": {
			host: machine.HostConfig{Hostname: "a", RandomHostname: true},
			want: "p.randomHostname: hostname is set as well",
		},
		"zone": {
			reason: "it becomes part of a path", host: machine.HostConfig{TimeZone: "../../etc/shadow"},
			want: "p.timeZone",
		},
		"zone break": {host: machine.HostConfig{TimeZone: "UTC\n"}, want: "p.timeZone"},
		"locale":     {reason: "that is POSIX's notation", host: machine.HostConfig{Locale: "de_DE.UTF-8"}, want: "p.locale"},
		"language":   {host: machine.HostConfig{UILanguage: "english"}, want: "p.uiLanguage"},
		"keyboard":   {host: machine.HostConfig{Keyboard: "qwertz"}, want: "p.keyboard"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) { check(t, tc.reason, tc.want, tc.host.Check("p")) })
	}
	check(t, "15 are allowed", "", machine.CheckComputerName("p", "windows-node-15"))
	check(t, "NetBIOS ends there", `"windows-node-016" has 16 characters`, machine.CheckComputerName("p",
		"windows-node-016"))
}

func TestTimeZones(t *testing.T) {
	for name, want := range map[string]string{
		"Europe/Berlin": "W. Europe Standard Time", "UTC": "UTC", "Etc/UTC": "UTC",
		"Tokyo Standard Time": "Tokyo Standard Time",
	} {
		if got, ok := machine.WindowsTimeZone(name); got != want || !ok {
			t.Errorf("Windows calls %s %q, %t; want %q", name, got, ok, want)
		}
	}
	if got, ok := machine.WindowsTimeZone("Europe/Vaduz"); ok {
		t.Errorf("Windows calls a city that represents no zone %q", got)
	}
	for name, want := range map[string]string{
		"W. Europe Standard Time": "Europe/Berlin", "Europe/Vaduz": "Europe/Vaduz",
		"UTC": "UTC",
	} {
		if got := machine.IANATimeZone(name); got != want {
			t.Errorf("the IANA calls %s %q, want %q", name, got, want)
		}
	}
}

func TestDomainJoin(t *testing.T) {
	password, blob := secret.FromString("canary7q9zk2xw5v"), base64.StdEncoding.EncodeToString([]byte(
		"canary7q9zk2xw5v blob"))
	whole := machine.DomainJoin{
		Domain: "corp.example", Username: `CORP\joiner`, Password: password,
		OrganizationalUnit: "OU=Nodes,DC=corp,DC=example",
	}
	with := func(change func(*machine.DomainJoin)) machine.DomainJoin {
		j := whole
		change(&j)
		return j
	}
	cases := map[string]struct {
		reason string
		join   machine.DomainJoin
		want   string
	}{
		"account":     {join: whole},
		"plain user":  {join: with(func(j *machine.DomainJoin) { j.Username = "joiner" })},
		"UPN":         {join: with(func(j *machine.DomainJoin) { j.Username = "joiner@corp.example" })},
		"offline":     {join: machine.DomainJoin{ProvisioningData: secret.FromString(blob + "\r\n")}},
		"neither":     {want: "p: set either an account or provisioning data"},
		"no password": {join: with(func(j *machine.DomainJoin) { j.Password = secret.Value{} }), want: "p: set either"},
		"both": {
			join: with(func(j *machine.DomainJoin) { j.ProvisioningData = secret.FromString(blob) }),
			want: "p.provisioningData: provisioning data contains the domain",
		},
		"damaged": {
			reason: "nothing is mended silently",
			join:   machine.DomainJoin{ProvisioningData: secret.FromString("canary7q9zk2xw5vé")},
			want:   "p.provisioningData: this is not base64",
		},
		"domain": {join: with(func(j *machine.DomainJoin) { j.Domain = "a b" }), want: "p.domain"},
		"user":   {join: with(func(j *machine.DomainJoin) { j.Username = `a\b\c` }), want: "p.username"},
		"unit": {
			join: with(func(j *machine.DomainJoin) { j.OrganizationalUnit = "Nodes" }),
			want: "p.organizationalUnit",
		},
		"two lines": {
			join: with(func(j *machine.DomainJoin) { j.Password = secret.FromString("canary7q9zk2xw5v\n") }),
			want: "p.password",
		},
		"odd password": {
			reason: "a password holds what it likes",
			join:   with(func(j *machine.DomainJoin) { j.Password = secret.FromString(`<'"&> é`) }),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			check(t, tc.reason, tc.want, tc.join.Check("p"))
			if strings.Contains(tc.join.Check("p").String(), canary) {
				t.Error("a finding shows a secret")
			}
		})
	}
}

const canary = "canary7q9zk2xw5v"

// djoin /savefile writes UTF-16 with a byte order mark and a final NUL.
func TestOfflineDataAsDjoinWritesIt(t *testing.T) {
	text := base64.StdEncoding.EncodeToString([]byte("blob of the directory"))
	file := []byte{0xff, 0xfe}
	for _, c := range append(utf16.Encode([]rune(text)), 0) {
		file = append(file, byte(c), byte(c>>8))
	}
	j := machine.DomainJoin{ProvisioningData: secret.New(file)}
	if j.OfflineData() != text || len(j.Check("p")) > 0 {
		t.Errorf("got %q, %v; want %q", j.OfflineData(), j.Check("p"), text)
	}
}

func TestPlainPassword(t *testing.T) {
	both := machine.User{Name: "a", Password: secret.FromString(canary), PasswordHash: secret.FromString("$6$a$b")}
	check(t, "one of them counts", "p.password: passwordHash is set as well", both.Check("p"))
	check(t, "Windows takes a password", "", machine.User{Name: "a", Password: secret.FromString(canary)}.Check("p"))
	if kind := (machine.HostConfig{}).Kind(); kind != machine.KindHost ||
		(machine.DomainJoin{}).Kind() != document.Kind("DomainJoin") {
		t.Errorf("the kinds are %s and %s", kind, machine.DomainJoin{}.Kind())
	}
}
