package talos

import (
	"context"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// known reports whether this package renders or refuses documents of the type.
func known(v document.Value) bool {
	switch v.(type) {
	case machine.SysctlConfig, machine.KernelModulesConfig, machine.TimeSyncConfig, machine.ContainerdConfig, machine.File,
		machine.TrustedCAsConfig, machine.ProxyConfig, machine.HostConfig, machine.KubernetesConfig, machine.OSUpdatesConfig,
		machine.Disk, machine.Filesystem, machine.Mount, machine.Swap,
		node.NodeConfig, node.ControlPlaneConfig, node.TalosSecrets, node.StaticPod, node.VirtualIP:
		return true
	default:
		return refusal(v) != nil
	}
}

// document renders a document of a type that is known.
func (b *build) document(ctx context.Context, d document.Document) {
	at := d.Source.Path
	switch v := d.Value.(type) {
	case machine.SysctlConfig:
		b.sysctls(at, v)
	case machine.KernelModulesConfig:
		b.modules(v)
	case machine.TimeSyncConfig:
		b.time(at, v)
	case machine.TrustedCAsConfig:
		b.trust(at, v)
	case machine.ProxyConfig:
		b.proxy(v)
	case machine.HostConfig:
		b.host(at, v)
	case machine.File:
		b.files.add(b, at, v)
	case machine.ContainerdConfig:
		b.runtime(ctx, at, v)
	case machine.KubernetesConfig:
		b.provision(at, v)
	case machine.OSUpdatesConfig:
		b.updates(at, v)
	case node.NodeConfig:
		b.renderNode()
	case node.ControlPlaneConfig:
		b.renderControlPlane(ctx)
	case node.StaticPod:
		b.pod(ctx, at, v)
	case node.VirtualIP:
		b.virtualIP(at, v)
	case machine.Disk, machine.Filesystem, machine.Mount, machine.Swap, node.TalosSecrets:
		// Volumes render the former together; the base has the secrets.
	default:
		b.refuse(at, refusal(v))
	}
}

// refused is why Talos does not support something, and what to use instead.
type refused struct{ message, remedy string }

// refusal returns why Talos does not support the document, or nil.
func refusal(v document.Value) *refused {
	switch v.(type) {
	case machine.Command:
		return &refused{"Talos has no shell and runs no commands", "run a container: a static pod or a DaemonSet"}
	case machine.User, machine.Group:
		return &refused{"Talos has no users and groups", "use the roles of the Talos API"}
	case machine.PackagesConfig:
		return &refused{"Talos has no packages", "build an image with Talos's system extensions"}
	case machine.Unit:
		return &refused{"Talos has no systemd", "run a container: a static pod, a DaemonSet or a system extension's service"}
	case machine.DomainJoin:
		return &refused{"Talos joins no domains", "leave it out"}
	case machine.Directory, machine.Link:
		return &refused{"Talos writes only files", "give a file below the directory"}
	case machine.KernelArguments:
		// docs.siderolabs.com/talos: Boot Loader. Only GRUB reads machine.install.extraKernelArgs, and not by default since
		// 1.12; UEFI machines have had systemd-boot since 1.10.
		return &refused{
			"the image contains the kernel arguments of Talos",
			"set customization.extraKernelArgs in the image's schematic of Image Factory",
		}
	case machine.CRIOConfig:
		return &refused{"Talos runs containers with containerd", "use containerd"}
	default:
		return nil
	}
}

func (b *build) refuse(at report.Path, r *refused) {
	if r != nil {
		b.find(report.Errorf(at, "%s", r.message).To("%s", r.remedy))
	}
}

// step renders a step from a plugin: a file, or nothing.
func (b *build) step(s plan.Step) {
	at := b.plan.Source(s).Path
	if op, ok := s.Do.(action.WriteFile); ok {
		b.files.add(b, at, op.File)
		return
	}
	b.refuse(at, refusalOf(s.Do))
}

// refusalOf returns why Talos does not support an operation.
func refusalOf(op action.Operation) *refused {
	switch op.(type) {
	case action.EnsureUser, action.EnsureGroup:
		return refusal(machine.User{})
	case action.EnsureUnit:
		return refusal(machine.Unit{})
	case action.InstallPackages:
		return refusal(machine.PackagesConfig{})
	case action.RunCommand:
		return refusal(machine.Command{})
	case action.PartitionDisk, action.MakeFilesystem, action.MountFilesystem, action.EnableSwap:
		return &refused{"Talos configures whole volumes, not single steps", "use disks, filesystems and mounts"}
	case action.MakeDirectory, action.Link:
		return refusal(machine.Directory{})
	case action.FetchFile:
		return &refused{"Talos fetches no files", "give the content, or put the file into the image"}
	default:
		return &refused{"Talos does not support this", "leave it out"}
	}
}
