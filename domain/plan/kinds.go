package plan

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
)

// Kinds returns the kinds of the one table, in its order. What has to know of every kind (the conformance of renderers, the
// table of formats) goes through them, so that a new kind fails there until somebody says what becomes of it.
func Kinds() []document.Kind {
	return []document.Kind{
		machine.KindDisk, machine.KindFilesystem, machine.KindMount, machine.KindSwap,
		machine.KindTrustedCAs, machine.KindProxy,
		machine.KindHost, machine.KindDomainJoin,
		machine.KindGroup, machine.KindUser,
		machine.KindPackages, machine.KindKubernetes, machine.KindSysctl, machine.KindKernelModules, machine.KindTimeSync,
		machine.KindContainerd, machine.KindCRIO,
		machine.KindFile, node.KindStaticPod,
		machine.KindOSUpdates,
		machine.KindUnit,
		machine.KindCommand,
		node.KindControlPlane, node.KindNode, node.KindTalosSecrets,
	}
}
