package windows_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/plain"
	"github.com/machineadm/machineadm/adapters/render/cloudbaseinit"
	"github.com/machineadm/machineadm/adapters/render/unattend"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/windows"
)

// minArrivals is how many of the table's cases with files or scripts have to arrive in each format.
const minArrivals = 55

// render expands the documents with the plain plugin and renders them; false means that they are refused.
func render(t *testing.T, r ports.Renderer, docs []document.Document) ([]byte, bool) {
	t.Helper()
	profile, known := osprofile.Lookup("windows-server-2022")
	if !known {
		t.Fatal("no such profile")
	}
	target := osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3"}
	expansions := make([]plan.Expansion, len(docs))
	for i, d := range docs {
		if d.Check().HasErrors() {
			return nil, false
		}
		actions, findings, err := plain.New().Expand(t.Context(), ports.Expansion{Document: d, Target: target})
		if err != nil {
			t.Fatal(err)
		}
		if findings.HasErrors() {
			return nil, false
		}
		expansions[i].Actions = actions
	}
	rendering, findings, err := r.Render(t.Context(), plan.New(target, docs, expansions))
	if err != nil {
		t.Fatal(err)
	}
	return rendering.Payload.Data.Reveal(), !findings.HasErrors()
}

// arriving are the cases that bring files or scripts onto the machine. A secret file beside them has cloudbase-init get
// a script.
func arriving() ([]hostile.Case, document.Document) {
	beside := document.Document{
		Value:  machine.File{Path: `C:\beside`, Content: document.Literal(secret.FromString("x").Reveal()), Secret: true},
		Source: document.Source{Path: "beside"},
	}
	return slices.DeleteFunc(hostile.WindowsCases(), func(c hostile.Case) bool { return len(c.Files) == 0 }), beside
}

func TestHostileInputArrives(t *testing.T) {
	readers := map[string]struct {
		ports.Renderer
		read func(*testing.T, []byte) payload
	}{"unattend": {unattend.New(), answerFile}, "cloudbase-init": {cloudbaseinit.New(), script}}
	for name, r := range readers {
		t.Run(name, func(t *testing.T) {
			cases, beside := arriving()
			arrived := 0
			for _, c := range cases {
				data, rendered := render(t, r, append(slices.Clone(c.Documents), beside))
				if rendered == c.Refused {
					t.Errorf("%s (%s): rendered %v", c.Name, c.Reason, rendered)
				}
				if !rendered {
					continue
				}
				arrived++
				holds(t, c, r.read(t, data).program)
			}
			if arrived < minArrivals {
				t.Errorf("%d cases arrive, at least %d have to", arrived, minArrivals)
			}
		})
	}
}

// holds looks for the case's files, and for the scripts with the case's name among them.
func holds(t *testing.T, c hostile.Case, p windows.Program) {
	t.Helper()
	for path, want := range c.Files {
		if path == c.Name {
			if !p.Runs(string(want)) {
				t.Errorf("%s (%s): the script is another one", c.Name, c.Reason)
			}
			continue
		}
		if got, found := p.File(path); !found || !bytes.Equal(got, want) {
			t.Errorf("%s (%s): %s is %v, %.80q, want %.80q", c.Name, c.Reason, path, found, got, want)
		}
	}
}

// TestPayloadsAreASCII checks that the bytes of a script, which only PowerShell reads, do not depend on a code page.
func TestPayloadsAreASCII(t *testing.T) {
	cases, beside := arriving()
	for _, c := range cases {
		for _, r := range []ports.Renderer{unattend.New(), cloudbaseinit.New()} {
			data, rendered := render(t, r, append(slices.Clone(c.Documents), beside))
			if i := strings.IndexFunc(string(data), func(b rune) bool { return b > '~' }); rendered && i >= 0 {
				t.Errorf("%s in %s: %q is not ASCII", c.Name, r.Format(), data[i:i+4])
			}
		}
	}
}
