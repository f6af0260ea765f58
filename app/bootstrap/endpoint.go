package bootstrap

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// Endpoint is the controller's server for machines, as they reach it.
type Endpoint struct {
	// URL is how its addresses begin, such as https://machineadm.example:9444; empty if there is none.
	URL string
	// Authorities are certificates in PEM that vouch for it; empty leaves that to those that machines trust.
	Authorities string
	// Agent returns the SHA-256 in hexadecimal of the agent that it serves for an operating system and an architecture, in
	// Go's words; empty if it serves none. Nil serves none.
	Agent func(system, architecture string) string
}

// enrol completes the description of a machine that reports, or that fetches the agent from the endpoint. The grant is
// of the credential that it made for the machine; zero if it made none.
func (s *Service) enrol(ctx context.Context, r Request, d *Description) (credential.Grant, error) {
	given := d.Target.Delivery.Reporting
	var e Endpoint
	var err error
	if d.Target.Delivery.Agent.Endpoint || given != nil && given.Endpoint == "" {
		if e, err = s.endpoint(); err != nil {
			return credential.Grant{}, err
		}
	}
	d.Findings = append(d.Findings, e.agent(&d.Target)...)
	if given == nil {
		return credential.Grant{}, nil
	}
	if d.Target.Profile.Shell != osprofile.ShellPOSIX {
		d.Findings = append(d.Findings, report.Infof("spec.reporting",
			"nothing on %s reports; whether the machine becomes a node is seen all the same",
			d.Target.Profile.Name))
		d.Target.Delivery.Reporting = nil
		return credential.Grant{}, nil
	}
	reporting := *given
	if reporting.Endpoint == "" {
		reporting.Endpoint, reporting.Authorities = e.URL, e.Authorities
	}
	if reporting.Endpoint == "" {
		d.Findings = append(d.Findings, report.Errorf("spec.reporting.url", "the controller has no endpoint of its own").
			To("give it one by --machine-endpoint-url, or give a url"))
		return credential.Grant{}, nil
	}
	shown, err := s.credential(ctx, r, d.Target.Delivery.Storage)
	if err != nil {
		return credential.Grant{}, fmt.Errorf("enrol the machine: %w", err)
	}
	reporting.Data, reporting.Credential = r.dataKey().String(), shown
	d.Target.Delivery.Reporting = &reporting
	if d.Target.Delivery.Template != nil {
		// The user's own text starts the agent, so that the agent itself has to lay down what tells it where to report.
		file := machine.File{
			Path: delivery.ReportPath, Content: document.Literal(reporting.File().Reveal()),
			Mode: 0o600, Secret: true,
		}
		d.Documents = append(slices.Clone(d.Documents), document.Document{
			Value:  file,
			Source: document.Source{Path: "spec.reporting"},
		})
	}
	return credential.Grant{Digest: credential.Of(shown.Reveal()), Ends: s.credentialEnd(r, reporting)}, nil
}

// credentialEnd returns when the credential of a machine whose data is published now expires. A pool's newest does not,
// since the machines to come have it.
func (s *Service) credentialEnd(r Request, reporting delivery.Reporting) time.Time {
	if r.Machine.Pool {
		return time.Time{}
	}
	return s.Clock.Now().Add(reporting.CredentialLife()).Truncate(time.Second)
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

// credential returns a new one, or the one that stands in what is stored already: what is stored anew at each look is
// never there.
func (s *Service) credential(ctx context.Context, r Request, storage delivery.StorageRef) (secret.Value, error) {
	if !storage.IsZero() && s.Deposits != nil {
		known, err := s.Deposits.Memo(ctx, r.depositKey(), r.Owner, storage)
		if err != nil || !known.IsZero() {
			return known, err
		}
	}
	return credential.New(s.Entropy)
}

// agent has the machine fetch the agent from the endpoint, if it asks for that.
func (e Endpoint) agent(t *osprofile.Target) report.Report {
	const at report.Path = "spec.delivery.agent.source"
	if !t.Delivery.Agent.Endpoint || t.Delivery.Mode != delivery.ModeAgent {
		return nil
	}
	if e.URL == "" || e.Agent == nil {
		return report.Report{report.Errorf(at, "the controller serves no agent").
			To("give it --machine-endpoint-url and --agent-dir, or use Image or Fetch")}
	}
	digest := e.Agent("linux", t.Architecture)
	if digest == "" {
		return report.Report{report.Errorf(at, "the controller serves no agent for %s", t.Architecture).
			To("put one into its --agent-dir, or use Image or Fetch")}
	}
	t.Delivery.Agent.Fetch = &delivery.AgentFetch{
		URL:    fmt.Sprintf("%s/agent/linux/%s?sha256=%s", strings.TrimSuffix(e.URL, "/"), t.Architecture, digest),
		SHA256: digest, Authorities: e.Authorities,
	}
	return nil
}
