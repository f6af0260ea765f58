package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/app/compose"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// composed joins the plugins that the manifest names, as the controller does. What a controller of ours would make of a
// plugin or of a template is made here; what somebody else's would is among the manifests, or waited for.
func composed(ctx context.Context, m cli.Manifest, lookup cli.Lookup,
	r *convert.Result,
) (composition.Composition, error) {
	s := compose.Service{Codec: codec.Codec{}, Plugins: manifestPlugins{manifest: m, lookup: lookup}}
	plugins, docs, err := s.Compose(ctx, compose.Request{
		Owner:      ports.Owner{Key: ports.Key{Namespace: m.Namespace, Name: m.Name}, UID: m.Name},
		References: r.Plugins, ByAgent: r.Target.Delivery.Mode == delivery.ModeAgent,
	})
	r.Documents = append(r.Documents, docs...)
	return plugins, err
}

// manifestPlugins is the port ports.PluginResources over manifests.
type manifestPlugins struct {
	manifest cli.Manifest
	lookup   cli.Lookup
}

// Find returns what there is of a plugin among the manifests.
func (p manifestPlugins) Find(ctx context.Context, _ string, id composition.ID) (composition.Found, error) {
	if problem := convert.CheckPlugin(id); problem != "" {
		return composition.Found{State: composition.NotAPlugin, Message: problem + "; remove it from the list"}, nil
	}
	object, found := p.manifest.Find(id.Group, id.Kind, id.Name)
	if !found {
		return composition.Found{State: composition.NotFound, Message: "the manifests hold no such resource"}, nil
	}
	if own := ownPlugin(id); own != nil {
		return p.own(ctx, own, id, object)
	}
	status, err := convert.PluginStatus(object)
	if err != nil {
		return composition.Found{State: composition.InvalidStatus, Message: "its status is not what the contract asks for: " +
			err.Error()}, nil //nolint:nilerr // it is told
	}
	judged := status.Judge()
	if judged.State != composition.Ready {
		return judged, nil
	}
	return p.documents(judged, status.SecretName, id), nil
}

// Instantiate makes a plugin of ours from its template. One of somebody else's has to be among the manifests.
func (p manifestPlugins) Instantiate(ctx context.Context, owner ports.Owner, _ string,
	i composition.Instance,
) (composition.Found, error) {
	if _, found := p.manifest.Find(i.Group, i.Kind, i.Name); found {
		return p.Find(ctx, owner.Namespace, i.ID)
	}
	object, found := p.manifest.Find(i.Template.Group, i.Template.Kind, i.Template.Name)
	own := ownPlugin(i.ID)
	switch {
	case !found:
		return composition.Found{State: composition.NoTemplate, Message: fmt.Sprintf("the manifests hold no %s", i.Template)},
			nil
	case own == nil:
		return composition.Found{State: composition.NotReady, Message: "its own controller has to make its documents"}, nil
	}
	var template struct {
		Spec struct {
			Template struct {
				Spec json.RawMessage `json:"spec"`
			} `json:"template"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(object, &template); err != nil {
		return composition.Found{State: composition.InvalidTemplate, Message: "it is not readable"},
			nil //nolint:nilerr // it is told
	}
	body, err := json.Marshal(map[string]any{"spec": template.Spec.Template.Spec})
	if err != nil {
		return composition.Found{}, fmt.Errorf("make %s: %w", i.ID, err)
	}
	return p.own(ctx, own, i.ID, body)
}

// own makes the documents of a plugin of ours.
func (p manifestPlugins) own(ctx context.Context, own v1alpha1.Plugin, id composition.ID,
	object []byte,
) (composition.Found, error) {
	unknown, err := kjson.UnmarshalStrict(object, own, kjson.DisallowUnknownFields)
	if err != nil {
		return invalid(misfit(cli.Manifest{JSON: object}, err)), nil
	}
	if len(unknown) > 0 {
		return invalid(strange(unknown[0], false)), nil
	}
	own.SetNamespace(p.manifest.Namespace)
	own.SetName(id.Name)
	converted, err := convert.Plugin(ctx, own, resolver(p.lookup))
	if err != nil {
		return composition.Found{}, err
	}
	for _, d := range converted.Documents {
		converted.Findings = append(converted.Findings, d.Check()...)
	}
	switch {
	case converted.Findings.HasErrors():
		return invalid(converted.Findings.Sorted()[0]), nil
	case len(converted.Missing) > 0:
		return composition.Found{State: composition.NotReady, Message: "missing: " + strings.Join(converted.Missing, ", ")},
			nil
	}
	text, err := codec.Codec{}.Encode(converted.Documents)
	return composition.Found{State: composition.Ready, Text: secret.New(text)}, err
}

func invalid(f report.Finding) composition.Found {
	return composition.Found{State: composition.InvalidDocuments, Message: strings.TrimPrefix(f.String(),
		report.Error.String()+": ")}
}

// documents reads the Secret of somebody else's plugin.
func (p manifestPlugins) documents(f composition.Found, name string, id composition.ID) composition.Found {
	object, found := p.manifest.Find("", "Secret", name)
	if !found {
		f.State, f.Message = composition.NoSecret, fmt.Sprintf("the manifests do not hold its Secret %s", name)
		return f
	}
	var s struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	// What is no object is not controlled by anybody.
	_ = json.Unmarshal(object, &s)
	c := metav1.GetControllerOf(&s.Metadata)
	controlled := c != nil && c.Kind == id.Kind && c.Name == id.Name && strings.HasPrefix(c.APIVersion, id.Group+"/")
	data := map[string][]byte{}
	if text, found := p.lookup("Secret", name, v1alpha1.PluginDocumentsKey); found {
		data[v1alpha1.PluginDocumentsKey] = text
	}
	return convert.PluginDocuments(f, id.Kind, name, controlled, data)
}

// ownPlugin returns an empty plugin of ours of the kind; nil if the kind is not ours.
func ownPlugin(id composition.ID) v1alpha1.Plugin {
	for _, p := range v1alpha1.Plugins() {
		if id.Group == v1alpha1.Group && v1alpha1.PluginKind(p) == id.Kind {
			return p
		}
	}
	return nil
}
