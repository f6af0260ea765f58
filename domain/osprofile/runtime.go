package osprofile

import (
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// RuntimeOf returns the container runtime that documents of the kind configure: "" if they configure none.
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

// RuntimeBehind returns the runtime that listens on a CRI socket: "" if the socket's name does not show it.
func RuntimeBehind(socket string) ContainerRuntime {
	for _, r := range []ContainerRuntime{RuntimeContainerd, RuntimeCRIO} {
		if strings.Contains(socket, string(r)) {
			return r
		}
	}
	return ""
}

// Runtime returns the container runtime that kubelet uses next to the documents: the one that they configure, or else
// the profile's. Who configures a runtime wants his containers to run in it, and one that the machine lacks fails when
// its unit is enabled, before anything joins. Of two that are configured it is the profile's.
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
