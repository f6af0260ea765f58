package render_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// ignition is a renderer that must not be asked.
type ignition struct{ ports.Renderer }

func (ignition) Format() delivery.Format { return delivery.FormatIgnition }

func (ignition) Render(context.Context, plan.Plan) (ports.Rendering, report.Report, error) {
	return ports.Rendering{Places: []string{"asked"}}, nil, nil
}

// A format that the machine would not read is refused before anything is rendered.
func TestRenderRefusesWhatTheReleaseDoesNotRead(t *testing.T) {
	s, err := render.New([]ports.Renderer{ignition{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	flatcar, _ := osprofile.Lookup("flatcar")
	result, err := s.Render(context.Background(), plan.Job{
		Format: delivery.FormatIgnition, Target: osprofile.Target{Profile: flatcar, Release: "3033.2.0"},
	})
	want := report.Report{report.Errorf("spec.os.version",
		"Flatcar 3033.2.0 does not read ignition; releases since 3185.0.0 do").
		To("use ignition-v2 or a newer release")}
	if diff := cmp.Diff(want, result.Findings); diff != "" || err != nil || result.Rendering.Places != nil {
		t.Errorf("%v %v\n%s", err, result.Rendering.Places, diff)
	}
}
