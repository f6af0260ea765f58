package bottlerocket

import (
	"fmt"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// refusal is why a kind of documents is not supported, and what to use instead.
type refusal struct{ why, instead string }

// refusals has a row for each kind that users write and Bottlerocket does not support.
// Source: bottlerocket.dev: Bootstrap containers; Host containers; Settings.
func refusals() map[document.Kind]refusal {
	const bootstrap = "use a bootstrap container, which a snippet names in bootstrap-containers"
	disk := refusal{
		"Bottlerocket partitions its disks itself",
		"use a bootstrap container for further disks, or bootstrap-commands with apiclient ephemeral-storage",
	}
	return map[document.Kind]refusal{
		machine.KindFile: {
			"Bottlerocket does not support users' files",
			"use the setting for it, or a bootstrap container, which a snippet names in bootstrap-containers",
		},
		machine.KindDirectory: {"Bottlerocket does not support users' directories", bootstrap},
		machine.KindLink:      {"Bottlerocket does not support users' links", bootstrap},
		machine.KindUser: {
			"Bottlerocket has no users",
			"give SSH keys to the admin container: host-containers.admin.user-data in a snippet",
		},
		machine.KindGroup: {"Bottlerocket has no groups", "leave it out"},
		machine.KindUnit: {
			"Bottlerocket does not support users' systemd units",
			"use a host container, which a snippet names in host-containers, or a static pod",
		},
		machine.KindPackages: {
			"Bottlerocket has no packages",
			"use a host container, which a snippet names in host-containers",
		},
		machine.KindCommand:    {"Bottlerocket has no shell", bootstrap},
		machine.KindDisk:       disk,
		machine.KindFilesystem: disk,
		machine.KindMount:      disk,
		machine.KindSwap:       {"Bottlerocket has no swap", "leave it out"},
		machine.KindCRIO:       {"Bottlerocket has containerd and no CRI-O", "use containerd"},
		node.KindControlPlane: {
			"Bottlerocket runs no control plane",
			"use another operating system for control plane machines",
		},
	}
}

func (s *settings) refuseDocument(d document.Document) {
	r, known := refusals()[d.Kind()]
	if !known {
		r = refusal{fmt.Sprintf("Bottlerocket does not support documents of the kind %s", d.Kind()), "leave it out"}
	}
	s.instead(d.Source.Path, r.instead, "%s", r.why)
}

// step refuses what a plugin made of a document: whatever it is, it is a file or a command.
func (s *settings) step(at report.Path, step plan.Step) {
	s.instead(at, "leave it out, or use a bootstrap container, which a snippet names in bootstrap-containers",
		"Bottlerocket cannot %s", step.Do.Summary())
}
