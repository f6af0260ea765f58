package controller

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/compose"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// unwatchedRetry is the requeue delay of a config whose plugin has a kind that does not exist or cannot be read.
const unwatchedRetry = 15 * time.Second

// composed is the result of looking up a config's plugins.
type composed struct {
	plugins   composition.Composition
	documents []document.Document
}

// ensure runs the use case for the config's data. It looks up the plugins of a config without data even if the config
// waits for something else, so that they are created and reported early. A config with a refused name creates no
// plugins.
func (r *Reconciler) ensure(ctx context.Context, s *scope) (bootstrap.Ready, error) {
	request := r.request(s)
	if !s.config.Status.DataSecretCreated() && bootstrap.CheckName(request) == nil {
		if err := r.compose(ctx, s); err != nil {
			return bootstrap.Ready{}, err
		}
	}
	return r.Service.Ensure(ctx, request)
}

// compose looks up the plugins, once in each reconciliation.
func (r *Reconciler) compose(ctx context.Context, s *scope) error {
	if s.composed != nil {
		return nil
	}
	s.composed = &composed{}
	references := convert.Plugins(&s.config.Spec, "spec")
	if len(references) == 0 {
		return nil
	}
	var err error
	s.composed.plugins, s.composed.documents, err = r.Plugins.Compose(ctx, compose.Request{
		Owner:   s.owner(),
		Cluster: s.cluster.Name, References: references,
		ByAgent: s.config.Spec.Delivery != nil && s.config.Spec.Delivery.Mode == string(delivery.ModeAgent),
	})
	return err
}

// setPluginConditions writes the state of the plugins into the status. It changes nothing if they were not looked up.
func setPluginConditions(c *v1alpha1.MachineBootstrapConfig, plugins *composed) {
	if plugins == nil || (len(plugins.plugins) == 0 && len(c.Spec.PluginRefs)+len(c.Spec.PluginTemplateRefs) > 0) {
		return
	}
	c.Status.PluginConditions = nil
	for _, p := range plugins.plugins {
		c.Status.PluginConditions = append(c.Status.PluginConditions, pluginCondition(p))
	}
}

func pluginCondition(p composition.Plugin) v1alpha1.PluginCondition {
	ready := p.State.SecretReady()
	condition := v1alpha1.PluginCondition{
		PluginReference: v1alpha1.PluginReference{APIGroup: p.Group, Kind: p.Kind, Name: p.Name},
		SecretReady:     &ready, Reason: string(p.State), Message: report.Cut(p.Message, report.MaxText),
	}
	if p.Template != nil {
		condition.Template = &v1alpha1.PluginTemplate{Kind: p.Template.Kind, Name: p.Template.Name}
	}
	return condition
}

// pluginsOf returns the index keys of a config's plugins: plugins that it names, plugins that are created for it, and
// their templates.
func pluginsOf(c *v1alpha1.MachineBootstrapConfig) []string {
	var names []string
	for _, ref := range convert.Plugins(&c.Spec, "spec") {
		names = append(names, ref.Full())
		if ref.Template {
			names = append(names, composition.InstanceOf(c.Name, ref.ID).Full())
		}
	}
	return names
}

// WatchPlugin watches the object's kind and reconciles the configs that name its resources. The kind stays watched
// until done is called, and then while a config names it.
func (r *Reconciler) WatchPlugin(o client.Object) (done func(), err error) { return r.plugins.Use(o) }

func (r *Reconciler) onPlugin(ctx context.Context, o client.Object) []ctrl.Request {
	kind := o.GetObjectKind().GroupVersionKind()
	return r.referringTo(ctx, o.GetNamespace(), composition.ID{
		Group: kind.Group, Kind: kind.Kind,
		Name: o.GetName(),
	}.Full())
}

// controllerOf returns the index key of the plugin that controls the object.
func controllerOf(o client.Object) (string, bool) {
	owner := metav1.GetControllerOf(o)
	if owner == nil {
		return "", false
	}
	group, err := schema.ParseGroupVersion(owner.APIVersion)
	return composition.ID{Group: group.Group, Kind: owner.Kind, Name: owner.Name}.Full(), err == nil
}
