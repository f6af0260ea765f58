package host

import (
	"context"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/adapters/pluginhost/internal/wire"
	pluginv1 "github.com/machineadm/machineadm/adapters/pluginhost/proto/v1"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// call bounds a request and names the plugin in its error.
func (p *Plugin) call(ctx context.Context, limit time.Duration, what string, do func(context.Context) error) error {
	if err := within(ctx, limit, do); err != nil {
		return fmt.Errorf("plugin %s: %s: %w", p.Name, what, err)
	}
	return nil
}

// Expander returns an expander that calls the plugin.
func (p *Plugin) Expander() ports.Expander { return expander{p} }

type expander struct{ *Plugin }

// Describe returns the plugin's description from its start.
func (e expander) Describe() ports.Capability { return e.can }

// Expand calls the plugin, and validates its response like all other untrusted input.
func (e expander) Expand(ctx context.Context, x ports.Expansion) (actions []action.Action, r report.Report, err error) {
	request := &pluginv1.ExpandRequest{Target: wire.Target(x.Target)}
	if request.Document, err = e.wire.Document(x.Document); err != nil {
		return nil, nil, err
	}
	if request.Others, err = e.wire.Documents(x.Others); err != nil {
		return nil, nil, err
	}
	err = e.call(ctx, e.deadlines.Expand, "expand", func(ctx context.Context) error {
		answer, err := pluginv1.NewExpanderClient(e.conn).Expand(ctx, request)
		if err != nil {
			return err
		}
		r = wire.FromFindings(answer.GetFindings())
		actions, err = e.wire.FromActions(ctx, answer.GetActions())
		return err
	})
	return actions, r, err
}

// Fetch fetches machine configuration with the plugin.
func (p *Plugin) Fetch(ctx context.Context, c indirect.RemoteConfig) (data []byte, err error) {
	request := &pluginv1.FetchRequest{Provider: c.Provider, Uri: c.URI, CaBundle: c.CABundle}
	for _, h := range c.Headers {
		request.Headers = append(request.Headers, &pluginv1.Header{Name: h.Name, Value: string(h.Value.Reveal())})
	}
	err = p.call(ctx, p.deadlines.Fetch, "fetch", func(ctx context.Context) error {
		answer, err := pluginv1.NewSourceClient(p.conn).Fetch(ctx, request)
		data = answer.GetData()
		return err
	})
	if err != nil {
		return nil, redactedError{err, secret.NewRedactor(c.Secrets()...)}
	}
	return data, nil
}

// redactedError is the error of a plugin that may repeat what it was asked for: the address may be signed.
type redactedError struct {
	error
	redactor secret.Redactor
}

// Error returns the text of the error without the secrets of the request.
func (r redactedError) Error() string { return r.redactor.Clean(r.error.Error()) }

// Unwrap returns the plugin's error.
func (r redactedError) Unwrap() error { return r.error }

// Report sends the progress of the bootstrap to the plugin.
func (p *Plugin) Report(ctx context.Context, s status.Status) error {
	if p.encode == nil {
		return nil
	}
	data, err := p.encode(s)
	if err != nil {
		return err
	}
	return p.call(ctx, p.deadlines.Report, "report", func(ctx context.Context) error {
		_, err := pluginv1.NewReporterClient(p.conn).Report(ctx, &pluginv1.ReportRequest{Status: data})
		return err
	})
}
