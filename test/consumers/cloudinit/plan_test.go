package cloudinit_test

import (
	"fmt"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

func target() osprofile.Target {
	return osprofile.Target{Profile: osprofile.Profile{
		ID: "debian", Name: "Debian", Family: osprofile.FamilyDebian, PackageManager: osprofile.PackageManagerAPT,
	}}
}

// render returns the userdata of a plan of the actions, each from a document of its own at steps[i].
func render(t *testing.T, target osprofile.Target, actions ...action.Action) []byte {
	t.Helper()
	return renderPlan(t, planned(target, actions...))
}

func planned(target osprofile.Target, actions ...action.Action) plan.Plan {
	docs := make([]document.Document, len(actions))
	expansions := make([]plan.Expansion, len(actions))
	for i, a := range actions {
		docs[i] = document.Document{Source: document.Source{Path: report.Path(fmt.Sprintf("steps[%d]", i))}}
		expansions[i].Actions = []action.Action{a}
	}
	return plan.New(target, docs, expansions)
}

func renderPlan(t *testing.T, p plan.Plan) []byte {
	t.Helper()
	rendering, findings, err := cloudinit.Renderer{}.Render(t.Context(), p)
	if err != nil || findings.HasErrors() {
		t.Fatalf("error %v, findings:\n%s", err, findings)
	}
	return rendering.Payload.Data.Reveal()
}

func do(op action.Operation) action.Action { return action.Action{Do: op} }

func file(path, content string) action.Action {
	return do(action.WriteFile{File: dm.File{Path: path, Content: document.Text(content)}})
}

func run(phase document.Phase, script string) action.Action {
	return do(action.RunCommand{Name: "command", Script: script, When: phase})
}

func join() action.Action {
	return run(document.PhaseJoin, "kubeadm join --config /etc/machineadm/kubeadm.yaml")
}
