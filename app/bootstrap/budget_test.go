package bootstrap_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// A payload that is too large has a reason of its own, unless something else is wrong as well.
func TestPayloadThatIsTooLarge(t *testing.T) {
	large := report.Errorf("spec.delivery", "the userdata has 9 bytes").To("make it smaller")
	cases := map[string]struct {
		reason   string
		findings report.Report
		want     bootstrap.Reason
		message  string
	}{
		"alone": {
			reason: "the size alone", findings: report.Report{report.Warningf("spec", "a warning"), large},
			want:    bootstrap.ReasonTooLarge,
			message: "spec.delivery: the userdata has 9 bytes; make it smaller",
		},
		"among others": {
			reason: "a mistake is to be mended first", findings: report.Report{large, report.Errorf("spec.a", "wrong")},
			want:    bootstrap.ReasonInvalid,
			message: "2 errors: 1. spec.a: wrong 2. spec.delivery: the userdata has 9 bytes; make it smaller",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.Render = func(context.Context, plan.Job) (render.Result, error) {
				return render.Result{Findings: c.findings, Size: render.Size{TooLarge: true}}, nil
			}
			stalled, ok := as[bootstrap.StalledError](w.produce(t, request()))
			if !ok || stalled.Reason != c.want {
				t.Fatalf("%s: %#v", c.reason, stalled)
			}
			if diff := cmp.Diff(c.message, stalled.Message); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
			owner := ports.Owner{Key: ports.Key{Namespace: "default", Name: "m1"}, UID: "u1"}
			if _, err := w.data.Find(t.Context(), owner.Key, owner); err == nil {
				t.Error("data was published")
			}
		})
	}
}

func TestRenderingKnowsTheInfrastructure(t *testing.T) {
	w := newWorld()
	var got osprofile.Target
	w.Render = func(ctx context.Context, job plan.Job) (render.Result, error) {
		got = job.Target
		return w.render(ctx, job)
	}
	w.ready(t, request(func(r *bootstrap.Request) { r.Machine.Infrastructure = "AWSMachine" }))
	if got.Infrastructure != "AWSMachine" || got.KubernetesVersion != "v1.36.3" {
		t.Errorf("%+v", got)
	}
}
