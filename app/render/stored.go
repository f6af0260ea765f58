package render

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// storagePath is the field that names a storage.
const storagePath report.Path = "spec.storageRef"

// maxObject is the maximum size of a stored object: that of a Secret, without the room for the storage's answer.
const maxObject = infrastructure.SecretBytes - 32<<10

// configurationFormat is the format of a machine configuration. It has no renderer.
const configurationFormat delivery.Format = "machineadm"

// StoredObject is an object for a storage.
type StoredObject struct {
	// Sum identifies the content. Encrypted data differs each time, so that it cannot be compared itself.
	Sum string
	// Data returns the bytes to store.
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

// renderStored renders the object to store, or, once its location is known, the userdata that refers to it.
func (s *Service) renderStored(ctx context.Context, job plan.Job, renderer ports.Renderer) (Result, error) {
	if l := job.Delivery.Location; l != nil {
		if found := l.Check(storagePath); found.HasErrors() {
			return Result{Findings: found}, nil
		}
	}
	if job.Delivery.Mode == delivery.ModeAgent {
		return s.renderFetchingAgent(ctx, job, renderer)
	}
	stubs, supported := renderer.(ports.StubRenderer)
	if !supported {
		return Result{Findings: report.Report{s.noStub(job)}}, nil
	}
	if found := infrastructure.CheckStub(job.Target.Infrastructure, job.Format, storagePath); found.HasErrors() {
		return Result{Findings: found}, nil
	}
	if job.Delivery.Location == nil {
		return s.renderObject(ctx, job, renderer)
	}
	return s.renderStub(ctx, job, stubs)
}

// noStub returns the finding for a format that has no stub, with a delivery that works instead.
func (s *Service) noStub(job plan.Job) report.Finding {
	found := report.Errorf(storagePath, "%s cannot fetch a configuration and check its digest", job.Format)
	job.Delivery.Mode = delivery.ModeAgent
	if !s.checkAgent(job).HasErrors() {
		return found.To("set %s to %s, so that the agent fetches it", deliveryPath.Field("mode"), delivery.ModeAgent)
	}
	return found.To("remove the field, so that the userdata contains the complete configuration")
}

// renderObject renders the object that a stub fetches. No platform transports it, so that the limits and envelopes of
// the infrastructure do not apply.
func (s *Service) renderObject(ctx context.Context, job plan.Job, renderer ports.Renderer) (Result, error) {
	found := s.checkDelivery(job)
	if found.HasErrors() {
		return Result{Findings: found}, nil
	}
	storage := job.Delivery.Storage
	job.Target.Infrastructure = ""
	job.Delivery = delivery.Options{
		Compression: job.Delivery.Compression, MaxBytes: int64(maxObject), Reporting: job.Delivery.Reporting,
	}
	result, err := s.render(ctx, job, renderer)
	result.Findings = append(found, result.Findings...)
	if data := result.Rendering.Payload.Data; err == nil && !data.IsZero() {
		result.Stored = &StoredObject{Sum: sumOf(data.Reveal()), Data: func(context.Context) (secret.Value, error) {
			return data, nil
		}}
		result.Findings = append(result.Findings, notUserdata(storage))
	}
	return result, err
}

// notUserdata explains the output of a program that renders without a cluster.
func notUserdata(r delivery.StorageRef) report.Finding {
	return report.Infof(storagePath, "this is the object that %s stores; the userdata contains only its location", r)
}

// renderStub renders the userdata that fetches the stored object.
func (s *Service) renderStub(ctx context.Context, job plan.Job, renderer ports.StubRenderer) (Result, error) {
	location := *job.Delivery.Location
	location.Include = job.Delivery.Include
	payload, found, err := renderer.Stub(location, job.Target, deliveryPath)
	if err != nil {
		return Result{}, fmt.Errorf("render %s: %w", job.Format, err)
	}
	if job.Delivery.Compression == delivery.CompressionGzip {
		// The stored object is compressed; the stub need not be.
		job.Delivery.Compression = delivery.CompressionAuto
	}
	return s.deliver(ctx, job, renderer, Result{Findings: found, Rendering: ports.Rendering{Payload: payload}})
}

// renderFetchingAgent renders the userdata of a machine whose agent fetches the configuration. Without a location it
// returns the configuration to store.
func (s *Service) renderFetchingAgent(ctx context.Context, job plan.Job, renderer ports.Renderer) (Result, error) {
	result, err := s.render(ctx, job, renderer)
	if err != nil || result.Findings.HasErrors() || job.Delivery.Location != nil {
		return result, err
	}
	docs, o := result.Delegated.Documents, job.Delivery
	text, err := s.encoder.Codec.Encode(docs)
	if err != nil {
		return result, fmt.Errorf("serialise the configuration: %w", err)
	}
	if len(text) > maxObject {
		result.Findings = append(result.Findings, report.Errorf(storagePath,
			"the configuration has %d bytes, %d more than fit into a Secret", len(text), len(text)-maxObject).
			To("add large files to the machine's image"))
		result.Rendering.Payload = delivery.Payload{}
		return result, nil
	}
	key := o.Encryption.KeyName()
	result.Findings = append(result.Findings, notUserdata(o.Storage))
	result.Rendering.Payload = delivery.Payload{
		Format: configurationFormat, Data: secret.New(text),
		FileExtension: ".yaml",
	}
	result.Stored = &StoredObject{
		Sum:  sumOf(text, key.Provider, key.Key, o.Identity),
		Data: func(ctx context.Context) (secret.Value, error) { return s.encoder.StoredDocuments(ctx, docs, o) },
	}
	return result, nil
}
