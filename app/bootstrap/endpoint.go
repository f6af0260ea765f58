package bootstrap

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// Endpoint is the controller's HTTPS server for machines.
type Endpoint struct {
	// URL is the base URL, such as https://machineadm.example:9444, or empty if there is no endpoint.
	URL string
	// Authorities are the PEM certificates of the authorities that sign its certificate, or empty if machines trust it
	// already.
	Authorities string
	// Agent returns the SHA-256 in hexadecimal of the served agent for an operating system and an architecture, by the
	// names of GOOS and GOARCH, or empty if it serves none. A nil Agent serves none.
	Agent func(system, architecture string) string
}

// enroll completes the delivery of a machine that reports, or that fetches the agent from the endpoint.
func (p *production) enroll(ctx context.Context) error {
	d := &p.description
	given := d.Delivery.Reporting
	var e Endpoint
	var err error
	if d.Delivery.Agent.Endpoint || given != nil && given.Endpoint == "" {
		if e, err = p.endpoint(); err != nil {
			return err
		}
	}
	d.Findings = append(d.Findings, e.provideAgent(&d.Delivery, d.Target)...)
	if given == nil {
		return nil
	}
	if d.Target.Profile.Shell != osprofile.ShellPOSIX {
		d.Findings = append(d.Findings, report.Infof("spec.reporting",
			"machines with %s do not report; the controller still detects when they become nodes", d.Target.Profile.Name))
		d.Delivery.Reporting = nil
		return nil
	}
	reporting := *given
	if reporting.Endpoint == "" {
		reporting.Endpoint, reporting.Authorities = e.URL, e.Authorities
	}
	if reporting.Endpoint == "" {
		d.Findings = append(d.Findings, report.Errorf("spec.reporting.url", "the controller has no endpoint").
			To("set --machine-endpoint-url on the controller, or set url"))
		return nil
	}
	if reporting.Credential, err = p.newCredential(ctx); err != nil {
		return fmt.Errorf("enroll the machine: %w", err)
	}
	reporting.Data = p.request.dataKey().String()
	d.Delivery.Reporting = &reporting
	p.data.Credential = credential.Grant{
		Digest: credential.DigestOf(reporting.Credential.Reveal()), Expires: p.credentialEnd(reporting),
	}
	p.addReportFile(reporting)
	return nil
}

// addReportFile adds the file that configures reports if the user's own userdata starts the agent. In all other
// userdata the bootstrap program writes it.
func (p *production) addReportFile(r delivery.Reporting) {
	d := &p.description
	if d.Delivery.Template == nil {
		return
	}
	d.Documents = append(slices.Clone(d.Documents), document.Document{
		Value: machine.File{
			Path: delivery.ReportPath, Content: document.Literal(r.File().Reveal()),
			Mode: 0o600, Secret: true,
		},
		Source: document.Source{Path: "spec.reporting"},
	})
}

// credentialEnd returns when the credential of a machine expires whose data is published now. The newest credential of
// a pool does not expire, because future machines use it.
func (p *production) credentialEnd(r delivery.Reporting) time.Time {
	if p.request.Machine.Pool {
		return time.Time{}
	}
	return p.Clock.Now().Add(r.CredentialLife()).Truncate(time.Second)
}

func (s *Service) endpoint() (Endpoint, error) {
	if s.Endpoint == nil {
		return Endpoint{}, nil
	}
	e, err := s.Endpoint()
	if err != nil {
		return e, fmt.Errorf("look up the endpoint: %w", err)
	}
	return e, nil
}

// newCredential returns a new credential, or the one in the object that is stored already. With a new one the object
// would change at each attempt, and the storage would never contain it.
func (p *production) newCredential(ctx context.Context) (secret.Value, error) {
	storage := p.description.Delivery.Storage
	if !storage.IsZero() && p.StorageRequests != nil {
		known, err := p.StorageRequests.PrivateData(ctx, p.request.storageRequestKey(), p.request.Owner, storage)
		if err != nil || !known.IsZero() {
			return known, err
		}
	}
	return credential.New(p.Entropy)
}

// agentOf returns the identity of the endpoint's agent in the data. It is empty if the machine does not fetch the agent
// from the endpoint.
func agentOf(job plan.Job) string {
	if !job.Delivery.Agent.Endpoint {
		return ""
	}
	return agentID(job.Target.Architecture, job.Delivery.Agent.Fetch)
}

// agentID returns the architecture and a digest of the address, the authorities and the program, such as "amd64:0123…".
// It is empty without an agent.
func agentID(architecture string, fetch *delivery.AgentFetch) string {
	if fetch == nil {
		return ""
	}
	return fmt.Sprintf("%s:%x", architecture, sha256.Sum256([]byte(fetch.URL+"\n"+fetch.Authorities)))
}

// agent returns how a machine fetches the agent from the endpoint, or nil if the endpoint has none for it.
func (e Endpoint) agent(architecture string) *delivery.AgentFetch {
	if e.URL == "" || e.Agent == nil {
		return nil
	}
	digest := e.Agent("linux", architecture)
	if digest == "" {
		return nil
	}
	return &delivery.AgentFetch{
		URL:    fmt.Sprintf("%s/agent/linux/%s?sha256=%s", strings.TrimSuffix(e.URL, "/"), architecture, digest),
		SHA256: digest, Authorities: e.Authorities,
	}
}

// provideAgent sets the URL of the endpoint's agent, if the delivery requests it.
func (e Endpoint) provideAgent(o *delivery.Options, t osprofile.Target) report.Report {
	const at report.Path = "spec.delivery.agent.source"
	if !o.Agent.Endpoint || o.Mode != delivery.ModeAgent {
		return nil
	}
	if e.URL == "" || e.Agent == nil {
		return report.Report{report.Errorf(at, "the controller serves no agent").
			To("set --machine-endpoint-url and --agent-dir on the controller, or use Image or Fetch")}
	}
	if t.Profile.Shell != osprofile.ShellPOSIX {
		return report.Report{report.Errorf(at, "the controller serves agents for Linux, and the machine has %s",
			t.Profile.Name).To("use Image or Fetch")}
	}
	o.Agent.Fetch = e.agent(t.Architecture)
	if o.Agent.Fetch == nil {
		return report.Report{report.Errorf(at, "the controller serves no agent for %s", t.Architecture).
			To("add one to the directory of --agent-dir, or use Image or Fetch")}
	}
	return nil
}
