package ignition

import (
	"context"
	"fmt"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Renderer renders Ignition 3. It is safe for concurrent use.
type Renderer struct{ encoder *ignmodel.Encoder }

var _ ports.Renderer = (*Renderer)(nil)

// New returns a renderer.
func New() *Renderer { return &Renderer{encoder: ignmodel.NewEncoder()} }

// Format returns ignition.
func (*Renderer) Format() delivery.Format { return delivery.FormatIgnition }

// Native returns true for kernel arguments, which Ignition sets since 3.3. Otherwise it describes files and units.
func (*Renderer) Native(d document.Document, t osprofile.Target) bool {
	version, findings := versionOf(t)
	return !findings.HasErrors() && version.Abilities().Native(d)
}

// Render returns the configuration as compact JSON.
func (r *Renderer) Render(ctx context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	version, findings := versionOf(p.Target)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	model, more, err := ignmodel.Build(ctx, p, version.Abilities())
	if err != nil {
		return ports.Rendering{}, nil, err
	}
	findings = append(findings, more...)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	config := converter{encoder: r.encoder, replaced: p.Placeholders}.config(model, version)
	merged, more := merge(ctx, config, version, p)
	if err := ctx.Err(); err != nil {
		return ports.Rendering{}, nil, err
	}
	findings = append(findings, more...)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	data, err := ignmodel.JSON(merged)
	if err != nil {
		return ports.Rendering{}, nil, fmt.Errorf("render ignition: %w", err)
	}
	return ports.Rendering{Payload: payload(data), Places: model.Places}, findings, nil
}

func payload(data []byte) delivery.Payload {
	return delivery.Payload{Format: delivery.FormatIgnition, Data: secret.New(data), FileExtension: ".ign"}
}
