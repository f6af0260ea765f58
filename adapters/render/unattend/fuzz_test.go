package unattend_test

import (
	"bytes"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/unattend"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/windows"
)

// FuzzRender puts arbitrary bytes into every place that takes text, and reads the answer file back.
func FuzzRender(f *testing.F) {
	f.Add(`C:\a`, []byte("x"), "ops", "Ops", "Get-Date", "password", "OU=a")
	f.Add("C:\\it's\u2019 $x ]]> <a/>", []byte("\x00\xff&lt;\r\n"), "a", "\u2018<&>'\"", "'@\r\n#>\n",
		"<&>\u2028\u0085'\"", "OU=<b>&amp;")
	f.Add(`D:\x`, []byte{}, "", "", "", "", "")
	f.Fuzz(func(t *testing.T, path string, content []byte, name, comment, command, password, unit string) {
		if password == "" {
			return // The document has one.
		}
		join := machine.DomainJoin{
			Domain: "a.example", Username: "joe", Password: secret.FromString(password),
			OrganizationalUnit: unit,
		}
		got, r := render(t,
			action.EnsureUser{User: machine.User{Name: "ops", Comment: comment, Password: secret.FromString("x" + password)}},
			action.EnsureUser{User: machine.User{Name: name}},
			action.WriteFile{File: machine.File{Path: path, Content: document.Literal(content)}},
			action.RunCommand{Script: command, When: document.PhasePre},
			action.JoinDomain{DomainJoin: join},
		)
		if r.HasErrors() {
			return
		}
		if b := got.Files[path]; !bytes.Equal(b, content) {
			t.Errorf("%q %q became %q", path, content, b)
		}
		for at, want := range map[string]string{
			"specialize/Microsoft-Windows-UnattendedJoin/Identification/Credentials/Password":              password,
			"specialize/Microsoft-Windows-UnattendedJoin/Identification/MachineObjectOU":                   unit,
			"oobeSystem/Microsoft-Windows-Shell-Setup/UserAccounts/LocalAccounts/LocalAccount/DisplayName": comment,
			"oobeSystem/Microsoft-Windows-Shell-Setup/UserAccounts/LocalAccounts/LocalAccount/Password/Value": hidden("x"+
				password, "Password"),
		} {
			if n := got.At(at); (n == nil && want != "") || (n != nil && n.Text != want) {
				t.Errorf("%s is %v, not %q", at, n, want)
			}
		}
	})
}

// view reads the answer file. Its function returns the content at a path, or the program.
func view(t testing.TB, payload []byte) func(place string) string {
	t.Helper()
	root, err := windows.Parse(payload)
	if err != nil {
		t.Fatal(err)
	}
	windows.Check(t, root)
	return func(place string) string {
		n := root.At(place)
		if n == nil {
			return ""
		}
		if n.Name.Local == "Program" {
			program, err := windows.Unpack(n.Text)
			if err != nil {
				t.Fatal(err)
			}
			return portstest.Decoded(string(program))
		}
		return portstest.Decoded(n.Texts())
	}
}

func TestConformance(t *testing.T) { portstest.Renderer(t, unattend.New(), target(t), view) }
