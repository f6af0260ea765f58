package expand

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// RuntimeKinds returns the kinds of documents that determine the container runtime, for Capability.Reads of expanders
// that call RuntimeUnit.
func RuntimeKinds() []document.Kind {
	return []document.Kind{machine.KindContainerd, machine.KindCRIO, node.KindNode}
}

// RuntimeUnit returns the unit of the container runtime that kubelet uses.
func RuntimeUnit(t osprofile.Target, others []document.Document) string {
	if t.Runtime(others) == osprofile.RuntimeCRIO {
		return "crio.service"
	}
	return "containerd.service"
}
