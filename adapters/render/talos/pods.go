package talos

import (
	"context"

	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// pod adds a static pod. Talos serves its pods to kubelet itself, so the name of a file is not needed.
func (b *build) pod(ctx context.Context, at report.Path, p node.StaticPod) {
	tree := b.tree(ctx, at.Field("manifest"), p.Manifest, "Pod")
	if tree == nil {
		return
	}
	metadata, _ := tree["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	if tree["apiVersion"] != "v1" || name == "" {
		b.find(report.Errorf(at.Field("manifest"), "a pod has the apiVersion v1 and a metadata.name"))
		return
	}
	b.config.MachineConfig.MachinePods = append(b.config.MachineConfig.MachinePods, v1alpha1.Unstructured{Object: tree})
}
