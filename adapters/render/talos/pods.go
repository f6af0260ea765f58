package talos

import (
	"context"

	"github.com/siderolabs/talos/pkg/machinery/config/types/network"
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

// virtualIP adds the setting with which Talos announces the address itself.
func (b *build) virtualIP(at report.Path, v node.VirtualIP) {
	switch {
	case b.node.Role == node.RoleWorker:
		b.find(report.Errorf(at, "a worker runs no control plane").To("leave it out"))
		return
	case v.UsesBGP():
		b.find(report.Errorf(at.Field("peers"), "Talos announces virtual IPs without BGP").To("leave out asn and peers"))
		return
	case v.Interface == "":
		b.find(report.Errorf(at.Field("interface"), "Talos has no default interface for virtual IPs").
			To("set the name of the network interface"))
		return
	case v.Image != "":
		b.find(report.Warningf(at.Field("image"), "Talos announces the address without kube-vip").To("leave it out"))
	}
	if !b.contract.since(sinceDocuments) {
		b.legacyVirtualIP(v)
		return
	}
	d := network.NewLayer2VIPConfigV1Alpha1(v.Address)
	d.LinkName = v.Interface
	b.add(d)
}
