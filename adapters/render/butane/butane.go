// Package butane renders a plan as Butane YAML, which translates to the same Ignition configuration that package
// ignition renders. It is for users who want to read or edit it; machines do not read Butane.
//
// Each output is parsed with the Butane library, whose messages become findings.
package butane

import (
	"bytes"
	"context"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/adapters/render/internal/ignsnippet"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Renderer renders Butane. It is safe for concurrent use.
type Renderer struct{}

var _ ports.Renderer = (*Renderer)(nil)

// New returns a renderer.
func New() *Renderer { return &Renderer{} }

// Format returns butane.
func (*Renderer) Format() delivery.Format { return delivery.FormatButane }

// Native returns true for kernel arguments, which most variants set. Otherwise Butane describes files and units.
func (*Renderer) Native(d document.Document, t osprofile.Target) bool {
	variant, findings := dialectOf(t)
	return !findings.HasErrors() && variant.abilities().Native(d)
}

// Render returns the YAML. Its SecretFormat is empty, because no infrastructure provider delivers Butane.
func (*Renderer) Render(ctx context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	d, findings := dialectOf(p.Target)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	model, more, err := ignmodel.Build(ctx, p, d.abilities())
	if err != nil {
		return ports.Rendering{}, nil, err
	}
	findings = append(findings, more...)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	c := config(model, d)
	findings = append(findings, c.addSnippets(ctx, d, p)...)
	if err := ctx.Err(); err != nil {
		return ports.Rendering{}, nil, err
	}
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	data, err := marshal(c)
	if err != nil {
		return ports.Rendering{}, nil, fmt.Errorf("render butane: %w", err)
	}
	findings = append(findings, check(data, p, model.Places)...)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	payload := delivery.Payload{Format: delivery.FormatButane, Data: secret.New(data), FileExtension: ".bu"}
	return ports.Rendering{Payload: payload, Places: model.Places}, findings, nil
}

// addSnippets adds the user's texts in Ignition's own words: the engine merges them when the machine boots, as package
// ignition does beforehand.
func (c *configuration) addSnippets(ctx context.Context, d dialect, p plan.Plan) report.Report {
	var findings report.Report
	for _, s := range ignsnippet.NonEmpty(p.Snippets) {
		if ctx.Err() != nil {
			break
		}
		theirs, found := ignsnippet.Translate(ctx, s, d.ignition.String(), p.Target)
		findings = append(findings, found...)
		// Butane checks only configurations of its own specification, of which each older one is a part.
		theirs.Ignition.Version = d.ignition.String()
		data, err := ignmodel.JSON(theirs)
		if err != nil {
			findings = append(findings, report.Errorf(s.Source.Path, "it cannot be merged: %v", err))
		}
		c.Ignition.Config.Merge = append(c.Ignition.Config.Merge, text(data))
	}
	return findings
}

func marshal(c *configuration) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(c); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}
