package bootscript

import (
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// BootPath is the script of the commands that run at every boot, and BootUnit the unit that runs it.
const (
	BootPath = "/etc/machineadm/boot"
	BootUnit = "machineadm-boot.service"
)

// bootUnit runs the script at every boot but the first, on which the program does, in its phase and with its guarantees.
const bootUnit = `[Unit]
Description=Commands that machineadm runs at every boot
ConditionPathExists=` + StateDir + `/done
After=local-fs.target
Before=kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh ` + BootPath + `

[Install]
WantedBy=multi-user.target
`

// Boot returns the script of the commands that run at every boot and the unit that runs it. There is none if no step is such
// a command.
func Boot(steps []Step) (machine.File, machine.Unit, bool) {
	var b strings.Builder
	for _, s := range steps {
		c, isCommand := s.Do.(action.RunCommand)
		if !isCommand || s.Phase != document.PhaseBoot || strings.ContainsRune(c.Script, 0) {
			continue
		}
		b.WriteString("(eval " + Quote(c.Script) + ")||{ _x=$?;printf '%s failed: exit code %d\\n' " +
			Quote(string(s.Source.Path)) + " $_x>&2;exit $_x;}\n")
	}
	if b.Len() == 0 {
		return machine.File{}, machine.Unit{}, false
	}
	enabled := true
	file := machine.File{Path: BootPath, Content: document.Text("#!/bin/sh\n" + b.String()), Mode: 0o700, Secret: true}
	return file, machine.Unit{Name: BootUnit, Content: bootUnit, Enabled: &enabled}, true
}
