package ports

import (
	"context"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// Rendering is a renderer's output.
type Rendering struct {
	Payload delivery.Payload
	// Places contains the place in the output of each step of the plan, such as write_files[3] or storage.files[0]. It
	// is empty for a step with an error finding.
	Places []string
}

// Renderer writes one output format.
type Renderer interface {
	// Format returns the format's name.
	Format() delivery.Format
	// Native reports whether the format itself applies the document on the target, in its phase and after its
	// dependencies. Render receives all other documents as steps.
	Native(d document.Document, t osprofile.Target) bool
	// Render writes the plan. A step that the format does not support is an error finding at the path of its document;
	// with error findings there is no payload. The same plan gives the same bytes. An error means that the renderer
	// failed, or is the context's error.
	Render(ctx context.Context, p plan.Plan) (Rendering, report.Report, error)
}

// UniversalRenderer is a renderer of a format that operating systems do not read at their first boot: a user runs a
// shell script after logging in. No profile names such a format, so its renderer checks the targets.
type UniversalRenderer interface {
	Renderer
	// Supports returns error findings if the target does not support the format or its requested version. Their paths
	// are fields below p, the path of the configuration's spec. A target without a profile is always supported.
	Supports(t osprofile.Target, p report.Path) report.Report
}

// Supports returns error findings if the target does not support the renderer's format. The profile of the operating
// system determines this, except for universal formats.
func Supports(r Renderer, t osprofile.Target, p report.Path) report.Report {
	if u, universal := r.(UniversalRenderer); universal {
		return u.Supports(t, p)
	}
	return t.Check(r.Format(), p)
}

// StubRenderer is a renderer of a format in which a small payload, the stub, can fetch the complete one from a storage
// and check its digest.
type StubRenderer interface {
	Renderer
	// Stub returns the stub for a payload of Render. The caller has checked the location. Settings that the format does
	// not support are error findings. at is the path of the delivery options.
	Stub(l delivery.Location, t osprofile.Target, at report.Path) (delivery.Payload, report.Report, error)
}
