package cloudinit

import (
	_ "embed"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
)

// privateDir is the directory below which write_files writes private files, each under its own path. cloud-init opens a
// file with mode 0644, writes it, and changes the mode afterwards; it treats the text of runcmd in the same way. No key
// of cloud-config sets the mode of a directory. So this directory is in the home directory of root, which only root can
// enter on every system. bootcmd could create files with another umask, but some infrastructure providers replace or
// drop bootcmd.
const privateDir = "/root/.machineadm"

// runScript installs the private files and starts the bootstrap program.
//
//go:embed run.sh
var runScript string

// runCode is runScript without its comments.
//
//nolint:gochecknoglobals // it never varies
var runCode = script.StripShell(runScript)

// run returns the item of runcmd: runScript with the private files as its arguments. The snippet's items do not run
// after a failure.
func (c *config) run() string {
	var files strings.Builder
	for _, f := range c.files {
		if f.Private() {
			files.WriteString(bootscript.Quote("."+f.Path) + " ")
		}
	}
	return strings.Replace(runCode, `"$@"`, files.String()+"."+bootscript.Path, 1)
}
