package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/app/compose"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// compose adds the documents of the plugins that the config names, as the controller does. Plugins and templates of
// machineadm's kinds are converted here. Those of other kinds must be among the manifests with their Secrets.
func (p *producer) compose(ctx context.Context, config *v1alpha1.MachineBootstrapConfig, objects resolver,
	d *composition.Description,
) error {
	s := compose.Service{Codec: p.options.Codec, Plugins: pluginResources{resolver: objects, codec: p.options.Codec}}
	plugins, docs, err := s.Compose(ctx, compose.Request{
		Owner:      ports.Owner{Key: ports.Key{Namespace: config.Namespace, Name: config.Name}, UID: config.Name},
		References: convert.Plugins(&config.Spec, "spec"), ByAgent: d.Delivery.Mode == delivery.ModeAgent,
	})
	d.Plugins, d.Documents = plugins, append(d.Documents, docs...)
	return err
}

// pluginResources implements ports.PluginResources with the objects of a namespace.
type pluginResources struct {
	resolver
	codec ports.Codec
}

// Find returns the state and the documents of a plugin.
func (p pluginResources) Find(ctx context.Context, _ string, id composition.ID) (composition.Observed, error) {
	if problem := convert.CheckPlugin(id); problem != "" {
		return composition.Observed{State: composition.NotAPlugin, Message: problem}, nil
	}
	o := p.use(id.Group, id.Kind, id.Name)
	if o == nil {
		return composition.Observed{
			State: composition.NotFound, Message: "the manifests do not contain this resource; " + p.similar(id),
		}, nil
	}
	if plugin := builtin(id); plugin != nil {
		return p.convert(ctx, plugin, id, o.json)
	}
	status, err := convert.PluginStatus(o.json)
	if err != nil {
		return composition.Observed{ //nolint:nilerr // the state contains it
			State: composition.InvalidStatus, Message: "the status does not follow the plugin contract: " + err.Error(),
		}, nil
	}
	found := status.Evaluate()
	if found.State != composition.Ready {
		return found, nil
	}
	return p.documents(found, status.SecretName, id), nil
}

// similar returns the remedy for a resource that is not among the manifests.
func (p pluginResources) similar(id composition.ID) string {
	return report.DidYouMean(id.Name, p.manifests.names(id.Group, id.Kind, p.namespace), "add it, or correct the name")
}

// Instantiate returns a plugin that a controller would create from a template. An instance of another kind than
// machineadm's must be among the manifests.
func (p pluginResources) Instantiate(ctx context.Context, owner ports.Owner, _ string, i composition.Instance,
) (composition.Observed, error) {
	if problem := convert.CheckPlugin(i.Template); problem != "" {
		return composition.Observed{State: composition.NotAPlugin, Message: problem}, nil
	}
	if p.use(i.Group, i.Kind, i.Name) != nil {
		return p.Find(ctx, owner.Namespace, i.ID)
	}
	template, plugin := p.use(i.Template.Group, i.Template.Kind, i.Template.Name), builtin(i.ID)
	switch {
	case template == nil:
		return composition.Observed{
			State: composition.NoTemplate, Message: fmt.Sprintf("the manifests do not contain the template %s; %s", i.Template,
				p.similar(i.Template)),
		}, nil
	case plugin == nil:
		return composition.Observed{State: composition.NotReady, Message: "its controller has not created its documents"}, nil
	}
	spec, err := decodeSpec[struct {
		Template struct {
			Spec json.RawMessage `json:"spec"`
		} `json:"template"`
	}](template)
	if err != nil {
		return composition.Observed{ //nolint:nilerr // the state contains it
			State: composition.InvalidTemplate, Message: "the template cannot be decoded",
		}, nil
	}
	body, err := json.Marshal(map[string]any{"spec": spec.Template.Spec})
	if err != nil {
		return composition.Observed{}, fmt.Errorf("create %s: %w", i.ID, err)
	}
	return p.convert(ctx, plugin, i.ID, body)
}

// convert decodes a plugin of machineadm's kinds and returns its documents.
func (p pluginResources) convert(ctx context.Context, plugin v1alpha1.Plugin, id composition.ID, object []byte,
) (composition.Observed, error) {
	if findings, _ := decodeStrict(object, plugin); len(findings) > 0 {
		return invalid(findings[0]), nil
	}
	plugin.SetNamespace(p.namespace)
	plugin.SetName(id.Name)
	converted, err := convert.Plugin(ctx, plugin, p.resolver)
	if err != nil {
		return composition.Observed{}, err
	}
	for _, d := range converted.Documents {
		converted.Findings = append(converted.Findings, d.Check()...)
	}
	switch {
	case converted.Findings.HasErrors():
		return invalid(converted.Findings.Sorted()[0]), nil
	case len(converted.Missing) > 0:
		return composition.Observed{State: composition.NotReady, Message: converted.Missing.Errors()}, nil
	}
	text, err := p.codec.Encode(converted.Documents)
	return composition.Observed{State: composition.Ready, Text: secret.New(text)}, err
}

func invalid(f report.Finding) composition.Observed {
	return composition.Observed{
		State: composition.InvalidDocuments, Message: strings.TrimPrefix(f.String(), report.Error.String()+": "),
	}
}

// documents adds the documents in the Secret of a plugin of another kind.
func (p pluginResources) documents(f composition.Observed, name string, id composition.ID) composition.Observed {
	o := p.use("", "Secret", name)
	if o == nil {
		f.State, f.Message = composition.NoSecret, fmt.Sprintf("the manifests do not contain its Secret %s", name)
		return f
	}
	c := metav1.GetControllerOf(o)
	controlled := c != nil && c.Kind == id.Kind && c.Name == id.Name && strings.HasPrefix(c.APIVersion, id.Group+"/")
	data := map[string][]byte{}
	if text, found := p.manifests.lookup(p.namespace, "Secret", name, v1alpha1.PluginDocumentsKey); found {
		data[v1alpha1.PluginDocumentsKey] = text
	}
	return convert.PluginDocuments(f, id.Kind, name, controlled, data)
}

// builtin returns an empty plugin of one of machineadm's kinds, or nil if the kind is another.
func builtin(id composition.ID) v1alpha1.Plugin {
	for _, p := range v1alpha1.Plugins() {
		if id.Group == v1alpha1.Group && v1alpha1.PluginKind(p) == id.Kind {
			return p
		}
	}
	return nil
}
