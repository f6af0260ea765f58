package kubeadm

import (
	_ "embed"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// annotateScript sets the annotations of AnnotationsPath.
//
//go:embed annotate.sh
var annotateScript string

// appendAnnotations writes a patch with the annotations, and runs the command that applies it after kubeadm. The
// admission plug-in NodeRestriction allows kubelet to change the annotations of its own Node.
func (j *job) appendAnnotations(actions []action.Action) ([]action.Action, error) {
	annotations := j.node.Registration.Annotations
	if len(annotations) == 0 {
		return actions, nil
	}
	if expand.IsWindows(j.target.Target) {
		j.find(report.Errorf(j.registrationAt().Field("annotations"),
			"Windows machines cannot set annotations of their Node").To("set them with kubectl, or use labels"))
		return actions, nil
	}
	patch, err := j.encode(func() []any {
		values := make(map[string]string, len(annotations))
		for _, a := range annotations {
			values[a.Key] = j.facts.text(a.Value)
		}
		return []any{map[string]any{"metadata": map[string]any{"annotations": values}}}
	})
	write := action.WriteFile{File: machine.File{Path: AnnotationsPath, Content: patch, Mode: machine.DefaultFileMode}}
	return append(actions, action.Action{Do: write}, action.Action{Do: action.RunCommand{
		Name: "annotate the Node", Script: script.StripShell(annotateScript), When: document.PhaseJoin,
	}}), err
}
