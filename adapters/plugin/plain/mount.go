package plain

import (
	"path"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// runtimeDropIn is the name of the drop-in of a container runtime whose data is on a mount.
const runtimeDropIn = "50-machineadm-mount.conf"

// afterMount starts a container runtime after the mount of its data, also at later boots. A runtime that runs already
// has the hidden files open, and is restarted because its files change. RestartOn would fail if the runtime is
// installed later.
func afterMount(m machine.Mount) []action.Operation {
	unit := linuxcmd.RuntimeOfData(m.Path)
	if unit == "" {
		return nil
	}
	// systemd.unit(5): the name of a mount unit is the path. These paths contain nothing that is escaped.
	mount := strings.ReplaceAll(strings.Trim(path.Clean(m.Path), "/"), "/", "-") + ".mount"
	after := expand.Restarted(unit)
	after.DropIns = []machine.DropIn{{Name: runtimeDropIn, Content: document.Text("[Unit]\nAfter=" + mount + "\n")}}
	return []action.Operation{after}
}
