package ignmodeltest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Tree is what a reader of a format finds in a configuration.
type Tree struct {
	// Files maps paths to contents, with what is appended.
	Files map[string]string
	// Units maps names to texts; the names of drop-ins are unit/name.
	Units map[string]string
	// Comments maps users to their comments.
	Comments map[string]string
}

// NewTree returns an empty tree.
func NewTree() Tree {
	return Tree{Files: map[string]string{}, Units: map[string]string{}, Comments: map[string]string{}}
}

// Seed adds a fuzz target's first inputs: what breaks naive renderers.
func Seed(f *testing.F) {
	f.Add("/etc/a", "content", "user", "comment", "echo hi", "[Service]\nExecStart=/bin/true\n", "/mnt/data-disk",
		uint16(0o644), uint8(0))
	f.Add("/etc/a #b: {{ c }}", " \t\r\n\x00\xff", "yes", "Foo #1 \"x\" 'y'", "printf '%s' \"$x\" `id`", "garbage\\",
		"/a b%c", uint16(0o4755), uint8(255))
	f.Add("/etc/a\nb", "\n\n", "a.b", "{% x %}", "cat <<EOF\n'\nEOF", "[Unit]\nDescription=%n \\\n x\n", "/mnt/a\\x2d",
		uint16(0), uint8(1))
	f.Add("/etc/~", "aGVsbG8=", "_x", "null", "true", "", "/home", uint16(0o1777), uint8(2))
	f.Add("/usr/../a", "\u2028\ufeff", "root", "é", "x", "[Install]\nWantedBy=a\n", "//", uint16(0o777), uint8(4))
}

// Fuzz renders a plan of the given values, reads it back and compares. Values that the documents themselves refuse are
// no plan; the renderer may refuse others, but must never change them.
func Fuzz(t *testing.T, r ports.Renderer, target osprofile.Target, read func(*testing.T, []byte) Tree,
	path, content, user, comment, command, unit, mount string, mode uint16, flags uint8,
) {
	on := flags&1 != 0
	docs := []document.Document{
		{Value: machine.File{
			Path: path, Content: document.Text(content), Mode: machine.Mode(mode), Append: flags&2 != 0,
			Secret: flags&4 != 0,
		}},
		{Value: machine.User{Name: user, Comment: comment, NoCreateHome: flags&8 != 0}},
		{Value: machine.Command{Phase: document.PhasePre, Script: command}},
		{Value: machine.Unit{
			Name: "fuzz.service", Content: document.Text(unit), Enabled: &on,
			DropIns: []machine.DropIn{{Name: "a.conf", Content: document.Text(unit)}},
		}},
		{Value: machine.Mount{Source: "/dev/vdb", Path: mount}},
	}
	var valid []document.Document
	for i, d := range docs {
		d.Source.Path = report.Path("docs").Index(i)
		if !d.Check().HasErrors() {
			valid = append(valid, d)
		}
	}
	p := Documents(target, valid)
	rendering, findings, err := r.Render(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if findings.HasErrors() {
		if len(rendering.Places) > 0 || !rendering.Payload.Data.IsZero() {
			t.Fatal("a payload in spite of errors")
		}
		return
	}
	again, _, _ := r.Render(t.Context(), p)
	if string(again.Payload.Data.Reveal()) != string(rendering.Payload.Data.Reveal()) {
		t.Fatal("the same plan gives other bytes")
	}
	tree := read(t, rendering.Payload.Data.Reveal())
	for _, s := range p.Steps {
		tree.compare(t, s.Do)
	}
}

// compare checks the effect of the operation. A file that the program writes is not in the tree.
func (tree Tree) compare(t *testing.T, op action.Operation) {
	t.Helper()
	switch op := op.(type) {
	case action.WriteFile:
		content, _ := op.Content.Static()
		if got, native := tree.Files[op.Path]; native && got != string(content) {
			t.Errorf("%q:\n%s", op.Path, cmp.Diff(string(content), got))
		}
	case action.EnsureUser:
		if got := tree.Comments[op.Name]; got != op.Comment {
			t.Errorf("comment %q instead of %q", got, op.Comment)
		}
	case action.EnsureUnit:
		for name, want := range map[string]string{
			op.Name:                            ignmodel.Text(op.Content),
			op.Name + "/" + op.DropIns[0].Name: ignmodel.Text(op.DropIns[0].Content),
		} {
			file := "/etc/systemd/system/" + name
			if name != op.Name {
				file = "/etc/systemd/system/" + op.Name + ".d/" + op.DropIns[0].Name
			}
			got, native := tree.Units[name]
			if !native || got == "" {
				got = tree.Files[file]
			}
			if got != want {
				t.Errorf("unit %s:\n%s", name, cmp.Diff(want, got))
			}
		}
	default: // not rendered by the fuzz targets
	}
}
