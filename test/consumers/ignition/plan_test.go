package ignition_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

func target(t testing.TB, id, release, version string) osprofile.Target {
	t.Helper()
	profile, ok := osprofile.Lookup(id)
	if !ok {
		t.Fatalf("no profile %s", id)
	}
	return osprofile.Target{
		Profile: profile, Release: release, FormatVersion: version, Architecture: "amd64",
		KubernetesVersion: "v1.36.3",
	}
}

// planOf returns the plan that carries out the operations, each from a document of its own.
func planOf(t osprofile.Target, operations ...action.Operation) plan.Plan {
	docs := make([]document.Document, len(operations))
	expansions := make([]plan.Expansion, len(operations))
	for i, op := range operations {
		docs[i] = document.Document{Value: dm.File{}, Source: document.Source{Path: report.Path("docs").Index(i)}}
		expansions[i] = plan.Expansion{Actions: action.Of(op)}
	}
	return plan.New(t, docs, expansions)
}

func planFor(t osprofile.Target, docs []document.Document) plan.Plan {
	ordered, _ := plan.Order(docs)
	expansions := make([]plan.Expansion, len(ordered))
	for i, d := range ordered {
		if op := action.Direct(d); op != nil {
			expansions[i] = plan.Expansion{Actions: action.Of(op)}
		}
	}
	return plan.New(t, ordered, expansions)
}

func render(t testing.TB, r ports.Renderer, p plan.Plan) []byte {
	t.Helper()
	rendering, findings, err := r.Render(t.Context(), p)
	if err != nil || findings.HasErrors() {
		t.Fatalf("Render: %v\n%s", err, findings)
	}
	return rendering.Payload.Data.Reveal()
}

func text(path, content string) action.WriteFile {
	return action.WriteFile{File: dm.File{Path: path, Content: document.Text(content)}}
}

func appended(path, content string) action.WriteFile {
	f := text(path, content)
	f.Append = true
	return f
}
