package cloudbaseinit_test

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/render/cloudbaseinit"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports/portstest"
)

// FuzzRender puts arbitrary bytes into every place that takes text, and reads the payload back.
func FuzzRender(f *testing.F) {
	f.Add(`C:\a`, []byte("x"), "ops", "Ops", "Get-Date", "password")
	f.Add("C:\\it's\u2019 $x `n {0}", []byte("\x00\xff'@\"\r\n"), "a' } ; exit", "\u2018\n", "'@\r\n#>\n",
		"' ; $(x) \u201c")
	f.Add(`D:\x`, []byte{}, "", "", "", "")
	f.Fuzz(func(t *testing.T, path string, content []byte, name, comment, command, password string) {
		user := machine.User{
			Name: name, Comment: comment, Password: secret.FromString(password),
			Groups: []string{"Administrators"},
		}
		payload, r := render(t,
			action.EnsureGroup{Group: machine.Group{Name: name}}, action.EnsureUser{User: user},
			file(machine.File{Path: path, Content: document.Literal(content)}),
			action.RunCommand{Script: command, When: document.PhasePre},
			action.JoinDomain{DomainJoin: machine.DomainJoin{
				Domain: comment, Username: name,
				Password: secret.FromString(password), OrganizationalUnit: comment,
			}},
		)
		if r.HasErrors() {
			return
		}
		if utf8.RuneCountInString(payload) != len(payload) {
			t.Error("the script is not ASCII")
		}
		_, program := script(t, payload)
		if got := program.Files[path]; !bytes.Equal(got, content) {
			t.Errorf("%q %q became %q", path, content, got)
		}
		if len(program.Scripts) != 1 || "\ufeff"+program.Scripts[0] != "\ufeff"+trimMark(command) {
			t.Errorf("%q became %q", command, program.Scripts)
		}
	})
}

// trimMark takes a byte order mark off, of which each script has one.
func trimMark(script string) string {
	return string(bytes.TrimPrefix([]byte(script), []byte("\ufeff")))
}

func cloudZone(t testing.TB, payload []byte) string {
	t.Helper()
	var document struct {
		SetTimezone string `yaml:"set_timezone"`
	}
	if err := yaml.Unmarshal(payload, &document); err != nil {
		t.Fatal(err)
	}
	return document.SetTimezone
}

// view reads the script: all of it, with the program in it.
func view(t testing.TB, payload []byte) func(place string) string {
	t.Helper()
	layout, program := script(t, string(payload))
	return func(place string) string {
		if place == "set_timezone" {
			return cloudZone(t, payload)
		}
		return portstest.Decoded(layout) + portstest.Decoded(program.Text)
	}
}

func TestConformance(t *testing.T) {
	for _, distribution := range []string{"windows-server-2022", "windows-server-2025"} {
		profile, _ := osprofile.Lookup(distribution)
		portstest.Renderer(t, cloudbaseinit.New(), osprofile.Target{
			Profile: profile, Architecture: "amd64",
			KubernetesVersion: "v1.36.3",
		}, view)
	}
}
