// Package compose joins the documents of a machine's plugins: it finds the plugins, has those made that are made from
// templates, reads what they hold and puts them into the order that they ask for.
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

// Request is what is to be composed.
type Request struct {
	// Owner is the object that describes the machine, and Cluster the name of the machine's cluster.
	Owner   ports.Owner
	Cluster string
	// References are in the order in which they were written.
	References []composition.Reference
	// ByAgent means that the machine's agent applies the documents, which may be of kinds that are unknown here.
	ByAgent bool
}

// Service composes. It may be used by several goroutines.
type Service struct {
	Plugins ports.PluginResources
	Codec   ports.Codec
}

// Compose returns the plugins in the order in which they were written, and their documents in the order that the
// plugins ask for. Plugins that are not ready have no documents.
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
	if all.Held() != nil {
		return all, nil, nil
	}
	return all, ordered.Documents(), nil
}

func (s *Service) find(ctx context.Context, r Request, ref composition.Reference) (composition.Plugin, error) {
	if !ref.Template {
		found, err := s.Plugins.Find(ctx, r.Owner.Namespace, ref.ID)
		return composition.Plugin{Found: found, ID: ref.ID, At: ref.At}, err
	}
	instance := composition.InstanceOf(r.Owner.Name, ref.ID)
	found, err := s.Plugins.Instantiate(ctx, r.Owner, r.Cluster, instance)
	return composition.Plugin{Found: found, ID: instance.ID, Template: &ref.ID, At: ref.At}, err
}

// read decodes a plugin's documents, unless they are more bytes than are left, and returns their number of bytes. The
// field that names the plugin distinguishes them from other documents.
func (s *Service) read(ctx context.Context, p *composition.Plugin, r Request, left int) int {
	if p.State != composition.Ready {
		return 0
	}
	// What no machine would fetch is not worth the memory of who serves many.
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
			findings = append(findings, silent(d.Check())...)
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
		d.Source = document.Source{
			Object: p.Kind + "/" + r.Owner.Namespace + "/" + p.Name, Path: p.At + "." + d.Source.Path,
		}
		p.Documents = append(p.Documents, d)
	}
}

// silent returns the findings without the parts that they quote: these are from a Secret, while a plugin's conditions
// and events are public.
func silent(r report.Report) report.Report {
	for i := range r {
		r[i].Message = report.Unquoted(r[i].Message)
	}
	return r
}

// message is a finding's text, with the line in the Secret.
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
