// Package formats is the one list of output formats.
package formats

import (
	"github.com/machineadm/machineadm/adapters/render/bottlerocket"
	"github.com/machineadm/machineadm/adapters/render/butane"
	"github.com/machineadm/machineadm/adapters/render/cloudbaseinit"
	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/ignitionv2"
	"github.com/machineadm/machineadm/adapters/render/shell"
	"github.com/machineadm/machineadm/adapters/render/talos"
	"github.com/machineadm/machineadm/adapters/render/unattend"
	"github.com/machineadm/machineadm/ports"
)

// Bootable returns a renderer for each format that machines boot from.
func Bootable() []ports.Renderer {
	return []ports.Renderer{
		cloudinit.Renderer{},
		ignition.New(),
		ignitionv2.New(),
		bottlerocket.Renderer{},
		talos.New(),
		shell.Renderer{},
		cloudbaseinit.New(),
		unattend.New(),
	}
}

// Builtin returns a renderer for each format, those for people among them.
func Builtin() []ports.Renderer {
	return append(Bootable(), butane.New())
}
