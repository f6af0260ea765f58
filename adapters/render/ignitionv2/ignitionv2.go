// Package ignitionv2 renders a plan as an Ignition configuration of specification 2.3.0, which Flatcar before 3185
// reads.
//
// Besides its keys, specification 2 differs from specification 3 in several ways. Ignition 2 decompresses only files
// from the network, so the renderer compresses nothing. Parents of a directory get its mode, and a file without a mode
// gets mode 0. The bootstrap program applies the steps that this affects. A file on a mounted file system names the
// file system and the path inside it.
package ignitionv2

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

// Version is the only version that the renderer supports.
const Version = "2.3.0"

// Renderer renders Ignition 2.3. It is safe for concurrent use.
type Renderer struct{}

var _ ports.Renderer = (*Renderer)(nil)

// New returns a renderer.
func New() *Renderer { return &Renderer{} }

// Format returns ignition-v2.
func (*Renderer) Format() delivery.Format { return delivery.FormatIgnitionV2 }

// Native returns false, because Ignition describes files and units, not documents.
func (*Renderer) Native(document.Document, osprofile.Target) bool { return false }

// abilities are those of flatcar/ignition 0.36. Downloads know SHA-512 alone.
func abilities() ignmodel.Abilities {
	return ignmodel.Abilities{Directories: true, Links: true, Appends: true, Downloads: true}
}

// Render returns the configuration as compact JSON.
func (*Renderer) Render(ctx context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	if v := p.Target.FormatVersion; v != "" && v != Version && v != "2.3" {
		return ports.Rendering{}, report.Report{report.Errorf("spec.formatOptions.version",
			"ignition-v2 has no version %q", v).To("use %s, or leave the version out", Version)}, nil
	}
	model, findings, err := ignmodel.Build(ctx, p, abilities())
	if err != nil {
		return ports.Rendering{}, nil, err
	}
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	merged, more := merge(ctx, config(model, p.Placeholders), p.Snippets)
	if err := ctx.Err(); err != nil {
		return ports.Rendering{}, nil, err
	}
	findings = append(findings, more...)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	data, err := ignmodel.JSON(merged)
	if err != nil {
		return ports.Rendering{}, nil, fmt.Errorf("render ignition-v2: %w", err)
	}
	return ports.Rendering{Payload: delivery.Payload{
		Format:        delivery.FormatIgnitionV2,
		Data:          secret.New(data),
		FileExtension: ".ign",
	}, Places: model.Places}, findings, nil
}
