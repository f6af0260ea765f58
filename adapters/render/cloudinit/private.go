package cloudinit

import (
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
)

// privateDir is the directory below which write_files writes private files, each under its own path. cloud-init opens a
// file with mode 0644, writes it, and changes the mode afterwards; it does the same with the text of runcmd. No key of
// cloud-config sets the mode of a directory, so this one is inside a directory that only root may enter on every
// system: the home of root. bootcmd could create files under another umask, but some infrastructure providers replace
// or drop bootcmd.
const privateDir = "/root/.machineadm"

// install copies the private files to their paths and removes the directory, if a run before has not done that. A copy
// is created with the mode of the original, never with a wider one, and not written into a file that exists
// (--remove-destination), which others may have open. A file that is missing, since write_files ended early, is a
// failure; the program is the last.
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

// run installs and starts the program. Where that fails, the record of the failure is written here. What the user's
// snippet adds to runcmd is not run after a failure.
func (c *config) run() string {
	return c.install() + "||{ mkdir -p /run/cluster-api;" +
		`echo '{"phase":"file","step":"write_files","exitCode":1,"log":"see /var/log/cloud-init.log"}'>` +
		bootscript.FailureRecord +
		";exit 1;}\nsh " + bootscript.Path + "||exit 1\n"
}
