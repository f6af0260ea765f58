package talos_test

import (
	"slices"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/talos"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/hostile"
)

// minimum is how many of the hostile files have to arrive; it only grows.
const minimum = 80

// TestHostileFilesArrive puts the files of the hostile table where Talos takes files, and reads them back byte for
// byte.
func TestHostileFilesArrive(t *testing.T) {
	arrived := 0
	for _, c := range hostile.Cases() {
		docs, files := below(c)
		if len(files) == 0 {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			rendering := render(t, docs)
			if rendering.Payload.Data.IsZero() {
				return
			}
			arrived++
			provider := taken(t, rendering.Payload.Data.Reveal())
			got, _ := provider.Machine().Files()
			contents := map[string]string{}
			for _, f := range got {
				contents[f.Path()] = f.Content()
			}
			for path, want := range files {
				if contents[path] != string(want) {
					t.Errorf("%s (%s)\n got %q\nwant %q", path, c.Reason, contents[path], want)
				}
			}
		})
	}
	if arrived < minimum {
		t.Errorf("%d files arrive, at least %d have to", arrived, minimum)
	}
}

// below returns a case's files as they are below /var, if the case is about nothing else.
func below(c hostile.Case) ([]document.Document, map[string][]byte) {
	var docs []document.Document
	for _, d := range c.Documents {
		f, isFile := d.Value.(machine.File)
		if !isFile || d.Check().HasErrors() {
			return nil, nil
		}
		f.Path = "/var" + f.Path
		docs = append(docs, document.Document{Value: f, Source: d.Source})
	}
	files := map[string][]byte{}
	for path, content := range c.Files {
		files["/var"+path] = content
	}
	return docs, files
}

func hostileTarget(t *testing.T) osprofile.Target {
	t.Helper()
	profile, known := osprofile.Lookup("talos")
	if !known {
		t.Fatal("no profile talos")
	}
	return osprofile.Target{Profile: profile, Architecture: "amd64"}
}

// render renders a worker with the documents; what is refused has no payload.
func render(t *testing.T, docs []document.Document) ports.Rendering {
	t.Helper()
	target := hostileTarget(t)
	docs = slices.Clone(docs)
	for _, v := range portstest.Machine(target) {
		if !slices.ContainsFunc(docs, func(d document.Document) bool { return d.Kind() == v.Kind() }) {
			docs = append(docs, document.Document{Value: v, Source: document.Source{Path: "machine"}})
		}
	}
	ordered, findings := plan.Order(docs)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	expansions := make([]plan.Expansion, len(ordered))
	for i, d := range ordered {
		expansions[i].Native = talos.New().Native(d, target)
	}
	rendering, _, err := talos.New().Render(t.Context(), plan.New(target, ordered, expansions))
	if err != nil {
		t.Fatal(err)
	}
	return rendering
}
