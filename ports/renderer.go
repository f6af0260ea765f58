package ports

import (
	"context"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// Rendering is a payload and how each step of the plan is said in it.
type Rendering struct {
	Payload delivery.Payload
	// Says is parallel to the plan's steps: where in the output the step stands, such as write_files[3] or
	// storage.files[0]. A step that a finding refuses has none.
	Says []string
}

// Renderer speaks one output format.
type Renderer interface {
	// Format returns the format's name.
	Format() delivery.Format
	// Native reports whether the format itself says the document for the target, in its phase and after what it
	// depends on. All other documents come to Render as steps.
	Native(d document.Document, t osprofile.Target) bool
	// Render says the plan. A step that the format cannot say is an error finding at the path of its document; with error
	// findings there is no payload. The same plan gives the same bytes. An error means that the renderer failed, not that
	// the plan is wrong; when the context ends, the error is the one of the context.
	Render(ctx context.Context, p plan.Plan) (Rendering, report.Report, error)
}

// Universal is a renderer of a format that operating systems need not know, because something else hands it to them: a
// shell script is started by whoever logs in. No profile names such a format, so its renderer tells which targets can
// use it.
type Universal interface {
	Renderer
	// Suits finds why the target cannot use the format, or not in the version that it asks for. The findings are about
	// fields of the specification at p. A target without a profile suits every format.
	Suits(t osprofile.Target, p report.Path) report.Report
}

// Suits finds why the target cannot use what the renderer writes: by what its profile says, unless the format is
// universal.
func Suits(r Renderer, t osprofile.Target, p report.Path) report.Report {
	if u, universal := r.(Universal); universal {
		return u.Suits(t, p)
	}
	return t.Check(r.Format(), p)
}

// Pointing is a renderer of a format of which a small payload can have the machine fetch the real one, which is stored
// elsewhere, and check its digest.
type Pointing interface {
	Renderer
	// Point returns the small payload for what Render gave. The location was checked. What it cannot say is a finding
	// about fields at the path, which is that of the options of the delivery.
	Point(l delivery.Location, t osprofile.Target, at report.Path) (delivery.Payload, report.Report, error)
}
