package render_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// anywhere is a format that no profile names; Windows alone cannot use it.
type anywhere struct{ lines }

func (anywhere) Supports(t osprofile.Target, p report.Path) report.Report {
	if t.Profile.Family == osprofile.FamilyWindows {
		return report.Report{report.Errorf(p.Field("format"), "no shell")}
	}
	return nil
}

func TestTheFormatSupportsTheTarget(t *testing.T) {
	linux, _ := osprofile.Lookup("debian")
	windows, _ := osprofile.Lookup("windows-server-2025")
	cases := map[string]struct {
		reason   string
		renderer ports.Renderer
		profile  osprofile.Profile
		request  plan.Job
		want     report.Report
	}{
		"unknown": {
			reason: "an unknown name is the user's mistake", renderer: lines{},
			request: plan.Job{Format: "talk"},
			want: report.Report{report.Errorf("spec.format", `there is no format "talk"`).To(
				"use one of [lines], or remove the field to use the operating system's default")},
		},
		"profile": {
			reason: "the profile knows what its system reads", renderer: lines{}, profile: linux,
			request: plan.Job{Format: "lines"},
			want:    report.Report{report.Errorf("spec.format", "Debian does not read lines").To("use cloud-init")},
		},
		"universal": {
			reason: "no profile has to name it", renderer: anywhere{}, profile: linux,
			request: plan.Job{Format: "lines"},
		},
		"unsuited": {
			reason: "but it knows its own limits", renderer: anywhere{}, profile: windows,
			request: plan.Job{Format: "lines"},
			want:    report.Report{report.Errorf("spec.format", "no shell")},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s, err := render.New([]ports.Renderer{tc.renderer}, nil)
			if err != nil {
				t.Fatal(err)
			}
			tc.request.Target.Profile = tc.profile
			got, err := s.Render(t.Context(), tc.request)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got.Findings); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
