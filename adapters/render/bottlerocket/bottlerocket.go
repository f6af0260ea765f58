package bottlerocket

import (
	"context"
	"fmt"

	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Renderer renders Bottlerocket's user data. It has no state.
type Renderer struct{}

var _ ports.Renderer = Renderer{}

// Format returns FormatBottlerocket.
func (Renderer) Format() delivery.Format { return delivery.FormatBottlerocket }

// Native returns true for every kind of machineadm. Findings about unsupported settings then refer to the document, not
// to the files and commands that a plugin would expand it to.
func (Renderer) Native(d document.Document, _ osprofile.Target) bool {
	_, opaque := d.Value.(document.Opaque)
	return !opaque
}

// Render renders the plan. An error means that the settings could not be encoded.
func (Renderer) Render(ctx context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	s := newSettings(p.Target)
	for i, d := range p.Documents {
		if err := ctx.Err(); err != nil {
			return ports.Rendering{}, nil, err
		}
		if p.Native[i] {
			s.document(ctx, d, p.Target)
		}
	}
	for _, step := range p.Steps {
		if err := ctx.Err(); err != nil {
			return ports.Rendering{}, nil, err
		}
		s.step(p.Source(step).Path, step)
	}
	s.snippets(ctx, p.Snippets)
	s.memoryManager()
	if err := ctx.Err(); err != nil {
		return ports.Rendering{}, nil, err
	}
	if s.findings.HasErrors() {
		return ports.Rendering{}, s.findings, nil
	}
	data, err := toml.Marshal(map[string]any{"settings": s.tree})
	if err != nil {
		return ports.Rendering{}, nil, fmt.Errorf("encode the settings: %w", err)
	}
	return ports.Rendering{
		Payload: delivery.Payload{
			Format: delivery.FormatBottlerocket, SecretFormat: delivery.SecretFormatNone,
			Data: secret.New(data), FileExtension: ".toml",
		},
		Places: make([]string, len(p.Steps)),
	}, s.findings, nil
}

// document renders a document, or refuses it.
func (s *settings) document(ctx context.Context, d document.Document, t osprofile.Target) {
	at := d.Source.Path
	switch v := d.Value.(type) {
	case node.NodeConfig:
		s.node(at, v)
	case node.StaticPod:
		s.staticPod(ctx, at, v)
	case machine.KubernetesConfig:
		s.kubernetes(at, v, t)
	case machine.HostConfig:
		s.host(at, v)
	case machine.TimeSyncConfig:
		s.timeSync(at, v)
	case machine.SysctlConfig:
		s.sysctls(at, v)
	case machine.KernelModulesConfig:
		s.modules(at, v)
	case machine.KernelArguments:
		s.kernelArguments(at, v)
	case machine.TrustedCAsConfig:
		s.trust(at, v)
	case machine.ProxyConfig:
		s.proxy(at, v)
	case machine.ContainerdConfig:
		s.containerd(at, v)
	case machine.OSUpdatesConfig:
		s.updates(at, v)
	default:
		s.refuseDocument(d)
	}
}
