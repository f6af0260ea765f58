package osprofile

import (
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
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

// Runtime returns the container runtime that kubelet uses: the one that the documents configure, or else the profile's.
// If they configure both, it is the profile's. A configured runtime that the machine does not have fails before the
// join, when its unit is enabled.
func (t Target) Runtime(docs []document.Document) ContainerRuntime {
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
	if configured == "" {
		return t.Profile.ContainerRuntime
	}
	return configured
}
