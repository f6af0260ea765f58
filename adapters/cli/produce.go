package cli

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// producer runs the controller's use case for machines of the manifests, with the ports of the cluster in memory.
type producer struct {
	options   Options
	inputs    *inputs
	manifests *manifests
	// profiles are those of --os-profile.
	profiles []osprofile.Profile
	// empty replaces missing references by empty contents.
	empty bool
}

// result is the outcome for one machine.
type result struct {
	machine  *machine
	payload  delivery.Payload
	rendered render.Result
	findings report.Report
	// missing are the findings about references that are not among the manifests.
	missing report.Report
	// cluster names the machine's cluster, and placeholders are the findings about values that replace missing ones.
	cluster      string
	placeholders report.Report
}

// produce returns the bootstrap data of a machine. With --allow-missing, missing references are replaced by empty
// contents, and errors about these contents are left out.
func (p *producer) produce(ctx context.Context, m *machine) (result, error) {
	out, err := p.produceOnce(ctx, m)
	if err != nil || len(out.missing) == 0 || !p.inputs.allowMissing {
		return out, err
	}
	missing := out.missing
	p.empty = true
	out, err = p.produceOnce(ctx, m)
	p.empty = false
	out.payload = delivery.Payload{}
	out.findings = slices.DeleteFunc(out.findings, concerns(missing))
	for _, f := range missing {
		f.Severity = report.Info
		out.findings = append(out.findings, f)
	}
	return out, err
}

// concerns returns a function that reports whether the path of a finding is that of a missing reference, or contains or
// is beside it.
func concerns(missing report.Report) func(report.Finding) bool {
	beside, above := map[report.Path]bool{}, map[report.Path]bool{}
	for _, f := range missing {
		beside[parent(parent(f.Path))] = true
		for p := range ancestors(f.Path) {
			above[p] = true
		}
	}
	return func(f report.Finding) bool {
		if f.Path == "" {
			return false
		}
		for p := range ancestors(f.Path) {
			if beside[p] {
				return true
			}
		}
		return above[f.Path] || beside[""]
	}
}

// ancestors returns the path and those that contain it, for all of which Under is true.
func ancestors(p report.Path) iter.Seq[report.Path] {
	return func(yield func(report.Path) bool) {
		for i := range len(p) {
			if (p[i] == '.' || p[i] == '[') && !yield(p[:i]) {
				return
			}
		}
		yield(p)
	}
}

// parent returns the path without its last field.
func parent(p report.Path) report.Path {
	return p[:max(strings.LastIndexByte(string(p), '.'), 0)]
}

// produceOnce returns the bootstrap data of a machine, within a budget for this machine, as in the controller.
func (p *producer) produceOnce(ctx context.Context, m *machine) (result, error) {
	out := result{machine: m}
	ctx = budget.NewContext(ctx, budget.New(budget.Default()))
	cluster, placeholders, err := p.cluster(m)
	if err != nil {
		return out, err
	}
	out.cluster, out.placeholders = "Cluster/"+cluster.Key.String(), placeholders
	service := bootstrap.New(bootstrap.Options{
		Render: p.render(&out), Certificates: p.certificates(cluster.Key), Tokens: &memory.Tokens{},
		Talos: p.talos(ctx, cluster.Key), Lock: &memory.InitLock{}, Data: &memory.DataSecrets{}, Clock: &memory.Clock{},
		Entropy:  &memory.Entropy{},
		Endpoint: func() (bootstrap.Endpoint, error) { return placeholderEndpoint(&out), nil },
		// The identity with key management services is the user's, who may use it.
		KeyIdentity: func(string) bool { return true },
	})
	ready, err := service.Produce(ctx, p.request(m, cluster))
	return out, out.set(ready, err)
}

// placeholderEndpoint replaces the controller's endpoint, which depends on the controller's flags.
func placeholderEndpoint(out *result) bootstrap.Endpoint {
	out.findings = append(out.findings, report.Infof("", "a placeholder replaces the controller's endpoint"))
	return bootstrap.Endpoint{
		URL: "https://endpoint.invalid:9444", Agent: func(string, string) string { return strings.Repeat("0", 64) },
	}
}

// set adds the findings of the use case, and returns its failure. Waiting is an error: no event will follow.
func (r *result) set(ready bootstrap.Ready, err error) error {
	var waiting bootstrap.WaitingError
	var stalled bootstrap.StalledError
	switch {
	case bootstrap.Failure(err) != nil:
		return bootstrap.Failure(err)
	case errors.As(err, &waiting):
		r.wait(waiting)
	case errors.As(err, &stalled) && len(stalled.Findings) == 0:
		r.findings = append(r.findings, report.Errorf("", "%s", stalled.Message))
	case err != nil:
		r.findings = append(r.findings, stalled.Findings...)
	default:
		r.payload = ready.Payload
		r.findings = append(r.findings, ready.Findings...)
		if ready.TokenID != "" {
			r.findings = append(r.findings, report.Infof("", "a placeholder replaces the token that the controller creates"))
		}
	}
	return nil
}

// wait adds the findings about what the controller would wait for.
func (r *result) wait(w bootstrap.WaitingError) {
	r.missing = w.Findings
	if len(w.Findings) == 0 {
		r.findings = append(r.findings, report.Errorf(w.At, "the controller would wait: %s", w.Message))
	}
	for _, f := range w.Findings {
		r.findings = append(r.findings, f.To("%s, or add it to the manifests", f.Remedy))
	}
}

func (p *producer) render(out *result) func(context.Context, plan.Job) (render.Result, error) {
	if delivery.Format(p.inputs.format) == configurationFormat {
		return p.encodeDocuments
	}
	return func(ctx context.Context, job plan.Job) (render.Result, error) {
		rendered, err := p.options.Render.Render(ctx, job)
		out.rendered = rendered
		// The output is the object that would be stored.
		rendered.Stored = nil
		return rendered, err
	}
}

func (p *producer) request(m *machine, cluster ports.Cluster) bootstrap.Request {
	about := m.Machine
	about.Version = cmp.Or(p.inputs.version, m.Version)
	about.Infrastructure = cmp.Or(p.inputs.infrastructure, m.Infrastructure)
	name := m.config.Name
	if !m.isConfig() {
		name = m.Name
	}
	return bootstrap.Request{
		Owner:    ports.Owner{Key: ports.Key{Namespace: m.config.Namespace, Name: name}, UID: m.config.String()},
		Cluster:  cluster,
		Machine:  about,
		Describe: func(ctx context.Context) (composition.Description, error) { return p.describe(ctx, m) },
	}
}
