package cloudinit

import (
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
)

// privateDir is the directory below which write_files writes private files, each under its own path. cloud-init opens a
// file with mode 0644, writes it, and changes the mode afterwards; it treats the text of runcmd in the same way. No key
// of cloud-config sets the mode of a directory. So this directory is in the home directory of root, which only root can
// enter on every system. bootcmd could create files with another umask, but some infrastructure providers replace or
// drop bootcmd.
const privateDir = "/root/.machineadm"

// install copies the private files to their paths and removes the directory, unless an earlier run has already done
// this. A copy is created with the mode of the original, never with a wider one. It replaces an existing file
// (--remove-destination), which others may have open. A missing file is a failure: it means that write_files stopped
// early, because the program is its last entry.
func (c *config) install() string {
	var b strings.Builder
	b.WriteString("(! cd " + privateDir + "||{ cp --parents --rem")
	for _, f := range c.files {
		if f.place() != f.Path {
			b.WriteString(" " + bootscript.Quote("."+f.Path))
		}
	}
	return b.String() + " ." + bootscript.Path + " /&&rm -r $PWD;})&&[ -e " + bootscript.Path + " ]"
}

// run installs and starts the program, and writes the failure record if that fails. The snippet's runcmd items do not
// run after a failure.
func (c *config) run() string {
	return c.install() + "||{ mkdir -p /run/cluster-api;" +
		`echo '{"phase":"file","step":"write_files","exitCode":1,"log":"see /var/log/cloud-init.log"}'>` +
		bootscript.FailureRecord +
		";exit 1;}\nsh " + bootscript.Path + "||exit 1\n"
}
