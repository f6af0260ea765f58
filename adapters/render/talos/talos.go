package talos

import (
	"context"
	"fmt"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Renderer renders Talos machine configuration. It has no state.
type Renderer struct{}

var _ ports.Renderer = Renderer{}

// New returns a renderer.
func New() Renderer { return Renderer{} }

// Format returns FormatTalos.
func (Renderer) Format() delivery.Format { return delivery.FormatTalos }

// Native returns true for each kind that this package renders or refuses. Plugins expand all other kinds. Talos can
// write the files that they return, if the paths are allowed.
func (Renderer) Native(d document.Document, _ osprofile.Target) bool { return known(d.Value) }

// Render renders the plan. The machine's type, version and secrets come from NodeConfig and TalosSecrets. If one of
// them is missing, the result is an error finding.
func (Renderer) Render(ctx context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	b, findings := begin(p)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	if err := b.generate(); err != nil {
		return ports.Rendering{}, nil, fmt.Errorf("render talos: %w", err)
	}
	places, err := b.render(ctx)
	if err != nil {
		return ports.Rendering{}, nil, err
	}
	data, err := b.finish(ctx)
	if err != nil {
		return ports.Rendering{}, nil, fmt.Errorf("render talos: %w", err)
	}
	findings = append(findings, b.findings...)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	return ports.Rendering{Payload: payload(data), Places: places}, findings, nil
}

// payload has no name for infrastructure providers: none of them knows the format, and all hand the bytes over as they
// are.
func payload(data []byte) delivery.Payload {
	return delivery.Payload{
		Format:        delivery.FormatTalos,
		SecretFormat:  delivery.SecretFormatNone,
		Data:          secret.New(data),
		FileExtension: ".yaml",
	}
}
