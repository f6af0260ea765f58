package worstcase_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/envelope"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/seal"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/cmd/internal/catalogtest"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// contents resolves every reference to the same bytes, but those of companions.
type contents []byte

func (c contents) Resolve(_ context.Context, r convert.Reference) ([]byte, error) {
	switch r.Name {
	case shortSecret:
		return []byte("short"), nil
	case keySecret:
		return []byte(privateKey), nil
	}
	return c, nil
}

// privateKey has the form of one, which is all that is looked at.
const privateKey = "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n"

// contents returns what all references of the site lead to: together they have nearly as many bytes as the budget
// gives.
func (s site) contents() contents {
	if s.shape != aReference {
		return contents("x")
	}
	counter := generator{site: s, variant: variant{text: "a"}, room: maxObject}
	counter.instances = counter.wanted()
	counter.value(s.root, s.path, "")
	n := min(1<<20, int(budget.Default().Content)/counter.references)
	if takesCertificates(strings.ReplaceAll(s.field(), element, "")) {
		return contents(certificates(n))
	}
	kind := regexp.MustCompile(`(From)?\.(secret|configMap)$`)
	field := strings.ReplaceAll(strings.TrimPrefix(s.field(), "spec"), element, "")
	start := prefix(kind.ReplaceAllString(field, ""))
	return contents(start + repeat(noise, n-len(start)))
}

// pipeline does with objects what the controllers do between the watch and the Secret.
type pipeline struct {
	t      testing.TB
	render *render.Service
	codec  codec.Codec
}

func newPipeline(t testing.TB) *pipeline {
	t.Helper()
	service, err := render.New(formats.Bootable(), plugins.Builtin(), render.WithWrapper(envelope.Wrapper{}),
		render.WithCodec(codec.Codec{}), render.WithEncrypter(seal.Encrypter{}))
	if err != nil {
		t.Fatal(err)
	}
	return &pipeline{t: t, render: service}
}

// result is what came of an object.
type result struct {
	// outcome is the reason of the condition, or the kind of the data.
	outcome string
	// output is how many bytes the data and the findings have; nodes is how many are drawn from the budget.
	output int
	nodes  int64
}

// run takes an object through the controller of its kind.
func (p *pipeline) run(kind string, spec []byte, format string, refs convert.Resolver) result {
	p.t.Helper()
	spent := budget.New(budget.Default())
	ctx := budget.NewContext(p.t.Context(), spent)
	var r result
	switch kind {
	case v1alpha1.ConfigKind:
		r = p.config(ctx, spec, format, refs)
	default:
		r = p.plugin(ctx, kind, spec, refs)
	}
	r.nodes = budget.Default().Nodes - spent.Left(budget.Nodes)
	return r
}

func (p *pipeline) config(ctx context.Context, spec []byte, format string, refs convert.Resolver) result {
	c := &v1alpha1.MachineBootstrapConfig{}
	c.Namespace, c.Name, c.UID = "default", "m", "uid"
	p.decode(spec, &c.Spec)
	profile, _ := osprofile.Lookup(c.Spec.OS.Distribution)
	if profile.Family == osprofile.FamilyFlatcar {
		provisioned(&c.Spec)
	}
	if format != "" && format != byAgent {
		c.Spec.Format = v1alpha1.Format(format)
	}
	controller.ReferencesOf(c)
	service := bootstrap.New(bootstrap.Options{
		Render:       p.render.Render,
		Certificates: &memory.Certificates{Assume: true},
		Tokens:       &memory.Tokens{},
		Talos:        &memory.TalosSecrets{Assume: true},
		Lock:         &memory.InitLock{}, Data: &memory.DataSecrets{},
		Clock: &memory.Clock{}, Entropy: &memory.Entropy{},
	})
	key := ports.Key{Namespace: "default", Name: "cluster"}
	ready, err := service.Produce(ctx, bootstrap.Request{
		Owner: ports.Owner{Key: ports.Key{Namespace: "default", Name: "m"}, UID: "uid"},
		Cluster: ports.Cluster{
			Key: key, InfrastructureReady: true, StandAlone: true, Initialized: c.Spec.ControlPlane == nil,
			ControlPlane: ports.ControlPlaneEvidence{Setting: string(profile.ControlPlaneType())},
			Network:      node.Cluster{Name: "cluster", Endpoint: "10.0.0.1:6443"},
		},
		Machine: ports.Machine{Name: "m", Version: catalogtest.Version, ControlPlane: c.Spec.ControlPlane != nil},
		Describe: func(ctx context.Context) (composition.Description, error) {
			return convert.Config(ctx, c, convert.Names{}, refs)
		},
	})
	return describe(ready, err)
}

// provisioned takes Kubernetes from the image: a system that gets it by an extension, and has none, is refused before
// it is rendered.
func provisioned(s *v1alpha1.MachineBootstrapConfigSpec) {
	if s.Machine == nil {
		s.Machine = &v1alpha1.MachineSpec{}
	}
	if s.Machine.Kubernetes == nil {
		s.Machine.Kubernetes = &v1alpha1.KubernetesConfigSpec{Provision: string(machine.ProvisionImage)}
	}
}

func describe(ready bootstrap.Ready, err error) result {
	var waiting bootstrap.WaitingError
	var stalled bootstrap.StalledError
	switch {
	case err == nil:
		return result{outcome: "data", output: len(ready.Payload.Data.Reveal()) + len(ready.Findings.String())}
	case errors.As(err, &waiting):
		return result{outcome: string(waiting.Reason), output: len(waiting.Message)}
	case errors.As(err, &stalled):
		return result{outcome: string(stalled.Reason), output: len(stalled.Message) + len(stalled.Findings.String())}
	default:
		return result{outcome: fmt.Sprintf("error: %.100v", err)}
	}
}

// plugin converts a plugin, writes its documents and reads them back, as its own controller and that of the machine do.
func (p *pipeline) plugin(ctx context.Context, kind string, spec []byte, refs convert.Resolver) result {
	object := newPlugin(kind)
	if object == nil {
		return result{outcome: "not converted"}
	}
	p.decode(spec, reflect.ValueOf(object).Elem().FieldByName("Spec").Addr().Interface())
	convert.References(object)
	r, err := convert.Plugin(ctx, object, refs)
	if err != nil {
		return result{outcome: err.Error()}
	}
	for _, d := range r.Documents {
		r.Findings = append(r.Findings, d.Check()...)
	}
	if r.Findings.HasErrors() {
		return result{outcome: "InvalidSpec", output: len(r.Findings.String())}
	}
	text, err := p.codec.Encode(r.Documents)
	if err != nil {
		return result{outcome: err.Error()}
	}
	if _, findings := p.codec.Decode(budget.NewContext(ctx, budget.New(budget.Default())), text); findings.HasErrors() {
		return result{outcome: "InvalidDocuments", output: len(findings.String())}
	}
	return result{outcome: "data", output: len(text) + len(r.Findings.String())}
}

func newPlugin(kind string) v1alpha1.Plugin {
	for _, p := range v1alpha1.Plugins() {
		if v1alpha1.PluginKind(p) == kind {
			return p
		}
	}
	return nil
}

func (p *pipeline) decode(spec []byte, into any) {
	p.t.Helper()
	d := json.NewDecoder(bytes.NewReader(spec))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		p.t.Fatalf("%.200s: %v", spec, err)
	}
}
