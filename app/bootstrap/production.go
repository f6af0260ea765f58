package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

type publish func(context.Context, ports.DataSecret) error

// production produces a machine's data once. Its methods are the steps, in the order of produce; each adds to it.
type production struct {
	*Service
	request     Request
	role        node.Role
	description composition.Description
	// certificates, pins and talos are those of the cluster. talos is nil unless the control plane consists of Talos
	// machines.
	certificates []node.CertificateFile
	pins         []string
	talos        *node.TalosSecrets
	// discovery is how the machine finds the cluster, or nil for the machine that starts it.
	discovery *node.Discovery
	result    render.Result
	// data is complete except for the payload.
	data ports.DataSecret
	// tokenExpires is when the token in the data expires.
	tokenExpires time.Time
	start        *Start
}

// produce renders the data for the role and publishes it.
func (s *Service) produce(ctx context.Context, r Request, role node.Role, publish publish) (Ready, error) {
	p := &production{Service: s, request: r, role: role}
	steps := []func(context.Context) error{
		p.describe, p.enroll, p.check, p.lookUpCluster, p.renderWithToken, p.store,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return Ready{}, err
		}
	}
	return p.publish(ctx, publish)
}

func (p *production) describe(ctx context.Context) error {
	var err error
	if p.description, err = p.request.Describe(ctx); err != nil {
		return fmt.Errorf("convert the description: %w", err)
	}
	return nil
}

// check returns the first reason why the description cannot be rendered.
func (p *production) check(context.Context) error {
	d := &p.description
	d.Findings = append(d.Findings, cannotJoin(d.Target.Profile, DetectControlPlane(p.request.Cluster.ControlPlane))...)
	if d.Findings.HasErrors() {
		return invalid(d.Findings)
	}
	if len(d.Missing) > 0 {
		return WaitingError{Reason: ReasonReference, Message: d.Missing.Errors(), Findings: d.Missing}
	}
	if err := checkPlugins(d.Plugins); err != nil {
		return err
	}
	return p.checkKeyIdentity()
}

// checkKeyIdentity returns an error if the configuration must not be encrypted. The controller calls key management
// services with its own identity, which may use keys that authors of configs may not.
func (p *production) checkKeyIdentity() error {
	e, namespace := p.description.Delivery.Encryption, p.request.Owner.Namespace
	if e.IsZero() || !e.HasService() || p.KeyIdentity != nil && p.KeyIdentity(namespace) {
		return nil
	}
	return StalledError{Reason: ReasonKeyRefused, Message: fmt.Sprintf(
		"spec.delivery.encryption.provider: the controller's identity with key management "+
			"services is not for namespace %s; use the provider file or remote, or ask the administrator to list the namespace "+
			"in --kms-identity-namespaces", namespace)}
}

// render renders the completed documents.
func (p *production) render(ctx context.Context) error {
	job := p.description.Job
	docs, findings := p.completeDocuments()
	job.Documents = docs
	job.Target.KubernetesVersion, job.Target.Infrastructure = p.request.Machine.Version, p.request.Machine.Infrastructure
	job.Delivery.Identity = p.request.identity()
	result, err := p.Render(ctx, job)
	if err != nil {
		return keyError(err, "render the machine")
	}
	d := p.description
	if d.Fields == nil {
		d.Fields = report.Fields{}
	}
	maps.Copy(d.Fields, elsewhere())
	if p.discovery != nil && p.discovery.APIServerEndpoint == p.request.Cluster.Network.Endpoint {
		d.Fields["spec.node.discovery.apiServerEndpoint"] = d.Fields["spec.node.cluster.endpoint"]
	}
	findings = d.Fields.In(slices.Concat(d.Findings, findings, result.Findings))
	result.Findings = d.Plugins.Redact(findings).Sorted()
	if result.Findings.HasErrors() {
		stalled := invalid(result.Findings)
		if result.Size.TooLarge && result.Findings.Count(report.Error) == 1 {
			stalled.Reason = ReasonTooLarge
		}
		return stalled
	}
	p.result = result
	return nil
}

// MachineVersion is the path of findings about the Kubernetes version, which is a field of the Machine.
const MachineVersion report.Path = "Machine.spec.version"

// InCluster begins the paths of findings about fields of the Cluster.
const InCluster = "Cluster."

// elsewhere returns the fields of other objects that determine fields of the node.
func elsewhere() report.Fields {
	return report.Fields{
		"spec.node.kubernetesVersion":      MachineVersion,
		"spec.node.cluster.endpoint":       InCluster + "spec.controlPlaneEndpoint",
		"spec.node.cluster.podSubnets":     InCluster + "spec.clusterNetwork.pods.cidrBlocks",
		"spec.node.cluster.serviceSubnets": InCluster + "spec.clusterNetwork.services.cidrBlocks",
		"spec.node.cluster.dnsDomain":      InCluster + "spec.clusterNetwork.serviceDomain",
	}
}

func invalid(findings report.Report) StalledError {
	findings = findings.Sorted()
	return StalledError{Reason: ReasonInvalid, Message: findings.Errors(), Findings: findings}
}

// publish publishes the data. If the owner has data already, it maintains that.
func (p *production) publish(ctx context.Context, publish publish) (Ready, error) {
	r, key, now := p.request, p.request.dataKey(), p.Clock.Now()
	d := p.data
	d.Key, d.Cluster, d.Machine, d.Owner = key, r.Cluster.Name, r.Machine.Name, r.Owner
	d.Metadata = p.description.Delivery.Metadata
	d.Payload, d.PreviousExpiry, d.Published = p.result.Rendering.Payload, now.Add(p.TokenTTL), now
	d.Summary = p.summary()
	err := publish(ctx, d)
	if errors.Is(err, ports.ErrDataExists) {
		return p.existing(ctx, r)
	}
	if err != nil {
		return Ready{}, dataError(err, "publish", key)
	}
	if d.Token.ID != "" {
		p.leases.set(r.Owner.UID, p.tokenExpires)
	}
	if d.Token.ID != "" && r.Machine.Pool {
		p.leases.publish(r.Owner.UID, inputsOf(d.Summary))
	}
	return Ready{
		Name: key.Name, Created: true, Payload: d.Payload, Findings: p.result.Findings,
		Summary: d.Summary, TokenID: d.Token.ID, Start: p.start, Published: now, Next: p.next(r, d.Token, d.Location),
	}, nil
}

// maxWarnings is the largest number of warnings that a summary contains.
const maxWarnings = 1 << 20

// summary describes the rendered payload.
func (p *production) summary() ports.DataSummary {
	payload := p.result.Rendering.Payload
	return ports.DataSummary{
		Format: payload.Format, FormatVersion: p.description.Target.VersionOf(payload.Format), Envelope: payload.Envelope,
		Bytes:    int64(payload.Data.Len()),
		Warnings: int32(min(p.result.Findings.Count(report.Warning), maxWarnings)), //nolint:gosec // bounded
		Source:   p.description.Source, Version: p.request.Machine.Version, Agent: agentOf(p.description.Job),
	}
}

// existing returns the data that another attempt has published.
func (s *Service) existing(ctx context.Context, r Request) (Ready, error) {
	key := r.dataKey()
	found, err := s.Data.Find(ctx, key, r.Owner)
	if err != nil {
		return Ready{}, dataError(err, "find", key)
	}
	ready := readyFrom(found)
	ready.Next = s.next(r, found.Token, found.Location)
	return ready, nil
}
