package cli

import (
	"context"
	"encoding/json"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Where the Talos secrets of a cluster stand: the key of the Secret <cluster>-talos.
const (
	talosSuffix = "-talos"
	talosKey    = "bundle"
)

// controlPlane judges what the control plane of the machine's cluster is made of. Where the manifests tell nothing, the
// machine itself is taken to be at the right place.
func (w *world) controlPlane(m *aMachine, cluster *object, provider string) bootstrap.ControlPlane {
	e := bootstrap.Evidence{Provider: provider}
	if cluster != nil {
		e.Setting = cluster.Metadata.Annotations[bootstrap.FlavorAnnotation]
	}
	for _, other := range w.manifests.machines {
		if other.controlPlane && other.cluster == m.cluster &&
			other.config.Metadata.Namespace == m.config.Metadata.Namespace {
			e.Machines = append(e.Machines, evident(other))
		}
	}
	e.Machines = append(e.Machines, evident(m))
	return bootstrap.Judge(e)
}

func evident(m *aMachine) bootstrap.Evident {
	type spec struct {
		OS struct {
			Distribution string `json:"distribution"`
		} `json:"os"`
	}
	var body struct {
		Spec struct {
			spec
			Template struct {
				Spec spec `json:"spec"`
			} `json:"template"`
		} `json:"spec"`
	}
	told := bootstrap.Evident{Name: m.name}
	// What cannot be read is told by whoever describes the machine.
	if json.Unmarshal(m.config.json, &body) != nil {
		return told
	}
	told.Distribution = body.Spec.OS.Distribution
	if m.config.Kind == TemplateKind {
		told.Distribution = body.Spec.Template.Spec.OS.Distribution
	}
	return told
}

// talos holds the Talos secrets of the manifests, or makes them up.
func (w *world) talos(ctx context.Context, cluster ports.Key) *memory.TalosSecrets {
	t := &memory.TalosSecrets{Assume: true}
	text, found := w.manifests.lookup(cluster.Namespace, "Secret", cluster.Name+talosSuffix, talosKey)
	if !found {
		return t
	}
	secrets, err := w.options.TalosBundle(ctx, text)
	if err != nil {
		t.Break(cluster, err)
	} else {
		t.Put(cluster, secrets)
	}
	return t
}

// assumedTalos tells that Talos secrets are made up.
func (w *world) assumedTalos(c bootstrap.Cluster) report.Report {
	if c.ControlPlane.Flavor != node.FlavorTalos {
		return nil
	}
	if _, found := w.manifests.lookup(c.Namespace, "Secret", c.Name+talosSuffix, talosKey); found {
		return nil
	}
	return report.Report{report.Infof("", "the manifests contain no Talos secrets; publicly known "+
		"placeholders replace them")}
}
