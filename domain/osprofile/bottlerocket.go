package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

// ExemptsCluster reports whether the system itself reaches localhost, the API server and the domain of the cluster
// without the proxy (bottlerocket-core-kit packages/release/proxy-env: NO_PROXY).
func (f Family) ExemptsCluster() bool { return f == FamilyBottlerocket }

// bottlerocket is Bottlerocket: a verified read-only image with an API for its settings, and no shell. It runs two
// instances of containerd: one for the cluster's containers and one for its own.
func bottlerocket() Profile {
	return Profile{
		ID:     "bottlerocket",
		Name:   "Bottlerocket",
		Family: FamilyBottlerocket,
		Formats: []FormatSupport{{Format: delivery.FormatBottlerocket, Source: "bottlerocket.dev/en/os: Settings; " +
			"Provisioning"}},
		Shell: ShellNone,
		// The kernel verifies the root file system, and /etc is generated from the settings at each boot. Only
		// bootstrap containers and host containers can write to the remaining directories.
		ReadOnly:         []string{"/"},
		Writable:         []string{"/local", "/mnt", "/opt", "/var"},
		TimeDaemons:      []machine.TimeDaemon{machine.TimeDaemonChronyd},
		ContainerRuntime: RuntimeContainerd,
		ContainsRuntime:  true,
		ContainerdConfig: []RuntimeVersion{{Version: 2}},
		Provision:        machine.ProvisionImage,
		SELinux:          true,
		Sources: []string{
			"bottlerocket-os/bottlerocket README and SECURITY_FEATURES.md: verified root, stateless /etc, SELinux, no shell",
			"bottlerocket-os/bottlerocket-core-kit packages: chrony, containerd, kubernetes",
		},
	}
}
