package render

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// storagePath is the field that names a storage.
const storagePath report.Path = "spec.storageRef"

// maxObject is what a deposit's Secret holds beside the answer of the storage.
const maxObject = infrastructure.SecretBytes - 32<<10

// configurationFormat is the name of a machine configuration among formats. No renderer writes it.
const configurationFormat delivery.Format = "machineadm"

// Stored is what a storage is to keep for a machine.
type Stored struct {
	// Sum tells whether it is the same as before, which the data does not: encrypted, it is never the same.
	Sum string
	// Data makes it.
	Data func(ctx context.Context) (secret.Value, error)
}

func sumOf(data []byte, more ...string) string {
	sum := sha256.New()
	sum.Write(data)
	for _, text := range more {
		fmt.Fprintf(sum, "\x00%s", text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// renderStored says where the machine fetches its configuration, or what has to be stored first.
func (s *Service) renderStored(ctx context.Context, r Request, renderer ports.Renderer) (Result, error) {
	if l := r.Target.Delivery.Location; l != nil {
		if found := l.Check(storagePath); found.HasErrors() {
			return Result{Findings: found}, nil
		}
	}
	if r.Target.Delivery.Mode == delivery.ModeAgent {
		return s.fetchedByAgent(ctx, r, renderer)
	}
	pointing, can := renderer.(ports.Pointing)
	if !can {
		return Result{Findings: report.Report{s.fetchesNothing(r, renderer)}}, nil
	}
	if r.Target.Delivery.Location == nil {
		return s.object(ctx, r, renderer)
	}
	return s.stub(ctx, r, pointing)
}

// fetchesNothing says which delivery works in place of a stub.
func (s *Service) fetchesNothing(r Request, renderer ports.Renderer) report.Finding {
	found := report.Errorf(storagePath, "what reads %s fetches no configuration whose digest it checks", renderer.Format())
	agent := r
	agent.Target.Delivery.Mode = delivery.ModeAgent
	if !s.checkAgent(agent.Target).HasErrors() {
		return found.To("set %s to %s: the agent fetches it", deliveryPath.Field("mode"), delivery.ModeAgent)
	}
	return found.To("leave it out, so that the userdata holds everything")
}

// object renders what a machine fetches that reads its format by itself. It is no userdata: no platform carries it.
func (s *Service) object(ctx context.Context, r Request, renderer ports.Renderer) (Result, error) {
	found := s.checkDelivery(r.Target, r.Format)
	if found.HasErrors() {
		return Result{Findings: found}, nil
	}
	given := r.Target.Delivery
	r.Target.Infrastructure = ""
	r.Target.Delivery = delivery.Options{
		Compression: given.Compression, MaxBytes: int64(maxObject),
		Reporting: given.Reporting,
	}
	result, err := s.render(ctx, r, renderer)
	result.Findings = append(found, result.Findings...)
	if data := result.Rendering.Payload.Data; err == nil && !data.IsZero() {
		result.Stored = &Stored{Sum: sumOf(data.Reveal()), Data: func(context.Context) (secret.Value, error) {
			return data, nil
		}}
		result.Findings = append(result.Findings, notUserdata(given.Storage))
	}
	return result, err
}

// notUserdata tells those who look at the output what it is.
func notUserdata(r delivery.StorageRef) report.Finding {
	return report.Infof(storagePath, "this is what %s keeps; the userdata only says where", r)
}

// stub renders the userdata of such a machine.
func (s *Service) stub(ctx context.Context, r Request, renderer ports.Pointing) (Result, error) {
	payload, found, err := renderer.Point(*r.Target.Delivery.Location, r.Target, deliveryPath)
	if err != nil {
		return Result{}, fmt.Errorf("render %s: %w", r.Format, err)
	}
	result := Result{Findings: found}
	if found.HasErrors() {
		return result, nil
	}
	result.Rendering.Payload = payload
	if r.Target.Delivery.Compression == delivery.CompressionGzip {
		// What was asked for was done to what is stored.
		r.Target.Delivery.Compression = delivery.CompressionAuto
	}
	err = s.deliver(ctx, r, renderer, &result)
	if err != nil || result.Findings.HasErrors() {
		result.Rendering.Payload = delivery.Payload{}
	}
	return result, err
}

// fetchedByAgent renders the userdata of a machine whose agent fetches the configuration.
func (s *Service) fetchedByAgent(ctx context.Context, r Request, renderer ports.Renderer) (Result, error) {
	result, err := s.render(ctx, r, renderer)
	if err != nil || result.Findings.HasErrors() || r.Target.Delivery.Location != nil {
		return result, err
	}
	docs, o := result.Delegated.Documents, r.Target.Delivery
	text, err := s.carrier.Codec.Encode(docs)
	if err != nil {
		return result, fmt.Errorf("serialise the configuration: %w", err)
	}
	if len(text) > maxObject {
		result.Findings = append(result.Findings, report.Errorf(storagePath,
			"the configuration has %d bytes, %d more than a Secret takes", len(text), len(text)-maxObject).
			To("bring large files in the machine's image"))
		result.Rendering.Payload = delivery.Payload{}
		return result, nil
	}
	key := o.Encryption.KeyName()
	result.Findings = append(result.Findings, notUserdata(o.Storage))
	result.Rendering.Payload = delivery.Payload{
		Format: configurationFormat, Data: secret.New(text),
		FileExtension: ".yaml",
	}
	result.Stored = &Stored{
		Sum:  sumOf(text, key.Provider, key.Key, o.Identity),
		Data: func(ctx context.Context) (secret.Value, error) { return s.carrier.Stored(ctx, docs, o) },
	}
	return result, nil
}
