// Package compose collects the documents of a machine's plugin resources: it looks up the plugins, creates those that
// are requested by a template, decodes their documents, and sorts them by the order that the plugins request.
package compose

import (
	"context"
	"errors"
	"fmt"

	"github.com/machineadm/machineadm/app/delegate"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Request is the input of Compose.
type Request struct {
	// Owner is the MachineBootstrapConfig, and Cluster the name of its cluster.
	Owner   ports.Owner
	Cluster string
	// References are in the order in which they were written.
	References []composition.Reference
	// ByAgent means that the agent applies the documents. They may then have unknown kinds, for which the machine has a
	// plugin.
	ByAgent bool
}

// Service is the use case. It is safe for concurrent use.
type Service struct {
	Plugins ports.PluginResources
	Codec   ports.Codec
}

// Compose returns the plugins in the order of the references, and their documents in the order that the plugins
// request. Plugins that are not ready have no documents.
func (s *Service) Compose(ctx context.Context, r Request) (composition.Composition, []document.Document, error) {
	var all composition.Composition
	left := delivery.MaxStored
	for _, ref := range r.References {
		p, err := s.find(ctx, r, ref)
		if err != nil {
			return nil, nil, fmt.Errorf("look up %s: %w", ref.ID, err)
		}
		left -= s.read(ctx, &p, r, left)
		all = append(all, p)
	}
	ordered := all.Order()
	if all.Blocking() != nil {
		return all, nil, nil
	}
	return all, ordered.Documents(), nil
}

func (s *Service) find(ctx context.Context, r Request, ref composition.Reference) (composition.Plugin, error) {
	if !ref.Template {
		found, err := s.Plugins.Find(ctx, r.Owner.Namespace, ref.ID)
		return composition.Plugin{Observed: found, ID: ref.ID, At: ref.At}, err
	}
	instance := composition.InstanceOf(r.Owner.Name, ref.ID)
	found, err := s.Plugins.Instantiate(ctx, r.Owner, r.Cluster, instance)
	return composition.Plugin{Observed: found, ID: instance.ID, Template: &ref.ID, At: ref.At}, err
}

// read decodes the documents of a plugin, unless they exceed left bytes, and returns their size. Their paths begin with
// the field that names the plugin.
func (s *Service) read(ctx context.Context, p *composition.Plugin, r Request, left int) int {
	if p.State != composition.Ready {
		return 0
	}
	// A configuration above the limit could not be delivered, so the controller does not decompress it.
	text, err := indirect.Uncompressed(p.Text.Reveal(), left)
	if err != nil {
		reason := "it cannot be uncompressed"
		if errors.Is(err, indirect.ErrTooLarge) {
			reason = fmt.Sprintf("with the plugins before it, it has more than %d bytes uncompressed", delivery.MaxStored)
		}
		p.Fail(composition.InvalidDocuments, "its Secret does not hold documents: "+reason)
		return 0
	}
	if err := budget.FromContext(ctx).Spend(budget.Content, len(text)); err != nil {
		p.Fail(composition.InvalidDocuments, fmt.Sprintf("with its documents the machine has %v", err))
		return 0
	}
	s.decode(ctx, p, r, text)
	return len(text)
}

func (s *Service) decode(ctx context.Context, p *composition.Plugin, r Request, text []byte) {
	docs, findings := s.Codec.Decode(ctx, text)
	for _, d := range docs {
		if d.Kind() != node.KindNode { // The cluster has yet to add to it.
			findings = append(findings, redact(d.Check())...)
		}
	}
	if findings.HasErrors() {
		first := findings.Sorted()[0]
		p.Fail(composition.InvalidDocuments, fmt.Sprintf("its Secret does not hold documents: %s", message(first)))
		return
	}
	for _, d := range docs {
		if !r.ByAgent && delegate.Opaque(d) {
			p.Fail(composition.NeedsAgent, fmt.Sprintf(
				"only a plugin of the machine's agent can know what to do with a %s; set spec.delivery.mode to Agent", d.Kind()))
		}
		d.Source = document.Source{Object: p.Kind + "/" + r.Owner.Namespace + "/" + p.Name, Path: p.At + "." + d.Source.Path}
		p.Documents = append(p.Documents, d)
	}
}

// redact returns the findings without the parts that they quote: these are from a Secret, while a plugin's conditions
// and events are public.
func redact(r report.Report) report.Report {
	for i := range r {
		r[i].Message = report.Unquoted(r[i].Message)
	}
	return r
}

// message returns the text of a finding with its line in the Secret.
func message(f report.Finding) string {
	text := f.Message
	if f.Path != "" {
		text = string(f.Path) + ": " + text
	}
	if f.Line > 0 {
		text = fmt.Sprintf("line %d: %s", f.Line, text)
	}
	return text
}
