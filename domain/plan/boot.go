package plan

import (
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// BootPath is the path of the script with the commands that run at every boot. BootUnit is the name of the unit that
// runs it.
const (
	BootPath = "/etc/machineadm/boot"
	BootUnit = "machineadm-boot.service"
	// DoneMarker is the file that exists once the bootstrap is complete.
	DoneMarker = "/var/lib/machineadm/done"
)

// bootUnit runs the script at every boot after the first. At the first boot the bootstrap runs it, in PhaseBoot, so
// that a failure fails the bootstrap.
const bootUnit = `[Unit]
Description=Commands that machineadm runs at every boot
ConditionPathExists=` + DoneMarker + `
After=local-fs.target
Before=kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh ` + BootPath + `

[Install]
WantedBy=multi-user.target
`

// WindowsBootDir is the directory of the scripts that run at every start of Windows, in the order of their names.
const WindowsBootDir = `C:\ProgramData\machineadm\boot`

// WithByteOrderMark returns a script with a byte order mark, which makes Windows PowerShell read it as UTF-8.
func WithByteOrderMark(script string) string {
	const mark = "\ufeff"
	return mark + strings.TrimPrefix(script, mark)
}

// WindowsBoot returns a script for each command. They run in the order of their names.
func WindowsBoot(commands []BootCommand) []machine.File {
	files := make([]machine.File, len(commands))
	for i, c := range commands {
		files[i] = machine.File{
			Path:    fmt.Sprintf(`%s\%04d.ps1`, WindowsBootDir, i+1),
			Content: document.Text(WithByteOrderMark(c.Script)),
			Mode:    machine.SecretFileMode, Secret: true,
		}
	}
	return files
}

// BootCommand is a command that runs at every boot, and the path of its document.
type BootCommand struct {
	Path   report.Path
	Script string
}

// Boot returns the script of the commands and the unit that runs it.
func Boot(commands []BootCommand) (machine.File, machine.Unit) {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n")
	for _, c := range commands {
		b.WriteString("(eval " + action.Quote(c.Script) + ")\n_x=$?;[ $_x = 0 ]||{ printf '%s failed: exit code %d\\n' " +
			action.Quote(string(c.Path)) + " $_x>&2;exit $_x;}\n")
	}
	enabled := true
	file := machine.File{Path: BootPath, Content: document.Text(b.String()), Mode: 0o700, Secret: true}
	return file, machine.Unit{Name: BootUnit, Content: document.Text(bootUnit), Enabled: &enabled}
}
