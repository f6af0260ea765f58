package cloudinit_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// FuzzRender uses arbitrary bytes in every text field and parses the document.
func FuzzRender(f *testing.F) {
	for _, content := range hostileContents()[:46] {
		f.Add("/etc/a #b: c", []byte(content), "yes", "Foo: Bar", "echo '"+content+"'")
	}
	f.Add("/etc/\u2028", []byte("x"), "~", "1_000", "\ttrue")
	f.Fuzz(func(t *testing.T, path string, content []byte, name, comment, script string) {
		p := planOf(
			action.Action{Do: action.EnsureGroup{Group: machine.Group{Name: name}}},
			action.Action{Do: action.EnsureUser{User: machine.User{
				Name: name, Comment: comment,
				SSHAuthorizedKeys: []string{comment},
			}}},
			fileOf(machine.File{Path: path, Content: document.Literal(content)}),
			run(document.PhasePre, script), run(document.PhaseBoot, script),
		)
		checkReadBack(t, p, path, content, name, comment)
	})
}

func checkReadBack(t *testing.T, p plan.Plan, path string, content []byte, name, comment string) {
	t.Helper()
	rendering, findings, err := cloudinit.Renderer{}.Render(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if findings.HasErrors() {
		return
	}
	u := read(t, rendering.Payload.Data.Reveal())
	u.program(t)
	want := yamlUser{Name: name, Gecos: comment, PrimaryGroup: name, SSHAuthorizedKeys: []string{comment}}
	if diff := cmp.Diff([]yamlUser{want}, u.Users); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{name}, u.Groups); diff != "" {
		t.Error(diff)
	}
	if strings.HasPrefix(rendering.Places[2], "write_files") {
		if got := u.WriteFiles[0]; got.Path != path || !bytes.Equal(got.bytes(t), content) {
			t.Errorf("%q %q became %q %q", path, content, got.Path, got.bytes(t))
		}
	}
}
