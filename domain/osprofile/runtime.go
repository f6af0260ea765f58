package osprofile

import (
	"cmp"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
)

// RuntimeOf returns the container runtime that documents of the kind configure, or "" if they configure none.
func RuntimeOf(k document.Kind) ContainerRuntime {
	switch k {
	case machine.KindContainerd:
		return RuntimeContainerd
	case machine.KindCRIO:
		return RuntimeCRIO
	default:
		return ""
	}
}

// RuntimeBehind returns the container runtime of a CRI socket, or "" if the name of the socket does not show it.
func RuntimeBehind(socket string) ContainerRuntime {
	for _, r := range []ContainerRuntime{RuntimeContainerd, RuntimeCRIO} {
		if strings.Contains(socket, string(r)) {
			return r
		}
	}
	return ""
}

// Runtime returns the container runtime that kubelet uses: the known one, or else the usual one of the profile.
func (t Target) Runtime(docs []document.Document) ContainerRuntime {
	return cmp.Or(t.KnownRuntime(docs), t.Profile.ContainerRuntime)
}

// KnownRuntime returns the container runtime that kubelet certainly uses: that of the node's endpoint, or else the one
// that the documents configure, or else the one that the operating system contains. If the documents configure both, it
// is the profile's. It is empty if only the machine knows, because the image determines the runtime. A configured
// runtime that the machine does not have fails before the join, when its unit is enabled.
func (t Target) KnownRuntime(docs []document.Document) ContainerRuntime {
	if n, _, _ := document.First[node.NodeConfig](docs); n.RuntimeEndpoint() != "" {
		return RuntimeBehind(n.RuntimeEndpoint())
	}
	var configured ContainerRuntime
	for _, d := range docs {
		r := RuntimeOf(d.Kind())
		if r == "" || r == configured {
			continue
		}
		if configured != "" {
			return t.Profile.ContainerRuntime
		}
		configured = r
	}
	if configured == "" && t.Profile.ContainsRuntime {
		return t.Profile.ContainerRuntime
	}
	return configured
}
