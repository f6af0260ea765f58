// Package staticpod expands static Pods, and virtual IPs that a static Pod announces, into manifests in kubelet's
// directory.
//
// Other manifests may exist before kubeadm runs: its preflight checks refuse only the manifests of its own four Pods,
// and an etcd data directory that is not empty (cmd/kubeadm/app/preflight, Kubernetes 1.28 to 1.37).
package staticpod

import (
	"context"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/adapters/plugin/internal/manifest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Dir is the directory of static Pods on a kubeadm node.
const Dir = "/etc/kubernetes/manifests"

// Expander expands static Pods and virtual IPs. It has no state.
type Expander struct{}

var _ ports.Expander = Expander{}

// Describe returns the kinds StaticPod and VirtualIP. A virtual IP depends on the node.
func (Expander) Describe() ports.Capability {
	return ports.Capability{
		Name: "staticpod", Kinds: []document.Kind{node.KindStaticPod, node.KindVirtualIP},
		Reads: []document.Kind{node.KindNode, node.KindStaticPod},
	}
}

// Expand writes the manifest with mode 0600, like kubeadm. A manifest that is not a single Pod is an error finding with
// its line, because kubelet would only log it.
func (Expander) Expand(ctx context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	if v, ok := e.Document.Value.(node.VirtualIP); ok {
		return expandVirtualIP(v, e)
	}
	pod, ok := e.Document.Value.(node.StaticPod)
	if !ok {
		return nil, report.Report{report.Errorf(e.Document.Source.Path, "this is not a static pod")}, nil
	}
	r := check(ctx, e.Document.Source.Path.Field("manifest"), pod.Manifest)
	if r.HasErrors() {
		return nil, r, nil
	}
	return write(e, pod.Name, pod.Manifest), r, nil
}

// write returns the action that writes a manifest.
func write(e ports.Expansion, name string, manifest []byte) []action.Action {
	return action.Of(action.WriteFile{File: machine.File{
		Path: expand.Place(e.Target, Dir+"/"+name+".yaml"), Content: document.Literal(manifest),
		Mode: machine.SecretFileMode,
	}})
}

func check(ctx context.Context, p report.Path, content []byte) report.Report {
	m, r := manifest.Read(ctx, p, content, manifest.Type{APIVersions: []string{"v1"}, Kind: "Pod"})
	if len(r) > 0 {
		return r
	}
	if name, _ := m.Field("metadata", "name"); name == "" {
		r = append(r, report.Errorf(p, "the pod has no name").To("write metadata.name"))
	}
	return r
}
