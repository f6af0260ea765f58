package memory

import (
	"context"
	"sync"

	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/ports"
)

// PluginResources implements ports.PluginResources. The zero value contains no plugins.
type PluginResources struct {
	mutex     sync.Mutex
	plugins   map[resource]composition.Observed
	templates map[resource]composition.Observed
	owners    map[resource]ports.Owner
}

type resource struct {
	namespace string
	composition.ID
}

var _ ports.PluginResources = (*PluginResources)(nil)

// Put sets the result of Find for a plugin.
func (p *PluginResources) Put(namespace string, id composition.ID, f composition.Observed) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	put(&p.plugins, resource{namespace, id}, f)
}

// PutTemplate sets the result for plugins that are created from the template.
func (p *PluginResources) PutTemplate(namespace string, id composition.ID, f composition.Observed) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	put(&p.templates, resource{namespace, id}, f)
}

func put[V any](m *map[resource]V, r resource, v V) {
	if *m == nil {
		*m = map[resource]V{}
	}
	(*m)[r] = v
}

// Find returns a plugin of Put or Instantiate.
func (p *PluginResources) Find(_ context.Context, namespace string, id composition.ID) (composition.Observed, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if f, found := p.plugins[resource{namespace, id}]; found {
		return f, nil
	}
	return composition.Missing(), nil
}

// Instantiate creates a plugin, which is ready immediately.
func (p *PluginResources) Instantiate(_ context.Context, owner ports.Owner, _ string, i composition.Instance,
) (composition.Observed, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	at := resource{owner.Namespace, i.ID}
	if f, found := p.plugins[at]; found {
		if p.owners[at].UID != owner.UID {
			return composition.Observed{
				State:   composition.NotOwned,
				Message: "a resource of this name belongs to another owner; remove it",
			}, nil
		}
		return f, nil
	}
	f, found := p.templates[resource{owner.Namespace, i.Template}]
	if !found {
		return composition.MissingTemplate(i.Template), nil
	}
	put(&p.plugins, at, f)
	put(&p.owners, at, owner)
	return f, nil
}
